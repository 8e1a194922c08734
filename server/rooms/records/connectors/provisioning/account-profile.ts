import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { invalid } from '#kernel/refusals.ts'
import type { Capable } from './support.ts'

/** What connectors receive about the person for whom an account is created; an account profile can use each attribute. */
type PersonTold = Record<(typeof attributes)[number], string>
const attributes = [
  'email',
  'login',
  'username',
  'display_name',
  'name',
  'first_name',
  'last_name',
  'department',
  'job_title',
  'employee_id',
] as const

const placeholder = /\{(\w+)\}/g
const lengthMax = 16_384

/** Refuses an account profile that names an attribute which does not exist, or is too large. */
export function checkAccountProfile(profile: JsonObject): void {
  const problem = (description: string) => invalid({ field: 'accountProfile', description })
  if (JSON.stringify(profile).length > lengthMax) throw problem(`must have at most ${lengthMax} characters`)
  for (const text of textsIn(profile))
    for (const [whole, name] of text.matchAll(placeholder))
      if (!(attributes as readonly string[]).includes(name as string))
        throw problem(`contains ${whole}, which is not an attribute; attributes are ${attributes.join(', ')}`)
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(textsIn)
}

/**
 * What a connector receives about an account that it is to create: its own defaults, the person, and the account profile,
 * each overriding those before it. If the connector lists the fields that it wants, only those of the person: LDAP's writes
 * any others to the directory as well, which refuses them. `missing` are the fields that it requires and that have no value.
 */
export function accountProfileFor(
  { metadata: { accountFields = [] } }: Pick<Capable, 'metadata'>,
  person: PersonTold,
  template: JsonObject,
): { profile: JsonObject; missing: string[] } {
  const filledIn = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return value.replace(placeholder, (_whole, name: keyof PersonTold) => person[name])
    if (Array.isArray(value)) return value.map(filledIn)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each)]))
  }
  const defaults: JsonObject = {}
  for (const { name, default: value } of accountFields) if (value !== undefined) defaults[name] = value
  const isWanted = (attribute: string): boolean =>
    accountFields.length === 0 || accountFields.some(({ name }) => name === attribute)
  const known = Object.fromEntries(Object.entries(person).filter(([name]) => isWanted(name)))
  const profile: JsonObject = { ...defaults, ...known, ...(filledIn(template) as JsonObject) }
  const isMissing = (value: JsonValue | undefined): boolean => value === undefined || value === null || value === ''
  const missing = accountFields
    .filter(({ name, isRequired }) => isRequired && isMissing(profile[name]))
    .map(({ name }) => name)
  return { profile, missing }
}
