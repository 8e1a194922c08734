import type { Tenancy } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { alert, type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { allDisabled, insertUsers, lockOwnership, recordsChanged, usersDisabled } from '#rooms/identity/users/index.ts'
import {
  byUser,
  countActive,
  countDeactivated,
  type Directory,
  disableAll,
  enableMany,
  type Link,
  listLinksOf,
  listTakenEmails,
  type Said,
  type Settled,
  settlePeople,
  updateDirectory,
} from '#rooms/records/directories/index.ts'
import {
  countsOf,
  type DirectoryAccount,
  isActiveAccount,
  isOfPerson,
  isTooMany,
  type Match,
  type Outcome,
  saidOfAccount,
  tracesOf,
} from './decide.ts'
import { keysOf, type Matching, matchByKeys, noteNewUser } from './match.ts'
import {
  type Conflict,
  deleteConflictsOfGone,
  endLinks,
  findManagers,
  holdLinks,
  listAccountsOf,
  listAlive,
  listHeldUsers,
  listLinkedIn,
  type NewLink,
  putConflicts,
  putLinks,
  setAccountUsers,
  setFollowed,
} from './store.ts'

export type Following = {
  tx: Tx
  world: World
  tenant: Tenancy
  cause: Cause
}

/** What a whole run did. `userIds` are those who were disabled or enabled. */
export type Followed = {
  outcomes: Outcome[]
  userIds: string[]
  isHeld: boolean
  tooMany: { disabled: number; active: number } | null
}

export const accountsPerPage = 1_000
const windowMs = 24 * 60 * 60 * 1000

/**
 * Makes people of the accounts of a directory: of all, or of those that changed. The same for a plan, which is undone, and for
 * what is carried out. A few statements for each thousand accounts.
 */
export async function followAccounts(
  following: Following,
  directory: Directory,
  matching: Matching,
  { isAll, isForced }: { isAll: boolean; isForced: boolean },
): Promise<Followed> {
  const { tx, world, tenant } = following
  // Before anyone is held, as everywhere: of two who may do everything and would both go, one sees the other gone.
  await lockOwnership(tx, tenant.id)
  const activeBefore = await countActive(tx, tenant.id, directory.appId)
  const all: Outcome[] = []
  const leaving = new Set<string>()
  const returning = new Set<string>()
  for (let after = ''; ; ) {
    const accounts = await listAccountsOf(tx, tenant.id, directory.appId, { isAll, after, limit: accountsPerPage })
    const page = await followPage(following, directory, matching, accounts)
    all.push(...page.outcomes)
    noteStatus(page.settled, leaving, returning)
    const last = accounts.at(-1)
    if (!last || accounts.length < accountsPerPage) break
    after = last.id
  }
  const known = new Set(all.map(({ userId }) => userId))
  for (let after = ''; ; ) {
    const page = await followManagers(following, directory, after)
    all.push(...page.outcomes.filter(({ userId }) => !known.has(userId)))
    if (page.last === null) break
    after = page.last
  }
  await deleteConflictsOfGone(tx, tenant.id, directory.appId)
  await setFollowed(tx, tenant.id, directory.appId, world.now())
  const { isHeld, tooMany, kept } = await followStatuses(following, directory, {
    leaving: [...leaving],
    returning: [...returning],
    activeBefore,
    isForced,
  })
  const outcomes = all.map((each) => ({
    ...each,
    isDisabled: leaving.has(each.userId) && !kept.has(each.userId),
    isEnabled: returning.has(each.userId),
  }))
  await tell(following, directory, outcomes)
  return { outcomes, userIds: [...leaving, ...returning], isHeld, tooMany }
}

/** Gives accounts the managers who were not there before, some at a time. Answers who changed, and where it ended. */
export async function followManagers(
  following: Following,
  { appId }: Directory,
  after: string,
): Promise<{ outcomes: Outcome[]; last: string | null }> {
  const waiting = { after, limit: accountsPerPage }
  const { userIds, last } = await findManagers(following.tx, following.tenant.id, appId, waiting)
  const settled = await settlePeople(following, userIds, { acting: appId, links: new Map() })
  const outcomes = settled
    .filter(({ fields }) => fields.length > 0)
    .map(({ user, fields }) => outcomeOf({ outcome: 'change', userId: user.id, displayName: user.displayName, fields }))
  return { outcomes, last }
}

/**
 * Looks at some accounts, in a transaction of its own: of many, nobody waits for all of them. Who leaves is held until all were
 * looked at, because only then it is known how many they are (`followLeaving`). Answers where it ended; null at the end.
 */
export async function followSome(
  following: Following,
  directory: Directory,
  matching: Matching,
  { isAll, after }: { isAll: boolean; after: string },
): Promise<string | null> {
  const { tx, world, tenant } = following
  await lockOwnership(tx, tenant.id)
  const accounts = await listAccountsOf(tx, tenant.id, directory.appId, { isAll, after, limit: accountsPerPage })
  const { outcomes, settled } = await followPage(following, directory, matching, accounts)
  const leaving = new Set<string>()
  const returning = new Set<string>()
  noteStatus(settled, leaving, returning)
  const at = world.now()
  if (leaving.size > 0) await holdLinks(tx, tenant.id, directory.appId, [...leaving], { isHeld: true, at })
  await followStatuses(following, directory, {
    leaving: [],
    returning: [...returning],
    activeBefore: 0,
    isForced: false,
  })
  await tell(
    following,
    directory,
    outcomes.map((each) => ({ ...each, isEnabled: returning.has(each.userId) })),
  )
  return accounts.length < accountsPerPage ? null : (accounts.at(-1)?.id ?? null)
}

/** Disables those whom `followSome` held, unless they are too many; then they go on being held. Answers whom. */
export async function followLeaving(
  following: Following,
  directory: Directory,
  activeBefore: number,
): Promise<string[]> {
  const { tx, world, tenant } = following
  await lockOwnership(tx, tenant.id)
  await deleteConflictsOfGone(tx, tenant.id, directory.appId)
  await setFollowed(tx, tenant.id, directory.appId, world.now())
  // Held since before: a person is to decide about all of them.
  if (directory.heldSince !== null) return []
  const leaving = await listHeldUsers(tx, tenant.id, directory.appId)
  if (leaving.length === 0) return []
  const { isHeld, kept } = await followStatuses(following, directory, {
    leaving: leaving.map(({ userId }) => userId),
    returning: [],
    activeBefore,
    isForced: false,
  })
  if (isHeld) return []
  const gone = leaving.filter(({ userId }) => !kept.has(userId))
  await tell(
    following,
    directory,
    gone.map((each) => outcomeOf({ ...each, outcome: 'change', isDisabled: true })),
  )
  return gone.map(({ userId }) => userId)
}

export const outcomeOf = (of: Partial<Outcome> & Pick<Outcome, 'outcome'>): Outcome => ({
  accountId: '',
  displayName: '',
  userId: '',
  by: '',
  fields: [],
  isDisabled: false,
  isEnabled: false,
  reason: '',
  userIds: [],
  ...of,
})

function noteStatus(settled: readonly Settled[], leaving: Set<string>, returning: Set<string>): void {
  for (const { user, isToDisable, isToEnable } of settled) {
    if (isToDisable) leaving.add(user.id)
    if (isToEnable) returning.add(user.id)
  }
}

type Page = { outcomes: Outcome[]; settled: Settled[] }
type Looked = { account: DirectoryAccount; isIn: boolean; hasFailed: boolean; keys: string[] }

async function followPage(
  following: Following,
  directory: Directory,
  matching: Matching,
  accounts: readonly DirectoryAccount[],
): Promise<Page> {
  const { tx, tenant, world } = following
  const { appId } = directory
  if (accounts.length === 0) return { outcomes: [], settled: [] }
  const at = world.now()
  const told = await keysOf(matching, appId, accounts)
  const looked: Looked[] = accounts.map((account, place) => {
    const { isIn, hasFailed, keys } = told[place] as (typeof told)[number]
    return { account, isIn: isIn && isOfPerson(account), hasFailed, keys }
  })
  const out = looked.filter(({ account, isIn }) => !isIn && account.isLinked).map(({ account }) => account)
  const wanted = looked.filter(({ isIn }) => isIn)
  const matches = await matchPage(following, directory, matching, wanted)
  const conflicts: Conflict[] = looked
    .filter(({ account, hasFailed }) => hasFailed && isOfPerson(account))
    .map(({ account }) => ({ accountId: account.id, reason: 'FILTER_FAILED', key: '', userIds: [] }))
  const links: NewLink[] = []
  const created: { account: DirectoryAccount; userId: string; said: Said; keys: string[] }[] = []
  const outcomes: Outcome[] = []
  for (const each of wanted) {
    const { account } = each
    const match = matches.get(account.id) as Match
    const said = saidOfAccount(account)
    if (match.is === 'conflict') {
      conflicts.push({ accountId: account.id, ...match })
      // An account that is somebody's stays theirs.
      if (account.isLinked) links.push(linkOf(account, said, account.linkUserId as string, account.matchedBy))
      continue
    }
    const userId = match.is === 'user' ? match.userId : world.newId()
    const by = match.is === 'user' ? match.by : 'created'
    if (match.is === 'nobody') created.push({ account, userId, said, keys: each.keys })
    links.push(linkOf(account, said, userId, by))
    const isKept = account.isLinked && account.linkUserId === userId
    const outcome = match.is === 'nobody' ? 'create' : account.isLinked && !isKept ? 'move' : 'match'
    if (!isKept) outcomes.push(outcomeOf({ accountId: account.id, displayName: said.displayName, outcome, userId, by }))
  }
  for (const account of out)
    outcomes.push(
      outcomeOf({
        accountId: account.id,
        displayName: account.displayName,
        outcome: 'leave',
        userId: account.linkUserId ?? '',
      }),
    )
  for (const { accountId, reason, key, userIds } of conflicts)
    outcomes.push(
      outcomeOf({
        accountId,
        displayName: accounts.find(({ id }) => id === accountId)?.displayName ?? '',
        outcome: 'conflict',
        reason: key === '' ? reason : `${reason}: ${key}`,
        userIds,
      }),
    )
  const touched = [
    ...new Set([
      ...links.map(({ userId }) => userId),
      ...accounts.flatMap(({ isLinked, linkUserId }) => (isLinked && linkUserId ? [linkUserId] : [])),
    ]),
  ]
  const before = byUser(await listLinksOf(tx, tenant.id, touched))
  await createPeople(following, directory, created)
  for (const { userId, keys } of created) noteNewUser(matching, keys, userId)
  await putLinks(tx, tenant.id, appId, links, at)
  await endLinks(tx, tenant.id, appId, out, at)
  // Of whom nobody can be made is nobody's, whatever was thought before the app was a directory.
  const nobodys = conflicts
    .filter(({ accountId }) => !links.some((link) => link.accountId === accountId))
    .map(({ accountId }) => ({ accountId, userId: null }))
  await setAccountUsers(tx, tenant.id, appId, [...links, ...nobodys])
  await findManagers(tx, tenant.id, appId, { accountIds: links.map(({ accountId }) => accountId) })
  const settled = await settlePeople(following, touched, { acting: appId, links: withNobody(before, touched) })
  for (const { user, emailTakenBy } of settled)
    if (emailTakenBy !== '') {
      const accountId = links.find(({ userId }) => userId === user.id)?.accountId
      if (accountId) {
        conflicts.push({ accountId, reason: 'EMAIL_TAKEN', key: '', userIds: [emailTakenBy] })
        outcomes.push(
          outcomeOf({
            accountId,
            displayName: user.displayName,
            outcome: 'conflict',
            reason: 'EMAIL_TAKEN',
            userIds: [emailTakenBy],
          }),
        )
      }
    }
  await putConflicts(
    tx,
    tenant.id,
    appId,
    accounts.map(({ id }) => id),
    onePerAccount(conflicts),
    at,
  )
  return { outcomes: withFields(outcomes, settled, links), settled }
}

const onePerAccount = (conflicts: readonly Conflict[]): Conflict[] => [
  ...new Map(conflicts.map((each) => [each.accountId, each])).values(),
]

/** Who was in no directory before is so by an empty list, and not unknown. */
const withNobody = (links: ReadonlyMap<string, Link[]>, userIds: readonly string[]): Map<string, Link[]> =>
  new Map(userIds.map((id) => [id, links.get(id) ?? []]))

/** What changed of whom; those who only changed are outcomes of their own. */
function withFields(outcomes: readonly Outcome[], settled: readonly Settled[], links: readonly NewLink[]): Outcome[] {
  const fieldsOf = new Map(settled.map(({ user, fields }) => [user.id, fields]))
  const told = new Set(outcomes.filter(({ outcome }) => outcome !== 'conflict').map(({ userId }) => userId))
  const accountOf = new Map(links.map(({ userId, accountId }) => [userId, accountId]))
  const changed = settled
    .filter(
      ({ user, fields, isToDisable, isToEnable }) =>
        !told.has(user.id) && (fields.length > 0 || isToDisable || isToEnable),
    )
    .map(({ user, fields }) =>
      outcomeOf({
        accountId: accountOf.get(user.id) ?? '',
        displayName: user.displayName,
        outcome: 'change',
        userId: user.id,
        fields,
      }),
    )
  return [
    ...outcomes.map((each) => ({
      ...each,
      fields: each.outcome === 'create' || each.outcome === 'conflict' ? [] : (fieldsOf.get(each.userId) ?? []),
    })),
    ...changed,
  ]
}

const linkOf = (account: DirectoryAccount, said: Said, userId: string, matchedBy: string): NewLink => ({
  accountId: account.id,
  userId,
  externalId: account.externalId,
  isActive: isActiveAccount(account),
  traces: tracesOf(account),
  said,
  seenAt: account.updatedAt,
  matchedBy,
})

/** Whose the accounts of a page are. One that is somebody's stays theirs, unless its keys say clearly that it is another's. */
async function matchPage(
  { tx, tenant }: Following,
  { appId }: Directory,
  matching: Matching,
  wanted: readonly Looked[],
): Promise<Map<string, Match>> {
  const found = await matchByKeys(
    matching,
    wanted.map(({ keys }) => keys),
  )
  const earlier = await listAlive(
    tx,
    tenant.id,
    wanted.flatMap(({ account }) => (account.linkUserId ? [account.linkUserId] : [])),
  )
  const linked = await listLinkedIn(
    tx,
    tenant.id,
    appId,
    found.flatMap((match) => (match.is === 'user' ? [match.userId] : [])),
  )
  const emails = wanted.map(({ account }) => saidOfAccount(account).email).filter((email) => email !== '')
  const takenEmails = await listTakenEmails(tx, tenant.id, emails, [])
  const matches = new Map<string, Match>()
  const takenNow = new Map<string, string>()
  const newEmails = new Set<string>()
  const newKeys = new Set<string>()
  for (const [place, { account, keys }] of wanted.entries()) {
    let match = found[place] as Match
    const own = account.linkUserId !== null && earlier.has(account.linkUserId) ? account.linkUserId : null
    // Whose it was before, it is again, though nobody has its keys any longer.
    if (own !== null && match.is !== 'user' && !(match.is === 'conflict' && account.isLinked))
      match = { is: 'user', userId: own, by: account.matchedBy || 'before' }
    if (match.is === 'user') {
      const other = takenNow.get(match.userId) ?? linked.get(match.userId)
      if (other !== undefined && other !== account.id)
        match =
          own !== null && account.isLinked
            ? { is: 'user', userId: own, by: account.matchedBy }
            : {
                is: 'conflict',
                reason: 'SEVERAL_ACCOUNTS',
                key: keys.find((key) => key !== '') ?? '',
                userIds: [match.userId],
              }
    }
    if (match.is === 'user') takenNow.set(match.userId, account.id)
    if (match.is === 'nobody') {
      const email = saidOfAccount(account).email.toLowerCase()
      const key = keys.find((each, at) => each !== '' && newKeys.has(`${at} ${each}`))
      const holder = takenEmails.get(email)
      if (key !== undefined) match = { is: 'conflict', reason: 'SEVERAL_ACCOUNTS', key, userIds: [] }
      else if (email !== '' && (holder !== undefined || newEmails.has(email)))
        match = { is: 'conflict', reason: 'EMAIL_TAKEN', key: email, userIds: holder ? [holder] : [] }
      else {
        newEmails.add(email)
        for (const [at, each] of keys.entries()) if (each !== '') newKeys.add(`${at} ${each}`)
      }
    }
    matches.set(account.id, match)
  }
  return matches
}

async function createPeople(
  { tx, world, tenant }: Following,
  { appId }: Directory,
  created: readonly { account: DirectoryAccount; userId: string; said: Said }[],
): Promise<void> {
  if (created.length === 0) return
  const at = world.now()
  const users = created.map(({ account, userId, said }) => {
    const isActive = isActiveAccount(account)
    return {
      id: userId,
      origin: 'USER_ORIGIN_DIRECTORY' as const,
      status: isActive ? ('ENABLED' as const) : ('DISABLED' as const),
      ...(!isActive && { disabledBy: appId }),
      displayName: said.displayName,
      email: said.email,
      emails: said.emails,
      username: said.username,
      ...(said.employeeIds[0] && { employeeId: said.employeeIds[0] }),
      department: said.department,
      jobTitle: said.jobTitle,
      employmentType: said.employmentType,
      employmentStatus: said.employmentStatus,
      profile: said.profile,
    }
  })
  await insertUsers(tx, tenant.id, users, at)
  await assignRole(
    tx,
    world,
    tenant.id,
    users.map(({ id, email }) => ({ id, email })),
    'system:user',
  )
}

type Statuses = { leaving: readonly string[]; returning: readonly string[]; activeBefore: number; isForced: boolean }

/** Disables who leaves, unless that is too many at once, and enables who is back. */
export async function followStatuses(
  { tx, world, tenant, cause }: Following,
  directory: Directory,
  { leaving, returning, activeBefore, isForced }: Statuses,
): Promise<{ isHeld: boolean; tooMany: Followed['tooMany']; kept: Set<string> }> {
  const at = world.now()
  const { appId } = directory
  const none = { isHeld: false, tooMany: null, kept: new Set<string>() }
  if (returning.length > 0) {
    await enableMany(tx, tenant.id, returning, at)
    await enqueue(tx, world, cause, recordsChanged, allDisabled)
  }
  if (leaving.length === 0) return none
  const since = new Date(Math.max(directory.countedFrom.getTime(), at.getTime() - windowMs))
  const before = await countDeactivated(tx, tenant.id, appId, since)
  const isMany = directory.heldSince !== null || isTooMany(leaving.length, before, activeBefore)
  const tooMany = isMany ? { disabled: leaving.length, active: activeBefore } : null
  if (isMany && !isForced) {
    await holdLinks(tx, tenant.id, appId, leaving, { isHeld: true, at })
    if (!directory.heldSince) {
      await updateDirectory(tx, tenant.id, { ...directory, heldSince: at, updatedAt: at })
      const data = { deactivated: leaving.length, active: activeBefore }
      const touched = { type: 'directory', id: appId, name: directory.displayName, data }
      const message = `Held deactivations of the directory ${directory.displayName}: ${leaving.length} users would be disabled at once. They wait for confirmation`
      await record(tx, world, cause, alert(cause, 'update', message, [touched]))
    }
    return { isHeld: true, tooMany, kept: new Set(leaving) }
  }
  await holdLinks(tx, tenant.id, appId, leaving, { isHeld: false, at })
  const kept = await disableAll({ tx, world, tenant, cause }, leaving, appId)
  await enqueue(tx, world, cause, usersDisabled, allDisabled)
  await enqueue(tx, world, cause, recordsChanged, allDisabled)
  return { isHeld: false, tooMany, kept }
}

const namedPerEvent = 100

/** One event for what was done, and those who left by name. */
async function tell(
  { tx, world, cause }: Following,
  directory: Directory,
  outcomes: readonly Outcome[],
): Promise<void> {
  const counts = countsOf(outcomes)
  const { created, matched, changed, left, disabled, enabled } = counts
  if (created + matched + changed + left + disabled + enabled === 0) return
  const of = { type: 'directory', id: directory.appId, name: directory.displayName, data: { ...counts } }
  const done = outcomes.filter(({ outcome, userId }) => outcome !== 'conflict' && userId !== '')
  const first = done.slice(0, namedPerEvent).map(userOf)
  const message = `Followed the directory ${directory.displayName}: ${created} users created, ${matched} matched, ${changed} changed, ${disabled} disabled`
  await record(tx, world, cause, change(cause, 'update', message, [of, ...first]))
  const gone = done.filter(({ isDisabled }) => isDisabled)
  for (let from = 0; from < gone.length; from += namedPerEvent) {
    const some = gone.slice(from, from + namedPerEvent)
    const words = `Disabled ${some.length} users who are not active in the directory ${directory.displayName}`
    await record(tx, world, cause, change(cause, 'update', words, [of, ...some.map(userOf)]))
  }
}

const userOf = ({ userId, displayName, outcome, fields }: Outcome) => ({
  type: 'user',
  id: userId,
  name: displayName,
  data: { outcome, fields },
})
