import { asService } from '#authority/proof.ts'
import { breather } from '#kernel/breath.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf, change, record, recordChange } from '#rooms/foundation/systemlog/index.ts'
import { insertEntitlements, insertResources, removeResource, renameEntitlement } from '#rooms/records/apps/index.ts'
import { endGrants, openGrants } from '#rooms/records/grants/index.ts'
import type { Resource } from '../../resource.ts'
import { type Change, patched } from '../patch.ts'
import { resourceNotFound, scimRefusal, versionMismatch } from '../refuse.ts'
import { groupType } from '../schema.ts'
import type { Precondition, ScimCall } from '../serving.ts'
import { write } from '../writing.ts'
import { fold, type Membership, unchanged } from './decide.ts'
import type { DirectoryGroup } from './group.ts'
import {
  deleteGroupRow,
  hasEntitlement,
  insertGroup,
  listOtherMembers,
  lockGroup,
  shareUsers,
  updateGroup,
} from './store.ts'

const externalIdOf = ({ externalId }: Resource): string | null => (typeof externalId === 'string' ? externalId : null)
const nameOf = ({ displayName }: Resource): string => (typeof displayName === 'string' ? displayName.trim() : '')

export function createGroup(scim: ScimCall, resource: Resource, memberIds: readonly string[]): Promise<DirectoryGroup> {
  const { call, directory } = scim
  const { appId } = directory
  return write(scim, async (tx) => {
    const at = call.now()
    const group: DirectoryGroup = {
      id: call.newId(),
      resourceId: call.newId(),
      displayName: nameOf(resource),
      externalId: externalIdOf(resource),
      version: 1,
      createdAt: at,
      updatedAt: at,
    }
    const { displayName } = group
    const of = { id: group.resourceId, appId, resourceTypeId: directory.groupTypeId, displayName }
    await insertResources(tx, call.tenant.id, [of], at)
    const place = { typeId: directory.groupTypeId, id: group.resourceId }
    await insertEntitlements(
      tx,
      call.tenant.id,
      [{ id: group.id, appId, resource: place, displayName, slug: 'member' }],
      at,
    )
    await insertGroup(tx, call.tenant.id, appId, group)
    const touched = [{ type: 'entitlement', id: group.id, name: displayName, data: { appId } }]
    await recordChange(tx, call, 'create', `Created the group ${displayName}`, touched)
    await applyMembers(tx, scim, group, { isReplaced: false, added: new Set(memberIds), removed: new Set() })
    return group
  })
}

export type GroupChange = { resource: Resource; membership: Membership }
export type WantedGroup = (before: DirectoryGroup) => GroupChange

export const replacedBy =
  (resource: Resource, memberIds: readonly string[]): WantedGroup =>
  () => ({ resource, membership: { isReplaced: true, added: new Set(memberIds), removed: new Set() } })

export const groupPatchedBy =
  (changes: readonly Change[]): WantedGroup =>
  ({ displayName, externalId }) => {
    const membership = unchanged()
    const ofMembers = changes.filter(({ attribute }) => attribute.name === 'members')
    for (const each of ofMembers) fold(membership, each)
    const before = { displayName, ...(externalId !== null && { externalId }) }
    const others = changes.filter(({ attribute }) => attribute.name !== 'members')
    return { resource: patched(groupType, before, others), membership }
  }

export function changeGroup(
  scim: ScimCall,
  id: string,
  wanted: WantedGroup,
  precondition: Precondition,
): Promise<DirectoryGroup> {
  return write(scim, (tx) => changeIn(tx, scim, id, wanted, precondition))
}

async function lockExisting(
  tx: Tx,
  { call, directory: { appId } }: ScimCall,
  id: string,
  precondition: Precondition,
): Promise<DirectoryGroup> {
  const group = await lockGroup(tx, call.tenant.id, appId, id)
  if (!group || !(await hasEntitlement(tx, call.tenant.id, appId, id))) throw resourceNotFound(id)
  if (precondition && !precondition(group.version)) throw versionMismatch()
  return group
}

