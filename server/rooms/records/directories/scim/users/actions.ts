import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#kernel/sql.ts'
import { causeOf, change, record } from '#rooms/foundation/systemlog/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { findUserByEmail, insertUsers, lockOwnership, lockUsers, type User } from '#rooms/identity/users/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import type { Directory } from '../../directory.ts'
import { type Change, patched } from '../patch.ts'
import { notUnique, resourceNotFound, versionMismatch } from '../refuse.ts'
import type { Resource } from '../resource.ts'
import { userType } from '../schema.ts'
import type { Precondition, ScimCall } from '../serving.ts'
import { write } from '../writing.ts'
import { isActive, managerOf, type Person, personOf } from './decide.ts'
import { beforeDeactivating, type Deactivated, disable, enable } from './status.ts'
import {
  deleteAccounts,
  findUserIdOf,
  insertDirectoryUser,
  isDisabledBy,
  isNameTaken,
  type Link,
  listLinks,
  lockDirectoryUser,
  promoteLink,
  releaseHeld,
  type UserSet,
  updateAccountOf,
  updateDirectoryUser,
  updatePerson,
} from './store.ts'
import type { DirectoryUser } from './user.ts'

const nameTaken = (userName: string) => notUnique(`A user with the userName "${userName}" exists already.`)
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
  const [isTaken, known] = await Promise.all([
    isNameTaken(tx, tenantId, appId, person.username, ''),
    person.email === '' ? null : findUserByEmail(tx, tenantId, person.email),
  ])
  if (isTaken) throw nameTaken(person.username)
  const active = isActive(resource)
  const isHeldBack = known && !active ? await beforeDeactivating(tx, call, directory) : false
  const at = call.now()
  const [user] = known ? await lockUsers(tx, tenantId, [known.id], at) : []
  const links = user ? await listLinks(tx, tenantId, user.id) : []
  if (user) refuseLinking(directory, links, person)
  const row: DirectoryUser = {
    id: call.newId(),
    userId: user?.id ?? call.newId(),
    userName: person.username,
    resource,
    isActive: active,
    version: 1,
    isSource: !links.some(({ isSource, isDeleted }) => isSource && !isDeleted),
    isHeld: false,
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
    const managerId = await findManager(tx, scim, resource)
    // In this order, and none waits for the answer to the one before.
    await Promise.all([
      insertPerson(tx, scim, row, person, managerId),
      insertAccounts(tx, tenantId, [account], at),
      insertDirectoryUser(tx, tenantId, appId, row),
      record(tx, call, call, change(causeOf(call), 'create', message, touched([]))),
    ])
    return { row, hasStatus: false }
  }
  await insertAccounts(tx, tenantId, [account], at)
  const settled = await settle(tx, scim, { row, user, before: null, person, isHeldBack })
  await insertDirectoryUser(tx, tenantId, appId, settled.row)
  await endHeldBefore(tx, scim, links)
  const message = `Linked the existing user ${person.displayName}`
  await record(tx, call, call, change(causeOf(call), 'create', message, touched(settled.fields)))
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

