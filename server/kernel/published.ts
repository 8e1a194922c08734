import { type FieldViolation, notSupported } from './refusals.ts'
import { camel, type Fields, isUnset, join, type Message } from './wire.ts'

/**
 * The published API has fields that Bailiwick does not have. A request that sets one is refused with its name: the
 * field is never silently ignored. This takes a list of what is published, which is data: server/registry/published.ts.
 */
export type PublishedField = { readonly isReadOnly: boolean; readonly within: PublishedMessage | null }
export type PublishedMessage = ReadonlyMap<string, PublishedField>

type Json = Readonly<Record<string, unknown>>
const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)

/** Refuses what `json` sets of the published message that ours lacks, at any depth. Unknown fields are ignored. */
export function refuseUnsupported(
  published: PublishedMessage,
  of: Message<Fields>,
  json: unknown,
  at: string,
  problems: FieldViolation[],
): void {
  if (!isObject(json)) return
  for (const [name, value] of Object.entries(json)) {
    const field = camel(name)
    const known = published.get(field)
    if (!known) continue
    const shape = Object.hasOwn(of.fields, field) ? of.fields[field] : undefined
    if (!shape) {
      // Clients send back read-only fields that they have read: this server never sends these, so they do no harm.
      if (!known.isReadOnly && !isUnset(value)) problems.push(notSupported(join(at, field)))
    } else if (known.within && shape.within && !shape.isReadOnly) {
      if (Array.isArray(value))
        for (const [i, item] of value.entries())
          refuseUnsupported(known.within, shape.within, item, `${join(at, field)}[${i}]`, problems)
      else refuseUnsupported(known.within, shape.within, value, join(at, field), problems)
    }
  }
}

// They control the request, and are not its content.
const masks = new Set(['updateMask', 'expandMask'])

/**
 * Refuses a published message of which no field is known, though it is not empty: an envelope too many, one too few, or
 * the names of another operation. If ignored, it would be an update that changes nothing, or a list that is set to
 * nothing.
 */
export function refuseStrange(
  published: PublishedMessage | null,
  of: Message<Fields>,
  json: unknown,
  at: string,
  problems: FieldViolation[],
): void {
  if (!isObject(json)) return
  if (published) refuseAllStrange(published, of, json, at, problems)
  for (const [name, value] of Object.entries(json)) {
    const shape = Object.hasOwn(of.fields, camel(name)) ? of.fields[camel(name)] : undefined
    if (shape?.isUpdate && shape.within)
      refuseStrange(published?.get(camel(name))?.within ?? null, shape.within, value, join(at, camel(name)), problems)
  }
}

function refuseAllStrange(
  published: PublishedMessage,
  of: Message<Fields>,
  json: Json,
  at: string,
  problems: FieldViolation[],
): void {
  const fields = Object.keys(of.fields).filter((name) => !masks.has(name))
  const sent = Object.entries(json)
    .filter(([, value]) => value !== null)
    .map(([name]) => name)
  const isKnown = (name: string): boolean => Object.hasOwn(of.fields, name) || published.has(name)
  const first = sent.find((name) => !isKnown(camel(name)))
  const saysSomething = sent.some((name) => isKnown(camel(name)) && !masks.has(camel(name)))
  if (fields.length > 0 && first !== undefined && !saysSomething)
    problems.push({
      field: join(at, first.slice(0, 100)),
      description: `is not a field here, and nothing else was sent; the fields are ${fields.join(', ')}`,
    })
}
