import type { May } from '#authority/proof.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { causeOf, recordChange, withBefore } from '#rooms/foundation/systemlog/index.ts'
import { refuseUnknownApp } from '../app/actions.ts'
import { told } from '../changes.ts'
import { nameProblem } from '../decide.ts'
import { recordOwnersGone } from '../deletion/owners-gone.ts'
import { takeAlong } from '../deletion/store.ts'
import type { Purpose } from '../lock-strength.ts'
import type { Resource, ResourceTerms } from '../records.ts'
import { refuseProblems, resourceNotFound, resourceTypeNotFound } from '../refuse.ts'
import { findResourceType, holdResourceType } from '../resource-types/store.ts'
import {
  deleteResource,
  findResource,
  insertResource,
  lockResource,
  type ResourceKey,
  updateResource,
} from './store.ts'

export async function createResource(
  tx: Tx,
  call: May<'resource-type.edit'>,
  { appId, typeId }: Omit<ResourceKey, 'id'>,
  wanted: Omit<ResourceTerms, 'customDescription'>,
): Promise<Resource> {
  refuseProblems(nameProblem('displayName', wanted.displayName))
  // A type is deleted with its app: locking the type is enough.
  if (!(await holdResourceType(tx, call.tenant.id, appId, typeId))) await refuseUnknownType(tx, call, appId, typeId)
  const at = call.now()
  const resource: Resource = {
    id: call.newId(),
    appId,
    appResourceTypeId: typeId,
    externalId: '',
    displayName: wanted.displayName.trim(),
    description: wanted.description,
    customDescription: '',
    annotations: wanted.annotations,
    profile: {},
    parentAppResourceTypeId: '',
    parentAppResourceId: '',
    grantCount: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  await insertResource(tx, call, resource)
  const message = `Created the resource ${resource.displayName}`
  await recordChange(tx, call, 'create', message, [touched(resource)])
  return resource
}

export async function getResource(call: Call, key: ResourceKey): Promise<Resource> {
  const resource = await findResource(call.db, call.tenant.id, key)
  if (resource) return resource
  await refuseUnknownType(call.db, call, key.appId, key.typeId)
  throw resourceNotFound(key.appId, key.typeId, key.id)
}

export async function changeResource(
  tx: Tx,
  call: May<'resource.edit'>,
  key: ResourceKey,
  changes: Partial<ResourceTerms>,
): Promise<Resource> {
  const before = await lock(tx, call, key, 'change')
  const wanted = { ...before, ...changes }
  refuseProblems(nameProblem('appResource.displayName', wanted.displayName))
  const after: Resource = { ...wanted, displayName: wanted.displayName.trim(), updatedAt: call.now() }
  await updateResource(tx, call, after)
  const message = `Changed ${told(changes)} of the resource ${after.displayName}`
  await recordChange(tx, call, 'update', message, [withBefore(touched(after), touched(before))])
  return after
}

/** Deletes a resource with its entitlements, and ends the access that they granted. */
export async function removeResource(tx: Tx, call: May<'resource.delete'>, key: ResourceKey): Promise<void> {
  const resource = await lock(tx, call, key, 'delete')
  const at = call.now()
  await deleteResource(tx, call, key, at)
  const scope = { appId: key.appId, resourceTypeId: key.typeId, resourceId: key.id }
  const { owners, ...taken } = await takeAlong(tx, call.tenant.id, scope, { at, by: call.actor.userId })
  const data = { appId: key.appId, appResourceTypeId: key.typeId, deletedAlong: { ...taken, owners: owners.length } }
  const gone = { type: 'resource', id: key.id, name: resource.displayName, data }
  const message = `Deleted the resource ${resource.displayName}`
  await recordChange(tx, call, 'delete', message, [gone])
  await recordOwnersGone(tx, call, causeOf(call), owners)
}

/** If nothing was found under a type: refuses if the type or the app does not exist. */
export async function refuseUnknownType(db: Reads, call: Call, appId: string, typeId: string): Promise<void> {
  if (await findResourceType(db, call.tenant.id, appId, typeId)) return
  await refuseUnknownApp(db, call, appId)
  throw resourceTypeNotFound(appId, typeId)
}

async function lock(tx: Tx, call: Call, key: ResourceKey, purpose: Purpose): Promise<Resource> {
  const resource = await lockResource(tx, call.tenant.id, key, purpose)
  if (resource) return resource
  await refuseUnknownType(tx, call, key.appId, key.typeId)
  throw resourceNotFound(key.appId, key.typeId, key.id)
}

const touched = ({ id, appId, appResourceTypeId, displayName, description }: Resource) => ({
  type: 'resource',
  id,
  name: displayName,
  data: { appId, appResourceTypeId, description },
})
