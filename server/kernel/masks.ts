import { invalid } from './refusals.ts'
import { camel, type Fields, isUnset, type Message, type MessageOf, nested, type Shape } from './wire.ts'

const sent = new WeakMap<object, Readonly<Record<string, unknown>>>()

// Null is unset, so it counts as not sent: otherwise clients that write omitted fields as null would clear them.
const fieldsSent = (json: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(json)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [camel(name), value]),
  )

/** A message in an update: it remembers which of its fields were sent, as decoding sets the others to their defaults. */
export const updatable = <F extends Fields>(of: Message<F>): Shape<MessageOf<F> | null> => {
  const shape = nested(of)
  return {
    ...shape,
    isUpdate: true,
    read(json, at, problems) {
      const value = shape.read(json, at, problems)
      if (value) sent.set(value, fieldsSent(json as object))
      return value
    },
  }
}

/** The same for a body whose own fields are changed. */
export const updatableBody = <F extends Fields>(of: Message<F>): Message<F> => ({
  ...of,
  read(json, at, problems) {
    const value = of.read(json, at, problems)
    if (typeof json === 'object' && json !== null) sent.set(value, fieldsSent(json))
    return value
  },
})

/** Whether an update changes every field that was sent: it has no mask, or the mask has `*`. */
export const isForAll = (updateMask: string): boolean =>
  updateMask.trim() === '' || updateMask.split(',').some((path) => path.trim() === '*')

/**
 * Whether an update without a mask, or with `*`, sends all of these fields: the client sends back everything that it
 * knows of the object.
 */
export const sendsAll = (value: object | null, updateMask: string, names: readonly string[]): boolean => {
  const said = (value && sent.get(value)) ?? {}
  return isForAll(updateMask) && names.every((name) => Object.hasOwn(said, name))
}

const namedMax = 20
const listed = (names: readonly string[]): string =>
  names.length > namedMax
    ? `${names.slice(0, namedMax).join(', ')} and ${names.length - namedMax} more`
    : names.join(', ')
/**
 * The fields that an update changes: those that `updateMask` names, in either spelling; without a mask, or with `*`,
 * those that were sent. A mask that names what cannot be changed is refused, while merely sending such a field back is
 * not.
 */
export function fieldsToChange<const N extends string>(
  value: object | null,
  updateMask: string,
  changeable: readonly N[],
): ReadonlySet<N> {
  const isChangeable = (name: string): name is N => (changeable as readonly string[]).includes(name)
  if (isForAll(updateMask)) return new Set(Object.keys((value && sent.get(value)) ?? {}).filter(isChangeable))

  const named = updateMask.split(',').map((path) => camel(path.trim()))
  const wrong = named.filter((name) => !isChangeable(name))
  if (wrong.length > 0)
    throw invalid({
      field: 'updateMask',
      description: `names ${listed(wrong)}; the fields that can be changed are ${changeable.join(', ')}`,
    })
  return new Set(named.filter(isChangeable))
}

export type Update = { readonly at: string; readonly value: object | null; readonly updateMask: string }

/**
 * The result of an update, unless it sets a `fixed` field to another value: that would be silently ignored. Sending
 * back what was read is accepted, and so are fields outside the mask, and the previous values of `outdated` fields.
 */
export function keptIn<F extends Fields, T extends { readonly [K in keyof F]?: MessageOf<F>[K] | undefined }>(
  of: Message<F>,
  { at, value, updateMask }: Update,
  after: T,
  outdated: readonly string[] = [],
): T {
  const said = (value && isForAll(updateMask) && sent.get(value)) || {}
  const [first, ...others] = Object.entries(of.fields as Record<string, Shape<unknown>>).flatMap(([name, shape]) => {
    if (!shape.fixed || outdated.includes(name) || !Object.hasOwn(said, name) || isUnset(said[name])) return []
    const field = `${at}.${name}`
    const problems: Parameters<typeof invalid>[0][] = []
    const wanted = JSON.stringify(shape.write(shape.fixed.read(said[name], field, problems)))
    if (problems.length === 0 && wanted !== JSON.stringify(shape.write(after[name])))
      problems.push({ field, description: 'cannot be changed' })
    return problems
  })
  if (first) throw invalid(first, ...others)
  return after
}
