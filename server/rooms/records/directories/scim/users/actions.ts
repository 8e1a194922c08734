import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { causeOf, recordChange } from '#rooms/foundation/systemlog/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import {
  findUserByEmail,
  insertUsers,
  lockOwnership,
  lockUsers,
  type User,
  type UserSet,
  updatePerson,
} from '#rooms/identity/users/index.ts'
import { insertAccounts, updateAccountOf } from '#rooms/records/accounts/index.ts'
import type { Directory } from '../../directory.ts'
import { managerArrived } from '../../jobs.ts'
import { isToDisable, isToEnable, type Resolved, sourcesOf, winnerOf } from '../../people/decide.ts'
import { holdNames, isAwaited } from '../../people/managers.ts'
import { managerOf, type Person, personOf } from '../../people/person.ts'
import type { Link } from '../../people/said.ts'
import { resolveUser } from '../../people/settle.ts'
import { listLinksOf, saidBy, setDeciding } from '../../people/store.ts'
import type { Resource } from '../../resource.ts'
import { type Change, patched } from '../patch.ts'
import { notUnique, resourceNotFound, versionMismatch } from '../refuse.ts'
import { userType } from '../schema.ts'
import type { Precondition, ScimCall } from '../serving.ts'
import { addSizes } from '../store/sizes.ts'
import { write } from '../writing.ts'
import { isActive } from './decide.ts'
import { deleteWithGrants } from './delete.ts'
import { beforeDeactivating, type Deactivated, disable, enable } from './status.ts'
import {
  findMerged,
  findUserIdOf,
  insertDirectoryUser,
  isNameTaken,
  lockDirectoryUser,
  releaseHeld,
  updateDirectoryUser,
} from './store.ts'
import type { DirectoryUser } from './user.ts'

const nameTaken = (userName: string) => notUnique(`A user with the userName "${userName}" already exists.`)
const emailTaken = (email: string, why: string) =>
  notUnique(`The email address ${email} belongs to another user: ${why}.`)

/** The database has the last word on what is unique: of two at once, the second is refused like any other. */
async function unique<T>(resource: () => Resource, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, constraint_name: name, constraint } = error as Record<string, string | undefined>
    if (code !== '23505') throw error
    const about = name ?? constraint ?? ''
    const person = personOf(resource())
    if (about.includes('directory_users_by_name')) throw nameTaken(person.username)
    if (about.includes('users_by_email')) throw emailTaken(person.email, 'it was just assigned')
    throw error
  }
}

/** `hasStatus`: the user was enabled or disabled. */
type Written = { row: DirectoryUser; hasStatus: boolean }

export async function createUser(scim: ScimCall, sent: Resource): Promise<DirectoryUser> {
  const resource: Resource = { ...sent, active: isActive(sent) }
  const { row, hasStatus } = await unique(
    () => resource,
    () => write(scim, (tx) => createIn(tx, scim, resource)),
  )
  // Someone who was there already and is linked may be disabled by it, or enabled again.
  if (hasStatus) await forgetUser(scim.call, row.userId)
  return row
}

