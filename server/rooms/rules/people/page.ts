import type { World } from '#kernel/world.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { insertUsers } from '#rooms/identity/users/index.ts'
import { setAccountUsers } from '#rooms/records/accounts/index.ts'
import {
  byUser,
  type Directory,
  endLinks,
  findManagers,
  type Link,
  listLinksOf,
  listTakenEmails,
  type NewLink,
  putLinks,
  type Said,
  type Settled,
  settlePeople,
} from '#rooms/records/directories/index.ts'
import {
  type DirectoryAccount,
  isActiveAccount,
  isOfPerson,
  type Match,
  type Outcome,
  saidOfAccount,
  tracesOf,
} from './decide.ts'
import { type Following, outcomeOf } from './following.ts'
import { keysOf, type Matching, matchByKeys, noteNewUser } from './match.ts'
import { type Conflict, listAlive, listLinkedIn, putConflicts } from './store.ts'

type Page = { outcomes: Outcome[]; settled: Settled[] }
type Looked = { account: DirectoryAccount; isIn: boolean; hasFailed: boolean; keys: string[] }

/** Matches a page of accounts to people, creates those who are missing, and updates their attributes. */
export async function followPage(
  following: Following,
  directory: Directory,
  matching: Matching,
  accounts: readonly DirectoryAccount[],
): Promise<Page> {
  const { tx, tenant, world } = following
  const { appId } = directory
  if (accounts.length === 0) return { outcomes: [], settled: [] }
  const at = world.now()
  const looked = await lookAt(matching, appId, accounts)
  const wanted = looked.filter(({ isIn }) => isIn)
  const plan = planPage(world, looked, await matchPage(following, directory, matching, wanted))
  const { links, created } = plan
  const touched = usersTouched(links, accounts)
  const before = byUser(await listLinksOf(tx, tenant.id, touched))
  await createPeople(following, directory, created)
  for (const { userId, keys } of created) noteNewUser(matching, keys, userId)
  await writeLinks(following, directory, plan, at)
  const settled = await settlePeople(following, touched, { acting: appId, links: withNobody(before, touched) })
  const taken = emailsTaken(settled, links)
  const conflicts = onePerAccount([...plan.conflicts, ...taken.map(({ conflict }) => conflict)])
  await putConflicts(tx, tenant.id, appId, { lookedAt: accounts.map(({ id }) => id), conflicts, at })
  const outcomes = [...plan.outcomes, ...taken.map(({ outcome }) => outcome)]
  return { outcomes: withFields(outcomes, settled, links), settled }
}

async function lookAt(matching: Matching, appId: string, accounts: readonly DirectoryAccount[]): Promise<Looked[]> {
  const told = await keysOf(matching, appId, accounts)
  return accounts.map((account, place) => {
    const { isIn, hasFailed, keys } = told[place] as (typeof told)[number]
    return { account, isIn: isIn && isOfPerson(account), hasFailed, keys }
  })
}

/** What is to be written for a page. `left` are accounts that the directory no longer includes. */
type Plan = {
  links: NewLink[]
  created: { account: DirectoryAccount; userId: string; said: Said; keys: string[] }[]
  left: DirectoryAccount[]
  conflicts: Conflict[]
  outcomes: Outcome[]
}

function planPage(world: World, looked: readonly Looked[], matches: ReadonlyMap<string, Match>): Plan {
  const plan: Plan = {
    links: [],
    created: [],
    left: looked.filter(({ account, isIn }) => !isIn && account.isLinked).map(({ account }) => account),
    conflicts: looked
      .filter(({ account, hasFailed }) => hasFailed && isOfPerson(account))
      .map(({ account }) => ({ accountId: account.id, reason: 'FILTER_FAILED', key: '', userIds: [] })),
    outcomes: [],
  }
  for (const each of looked) if (each.isIn) planAccount(world, plan, each, matches.get(each.account.id) as Match)
  for (const { id, displayName, linkUserId } of plan.left)
    plan.outcomes.push(outcomeOf({ accountId: id, displayName, outcome: 'leave', userId: linkUserId ?? '' }))
  const nameOf = new Map(looked.map(({ account }) => [account.id, account.displayName]))
  for (const { accountId, reason, key, userIds } of plan.conflicts)
    plan.outcomes.push(
      outcomeOf({
        accountId,
        displayName: nameOf.get(accountId) ?? '',
        outcome: 'conflict',
        reason: key === '' ? reason : `${reason}: ${key}`,
        userIds,
      }),
    )
  return plan
}

