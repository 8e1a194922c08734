import { isSingleLine, singleLineHint } from '../single-line.ts'
import { join } from './names.ts'
import { complain, storable } from './scalars.ts'
import type { Fields, Message, MessageOf, Shape } from './shape.ts'

const itemsMaxDefault = 10_000
// Far more than are reported: the rest of a list that is all wrong need not be read.
const problemsMax = 1000
export const list = <T>(item: Shape<T>, itemsMax = itemsMaxDefault): Shape<readonly T[]> => ({
  unset: [],
  schema: { type: ['array', 'null'], items: item.schema },
  limits: { maxItems: itemsMax, ...(item.limits && { items: { ...item.schema, ...item.limits } }) },
  messages: item.messages,
  write: (value) => (value ?? []).map((each) => item.write(each)),
  text: (value) => (value && value.length > 0 ? `[${value.map((each) => item.text(each)).join(',')}]` : '[]'),
  itemText: item.text,
  read(json, at, problems) {
    if (json === null || json === undefined) return []
    if (!Array.isArray(json)) return complain([], at, 'must be a list', problems)
    if (json.length > itemsMax) return complain([], at, `must have at most ${itemsMax} items`, problems)
    const items: T[] = []
    for (const [index, each] of json.entries()) {
      if (problems.length >= problemsMax) return []
      items.push(
        each === null
          ? complain(item.unset, `${at}[${index}]`, 'must not be null', problems)
          : item.read(each, `${at}[${index}]`, problems),
      )
    }
    return items
  },
})

/** A list of messages: its items are never null. */
export const listOf = <F extends Fields>(
  of: Message<F>,
  itemsMax = itemsMaxDefault,
): Shape<readonly MessageOf<F>[]> => ({
  ...list<MessageOf<F>>(
    {
      unset: null as never,
      schema: of.reference,
      messages: [of, ...of.messages],
      read: of.read,
      write: of.write,
      text: of.text,
    },
    itemsMax,
  ),
  within: of,
})

/** Messages by names that the caller chooses. */
export const mapOf = <F extends Fields>(
  of: Message<F>,
  { entriesMax, nameLength }: { entriesMax: number; nameLength: number },
): Shape<{ readonly [name: string]: MessageOf<F> }> => ({
  unset: {},
  schema: { type: ['object', 'null'], additionalProperties: of.reference },
  limits: { maxProperties: entriesMax, propertyNames: { minLength: 1, maxLength: nameLength } },
  messages: [of, ...of.messages],
  within: of,
  isMap: true,
  write: (value) => Object.fromEntries(Object.entries(value ?? {}).map(([name, each]) => [name, of.write(each)])),
  text: (value) =>
    `{${Object.entries(value ?? {})
      .map(([name, each]) => `${JSON.stringify(name)}:${of.text(each)}`)
      .join(',')}}`,
  read(json, at, problems) {
    if (json === null || json === undefined) return {}
    if (typeof json !== 'object' || Array.isArray(json)) return complain({}, at, 'must be an object', problems)
    const entries = Object.entries(json)
    if (entries.length > entriesMax) return complain({}, at, `must have at most ${entriesMax} entries`, problems)
    for (const [name] of entries)
      if (name === '' || name.length > nameLength || !storable(name))
        return complain({}, at, `must have names of 1 to ${nameLength} characters`, problems)
      else if (!isSingleLine(name))
        return complain({}, at, `must have names, each of which ${singleLineHint}`, problems)
    // Without a prototype: `__proto__` is a name like others.
    const out = Object.create(null) as { [name: string]: MessageOf<F> }
    for (const [name, each] of entries) out[name] = of.read(each, join(at, name), problems)
    return out
  },
})
