import { isSingleLine, singleLineHint } from '../single-line.ts'
import { isTwice, join, snake } from './names.ts'
import type { Fields, Message, MessageOf, Shape } from './shape.ts'

/**
 * The text of an object, field by field: a page of 25 entitlements takes 90 µs, and 200 as objects for JSON.stringify
 * (decision 0054).
 */
function textWriter(fields: readonly (readonly [name: string, shape: Shape<unknown>])[]) {
  const writers = fields.map(([name, shape], at) => ({
    name,
    shape,
    before: `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  }))
  if (writers.length === 0) return (): string => '{}'
  return (value: { readonly [name: string]: unknown }): string => {
    let text = ''
    for (const { before, name, shape } of writers)
      if (!shape.isLeftOut || isThere(shape, value[name])) text += before + shape.text(value[name])
    return `${text}}`
  }
}

/** Fields that are always one line: names and addresses. */
const isName = /^(?:name|email|slug|jobTitle|department|alias|\w*(?:Name|Email))$|^username$/

/** For a field that may be omitted: whether it is set. */
export const isThere = ({ unset }: Pick<Shape<unknown>, 'unset'>, value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== unset && value !== null && value !== undefined

/** An object with known fields. `name` is its name in the API document. */
export function message<const F extends Fields>(name: string, fields: F, description = ''): Message<F> {
  const entries = Object.entries(fields as Record<string, Shape<unknown>>).map(
    ([field, shape]) => [field, snake(field), shape, isName.test(field)] as const,
  )
  const write: Message<F>['write'] = (value) => {
    const out: Record<string, unknown> = {}
    for (const [field, , shape] of entries)
      if (!shape.isLeftOut || isThere(shape, value[field])) out[field] = shape.write(value[field])
    return out
  }
  return {
    name,
    description,
    fields,
    read(json, at, problems) {
      const out: Record<string, unknown> = {}
      const from = (json ?? {}) as Record<string, unknown>
      if (typeof from !== 'object' || Array.isArray(from)) {
        problems.push({ field: at, description: 'must be an object' })
        for (const [field, , shape] of entries) out[field] = shape.unset
        return out as MessageOf<F>
      }
      for (const [field, other, shape, isLine] of entries) {
        if (isTwice(from, field, other))
          problems.push({ field: join(at, field), description: `is set twice, with another value in ${other}` })
        const given = Object.hasOwn(from, field) ? from[field] : Object.hasOwn(from, other) ? from[other] : undefined
        const value = shape.read(given, join(at, field), problems)
        if (isLine && typeof value === 'string' && !isSingleLine(value))
          problems.push({ field: join(at, field), description: singleLineHint })
        out[field] = value
      }
      return out as MessageOf<F>
    },
    write,
    // If the first one may be omitted, it is not known in advance whether the next one needs a comma.
    text: entries[0]?.[2].isLeftOut
      ? (value) => JSON.stringify(write(value))
      : textWriter(entries.map(([field, , shape]) => [field, shape])),
    get schema() {
      return {
        type: 'object',
        ...(description && { description }),
        properties: Object.fromEntries(entries.map(([field, , shape]) => [field, shape.schema])),
      }
    },
    get sentSchema() {
      const required = entries.filter(([, , shape]) => shape.isRequired).map(([field]) => field)
      return {
        ...this.schema,
        ...(required.length > 0 && { required }),
        properties: Object.fromEntries(
          entries.map(([field, , shape]) => [field, { ...shape.schema, ...shape.limits }]),
        ),
      }
    },
    reference: { $ref: `#/components/schemas/${name}` },
    get messages() {
      return entries.flatMap(([, , shape]) => shape.messages)
    },
  }
}

/** A field that holds a message; null when unset. */
export const nested = <F extends Fields>(of: Message<F>): Shape<MessageOf<F> | null> => ({
  unset: null,
  schema: { oneOf: [of.reference, { type: 'null' }] },
  messages: [of, ...of.messages],
  within: of,
  read: (json, at, problems) => (json === null || json === undefined ? null : of.read(json, at, problems)),
  write: (value) => (value ? of.write(value) : null),
  text: (value) => (value ? of.text(value) : 'null'),
})
