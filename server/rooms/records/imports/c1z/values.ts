import { isPlainAddress, isSingleLine, toSingleLine } from '#kernel/single-line.ts'
import type { FileRecord } from '#rooms/records/baton/index.ts'
import type { KindName, Values } from '../kinds.ts'

/** Used in every staged line in place of the app: the import knows which one it is. */
export const appOfFile = '*'

const nameMax = 500
const addressMax = 320
const descriptionMax = 10_000
const slugMax = 200
const itemsMax = 1000
const profileLengthMax = 65_536

// PostgreSQL's text can contain neither U+0000 nor unpaired surrogates.
const clean = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
/** Names in an app are only displayed, and nothing depends on them: they are cut rather than refused. */
const cut = (text: string, max: number): string => {
  const whole = clean(text)
  return whole.length > max ? whole.slice(0, max).toWellFormed() : whole
}
/** A name: invisible characters are removed. */
const nameOf = (text: string): string => cut(toSingleLine(text), nameMax)
/** Values by which people are found are complete, or left out. */
const listed = (items: readonly string[]): string[] => [
  ...new Set(
    items
      .slice(0, itemsMax)
      .flatMap((item) => (item !== '' && item.length <= addressMax && isSingleLine(item) ? clean(item) : [])),
  ),
]

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), cleaned(each)]))
}

/** A profile as JSON; null if it is too large. Its depth is limited where it is decoded. */
function profileOf(profile: object | null): string | null {
  if (!profile) return '{}'
  let json = JSON.stringify(profile)
  if (json.includes(String.raw`\u`)) json = JSON.stringify(cleaned(profile))
  return json.length > profileLengthMax ? null : json
}

export const accountKey = ({ typeId, id }: { typeId: string; id: string }): string => `${typeId}:${id}`

export type Staged = { kind: KindName; values: Values; lostProfile?: boolean }

const accountTypes = {
  user: 'APP_USER_TYPE_USER',
  service: 'APP_USER_TYPE_SERVICE_ACCOUNT',
  system: 'APP_USER_TYPE_SYSTEM_ACCOUNT',
} as const
const purposes = {
  assignment: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
  permission: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
  ownership: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP',
} as const

type RecordThatIs<Is extends FileRecord['is']> = Extract<FileRecord, { is: Is }>

/** A record of a connector's file as a line of an import; null for records that are only counted. */
export function stagedOf(record: FileRecord): Staged | null {
  switch (record.is) {
    case 'resourceType':
      return stagedResourceType(record)
    case 'resource':
      return stagedResource(record)
    case 'account':
      return stagedAccount(record)
    case 'entitlement':
      return stagedEntitlement(record)
    case 'grant':
      return stagedGrant(record)
    case 'object':
    case 'nestedGrant':
    case 'grantToNobody':
      return null
  }
}

const stagedResourceType = ({ id, displayName }: RecordThatIs<'resourceType'>): Staged => ({
  kind: 'resource_type',
  values: {
    app: appOfFile,
    externalId: id,
    displayName: nameOf(displayName) || nameOf(id),
  },
})

function stagedResource(record: RecordThatIs<'resource'>): Staged {
  const { typeId, id, displayName, description, parent } = record
  const profile = profileOf(record.profile)
  return {
    kind: 'resource',
    lostProfile: profile === null,
    values: {
      app: appOfFile,
      resourceType: typeId,
      externalId: id,
      displayName: nameOf(displayName) || nameOf(id),
      description: cut(description, descriptionMax),
      profile: profile ?? '{}',
      parentResourceType: parent?.typeId ?? '',
      parentResource: parent?.id ?? '',
    },
  }
}

function stagedAccount(record: RecordThatIs<'account'>): Staged {
  const emails = listed(record.emails).filter(isPlainAddress)
  const usernames = listed(record.usernames)
  const employeeIds = listed(record.employeeIds)
  const profile = profileOf(record.profile)
  return {
    kind: 'account',
    lostProfile: profile === null,
    values: {
      app: appOfFile,
      externalId: accountKey(record),
      user: '',
      displayName: nameOf(record.displayName) || emails[0] || usernames[0] || nameOf(record.id),
      email: emails[0] ?? '',
      emails,
      username: usernames[0] ?? '',
      usernames,
      employeeIds,
      profile: profile ?? '{}',
      type: accountTypes[record.type],
      status: record.isEnabled ? 'STATUS_ENABLED' : 'STATUS_DISABLED',
    },
  }
}

const stagedEntitlement = (record: RecordThatIs<'entitlement'>): Staged => ({
  kind: 'entitlement',
  values: {
    app: appOfFile,
    externalId: record.id,
    displayName: nameOf(record.displayName) || nameOf(record.slug) || nameOf(record.id),
    description: cut(record.description, descriptionMax),
    resourceType: record.typeId,
    resource: record.resourceId,
    slug: cut(toSingleLine(record.slug), slugMax),
    alias: '',
    purpose: purposes[record.purpose],
  },
})

const stagedGrant = ({ entitlementId, principal }: RecordThatIs<'grant'>): Staged => ({
  kind: 'grant',
  values: {
    app: appOfFile,
    entitlement: entitlementId,
    account: accountKey(principal),
    grantedAt: null,
    expiresAt: null,
  },
})
