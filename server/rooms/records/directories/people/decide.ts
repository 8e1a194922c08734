import { isDeepStrictEqual } from 'node:util'
import { type Attribute, attributes, type Link, type Order, type Said, type Source, type Sources } from './said.ts'

/** The fields of a user that directories decide. */
export type Known = {
  id: string
  displayName: string
  email: string
  emails: readonly string[]
  username: string
  usernames: readonly string[]
  employeeIds: readonly string[]
  department: string
  jobTitle: string
  employmentType: string
  employmentStatus: string
  managerIds: readonly string[]
  directoryStatus: 'UNKNOWN' | 'ENABLED' | 'DISABLED' | 'DELETED'
  profile: { readonly [name: string]: unknown }
}

/** After all directories that have a place for this attribute. */
const unplaced = 1_000_000_000

/** The place for an attribute; keys of the profile without a separate place have that of `profile`. */
function placeOf({ rank, ranks }: Order, attribute: string): number {
  const own = ranks[attribute] ?? (attribute.startsWith('profile.') ? ranks['profile'] : undefined)
  return own ?? unplaced + rank
}

/** In order of precedence for an attribute. */
export const inOrder = (links: readonly Link[], attribute: string): Link[] =>
  links
    .filter(({ isDeleted }) => !isDeleted)
    .toSorted(
      (a, b) =>
        placeOf(a.order, attribute) - placeOf(b.order, attribute) ||
        a.order.since.getTime() - b.order.since.getTime() ||
        (a.appId < b.appId ? -1 : a.appId > b.appId ? 1 : 0) ||
        (a.accountId < b.accountId ? -1 : 1),
    )

export type Value = string | number | boolean | readonly string[]

export const isSaid = (value: Value): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length > 0 : true

/** The value of an attribute in one link; empty if it has none. */
export function saidOf(link: Link, attribute: string): Value {
  if (attribute === 'status') return link.isActive ? 'ENABLED' : 'DISABLED'
  if (attribute === 'manager') return link.managerId === link.userId ? '' : link.managerId
  if (attribute.startsWith('profile.')) return link.said.profile[attribute.slice('profile.'.length)] ?? ''
  return link.said[attribute as Exclude<Attribute, 'status' | 'manager'>]
}

/** The link with the highest precedence that has a value; null if none has one. */
export const winnerOf = (links: readonly Link[], attribute: string): Link | null =>
  inOrder(links, attribute).find((link) => isSaid(saidOf(link, attribute))) ?? null

export type Resolved = {
  after: Known
  sources: Sources
  /** The directory that decides whether they may sign in. */
  decider: Link | null
  /** Names of attributes whose value changes. */
  changed: string[]
}

/**
 * Merges what all directories of a user provide: each attribute from the first directory that has a value for it. A value
 * that a directory provided and none provides any longer is cleared; what none ever provided stays unchanged.
 */
export function resolve(
  user: Known,
  links: readonly Link[],
  before: { sources: Sources; said: readonly Said[] },
  now: Date,
): Resolved {
  const after: Known & { profile: { [name: string]: unknown } } = { ...user, profile: { ...user.profile } }
  const sources: { [attribute: string]: Source } = {}
  const changed: string[] = []
  const took = (attribute: string, link: Link, isSame: boolean): void => {
    const was = before.sources[attribute]
    const isKept = isSame && was?.[0] === link.appId && was[1] === link.accountId
    sources[attribute] = isKept ? was : [link.appId, link.accountId, now.toISOString()]
    if (!isSame) changed.push(attribute)
  }
  const set = (attribute: string, current: unknown, put: (value: Value | null) => void): void => {
    const winner = winnerOf(links, attribute)
    if (winner) {
      const value = saidOf(winner, attribute)
      put(value)
      took(attribute, winner, isDeepStrictEqual(value, current))
    } else if (before.sources[attribute] && !neverCleared.has(attribute)) {
      put(null)
      changed.push(attribute)
    }
  }
  const text = (attribute: TextAttribute): void =>
    set(attribute, user[attribute], (value) => {
      after[attribute] = (value as string | null) ?? ''
    })
  // A user who is no longer in any directory keeps the values they had.
  if (!links.some(({ isDeleted }) => !isDeleted)) {
    const directoryStatus = gone(user, before.sources)
    const isSame = directoryStatus === user.directoryStatus
    return {
      after: { ...user, directoryStatus },
      sources: before.sources,
      decider: null,
      changed: isSame ? [] : ['status'],
    }
  }
  for (const attribute of textAttributes) text(attribute)
  const email = winnerOf(links, 'email')
  if (email) after.emails = email.said.emails
  else if (before.sources['email']) after.emails = []
  if (!isDeepStrictEqual(after.emails, user.emails) && !changed.includes('email')) changed.push('email')
  after.usernames = namesOf(user, after.username, links, before.said)
  if (!isDeepStrictEqual(after.usernames, user.usernames) && !changed.includes('username')) changed.push('username')
  set('employeeIds', user.employeeIds, (value) => {
    after.employeeIds = (value as readonly string[] | null) ?? []
  })
  set('manager', user.managerIds[0] ?? '', (value) => {
    after.managerIds = value ? [value as string] : []
  })
  for (const name of profileNames(links, before.sources))
    set(`profile.${name}`, user.profile[name], (value) => {
      if (value === null) delete after.profile[name]
      else after.profile[name] = value
    })
  const decider = winnerOf(links, 'status')
  after.directoryStatus = decider ? (decider.isActive ? 'ENABLED' : 'DISABLED') : gone(user, before.sources)
  if (decider) took('status', decider, after.directoryStatus === user.directoryStatus)
  else if (after.directoryStatus !== user.directoryStatus) changed.push('status')
  return { after, sources, decider, changed }
}

