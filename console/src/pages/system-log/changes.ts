/** One field of something that an event changed. For lists, what was added and what was removed. */
export type FieldChange = {
  field: string
  before: unknown
  after: unknown
  state: 'added' | 'removed' | 'changed'
}
export type Told = {
  changes: readonly FieldChange[]
  /** Fields of the event without an earlier value. */
  facts: readonly (readonly [field: string, value: unknown])[]
}

type Data = Readonly<Record<string, unknown>>
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const isUnset = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a) === JSON.stringify(b) || (isUnset(a) && isUnset(b))

const depthMax = 6

/** Field by field, down to values and lists: `settings.duration`. Fields that are the same on both sides are left out. */
function compare(before: unknown, after: unknown, field: string, depth = 0): FieldChange[] {
  if (isSame(before, after)) return []
  if (
    depth < depthMax &&
    (isData(before) || isData(after)) &&
    (isData(before) || isUnset(before)) &&
    (isData(after) || isUnset(after))
  ) {
    const [a, b] = [isData(before) ? before : {}, isData(after) ? after : {}]
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return names.flatMap((name) => compare(a[name], b[name], field === '' ? name : `${field}.${name}`, depth + 1))
  }
  const state = isUnset(before) ? 'added' : isUnset(after) ? 'removed' : 'changed'
  return [{ field, before, after, state }]
}

// Fields that identify the parents of a thing, rather than describe it.
const context = new Set(['appId', 'userId', 'clientId', 'kind', 'appResourceTypeId'])

/** The field that a `before` without field names is the old value of. */
function fieldOf(rest: Data, before: unknown): string | null {
  const names = Object.keys(rest).filter((name) => !context.has(name))
  if (isData(before)) {
    const shares = (value: unknown): boolean =>
      isData(value) && Object.keys(before).some((name) => Object.hasOwn(value, name))
    return names.find((name) => shares(rest[name])) ?? null
  }
  if (Array.isArray(before)) return names.findLast((name) => Array.isArray(rest[name])) ?? null
  if (before === null) return names.findLast((name) => isData(rest[name])) ?? names.at(-1) ?? null
  return names.findLast((name) => typeof rest[name] === typeof before || rest[name] === null) ?? null
}

/**
 * The changes of a thing in an event, as before and after. Events of different rooms write them differently: the old fields
 * under their names, or the old value of the one field that they are about.
 */
export function changesIn({ name = '', data }: { name?: string; data?: unknown }): Told {
  if (!isData(data)) return { changes: [], facts: [] }
  const { before, ...rest } = data
  if (!Object.hasOwn(data, 'before') || before === undefined) return { changes: [], facts: factsIn(rest) }
  const named: Data = { ...(name !== '' && !Object.hasOwn(rest, 'displayName') && { displayName: name }), ...rest }
  if (isData(before)) {
    const known = Object.keys(before).filter((each) => Object.hasOwn(named, each))
    const inner = known.length === 0 ? fieldOf(rest, before) : null
    if (inner !== null) return { changes: compare(before, rest[inner], inner), facts: factsIn(without(rest, [inner])) }
    const changes = Object.keys(before).flatMap((each) => compare(before[each], named[each], each))
    return { changes, facts: factsIn(contextIn(rest)) }
  }
  const field = fieldOf(rest, before)
  if (field !== null) return { changes: compare(before, rest[field], field), facts: factsIn(without(rest, [field])) }
  // A rename: the event has the new name as the name of the thing.
  if (typeof before === 'string' && name !== '')
    return { changes: compare(before, name, 'displayName'), facts: factsIn(rest) }
  return { changes: [], facts: factsIn({ ...rest, before }) }
}

const without = (data: Data, names: readonly string[]): Data =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)))
const contextIn = (data: Data): Data => Object.fromEntries(Object.entries(data).filter(([name]) => context.has(name)))

function factsIn(data: Data, prefix = '', depth = 0): [string, unknown][] {
  return Object.entries(data).flatMap(([name, value]): [string, unknown][] => {
    if (isUnset(value)) return []
    const field = prefix === '' ? name : `${prefix}.${name}`
    if (isData(value) && depth < depthMax) return factsIn(value, field, depth + 1)
    return [[field, value]]
  })
}

/** The items that were added to a list and removed from it; null if the values are not lists. */
export function itemsOf({ before, after }: FieldChange): { added: unknown[]; removed: unknown[] } | null {
  if (!(Array.isArray(before) || isUnset(before)) || !(Array.isArray(after) || isUnset(after))) return null
  const [a, b] = [(before ?? []) as unknown[], (after ?? []) as unknown[]]
  if (!Array.isArray(a) || !Array.isArray(b)) return null
  const key = (item: unknown): string => JSON.stringify(item)
  const [had, has] = [new Set(a.map(key)), new Set(b.map(key))]
  return { added: b.filter((item) => !had.has(key(item))), removed: a.filter((item) => !has.has(key(item))) }
}

/** `grantPolicyId` as `Grant policy`, `settings.maxDays` as `Settings: max days`. */
export function fieldName(field: string): string {
  const words = field
    .split('.')
    .map((part) =>
      part
        .replace(/Ids$/, 's')
        .replace(/Id$/, '')
        .replace(/_/g, ' ')
        .replace(/([a-z0-9])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`),
    )
    .join(': ')
  const plain = words === 'display name' ? 'name' : words
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
