import type { ChangeCause, Difference } from '#client/api/types.ts'

export type Subject = Difference['subject']
export type Kind = Difference['kind']

type Told = readonly [subject: Subject, key: string, label: string]
export const subjects: readonly [Told, ...Told[]] = [
  ['CHANGE_SUBJECT_GRANT', 'grants', 'Grants'],
  ['CHANGE_SUBJECT_USER', 'users', 'Users'],
  ['CHANGE_SUBJECT_APP', 'apps', 'Apps'],
  ['CHANGE_SUBJECT_ACCOUNT', 'accounts', 'Accounts'],
  ['CHANGE_SUBJECT_ENTITLEMENT', 'entitlements', 'Entitlements'],
  ['CHANGE_SUBJECT_OWNER', 'owners', 'Owners'],
  ['CHANGE_SUBJECT_RULE', 'rules', 'Rules'],
]

export const kinds: readonly (readonly [kind: Kind, key: string, label: string, sign: string])[] = [
  ['CHANGE_KIND_ADDED', 'added', 'Added', '+'],
  ['CHANGE_KIND_REMOVED', 'removed', 'Removed', '−'],
  ['CHANGE_KIND_CHANGED', 'changed', 'Changed', '~'],
]

export const colors: Readonly<Partial<Record<Kind, string>>> = {
  CHANGE_KIND_ADDED: 'teal',
  CHANGE_KIND_REMOVED: 'red',
  CHANGE_KIND_CHANGED: 'blue',
}

/** A cause by the word that sources of access have, and what it is called. */
export const causes: Readonly<
  Partial<Record<ChangeCause['kind'], readonly [source: string, label: string, color: string]>>
> = {
  CHANGE_CAUSE_USER: ['manual', 'Person', 'ink'],
  CHANGE_CAUSE_IMPORT: ['import', 'Import', 'gray'],
  CHANGE_CAUSE_RULE: ['rule', 'Rule', 'grape'],
  CHANGE_CAUSE_TASK: ['request', 'Request', 'teal'],
  CHANGE_CAUSE_PROFILE: ['profile', 'Access profile', 'indigo'],
  CHANGE_CAUSE_CONNECTOR: ['connector', 'Connector', 'cyan'],
  CHANGE_CAUSE_DIRECTORY: ['directory', 'Directory', 'blue'],
  CHANGE_CAUSE_EXPIRY: ['expiry', 'Expired', 'orange'],
}
