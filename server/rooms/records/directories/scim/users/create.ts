import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import { findUserByEmail, insertUsers, lockUsers } from '#rooms/identity/users/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import type { Directory } from '../../directory.ts'
import { sourcesOf } from '../../people/decide.ts'
import { holdNames } from '../../people/managers.ts'
import { managerOf, type Person, personOf } from '../../people/person.ts'
import type { Link } from '../../people/said.ts'
import { listLinksOf } from '../../people/store.ts'
import type { Resource } from '../../resource.ts'
import type { ScimCall } from '../serving.ts'
import { addSizes } from '../store/sizes.ts'
import { write } from '../writing.ts'
import { isActive } from './decide.ts'
import { deleteWithGrants } from './delete.ts'
import { enqueueManagerArrived, findManager, namesOf } from './managers.ts'
import { linkOf, settle } from './settle.ts'
import { beforeDeactivating } from './status.ts'
import { findMerged, insertDirectoryUser, isNameTaken, releaseHeld } from './store.ts'
import { emailTaken, nameTaken, unique } from './taken.ts'
import type { DirectoryUser } from './user.ts'

/** `hasStatus`: the user was enabled or disabled. */
export type Written = { row: DirectoryUser; hasStatus: boolean }

export async function createUser(scim: ScimCall, sent: Resource): Promise<DirectoryUser> {
  const resource: Resource = { ...sent, active: isActive(sent) }
  const { row, hasStatus } = await unique(
    () => resource,
    () => write(scim, (tx) => createIn(tx, scim, resource)),
  )
  // An existing user who is linked may be disabled by it, or enabled again.
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
    // Sent in this order, without waiting for the previous response.
    await Promise.all([
      insertPerson(tx, scim, row, person),
      insertAccounts(tx, tenantId, [account], at),
      insertDirectoryUser(tx, tenantId, appId, row),
      recordChange(tx, call, 'create', message, touched([])),
      enqueueManagerArrived(tx, scim, row),
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
  await enqueueManagerArrived(tx, scim, row)
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

/** A user whom the directory deleted while deletions were held, and has again: their earlier account is not needed. */
async function endHeldBefore(tx: Tx, { call, directory }: ScimCall, links: readonly Link[]): Promise<void> {
  const ids = links.filter((each) => each.appId === directory.appId && each.isDeleted).map(({ accountId }) => accountId)
  if (ids.length === 0) return
  await releaseHeld(tx, call.tenant.id, directory.appId, ids)
  await deleteWithGrants(tx, call.tenant.id, directory.appId, ids, { at: call.now(), by: '' })
}
