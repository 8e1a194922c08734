import type { Tx } from '#kernel/sql.ts'
import { endOwnersInApp, type GoneOwner } from '#rooms/foundation/ownership/index.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { accessGone, type GoneInApp, requestTermsGone } from './hooks.ts'

/** What is deleted: an app, or in it a resource type, a resource, or one entitlement. */
export type Scope = { appId: string; resourceTypeId?: string; resourceId?: string; entitlementId?: string }
export type Ending = { at: Date; by: string }

/** How much was deleted with it, and who owned it. */
export type TakenAlong = {
  resourceTypes: number
  resources: number
  entitlements: number
  accounts: number
  grants: number
  proxies: number
  /** The owners of what was deleted, and those who owned something because they held what was deleted. */
  owners: GoneOwner[]
  /** Resources that stay, and are no longer in another. */
  resourcesFreed: number
}

/**
 * Deletes everything in the scope, and ends the access that it granted. What rooms below this one keep about it, they end in
 * hooks.
 */
export async function takeAlong(tx: Tx, tenantId: number, scope: Scope, ending: Ending): Promise<TakenAlong> {
  // Elsewhere a statement is cut off after 30 s. An app of 100,000 entitlements, 50,000 accounts and 100,000 grants took
  // 20 s in all, on a busy machine.
  await tx`set local statement_timeout = '30min'`
  const isApp = scope.resourceTypeId === undefined && scope.entitlementId === undefined
  const isType = scope.resourceTypeId !== undefined && scope.resourceId === undefined
  const isEntitlement = scope.entitlementId !== undefined
  if (!isApp && !isEntitlement) await awaitHangers(tx, tenantId, scope)
  const gone = { appId: scope.appId, entitlements: entitlementsOf(tx, tenantId, scope), isApp }
  // From the top down, as everything else locks.
  const taken = {
    resourceTypes: isApp ? await deleteResourceTypesIn(tx, tenantId, scope, ending) : 0,
    resources: isApp || isType ? await deleteResourcesIn(tx, tenantId, scope, ending) : 0,
    resourcesFreed: isApp || isEntitlement ? 0 : await freeResources(tx, tenantId, scope, ending),
    entitlements: isEntitlement ? 0 : await deleteEntitlementsIn(tx, tenantId, scope, ending),
    ...(await endAccessIn(tx, tenantId, gone, ending)),
    proxies: await deleteProxiesOf(tx, tenantId, scope),
    owners: await endOwnersInApp(tx, tenantId, goneInApp(tx, tenantId, scope, isApp), ending),
  }
  await requestTermsGone.run(tx, tenantId, gone)
  return taken
}

const inType = (tx: Tx, { resourceTypeId }: Scope) =>
  resourceTypeId === undefined ? tx`` : tx`and resource_type_id = ${resourceTypeId}`
const inResource = (tx: Tx, { resourceId }: Scope) =>
  resourceId === undefined ? tx`` : tx`and resource_id = ${resourceId}`

/**
 * Waits for transactions that are adding something to what is deleted. An import locks what its rows refer to, and the apps,
 * but not what contains those: without this, grants would be added to an entitlement whose resource was just deleted.
 */
async function awaitHangers(tx: Tx, tenantId: number, scope: Scope): Promise<void> {
  const lying = tx`tenant_id = ${tenantId} and app_id = ${scope.appId} ${inType(tx, scope)} ${inResource(tx, scope)}`
  await tx`
    with held as (
      select 1 from resources where ${lying} and deleted_at is null order by resource_id for update)
    select count(*) from held`
  await tx`
    with held as (
      select 1 from entitlements where ${lying} and deleted_at is null order by entitlement_id for update)
    select count(*) from held`
}

/** The ids of the scope's entitlements, deleted or not. */
const entitlementsOf = (tx: Tx, tenantId: number, scope: Scope) =>
  scope.entitlementId === undefined
    ? tx`(select entitlement_id from entitlements
        where tenant_id = ${tenantId} and app_id = ${scope.appId} ${inType(tx, scope)} ${inResource(tx, scope)})`
    : tx`(${scope.entitlementId})`

async function deleteResourceTypesIn(tx: Tx, tenantId: number, { appId }: Scope, { at }: Ending): Promise<number> {
  const set = { deleted_at: at, updated_at: at }
  const where = tx`x.app_id = ${appId} and x.deleted_at is null`
  return (await updateRecords(tx, tenantId, 'resource_types', { set, where })).count
}

async function deleteResourcesIn(tx: Tx, tenantId: number, scope: Scope, { at }: Ending): Promise<number> {
  const set = { deleted_at: at, updated_at: at }
  const where = tx`x.app_id = ${scope.appId} ${inType(tx, scope)} and x.deleted_at is null`
  return (await updateRecords(tx, tenantId, 'resources', { set, where })).count
}

/** Resources inside a deleted resource stay, without a parent. */
async function freeResources(tx: Tx, tenantId: number, scope: Scope, { at }: Ending): Promise<number> {
  const { appId, resourceTypeId = '', resourceId } = scope
  const { count } = await updateRecords(tx, tenantId, 'resources', {
    set: { parent_resource_type_id: null, parent_resource_id: null, updated_at: at },
    where: tx`x.app_id = ${appId} and x.parent_resource_type_id = ${resourceTypeId}
      and x.parent_resource_id ${resourceId === undefined ? tx`is not null` : tx`= ${resourceId}`}
      and x.deleted_at is null`,
  })
  return count
}

async function deleteEntitlementsIn(tx: Tx, tenantId: number, scope: Scope, { at }: Ending): Promise<number> {
  const set = { deleted_at: at, updated_at: at }
  const where = tx`x.app_id = ${scope.appId} ${inType(tx, scope)} ${inResource(tx, scope)} and x.deleted_at is null`
  return (await updateRecords(tx, tenantId, 'entitlements', { set, where })).count
}

async function endAccessIn(tx: Tx, tenantId: number, gone: GoneInApp, ending: Ending) {
  const ended = await accessGone.run(tx, tenantId, gone, ending)
  const sum = (of: 'accounts' | 'grants'): number => ended.reduce((total, each) => total + (each[of] ?? 0), 0)
  return { accounts: sum('accounts'), grants: sum('grants') }
}

async function deleteProxiesOf(tx: Tx, tenantId: number, scope: Scope): Promise<number> {
  const { count: from } = await tx`
    delete from entitlement_proxies where tenant_id = ${tenantId} and src_app_id = ${scope.appId}
      and src_entitlement_id in ${entitlementsOf(tx, tenantId, scope)}`
  const { count: to } = await tx`
    delete from entitlement_proxies where tenant_id = ${tenantId} and dst_app_id = ${scope.appId}
      and dst_entitlement_id in ${entitlementsOf(tx, tenantId, scope)}`
  return from + to
}

const goneInApp = (tx: Tx, tenantId: number, scope: Scope, isApp: boolean) => ({
  appId: scope.appId,
  entitlements: isApp ? ('all' as const) : entitlementsOf(tx, tenantId, scope),
  resources: scope.resourceTypeId === undefined ? null : { typeId: scope.resourceTypeId, id: scope.resourceId },
})