/** Adds to the plan what the match of an account means for it. */
function planAccount(world: World, { links, created, conflicts, outcomes }: Plan, of: Looked, match: Match): void {
  const { account, keys } = of
  const said = saidOfAccount(account)
  if (match.is === 'conflict') {
    conflicts.push({ accountId: account.id, ...match })
    // An account that already belongs to a user stays theirs.
    if (account.isLinked) links.push(linkOf(account, said, account.linkUserId as string, account.matchedBy))
    return
  }
  const userId = match.is === 'user' ? match.userId : world.newId()
  const by = match.is === 'user' ? match.by : 'created'
  if (match.is === 'nobody') created.push({ account, userId, said, keys })
  links.push(linkOf(account, said, userId, by))
  const isKept = account.isLinked && account.linkUserId === userId
  const outcome = match.is === 'nobody' ? 'create' : account.isLinked && !isKept ? 'move' : 'match'
  if (!isKept) outcomes.push(outcomeOf({ accountId: account.id, displayName: said.displayName, outcome, userId, by }))
}

/** The users whom the accounts of a page belong to now, or belonged to before. */
const usersTouched = (links: readonly NewLink[], accounts: readonly DirectoryAccount[]): string[] => [
  ...new Set([
    ...links.map(({ userId }) => userId),
    ...accounts.flatMap(({ isLinked, linkUserId }) => (isLinked && linkUserId ? [linkUserId] : [])),
  ]),
]

async function writeLinks({ tx, tenant }: Following, { appId }: Directory, plan: Plan, at: Date): Promise<void> {
  const { links, left, conflicts } = plan
  await putLinks(tx, tenant.id, appId, links, at)
  await endLinks(tx, tenant.id, appId, left, at)
  // An account from which no user can be created belongs to nobody, regardless of its user before the app was a directory.
  const nobodys = conflicts
    .filter(({ accountId }) => !links.some((link) => link.accountId === accountId))
    .map(({ accountId }) => ({ accountId, userId: null }))
  await setAccountUsers(tx, tenant.id, appId, [...links, ...nobodys])
  await findManagers(tx, tenant.id, appId, { accountIds: links.map(({ accountId }) => accountId) })
}

/** The accounts of users who could not get their email address, because another user has it. */
const emailsTaken = (settled: readonly Settled[], links: readonly NewLink[]) =>
  settled.flatMap(({ user, emailTakenBy }) => {
    const accountId = emailTakenBy === '' ? undefined : links.find(({ userId }) => userId === user.id)?.accountId
    if (!accountId) return []
    const conflict: Conflict = { accountId, reason: 'EMAIL_TAKEN', key: '', userIds: [emailTakenBy] }
    const { displayName } = user
    const { reason, userIds } = conflict
    return [{ conflict, outcome: outcomeOf({ accountId, displayName, outcome: 'conflict', reason, userIds }) }]
  })

const onePerAccount = (conflicts: readonly Conflict[]): Conflict[] => [
  ...new Map(conflicts.map((each) => [each.accountId, each])).values(),
]

/** For a user who was in no directory before, an empty list says so; a missing one would mean unknown. */
const withNobody = (links: ReadonlyMap<string, Link[]>, userIds: readonly string[]): Map<string, Link[]> =>
  new Map(userIds.map((id) => [id, links.get(id) ?? []]))

/** Adds the changed fields to the outcomes; users who were only changed become separate outcomes. */
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

/**
 * The users whom the accounts of a page belong to. An account that belongs to a user stays theirs, unless its keys clearly
 * identify another one.
 */
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
    // An account returns to the user it belonged to before, even if no user has its keys any longer.
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
