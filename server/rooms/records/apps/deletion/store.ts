import type { Tx } from '#kernel/sql.ts'
import { endOwnersInApp, type GoneOwner } from '#rooms/foundation/ownership/index.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { requestTermsGone } from './hooks.ts'

/** What is deleted: an app, or in it a resource type, a resource, or one entitlement. */
export type Scope = { appId: string; resourceTypeId?: string; resourceId?: string; entitlementId?: string }
export type Ending = { at: Date; by: string }

/** How much went along, and who owned it. */
export type TakenAlong = {
  resourceTypes: number
  resources: number
  entitlements: number
  accounts: number
  grants: number
  proxies: number
  /** Who owned what went; and whoever owned something by holding what went. */
  owners: GoneOwner[]
  /** Resources that stay, and no longer lie in another. */
  resourcesFreed: number
}

/**
 * Deletes what lies in the scope, and ends the access that it gave. Accounts and grants are rooms further down, which
 * this one cannot ask; rows that mean nothing without their app or entitlement are this one's to end.
 */
export async function takeAlong(tx: Tx, tenantId: number, scope: Scope, ending: Ending): Promise<TakenAlong> {
  // Elsewhere a statement is cut off after 30 s. An app of 100,000 entitlements, 50,000 accounts and 100,000 grants took
  // 20 s in all, on a busy machine.
  await tx`set local statement_timeout = '30min'`
  const isApp = scope.resourceTypeId === undefined && scope.entitlementId === undefined
  const isType = scope.resourceTypeId !== undefined && scope.resourceId === undefined
  const isEntitlement = scope.entitlementId !== undefined
  if (!isApp && !isEntitlement) await awaitHangers(tx, tenantId, scope)
  // From the top down, as everything else locks.
  const taken = {
    resourceTypes: isApp ? await deleteResourceTypesIn(tx, tenantId, scope, ending) : 0,
    resources: isApp || isType ? await deleteResourcesIn(tx, tenantId, scope, ending) : 0,
    resourcesFreed: isApp || isEntitlement ? 0 : await freeResources(tx, tenantId, scope, ending),
    entitlements: isEntitlement ? 0 : await deleteEntitlementsIn(tx, tenantId, scope, ending),
    accounts: isApp ? await deleteAccountsIn(tx, tenantId, scope, ending) : 0,
    grants: await endGrantsOf(tx, tenantId, scope, ending),
    proxies: await deleteProxiesOf(tx, tenantId, scope),
    owners: await endOwnersInApp(tx, tenantId, goneInApp(tx, tenantId, scope, isApp), ending),
  }
  await requestTermsGone.run(tx, tenantId, {
    appId: scope.appId,
    entitlements: entitlementsOf(tx, tenantId, scope),
    isApp,
  })
  return taken
}

const inType = (tx: Tx, { resourceTypeId }: Scope) =>
  resourceTypeId === undefined ? tx`` : tx`and resource_type_id = ${resourceTypeId}`
const inResource = (tx: Tx, { resourceId }: Scope) =>
  resourceId === undefined ? tx`` : tx`and resource_id = ${resourceId}`

/**
 * Waits for whoever is hanging something on what goes along. An import holds what its rows point at, and the apps, but not
 * what those lie in: without this, grants would come in on an entitlement whose resource was just deleted.
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

/** What lay in a deleted resource stays, by itself. */
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

async function deleteAccountsIn(tx: Tx, tenantId: number, { appId }: Scope, { at }: Ending): Promise<number> {
  const set = { deleted_at: at, updated_at: at, status: 'STATUS_DELETED' }
  const where = tx`x.app_id = ${appId} and x.deleted_at is null`
  return (await updateRecords(tx, tenantId, 'accounts', { set, where })).count
}

// A server whose clock is behind ends no grant before it began.
async function endGrantsOf(tx: Tx, tenantId: number, scope: Scope, { at, by }: Ending): Promise<number> {
  const { count } = await updateRecords(tx, tenantId, 'grants', {
    set: { ended_at: tx`greatest(${at}, x.began_at)`, ended_by: by, ended_why: 'revoked' },
    where: tx`x.app_id = ${scope.appId} and x.ended_at is null
      and x.entitlement_id in ${entitlementsOf(tx, tenantId, scope)}`,
  })
  return count
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
