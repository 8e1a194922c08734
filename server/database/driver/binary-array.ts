import type { ArrayValue } from '#kernel/statements.ts'

type Type = ArrayValue['type']
type Element = ArrayValue['values'][number]

const elementOids: Record<Type, number> = { int4: 23, text: 25, bytea: 17, timestamptz: 1184 }
const arrayOids: Record<Type, number> = { int4: 1007, text: 1009, bytea: 1001, timestamptz: 1185 }

const headerBytes = 20
// PostgreSQL counts microseconds from the year 2000.
const epochMs = Date.UTC(2000, 0, 1)

const bytesOf = (value: Element): number => {
  if (value === null) return 0
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return 4
  return value instanceof Date ? 8 : value.length
}

function write(to: Buffer, value: Exclude<Element, null>, at: number): void {
  if (typeof value === 'string') to.write(value, at)
  else if (typeof value === 'number') to.writeInt32BE(value, at)
  else if (value instanceof Date) to.writeBigInt64BE(BigInt(value.getTime() - epochMs) * 1000n, at)
  else to.set(value, at)
}

/** An array as `array_recv` of PostgreSQL reads it: `src/backend/utils/adt/arrayfuncs.c`. */
export class BinaryArray implements ArrayValue {
  readonly type: Type
  readonly values: readonly Element[]

  constructor(type: Type, values: readonly Element[]) {
    this.type = type
    this.values = values
  }

  get oid(): number {
    return arrayOids[this.type]
  }

  get bytes(): Buffer {
    const { values } = this
    const sizes = values.map(bytesOf)
    const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + size, headerBytes))
    bytes.writeInt32BE(1, 0)
    bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4)
    bytes.writeInt32BE(elementOids[this.type], 8)
    bytes.writeInt32BE(values.length, 12)
    bytes.writeInt32BE(1, 16)
    let at = headerBytes
    for (const [index, value] of values.entries()) {
      const size = sizes[index] as number
      bytes.writeInt32BE(value === null ? -1 : size, at)
      if (value !== null) write(bytes, value, at + 4)
      at += 4 + size
    }
    return bytes
  }
}
