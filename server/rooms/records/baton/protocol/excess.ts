import type { DescField, DescMessage } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'

/** How much a message may hold. The work of a decoder grows with the number of fields, and a field may be two bytes. */
type MessageLimits = { fieldsMax: number; depthMax: number }

/**
 * Several times what a connector with a hundred kinds of resources reports about itself; a message of this size is decoded
 * in 10 ms.
 */
const usualLimits: MessageLimits = { fieldsMax: 20_000, depthMax: 64 }

class Excess extends Error {}
const malformed = (): Excess => new Excess('is malformed')

/** Why a message is not decoded, or null. Its fields are counted on the wire, and counting stops at the limit. */
export function messageExcess(schema: DescMessage, bytes: Uint8Array, limits = usualLimits): string | null {
  try {
    walk(levelOf(schema), new BinaryReader(bytes), bytes.length, 1, { fields: 0, limits })
    return null
  } catch (error) {
    return error instanceof Excess ? error.message : malformed().message
  }
}

/** What is decoded with a message: by the number of the field, another level, or numbers that have no tags. */
type Level = ReadonlyMap<number, 'numbers' | (() => Level)>

const levels = new WeakMap<DescMessage, Level>()
function levelOf(schema: DescMessage): Level {
  const known = levels.get(schema) ?? new Map(schema.fields.flatMap((field) => insideOf(field)))
  levels.set(schema, known)
  return known
}

function insideOf(field: DescField): [number, 'numbers' | (() => Level)][] {
  const { message, number } = field
  const ofMessage = message ? () => levelOf(message) : null
  // An entry of a map is a message of a key, 1, and a value, 2.
  if (field.fieldKind === 'map') return [[number, () => new Map(ofMessage ? [[2, ofMessage]] : [])]]
  if (ofMessage) return [[number, ofMessage]]
  return field.fieldKind === 'list' && field.packed ? [[number, 'numbers']] : []
}

type Count = { fields: number; limits: MessageLimits }
function take(count: Count, fields: number): void {
  count.fields += fields
  if (count.fields > count.limits.fieldsMax) throw new Excess(`has more than ${count.limits.fieldsMax} fields`)
}

function walk(level: Level, reader: BinaryReader, end: number, depth: number, count: Count): void {
  if (depth > count.limits.depthMax) throw new Excess(`is nested more than ${count.limits.depthMax} levels deep`)
  while (reader.pos < end) {
    const [number, type] = reader.tag()
    take(count, 1)
    // Groups belong to proto2, and a decoder reads their contents even if it does not know them.
    if (type === WireType.StartGroup || type === WireType.EndGroup) throw malformed()
    const inside = type === WireType.LengthDelimited ? level.get(number) : undefined
    if (!inside) {
      reader.skip(type, number)
      continue
    }
    const length = reader.uint32()
    const insideEnd = reader.pos + length
    if (insideEnd > end) throw malformed()
    if (inside === 'numbers') {
      // Each takes at least one byte.
      take(count, length)
      reader.pos = insideEnd
    } else walk(inside(), reader, insideEnd, depth + 1, count)
  }
  if (reader.pos !== end) throw malformed()
}
