import { type KindName, kinds, spellingsOf } from '../kinds.ts'

/** The fields of which a user or an account needs one. */
const namingFields = ['displayName', 'email', 'emails', 'username', 'usernames']

/** What a record of the kind is called, in a text about a file. */
const nouns: Readonly<Record<KindName, string>> = {
  user: 'person',
  app: 'app',
  resource_type: 'resource type',
  resource: 'resource',
  entitlement: 'entitlement',
  account: 'account',
  grant: 'grant',
}

const keyExamples: Partial<Record<KindName, string>> = {
  user: ', such as the employee number',
  account: ', such as the user name in the app',
}

const parents: Readonly<Record<string, string>> = {
  app: 'app',
  resourceType: 'resource type',
  entitlement: 'entitlement',
  account: 'account',
}

const meaningOf = (kind: KindName, field: string): string => {
  if (field === 'externalId') return `your own key for each ${nouns[kind]}${keyExamples[kind] ?? ''}`
  const parent = parents[field]
  return parent === undefined ? `the name of each ${nouns[kind]}` : `the externalId of its ${parent}`
}

/** Which columns the header lacks that every record of the kind needs, with their meaning; null if it has all of them. */
export function missingColumns(kind: KindName, header: readonly string[]): string | null {
  const spellings = spellingsOf(kinds[kind])
  const present = new Set(header.map((name) => spellings.get(name)?.name))
  const missing = Object.entries(kinds[kind].fields)
    .filter(([field, { isRequired }]) => isRequired && !present.has(field))
    .map(([field]) => `there is no column ${field}: ${meaningOf(kind, field)}`)
  const isPerson = kind === 'user' || kind === 'account'
  if (isPerson && !namingFields.some((field) => present.has(field)))
    missing.push(`there is no column displayName, email or username: one of them names each ${nouns[kind]}`)
  return missing.length === 0 ? null : missing.join('; ')
}