async function createIn(tx: Tx, scim: ScimCall, resource: Resource): Promise<Written> {
  const { call, directory } = scim
  const [tenantId, { appId }] = [call.tenant.id, directory]
  const person = personOf(resource)
  const names = namesOf({ resource, userName: person.username })
  const [, isTaken, known] = await Promise.all([
    holdNames(tx, tenantId, appId, names, managerOf(resource)),
    isNameTaken(tx, tenantId, appId, person.username, ''),
    person.email === '' ? null : findUserByEmail(tx, tenantId, person.email),
  ])
  if (isTaken) throw nameTaken(person.username)
  const active = isActive(resource)
  const isHeldBack = known && !active ? await beforeDeactivating(tx, call, directory) : false
  const at = call.now()
  const [user] = known ? await lockUsers(tx, tenantId, [await findMerged(tx, tenantId, known.id)], at) : []
  const links = user ? await listLinksOf(tx, tenantId, [user.id]) : []
  if (user) refuseLinking(directory, links, person)
  const managerId = (await findManager(tx, scim, resource)) ?? ''
  const row: DirectoryUser = {
    id: call.newId(),
    userId: user?.id ?? call.newId(),
    userName: person.username,
    resource,
    isActive: active,
    version: 1,
    isSource: true,
    isHeld: false,
    managerId,
    deactivatedAt: null,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  const account = accountOf(appId, row, person)
  const touched = (fields: readonly string[]) => [
    { type: 'user', id: row.userId, name: person.displayName, data: { isNew: !user, fields } },
    { type: 'account', id: row.id, data: { appId } },
  ]
  if (!user) {
    const message = `Created the user ${person.displayName}`
    // In this order, and none waits for the answer to the one before.
    await Promise.all([
      insertPerson(tx, scim, row, person),
      insertAccounts(tx, tenantId, [account], at),
      insertDirectoryUser(tx, tenantId, appId, row),
      recordChange(tx, call, 'create', message, touched([])),
      tellAwaited(tx, scim, row),
    ])
    await addSizes(tx, tenantId, appId, { users: 1, active: active ? 1 : 0 })
    return { row, hasStatus: false }
  }
  await insertAccounts(tx, tenantId, [account], at)
  const settled = await settle(tx, scim, { row, user, links, before: null, isHeldBack })
  await insertDirectoryUser(tx, tenantId, appId, settled.row)
  await endHeldBefore(tx, scim, links)
  const message = `Linked the existing user ${person.displayName}`
  await recordChange(tx, call, 'create', message, touched(settled.fields))
  await tellAwaited(tx, scim, row)
  await addSizes(tx, tenantId, appId, { users: 1, active: active ? 1 : 0 })
  return { row: settled.row, hasStatus: settled.fields.includes('status') }
}

function refuseLinking({ appId, linksExistingUsers }: Directory, links: readonly Link[], person: Person): void {
  if (links.some((link) => link.appId === appId && !link.isDeleted))
    throw emailTaken(person.email, 'another user of this directory has it')
  if (!linksExistingUsers && !links.some((link) => link.appId === appId))
    throw emailTaken(person.email, 'this directory does not link existing users')
}

const accountOf = (appId: string, { id, userId, isActive: active }: DirectoryUser, person: Person) => ({
  id,
  appId,
  userId,
  status: active ? ('STATUS_ENABLED' as const) : ('STATUS_DISABLED' as const),
  displayName: person.displayName,
  email: person.email,
  username: person.username,
  ...(person.employeeIds[0] && { employeeId: person.employeeIds[0] }),
  profile: person.profile,
})

async function insertPerson(tx: Tx, { call, directory }: ScimCall, row: DirectoryUser, person: Person): Promise<void> {
  const { managerId } = row
  const user = {
    id: row.userId,
    origin: 'USER_ORIGIN_DIRECTORY' as const,
    status: row.isActive ? ('ENABLED' as const) : ('DISABLED' as const),
    ...(!row.isActive && { disabledBy: directory.appId }),
    displayName: person.displayName,
    email: person.email,
    emails: person.emails,
    username: person.username,
    ...(person.employeeIds[0] && { employeeId: person.employeeIds[0] }),
    department: person.department,
    jobTitle: person.jobTitle,
    employmentType: person.employmentType,
    ...(managerId && { managerId }),
    profile: person.profile,
    sources: sourcesOf({}, [linkOf(directory, row)]),
  }
  await Promise.all([
    insertUsers(tx, call.tenant.id, [user], call.now()),
    assignRole(tx, call, call.tenant.id, [{ id: row.userId, email: person.email }], 'system:user'),
  ])
}

async function findManager(tx: Tx, { call, directory }: ScimCall, resource: Resource): Promise<string | null> {
  const manager = managerOf(resource)
  return manager === '' ? null : findUserIdOf(tx, call.tenant.id, directory.appId, manager)
}

/** By what others may call the user as their manager, besides the id. */
const namesOf = ({ resource, userName }: Pick<DirectoryUser, 'resource' | 'userName'>): string[] =>
  [userName, ...(typeof resource['externalId'] === 'string' ? [resource['externalId']] : [])].filter(
    (name) => name !== '',
  )

/** Has those who wait for this manager be told, where there are some. */
async function tellAwaited(tx: Tx, { call, directory: { appId } }: ScimCall, row: DirectoryUser): Promise<void> {
  if (!(await isAwaited(tx, call.tenant.id, appId, namesOf(row)))) return
  await enqueue(tx, call, causeOf(call), managerArrived, { payload: { appId, accountId: row.id }, key: row.id })
}

/** A user whom the directory deleted while deletions were held, and has again: their account of before is not needed. */
async function endHeldBefore(tx: Tx, { call, directory }: ScimCall, links: readonly Link[]): Promise<void> {
  const ids = links.filter((each) => each.appId === directory.appId && each.isDeleted).map(({ accountId }) => accountId)
  if (ids.length === 0) return
  await releaseHeld(tx, call.tenant.id, directory.appId, ids)
  await deleteWithGrants(tx, call.tenant.id, directory.appId, ids, { at: call.now(), by: '' })
}

type Settling = {
  row: DirectoryUser
  user: User
  /** In which directories they were before. */
  links: readonly Link[]
  /** What the directory said of the person before; null where it said nothing yet. */
  before: DirectoryUser | null
  isHeldBack: boolean
}
type Settled = { row: DirectoryUser; fields: string[] }

const linkOf = ({ appId, rank, ranks, createdAt: since }: Directory, row: DirectoryUser): Link => ({
  appId,
  accountId: row.id,
  userId: row.userId,
  said: saidBy(row.resource),
  managerId: row.managerId,
  isActive: row.isActive,
  isSource: row.isSource,
  isHeld: row.isHeld,
  isDeleted: row.deletedAt !== null,
  deactivatedAt: row.deactivatedAt,
  createdAt: row.createdAt,
  order: { rank, ranks, since },
})

/** Has the user follow what their directories say, now that one of them says something else; answers what changed. */
async function settle(tx: Tx, scim: ScimCall, { row, user, links, before, isHeldBack }: Settling): Promise<Settled> {
  const { call, directory } = scim
  const others = links.filter(({ accountId }) => accountId !== row.id)
  const now = [...others, linkOf(directory, row)]
  const resolved = await withOwnEmail(
    tx,
    call.tenant.id,
    user,
    resolveUser(user, now, links, directory.appId, call.now()),
  )
  const set = differences(tx, user, resolved)
  if (Object.keys(set).length > 0) await updatePerson(tx, call.tenant.id, user.id, { ...set, updated_at: call.now() })
  const isSource = resolved.decider?.accountId === row.id
  await demote(tx, call.tenant.id, others, resolved)
  const followed = await followStatus(tx, scim, {
    row: { ...row, isSource },
    user,
    links,
    now,
    before,
    isHeldBack,
    resolved,
  })
  const fields = [...Object.keys(set).filter((column) => column !== 'sources'), ...followed.fields]
  return { row: { ...row, isSource, ...followed.flags }, fields }
}

/** The address of a user who was merged into this one stays theirs: who has both keeps their own. */
async function withOwnEmail(tx: Tx, tenantId: number, user: User, resolved: Resolved): Promise<Resolved> {
  const { email } = resolved.after
  if (email === '' || email.toLowerCase() === user.email.toLowerCase()) return resolved
  const other = await findUserByEmail(tx, tenantId, email)
  if (!other || other.id === user.id || (await findMerged(tx, tenantId, other.id)) !== user.id) return resolved
  return { ...resolved, after: { ...resolved.after, email: user.email, emails: user.emails } }
}

/** Which of the other directories decides whether the user may come in, where that changed. */
async function demote(tx: Tx, tenantId: number, others: readonly Link[], { decider }: Resolved): Promise<void> {
  const isDecider = ({ accountId }: Link): boolean => accountId === decider?.accountId
  const wrong = others.filter((link) => link.isSource !== isDecider(link))
  await setDeciding(
    tx,
    tenantId,
    wrong.filter((link) => !isDecider(link)),
    false,
  )
  await setDeciding(tx, tenantId, wrong.filter(isDecider), true)
}

type Followed = { flags: Partial<DirectoryUser>; fields: string[] }

async function followStatus(
  tx: Tx,
  { call, directory: { appId } }: ScimCall,
  { row, user, links, now, before, isHeldBack, resolved }: Settling & { now: readonly Link[]; resolved: Resolved },
): Promise<Followed> {
  const at = call.now()
  const wasDecider = links.find(({ isSource, isDeleted }) => isSource && !isDeleted)?.accountId ?? null
  const flags: Partial<DirectoryUser> = row.isActive
    ? { isHeld: false, deactivatedAt: null }
    : row.isSource && (before?.isActive ?? true)
      ? { deactivatedAt: at }
      : {}
  if (isToEnable(user, resolved, now)) {
    await enable(tx, call, user, resolved.decider?.appId ?? appId)
    return { flags, fields: ['status'] }
  }
  if (!isToDisable(user, resolved, wasDecider)) return { flags, fields: [] }
  if (isHeldBack && row.isSource) return { flags: { ...flags, isHeld: true }, fields: ['held'] }
  const outcome: Deactivated = await disable(tx, call, user, resolved.decider?.appId ?? appId)
  return { flags, fields: outcome === 'disabled' ? ['status'] : [] }
}

/** What of the user is to change, by column. */
function differences(tx: Tx, user: User, { after, sources }: Resolved): Record<string, UserSet[string]> {
  const set: Record<string, UserSet[string]> = {}
  const put = (column: string, now: unknown, wanted: UserSet[string] | readonly string[]): void => {
    if (!isDeepStrictEqual(wanted, now)) set[column] = Array.isArray(wanted) ? [...wanted] : (wanted as string)
  }
  put('display_name', user.displayName, after.displayName)
  put('email', user.email, after.email)
  put('emails', user.emails, after.emails)
  put('username', user.username, after.username)
  put('usernames', user.usernames, after.usernames)
  put('employee_ids', user.employeeIds, after.employeeIds)
  put('department', user.department, after.department)
  put('job_title', user.jobTitle, after.jobTitle)
  put('employment_type', user.employmentType, after.employmentType)
  put('employment_status', user.employmentStatus, after.employmentStatus)
  put('manager_ids', user.managerIds, after.managerIds)
  put('directory_status', user.directoryStatus, after.directoryStatus)
  if (!isDeepStrictEqual(after.profile, user.profile)) set['profile'] = tx.json(after.profile)
  if (!isDeepStrictEqual(sources, user.sources)) set['sources'] = tx.json(sources)
  if (user.origin === 'USER_ORIGIN_LOCAL') set['origin'] = 'USER_ORIGIN_DIRECTORY'
  return set
}

export type Wanted = (before: DirectoryUser) => Resource

/** PUT: what is sent takes the place of what was there. Whether the user is active stays, unless it is said. */
export const replaced =
  (sent: Resource): Wanted =>
  (before) => ({ ...sent, active: sent['active'] ?? before.isActive })

export const patchedBy =
  (changes: readonly Change[]): Wanted =>
  (before) =>
    patched(userType, before.resource, changes)

export async function changeUser(
  scim: ScimCall,
  id: string,
  wanted: Wanted,
  precondition: Precondition,
): Promise<DirectoryUser> {
  const { call } = scim
  let resource: Resource = {}
  const { row, hasStatus } = await unique(
    () => resource,
    () =>
      write(scim, (tx) =>
        changeIn(tx, scim, id, precondition, (before) => {
          resource = wanted(before)
          return resource
        }),
      ),
  )
  // A change counts at once on the server where it was made.
  if (hasStatus) await forgetUser(call, row.userId)
  return row
}

async function lockExisting(
  tx: Tx,
  { call, directory }: ScimCall,
  id: string,
  precondition: Precondition,
): Promise<DirectoryUser> {
  const before = await lockDirectoryUser(tx, call.tenant.id, directory.appId, id)
  if (!before) throw resourceNotFound(id)
  if (precondition && !precondition(before.version)) throw versionMismatch()
  return before
}

async function changeIn(
  tx: Tx,
  scim: ScimCall,
  id: string,
  precondition: Precondition,
  wanted: Wanted,
): Promise<Written> {
  const { call, directory } = scim
  const [tenantId, { appId }] = [call.tenant.id, directory]
  const before = await lockExisting(tx, scim, id, precondition)
  const resource = wanted(before)
  if (isDeepStrictEqual(resource, before.resource)) return { row: before, hasStatus: false }
  const [person, personBefore] = [personOf(resource), personOf(before.resource)]
  if (person.username !== personBefore.username && (await isNameTaken(tx, tenantId, appId, person.username, id)))
    throw nameTaken(person.username)
  // Once it was removed the directory says nothing of it: nobody is disabled or enabled by that.
  const active = 'active' in resource ? isActive(resource) : before.isActive
  const names = namesOf({ resource, userName: person.username })
  const isRenamed = !isDeepStrictEqual(names, namesOf(before))
  const manager = managerOf(resource)
  const isSought = manager !== '' && (before.managerId === '' || manager !== managerOf(before.resource))
  if (isRenamed || isSought) await holdNames(tx, tenantId, appId, isRenamed ? names : [], manager)
  const links = await listLinksOf(tx, tenantId, [before.userId])
  const isSource = before.isSource || isWithoutSource(links)
  const isHeldBack = before.isActive && !active && isSource ? await beforeDeactivating(tx, call, directory) : false
  const [user] = await lockUsers(tx, tenantId, [before.userId], call.now())
  const row: DirectoryUser = {
    ...before,
    userName: person.username,
    resource,
    isActive: active,
    isSource,
    managerId: (await findManager(tx, scim, resource)) ?? '',
    version: before.version + 1,
    updatedAt: call.now(),
  }
  if (user) await refuseTaken(tx, scim, { user, row, links })
  const settled: Settled = user ? await settle(tx, scim, { row, user, links, before, isHeldBack }) : { row, fields: [] }
  if (active !== before.isActive || !isDeepStrictEqual(ofAccount(person), ofAccount(personBefore)))
    await updateAccountOf(tx, tenantId, appId, id, person, active, call.now())
  await updateDirectoryUser(tx, tenantId, appId, settled.row)
  const data = { appId, fields: settled.fields, ...(active !== before.isActive && { active }) }
  const touched = [
    { type: 'user', id: before.userId, name: person.displayName, data },
    { type: 'account', id, data: { appId } },
  ]
  const words = settled.row.isHeld && !before.isHeld ? 'Held the deactivation of' : wordsOf(before.isActive, active)
  await recordChange(tx, call, 'update', `${words} the user ${person.displayName}`, touched)
  if (isRenamed) await tellAwaited(tx, scim, settled.row)
  await addSizes(tx, tenantId, appId, { users: 0, active: Number(active) - Number(before.isActive) })
  return { row: settled.row, hasStatus: settled.fields.includes('status') }
}

/** The directory that was the source is gone: this one is from now on. */
const isWithoutSource = (links: readonly Link[]): boolean =>
  !links.some(({ isSource, isDeleted }) => isSource && !isDeleted)

/** What an account has of a person. */
const ofAccount = ({ displayName, emails, username, employeeIds, profile }: Person) => [
  displayName,
  emails,
  username,
  employeeIds,
  profile,
]

const wordsOf = (before: boolean, after: boolean): string =>
  before === after ? 'Updated' : after ? 'Activated' : 'Deactivated'

async function refuseTaken(
  tx: Tx,
  { call, directory }: ScimCall,
  { user, row, links }: { user: User; row: DirectoryUser; links: readonly Link[] },
): Promise<void> {
  const now = [...links.filter(({ accountId }) => accountId !== row.id), linkOf(directory, row)]
  // What another directory says of the address counts, and not this one: nothing to refuse.
  const said = winnerOf(now, 'email')
  if (said?.accountId !== row.id) return
  const { email } = said.said
  const tenantId = call.tenant.id
  if (email === '' || email.toLowerCase() === user.email.toLowerCase()) return
  const other = await findUserByEmail(tx, tenantId, email)
  if (other && other.id !== user.id && (await findMerged(tx, tenantId, other.id)) !== user.id)
    throw emailTaken(email, 'two people cannot sign in with one address')
}

/** The account goes with all that it held; the person is disabled, and stays on the record. */
export async function deleteUser(scim: ScimCall, id: string, precondition: Precondition): Promise<void> {
  const userId = await write(scim, (tx) => deleteIn(tx, scim, id, precondition))
  await forgetUser(scim.call, userId)
}

async function deleteIn(tx: Tx, scim: ScimCall, id: string, precondition: Precondition): Promise<string> {
  const { call, directory } = scim
  const [tenantId, { appId }] = [call.tenant.id, directory]
  const before = await lockExisting(tx, scim, id, precondition)
  // Who was inactive already does not count as another one.
  const isCounted = before.isSource && (before.isActive || before.isHeld)
  if (before.isSource && !isCounted) await lockOwnership(tx, tenantId)
  const isHeldBack = isCounted ? await beforeDeactivating(tx, call, directory) : false
  const [user] = await lockUsers(tx, tenantId, [before.userId], call.now())
  const at = call.now()
  const row: DirectoryUser = {
    ...before,
    isActive: false,
    isSource: false,
    version: before.version + 1,
    updatedAt: at,
    deletedAt: at,
  }
  const links = user ? await listLinksOf(tx, tenantId, [user.id]) : []
  const others = links.filter(({ accountId }) => accountId !== id)
  const resolved = user ? await withOwnEmail(tx, tenantId, user, resolveUser(user, others, links, appId, at)) : null
  const isLeaving = user && resolved ? isToDisable(user, resolved, before.isSource ? id : '') && before.isSource : false
  const isHeld = isHeldBack && isLeaving
  if (user && resolved) {
    const set = differences(tx, user, resolved)
    if (Object.keys(set).length > 0) await updatePerson(tx, tenantId, user.id, { ...set, updated_at: at })
    await demote(tx, tenantId, others, resolved)
  }
  const outcome: Deactivated = user && isLeaving && !isHeld ? await disable(tx, call, user, appId) : 'nothing'
  const grants = isHeld ? 0 : await deleteWithGrants(tx, tenantId, appId, [id], { at, by: '' })
  await updateDirectoryUser(tx, tenantId, appId, {
    ...row,
    isHeld,
    deactivatedAt: before.isActive ? at : before.deactivatedAt,
  })
  const name = user?.displayName ?? before.userName
  const data = { appId, isHeld, isDisabled: outcome === 'disabled', endedGrants: grants }
  const touched = [
    { type: 'user', id: before.userId, name, data },
    { type: 'account', id, data: { appId } },
  ]
  const words = isHeld ? 'Held the deletion of' : 'Deleted the account of'
  await recordChange(tx, call, 'delete', `${words} ${name}`, touched)
  await addSizes(tx, tenantId, appId, { users: -1, active: before.isActive ? -1 : 0 })
  return before.userId
}
