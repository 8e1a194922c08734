import { invalid } from './refusals.ts'
import { type Fields, type Message, type MessageOf, nested, type Shape } from './wire.ts'

const sent = new WeakMap<object, readonly string[]>()
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

// Null is unset, so it is not sent: clients that write what they leave out as null would else empty it.
const namesSent = (json: object): string[] =>
  Object.entries(json)
    .filter(([, value]) => value !== null)
    .map(([name]) => camel(name))

/** A message in an update: it remembers which of its fields were sent, as decoding sets the others to nothing. */
export const updatable = <F extends Fields>(of: Message<F>): Shape<MessageOf<F> | null> => {
  const shape = nested(of)
  return {
    ...shape,
    read(json, at, problems) {
      const value = shape.read(json, at, problems)
      if (value) sent.set(value, namesSent(json as object))
      return value
    },
  }
}

/** The same for a body whose own fields are what is changed. */
export const updatableBody = <F extends Fields>(of: Message<F>): Message<F> => ({
  ...of,
  read(json, at, problems) {
    const value = of.read(json, at, problems)
    if (typeof json === 'object' && json !== null) sent.set(value, namesSent(json))
    return value
  },
})

const namedMax = 20
const listed = (names: readonly string[]): string =>
  names.length > namedMax
    ? `${names.slice(0, namedMax).join(', ')} and ${names.length - namedMax} more`
    : names.join(', ')

/**
 * The fields that an update changes: those that `updateMask` names, in either spelling; without a mask, those that were
 * sent. A mask that names what cannot be changed is refused, while merely sending such a field back is not.
 */
export function fieldsToChange<const N extends string>(
  value: object | null,
  updateMask: string,
  changeable: readonly N[],
): ReadonlySet<N> {
  const isChangeable = (name: string): name is N => (changeable as readonly string[]).includes(name)
  if (updateMask === '') return new Set((value ? (sent.get(value) ?? []) : []).filter(isChangeable))

  const named = updateMask.split(',').map((path) => camel(path.trim()))
  const wrong = named.filter((name) => !isChangeable(name))
  if (wrong.length > 0)
    throw invalid({
      field: 'updateMask',
      description: `names ${listed(wrong)}; what can be changed is ${changeable.join(', ')}`,
    })
  return new Set(named.filter(isChangeable))
}
