import type { May } from '#authority/proof.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { causeOf, recordChange, withBefore } from '#rooms/foundation/systemlog/index.ts'
import { keepApp, refuseUnknownApp } from '../app/actions.ts'
import { told } from '../changes.ts'
import { nameProblem } from '../decide.ts'
import { recordOwnersGone } from '../deletion/owners-gone.ts'
import { takeAlong } from '../deletion/store.ts'
import type { Purpose } from '../lock-strength.ts'
import type { ResourceType, ResourceTypeTerms } from '../records.ts'
import { refuseProblems, resourceTypeNotFound } from '../refuse.ts'
import {
  deleteResourceType,
  findResourceType,
  insertResourceType,
  lockResourceType,
  updateResourceType,
} from './store.ts'

export async function createResourceType(
  tx: Tx,
  call: May<'app.edit'>,
  appId: string,
  wanted: ResourceTypeTerms,
): Promise<ResourceType> {
  refuseProblems(nameProblem('displayName', wanted.displayName))
  await keepApp(tx, call, appId)
  const at = call.now()
  const type: ResourceType = {
    id: call.newId(),
    appId,
    displayName: wanted.displayName.trim(),
    traitIds: wanted.traitIds,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }
  await insertResourceType(tx, call, type)
  const message = `Created the resource type ${type.displayName}`
  await recordChange(tx, call, 'create', message, [touched(type)])
  return type
}

export async function getResourceType(call: Call, appId: string, id: string): Promise<ResourceType> {
  const type = await findResourceType(call.db, call.tenant.id, appId, id)
  if (type) return type
  await refuseUnknownApp(call.db, call, appId)
  throw resourceTypeNotFound(appId, id)
}

export async function changeResourceType(
  tx: Tx,
  call: May<'resource-type.edit'>,
  appId: string,
  id: string,
  changes: Partial<ResourceTypeTerms>,
): Promise<ResourceType> {
  const before = await lock(tx, call, appId, id, 'change')
  const wanted = { ...before, ...changes }
  refuseProblems(nameProblem('appResourceType.displayName', wanted.displayName))
  const after: ResourceType = {
    ...wanted,
    displayName: wanted.displayName.trim(),
    traitIds: [...new Set(wanted.traitIds)],
    updatedAt: call.now(),
  }
  await updateResourceType(tx, call, after)
  const message = `Changed ${told(changes)} of the resource type ${after.displayName}`
  await recordChange(tx, call, 'update', message, [withBefore(touched(after), touched(before))])
  return after
}

/** Deletes a resource type with its resources and their entitlements, and ends the access that they granted. */
export async function removeResourceType(
  tx: Tx,
  call: May<'resource-type.edit'>,
  appId: string,
  id: string,
): Promise<void> {
  const type = await lock(tx, call, appId, id, 'delete')
  const at = call.now()
  await deleteResourceType(tx, call, appId, id, at)
  const scope = { appId, resourceTypeId: id }
  const { owners, ...taken } = await takeAlong(tx, call.tenant.id, scope, { at, by: call.actor.userId })
  const gone = {
    type: 'resource_type',
    id,
    name: type.displayName,
    data: { appId, deletedAlong: { ...taken, owners: owners.length } },
  }
  const message = `Deleted the resource type ${type.displayName}`
  await recordChange(tx, call, 'delete', message, [gone])
  await recordOwnersGone(tx, call, causeOf(call), owners)
}

async function lock(tx: Tx, call: Call, appId: string, id: string, purpose: Purpose): Promise<ResourceType> {
  const type = await lockResourceType(tx, call.tenant.id, appId, id, purpose)
  if (type) return type
  await refuseUnknownApp(tx, call, appId)
  throw resourceTypeNotFound(appId, id)
}

const touched = ({ id, appId, displayName, traitIds }: ResourceType) => ({
  type: 'resource_type',
  id,
  name: displayName,
  data: { appId, traitIds },
})