async function insertPerson(
  tx: Tx,
  { call, directory }: ScimCall,
  row: DirectoryUser,
  person: Person,
  managerId: string | null,
): Promise<void> {
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

/** A user whom the directory deleted while deletions were held, and has again: their account of before is not needed. */
async function endHeldBefore(tx: Tx, { call, directory }: ScimCall, links: readonly Link[]): Promise<void> {
  const ids = links.filter((each) => each.appId === directory.appId && each.isDeleted).map(({ id }) => id)
  if (ids.length === 0) return
  await releaseHeld(tx, call.tenant.id, directory.appId, ids)
  await deleteAccounts(tx, call.tenant.id, directory.appId, ids, { at: call.now(), by: '' })
}

type Settling = {
  row: DirectoryUser
  user: User
  /** What the directory said of the person before; null where it said nothing yet. */
  before: DirectoryUser | null
  person: Person
  isHeldBack: boolean
}
type Settled = { row: DirectoryUser; fields: string[] }

/** Has the user follow what their directory says, and answers what changed. Nothing, where another directory is the source. */
async function settle(tx: Tx, scim: ScimCall, { row, user, before, person, isHeldBack }: Settling): Promise<Settled> {
  const { call } = scim
  if (!row.isSource) return { row, fields: [] }
  const managerId = await findManager(tx, scim, row.resource)
  const managerBefore = before ? managerOf(before.resource) : ''
  const set: Record<string, UserSet[string]> = differences(tx, user, before ? personOf(before.resource) : null, person)
  const managers = managerId ? [managerId] : managerBefore === '' ? user.managerIds : []
  if (!isDeepStrictEqual(managers, user.managerIds)) set['manager_ids'] = managers
  const status = row.isActive ? 'ENABLED' : 'DISABLED'
  if (user.directoryStatus !== status) set['directory_status'] = status
  if (user.origin === 'USER_ORIGIN_LOCAL') set['origin'] = 'USER_ORIGIN_DIRECTORY'
  if (Object.keys(set).length > 0) await updatePerson(tx, call.tenant.id, user.id, { ...set, updated_at: call.now() })
  const followed = row.isActive
    ? await activated(tx, scim, user)
    : await deactivated(tx, scim, { user, isHeldBack, wasActive: before?.isActive ?? true })
  return { row: { ...row, ...followed.flags }, fields: [...Object.keys(set), ...followed.fields] }
}

type Followed = { flags: Partial<DirectoryUser>; fields: string[] }

/** Enables whom this directory disabled, and nobody whom an administrator did. */
async function activated(tx: Tx, { call, directory: { appId } }: ScimCall, user: User): Promise<Followed> {
  const flags = { isHeld: false, deactivatedAt: null }
  const isOurs = user.status === 'DISABLED' && (await isDisabledBy(tx, call.tenant.id, user.id, appId))
  if (!isOurs) return { flags, fields: [] }
  await enable(tx, call, user)
  return { flags, fields: ['status'] }
}

async function deactivated(
  tx: Tx,
  { call, directory: { appId } }: ScimCall,
  { user, isHeldBack, wasActive }: { user: User; isHeldBack: boolean; wasActive: boolean },
): Promise<Followed> {
  if (!wasActive) return { flags: {}, fields: [] }
  const at = call.now()
  if (isHeldBack && user.status === 'ENABLED') return { flags: { isHeld: true, deactivatedAt: at }, fields: ['held'] }
  const outcome: Deactivated = await disable(tx, call, user, appId)
  return {
    flags: { deactivatedAt: at },
    fields: outcome === 'disabled' ? ['status'] : [],
  }
}

/** What of the user is to change, by column: what the directory says, and what it said before and does not say any longer. */
function differences(tx: Tx, user: User, before: Person | null, after: Person): Record<string, UserSet[string]> {
  const set: Record<string, UserSet[string]> = {}
  const text = (column: string, now: string, said: string, was: string): void => {
    const wanted = said !== '' ? said : was !== '' ? '' : now
    if (wanted !== now) set[column] = wanted
  }
  const list = (column: string, now: readonly string[], said: readonly string[], was: readonly string[]): void => {
    const wanted = said.length > 0 ? said : was.length > 0 ? [] : now
    if (!isDeepStrictEqual([...wanted], [...now])) set[column] = [...wanted]
  }
  text('display_name', user.displayName, after.displayName, '')
  text('email', user.email, after.email, before?.email ?? '')
  list('emails', user.emails, after.emails, before?.emails ?? [])
  text('username', user.username, after.username, '')
  list('usernames', user.usernames, withName(user.usernames, after.username, before?.username ?? ''), [])
  list('employee_ids', user.employeeIds, after.employeeIds, before?.employeeIds ?? [])
  text('department', user.department, after.department, before?.department ?? '')
  text('job_title', user.jobTitle, after.jobTitle, before?.jobTitle ?? '')
  text('employment_type', user.employmentType, after.employmentType, before?.employmentType ?? '')
  const others = Object.entries(user.profile).filter(([name]) => before?.profile[name] === undefined)
  const profile = { ...Object.fromEntries(others), ...after.profile }
  if (!isDeepStrictEqual(profile, user.profile)) set['profile'] = tx.json(profile)
  return set
}

/** The names of other accounts stay. */
const withName = (all: readonly string[], name: string, before: string): string[] => [
  ...new Set([name, ...all.filter((each) => each !== before)]),
]

export type Wanted = (before: DirectoryUser) => Resource

/** PUT: what is sent takes the place of what was there. Whether the user is active stays, unless it is said. */
export const replaced =
  (sent: Resource): Wanted =>
  (before) => ({ ...sent, active: sent['active'] ?? before.isActive })

export const patchedBy =
  (changes: readonly Change[]): Wanted =>
  (before) => {
    const after = patched(userType, { ...before.resource, active: before.isActive }, changes)
    return { ...after, active: isActive(after) }
  }

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
  if (isDeepStrictEqual(resource, { ...before.resource, active: before.isActive }))
    return { row: before, hasStatus: false }
  const [person, personBefore] = [personOf(resource), personOf(before.resource)]
  if (person.username !== personBefore.username && (await isNameTaken(tx, tenantId, appId, person.username, id)))
    throw nameTaken(person.username)
  const active = isActive(resource)
  const isSource = before.isSource || (await isWithoutSource(tx, tenantId, before))
  const isHeldBack = before.isActive && !active && isSource ? await beforeDeactivating(tx, call, directory) : false
  const [user] = await lockUsers(tx, tenantId, [before.userId], call.now())
  if (user && isSource) await refuseTaken(tx, tenantId, user, person)
  const row: DirectoryUser = {
    ...before,
    userName: person.username,
    resource,
    isActive: active,
    isSource,
    version: before.version + 1,
    updatedAt: call.now(),
  }
  const settled: Settled = user
    ? await settle(tx, scim, { row, user, before, person, isHeldBack })
    : { row, fields: [] }
  if (active !== before.isActive || !isDeepStrictEqual(ofAccount(person), ofAccount(personBefore)))
    await updateAccountOf(tx, tenantId, appId, id, person, active, call.now())
  await updateDirectoryUser(tx, tenantId, appId, settled.row)
  const data = { appId, fields: settled.fields, ...(active !== before.isActive && { active }) }
  const touched = [
    { type: 'user', id: before.userId, name: person.displayName, data },
    { type: 'account', id, data: { appId } },
  ]
  const words = settled.row.isHeld && !before.isHeld ? 'Held the deactivation of' : wordsOf(before.isActive, active)
  await record(tx, call, call, change(causeOf(call), 'update', `${words} the user ${person.displayName}`, touched))
  return { row: settled.row, hasStatus: settled.fields.includes('status') }
}

