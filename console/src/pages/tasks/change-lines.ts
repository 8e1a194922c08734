import type { ChangeEffectResource, ChangeName, PolicyStep } from '#client/api/types.ts'
import { conditionsOf, stepTitle } from './words.ts'

type Json = Readonly<Record<string, unknown>>

/** One field that a change affects: a value, or a list of lines. `before` is null if it is not known. */
export type ChangedField = { name: string; before: readonly string[] | null; after: readonly string[] }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const isUnset = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** `policySteps.grant` as `Policy steps, grant`. */
function labelOf(path: string): string {
  const words = path
    .split('.')
    .map((part) =>
      part
        .replaceAll('_', ' ')
        .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
        .toLowerCase(),
    )
    .join(', ')
    .replace(/\bids?\b/g, '')
    .replaceAll(/ +/g, ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type NameOf = (id: string) => string

function valueWords(value: unknown, nameOf: NameOf): string[] {
  if (value === true) return ['Yes']
  if (isUnset(value)) return []
  if (Array.isArray(value))
    return value.flatMap((each) => (isObject(each) ? [rowWords(each, nameOf)] : valueWords(each, nameOf)))
  if (isObject(value)) return [rowWords(value, nameOf)]
  return [nameOf(String(value))]
}

/** An object in one line, without fields that are not set. */
const rowWords = (row: Json, nameOf: NameOf): string =>
  Object.entries(row)
    .flatMap(([name, value]) => {
      const words = valueWords(value, nameOf)
      return words.length === 0 ? [] : [`${labelOf(name)}: ${words.join(', ')}`]
    })
    .join('; ')

const stepsOf = (value: unknown): PolicyStep[] | null =>
  isObject(value) && Array.isArray(value['steps']) ? (value['steps'] as PolicyStep[]) : null

/** A step of a policy in full: its kind, the people that it names, its requirements. */
function stepWords(step: PolicyStep, nameOf: NameOf): string {
  const { approval } = step
  const people = approval?.users?.userIds.map(nameOf).join(', ')
  const group = approval?.group && nameOf(approval.group.appGroupId)
  const expression = approval?.expression?.expressions.join(' · ')
  const named = [people, group, expression].find(Boolean)
  return [`${stepTitle(step)}${named ? ` (${named})` : ''}`, ...conditionsOf(step)].join('. ').replaceAll('..', '.')
}

/** The fields of an object, flattened; steps of policies as lines of text. */
function fieldsOf(value: unknown, nameOf: NameOf, path = ''): Map<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>()
  if (!isObject(value)) return fields
  for (const [name, each] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name
    const steps = stepsOf(each)
    if (steps)
      fields.set(
        at,
        steps.map((step) => stepWords(step, nameOf)),
      )
    else if (isObject(each)) for (const [inner, words] of fieldsOf(each, nameOf, at)) fields.set(inner, words)
    else fields.set(at, valueWords(each, nameOf))
  }
  return fields
}

/** Version counters mean nothing to readers, and the parents of a thing are shown with its name. */
const unshown = new Set(['version', 'before', 'appId', 'appResourceTypeId'])

/** The values before and after a change, from the different forms of the system log's events. */
function sidesOf(data: Json): { before: unknown; after: unknown } {
  const { before, definition, status, roleId } = data
  if (definition !== undefined) return { before: before ?? null, after: definition }
  // Fields that have no value before only identify the thing.
  if (isObject(before))
    return { before, after: Object.fromEntries(Object.keys(before).map((name) => [name, data[name]])) }
  if (typeof before === 'string' && typeof status === 'string') return { before: { status: before }, after: { status } }
  if (typeof before === 'string' && 'policyId' in data)
    return { before: { policyId: before }, after: { policyId: data['policyId'] } }
  if (roleId !== undefined)
    return { before: null, after: { role: roleId, ...(Array.isArray(before) && { rolesBefore: before }) } }
  return { before: null, after: data }
}

export const nameIn = (names: readonly ChangeName[]): NameOf => {
  const known = new Map(names.map(({ id, displayName }) => [id, displayName]))
  return (id) => known.get(id) ?? id
}

/** The changed fields of one resource: if the values before are known, only those that differ. */
export function changedFields({ data }: Pick<ChangeEffectResource, 'data'>, nameOf: NameOf): ChangedField[] {
  if (!data) return []
  const { before, after } = sidesOf(data)
  const was = isObject(before) ? fieldsOf(before, nameOf) : null
  const is = fieldsOf(after, nameOf)
  const names = [...new Set([...(was?.keys() ?? []), ...is.keys()])].filter((name) => {
    const [top = ''] = name.split('.')
    return !unshown.has(top)
  })
  return names.flatMap((name) => {
    const old = was ? (was.get(name) ?? []) : null
    const now = is.get(name) ?? []
    const isSame = old === null ? now.length === 0 : old.join('\n') === now.join('\n')
    return isSame ? [] : [{ name: labelOf(name), before: old, after: now }]
  })
}

const types: Readonly<Record<string, string>> = {
  user: 'User',
  owner: 'Owner',
  policy: 'Policy',
  app: 'App',
  entitlement: 'Entitlement',
  resource: 'Resource',
  automation: 'Automation rule of',
  request_catalog: 'Access profile',
  routing_rule: 'Routing rule',
  request_settings: 'Settings of access requests',
  'four eyes': 'Four-eyes approval',
}

/** `User Ann Lee`. */
export function resourceWords({ type, id, name, data }: ChangeEffectResource, nameOf: NameOf): string {
  if (type === 'owner' && data) {
    const who = nameOf((data['userId'] ?? data['appEntitlementId'] ?? '') as string)
    return `${data['change'] === 'removed' ? 'No longer an owner' : 'New owner'}: ${who}`
  }
  const known = name || nameOf(id)
  return [types[type] ?? labelOf(type), known === id && /^[0-9A-Za-z]{27}$/.test(id) ? '' : known]
    .filter(Boolean)
    .join(' ')
}