const textAttributes = [
  'displayName',
  'email',
  'username',
  'department',
  'jobTitle',
  'employmentType',
  'employmentStatus',
] as const
type TextAttribute = (typeof textAttributes)[number]

/** A user always has these. */
const neverCleared: ReadonlySet<string> = new Set(['displayName', 'username'])

/** The status of users who were in a directory and no longer are. */
const gone = (user: Known, sources: Sources): Known['directoryStatus'] =>
  sources['status'] ? 'DELETED' : user.directoryStatus

/** The names of other accounts stay; one that a directory provided and none provides any longer does not. */
function namesOf(user: Known, first: string, links: readonly Link[], before: readonly Said[]): string[] {
  const said = links.filter(({ isDeleted }) => !isDeleted).map(({ said: { username } }) => username)
  const lost = new Set(before.map(({ username }) => username).filter((name) => !said.includes(name)))
  return [...new Set([first, ...user.usernames.filter((name) => !lost.has(name)), ...said])].filter(
    (name) => name !== '',
  )
}

const profileNames = (links: readonly Link[], sources: Sources): Set<string> =>
  new Set([
    ...links.flatMap(({ said }) => Object.keys(said.profile)),
    ...Object.keys(sources).flatMap((name) => (name.startsWith('profile.') ? [name.slice('profile.'.length)] : [])),
  ])

/**
 * For users without recorded sources, from before these were kept: the values of the link that is the source, since its
 * creation.
 */
export function sourcesOf(noted: Sources, links: readonly Link[]): Sources {
  if (Object.keys(noted).length > 0) return noted
  const link = links.find(({ isSource, isDeleted }) => isSource && !isDeleted)
  if (!link) return noted
  const names = [...attributes, ...Object.keys(link.said.profile).map((name) => `profile.${name}`)]
  const since = link.createdAt.toISOString()
  return Object.fromEntries(
    names
      .filter((name) => isSaid(saidOf(link, name)))
      .map((name) => [name, [link.appId, link.accountId, since] as const]),
  )
}

/**
 * Whether someone whom directories call active is enabled again: only if a directory disabled them, and still has them. One
 * that no longer has them is not outvoted by another that does not know yet.
 */
export const isToEnable = (
  user: { status: string; disabledBy: string },
  { decider }: Pick<Resolved, 'decider'>,
  links: readonly Link[],
): boolean =>
  decider?.isActive === true &&
  user.status === 'DISABLED' &&
  links.some(({ appId, isDeleted }) => !isDeleted && appId === user.disabledBy)

/** Whether someone is to be disabled: directories call them inactive, or no longer have them, and this is new. */
export const isToDisable = (
  user: Pick<Known, 'directoryStatus'> & { status: string },
  { after, decider }: Pick<Resolved, 'after' | 'decider'>,
  deciderBefore: string | null,
): boolean =>
  user.status === 'ENABLED' &&
  (after.directoryStatus === 'DISABLED' || after.directoryStatus === 'DELETED') &&
  (after.directoryStatus !== user.directoryStatus || (decider?.accountId ?? null) !== deciderBefore)