async function changeIn(
  tx: Tx,
  scim: ScimCall,
  id: string,
  wanted: WantedGroup,
  precondition: Precondition,
): Promise<DirectoryGroup> {
  const { call, directory } = scim
  const before = await lockExisting(tx, scim, id, precondition)
  const { resource, membership } = wanted(before)
  const after: DirectoryGroup = { ...before, displayName: nameOf(resource), externalId: externalIdOf(resource) }
  const isRenamed = after.displayName !== before.displayName
  const isDescribed = isRenamed || after.externalId !== before.externalId
  const changed = await applyMembers(tx, scim, after, membership)
  if (!isDescribed && changed === 0) return before
  const group = { ...after, version: before.version + 1, updatedAt: call.now() }
  await updateGroup(tx, call.tenant.id, directory.appId, group)
  if (isRenamed) {
    const { id: entitlementId, resourceId, displayName, updatedAt: at } = group
    await renameEntitlement(tx, call.tenant.id, { appId: directory.appId, entitlementId, resourceId, displayName, at })
  }
  if (isDescribed) {
    const fields = [
      ...(isRenamed ? ['displayName'] : []),
      ...(after.externalId !== before.externalId ? ['externalId'] : []),
    ]
    const data = { appId: directory.appId, fields, ...(isRenamed && { before: before.displayName }) }
    const touched = [{ type: 'entitlement', id, name: group.displayName, data }]
    await recordChange(tx, call, 'update', `Updated the group ${group.displayName}`, touched)
  }
  return group
}

/** Returns how many became members, or no longer are. */
async function applyMembers(
  tx: Tx,
  scim: ScimCall,
  group: DirectoryGroup,
  { isReplaced, added, removed }: Membership,
): Promise<number> {
  const { call, directory } = scim
  const [tenantId, { appId }] = [call.tenant.id, directory]
  const at = call.now()
  const wanted = [...added]
  if (wanted.length > 0) await refuseUnknown(tx, scim, wanted)
  const leaving = isReplaced ? await listOtherMembers(tx, tenantId, appId, group.id, wanted) : [...removed]
  const of = { appId, entitlementId: group.id }
  const its = asService(call, 'entitlement.give', 'a directory says who is in its groups')
  const ended =
    leaving.length === 0
      ? []
      : await endGrants(
          tx,
          its,
          leaving.map((accountId) => ({ ...of, accountId })),
          { by: '', at, source: 'directory' },
        )
  const opened =
    wanted.length === 0
      ? []
      : await openGrants(
          tx,
          its,
          wanted.map((accountId) => ({ ...of, accountId, id: call.newId() })),
          {
            source: 'directory',
            by: '',
            at,
          },
        )
  await recordMembers(tx, scim, group, 'delete', ended)
  await recordMembers(tx, scim, group, 'create', opened)
  return ended.length + opened.length
}

const namedMax = 5

async function refuseUnknown(tx: Tx, { call, directory }: ScimCall, ids: readonly string[]): Promise<void> {
  const known = await shareUsers(tx, call.tenant.id, directory.appId, ids)
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  const more = unknown.length > namedMax ? ` and ${unknown.length - namedMax} more` : ''
  throw scimRefusal('invalidValue', `members: there is no user ${unknown.slice(0, namedMax).join(', ')}${more}.`)
}

const touchedPerEvent = 100
const eventsAtOnce = 20

async function recordMembers(
  tx: Tx,
  { call, directory: { appId } }: ScimCall,
  group: DirectoryGroup,
  activity: 'create' | 'delete',
  grants: readonly { id: string; accountId: string }[],
): Promise<void> {
  const words = activity === 'create' ? 'Added members to the group' : 'Removed members from the group'
  const of = { type: 'entitlement', id: group.id, name: group.displayName, data: { appId } }
  const breathe = breather()
  for (let from = 0; from < grants.length; from += touchedPerEvent * eventsAtOnce) {
    const part = grants.slice(from, from + touchedPerEvent * eventsAtOnce)
    const events = Array.from({ length: Math.ceil(part.length / touchedPerEvent) }, (_, place) =>
      change(causeOf(call), activity, `${words} ${group.displayName}`, [
        of,
        ...part
          .slice(place * touchedPerEvent, (place + 1) * touchedPerEvent)
          .map(({ id, accountId }) => ({ type: 'grant', id, data: { appId, entitlementId: group.id, accountId } })),
      ]),
    )
    await record(tx, call, call, ...events)
    await breathe()
  }
}

/** Deletes the group with its entitlement, and everything that depends on it. */
export async function deleteGroup(scim: ScimCall, id: string, precondition: Precondition): Promise<void> {
  const { call, directory } = scim
  await write(scim, async (tx) => {
    const group = await lockExisting(tx, scim, id, precondition)
    await deleteGroupRow(tx, call.tenant.id, directory.appId, id, call.now())
    const its = asService(call, 'resource.delete', 'a directory deletes its own groups')
    await removeResource(tx, its, { appId: directory.appId, typeId: directory.groupTypeId, id: group.resourceId })
  })
}
