import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { findUserByEmail, lockOwnership, lockUsers, type User, updatePerson } from '#rooms/identity/users/index.ts'
import { updateAccountOf } from '#rooms/records/accounts/index.ts'
import { isToDisable, winnerOf } from '../../people/decide.ts'
import { holdNames } from '../../people/managers.ts'
import { managerOf, type Person, personOf } from '../../people/person.ts'
import type { Link } from '../../people/said.ts'
import { resolveUser } from '../../people/settle.ts'
import { listLinksOf } from '../../people/store.ts'
import type { Resource } from '../../resource.ts'
import { type Change, patched } from '../patch.ts'
import { resourceNotFound, versionMismatch } from '../refuse.ts'
import { userType } from '../schema.ts'
import type { Precondition, ScimCall } from '../serving.ts'
import { addSizes } from '../store/sizes.ts'
import { write } from '../writing.ts'
import type { Written } from './create.ts'
import { isActive } from './decide.ts'
import { deleteWithGrants } from './delete.ts'
import { enqueueManagerArrived, findManager, namesOf } from './managers.ts'
import { demote, differences, linkOf, type Settled, settle, withOwnEmail } from './settle.ts'
import { beforeDeactivating, type Deactivated, disable } from './status.ts'
import { findMerged, isNameTaken, lockDirectoryUser, updateDirectoryUser } from './store.ts'
import { emailTaken, nameTaken, unique } from './taken.ts'
import type { DirectoryUser } from './user.ts'

export type Wanted = (before: DirectoryUser) => Resource

/** PUT: the resource that is sent replaces the stored one. Whether the user is active stays, unless it is sent. */
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
  // A change takes effect at once on the server where it was made.
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
  // If `active` was removed, the directory no longer provides it: this neither disables nor enables anyone.
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
    await updateAccountOf(tx, tenantId, { appId, accountId: id, at: call.now() }, { ...person, isEnabled: active })
  await updateDirectoryUser(tx, tenantId, appId, settled.row)
  const data = { appId, fields: settled.fields, ...(active !== before.isActive && { active }) }
  const touched = [
    { type: 'user', id: before.userId, name: person.displayName, data },
    { type: 'account', id, data: { appId } },
  ]
  const words = settled.row.isHeld && !before.isHeld ? 'Held the deactivation of' : wordsOf(before.isActive, active)
  await recordChange(tx, call, 'update', `${words} the user ${person.displayName}`, touched)
  if (isRenamed) await enqueueManagerArrived(tx, scim, settled.row)
  await addSizes(tx, tenantId, appId, { users: 0, active: Number(active) - Number(before.isActive) })
  return { row: settled.row, hasStatus: settled.fields.includes('status') }
}

/** The directory that was the source is gone: this one becomes the source. */
const isWithoutSource = (links: readonly Link[]): boolean =>
  !links.some(({ isSource, isDeleted }) => isSource && !isDeleted)

/** The values of a person that their account shows. */
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
  // If another directory's email address has precedence over this one's, there is nothing to refuse.
  const said = winnerOf(now, 'email')
  if (said?.accountId !== row.id) return
  const { email } = said.said
  const tenantId = call.tenant.id
  if (email === '' || email.toLowerCase() === user.email.toLowerCase()) return
  const other = await findUserByEmail(tx, tenantId, email)
  if (other && other.id !== user.id && (await findMerged(tx, tenantId, other.id)) !== user.id)
    throw emailTaken(email, 'two people cannot sign in with one address')
}

/** Deletes the account and ends everything that it held; the person is disabled, and their history is kept. */
export async function deleteUser(scim: ScimCall, id: string, precondition: Precondition): Promise<void> {
  const userId = await write(scim, (tx) => deleteIn(tx, scim, id, precondition))
  await forgetUser(scim.call, userId)
}

async function deleteIn(tx: Tx, scim: ScimCall, id: string, precondition: Precondition): Promise<string> {
  const { call, directory } = scim
  const [tenantId, { appId }] = [call.tenant.id, directory]
  const before = await lockExisting(tx, scim, id, precondition)
  // A user who was inactive already does not count as another deactivation.
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