/** The directory that was the source is gone: this one is from now on. */
async function isWithoutSource(tx: Tx, tenantId: number, { userId }: DirectoryUser): Promise<boolean> {
  return !(await listLinks(tx, tenantId, userId)).some(({ isSource, isDeleted }) => isSource && !isDeleted)
}

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

async function refuseTaken(tx: Tx, tenantId: number, user: User, { email }: Person): Promise<void> {
  if (email === '' || email.toLowerCase() === user.email.toLowerCase()) return
  const other = await findUserByEmail(tx, tenantId, email)
  if (other && other.id !== user.id) throw emailTaken(email, 'two people cannot sign in with one address')
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
  const heir = user && before.isSource ? await findHeir(tx, tenantId, user.id, id) : null
  if (heir) await promoteLink(tx, tenantId, heir)
  const isHeld = isHeldBack && !heir && user?.status === 'ENABLED'
  if (user && before.isSource && !heir)
    await updatePerson(tx, tenantId, user.id, { directory_status: 'DELETED', updated_at: at })
  const outcome: Deactivated =
    user && before.isSource && !heir && !isHeld ? await disable(tx, call, user, appId) : 'nothing'
  const grants = isHeld ? 0 : await deleteAccounts(tx, tenantId, appId, [id], { at, by: '' })
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
  await record(tx, call, call, change(causeOf(call), 'delete', `${words} ${name}`, touched))
  return before.userId
}

/** Another directory that has the user, and has had them for the longest: it is the source from now on. */
async function findHeir(tx: Tx, tenantId: number, userId: string, id: string): Promise<Link | null> {
  const links = await listLinks(tx, tenantId, userId)
  return links.find((each) => each.id !== id && !each.isDeleted && each.isActive) ?? null
}
