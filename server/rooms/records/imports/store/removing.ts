import type { Fragment, Tx } from '#kernel/sql.ts'
import { endOwnersOfAll, type GoneOwner } from '#rooms/foundation/ownership/index.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { deleteProxiesOf } from '#rooms/records/apps/index.ts'
import type { Going } from '../decide.ts'
import type { KindName } from '../kinds.ts'
import { isOwn, type Origin } from './origin.ts'

export async function countGoing(tx: Tx, tenantId: number, origin: Origin): Promise<Going[]> {
  const own = (x: string): Fragment => isOwn(tx, origin, x)
  return tx<Going[]>`
    select 'user' as kind,
      (select count(*) from users where tenant_id = ${tenantId} and external_id is not null and deleted_at is null) as total,
      (select count(*) from gone_users) as gone
    union all select 'app',
      (select count(*) from apps where tenant_id = ${tenantId} and external_id is not null and deleted_at is null),
      (select count(*) from gone_apps)
    union all select 'resource_type',
      (select count(*) from scope_apps join resource_types x using (app_id)
        where x.tenant_id = ${tenantId} and x.external_id is not null and x.deleted_at is null and ${own('x')}),
      (select count(*) from gone_resource_types where is_imported)
    union all select 'resource',
      (select count(*) from scope_apps join resources x using (app_id)
        where x.tenant_id = ${tenantId} and x.external_id is not null and x.deleted_at is null and ${own('x')}),
      (select count(*) from gone_resources where is_imported)
    union all select 'entitlement',
      (select count(*) from scope_apps join entitlements x using (app_id)
        where x.tenant_id = ${tenantId} and x.external_id is not null and x.deleted_at is null and ${own('x')}),
      (select count(*) from gone_entitlements where is_imported)
    union all select 'account',
      (select count(*) from scope_apps join accounts x using (app_id)
        where x.tenant_id = ${tenantId} and x.external_id is not null and x.deleted_at is null and ${own('x')}),
      (select count(*) from gone_accounts where is_imported)
    union all select 'grant',
      (select count(*) from scope_apps join grants x using (app_id)
        where x.tenant_id = ${tenantId} and x.source = 'import' and x.ended_at is null and ${own('x')}),
      (select count(*) from gone_grants where is_imported)
    limit 7`
}

export type Ending = { at: Date; importId: string }

/** Removes what was found. Returns how many of each kind were removed. */
export async function removeGone(
  tx: Tx,
  tenantId: number,
  { at, importId }: Ending,
): Promise<Record<KindName, number>> {
  const set = { deleted_at: at, updated_at: at }
  // From the top down, as everything else locks.
  const user = await updateRecords(tx, tenantId, 'users', {
    set: { ...set, status: 'DELETED', directory_status: 'DELETED' },
    from: tx`gone_users g`,
    where: tx`x.user_id = g.user_id`,
  })
  const app = await updateRecords(tx, tenantId, 'apps', { set, from: tx`gone_apps g`, where: tx`x.app_id = g.app_id` })
  const resourceType = await updateRecords(tx, tenantId, 'resource_types', {
    set,
    from: tx`gone_resource_types g`,
    where: tx`x.app_id = g.app_id and x.resource_type_id = g.resource_type_id`,
  })
  const resource = await updateRecords(tx, tenantId, 'resources', {
    set,
    from: tx`gone_resources g`,
    where: tx`x.app_id = g.app_id and x.resource_type_id = g.resource_type_id and x.resource_id = g.resource_id`,
  })
  // Resources inside a removed resource stay, without a parent.
  await updateRecords(tx, tenantId, 'resources', {
    set: { parent_resource_type_id: null, parent_resource_id: null, updated_at: at },
    from: tx`gone_resources g`,
    where: tx`x.app_id = g.app_id and x.parent_resource_type_id = g.resource_type_id
      and x.parent_resource_id = g.resource_id and x.deleted_at is null`,
  })
  const entitlement = await updateRecords(tx, tenantId, 'entitlements', {
    set,
    from: tx`gone_entitlements g`,
    where: tx`x.app_id = g.app_id and x.entitlement_id = g.entitlement_id`,
  })
  await deleteProxiesOf(tx, tenantId, tx`gone_entitlements`)
  const account = await updateRecords(tx, tenantId, 'accounts', {
    set: { ...set, status: 'STATUS_DELETED' },
    from: tx`gone_accounts g`,
    where: tx`x.app_id = g.app_id and x.account_id = g.account_id`,
  })
  // The accounts of a removed user belong to nobody.
  await updateRecords(tx, tenantId, 'accounts', {
    set: { user_id: null, updated_at: at },
    from: tx`gone_users g`,
    where: tx`x.user_id = g.user_id and x.deleted_at is null`,
  })
  const grant = await updateRecords(tx, tenantId, 'grants', {
    set: { ended_at: tx`greatest(${at}, x.began_at)`, ended_by: importId, ended_why: 'revoked' },
    from: tx`gone_grants g`,
    where: tx`x.app_id = g.app_id and x.entitlement_id = g.entitlement_id and x.account_id = g.account_id
      and x.grant_id = g.grant_id and x.ended_at is null`,
  })
  return {
    user: user.count,
    app: app.count,
    resource_type: resourceType.count,
    resource: resource.count,
    entitlement: entitlement.count,
    account: account.count,
    grant: grant.count,
  }
}

/** Ends the owners of what was removed, and the ownerships that it had. */
export async function endOwnersOfGone(tx: Tx, tenantId: number, { at, importId }: Ending): Promise<GoneOwner[]> {
  const gone = {
    objects: tx`
      select 'user' as kind, '' as app_id, '' as resource_type_id, user_id as object_id from gone_users
      union all select 'app', app_id, '', app_id from gone_apps
      union all select 'resource', app_id, resource_type_id, resource_id from gone_resources
      union all select 'entitlement', app_id, '', entitlement_id from gone_entitlements
      union all select 'account', app_id, '', account_id from gone_accounts`,
    // Connectors are not imported: they are removed with their app.
    apps: tx`select app_id from gone_apps`,
    users: tx`select user_id from gone_users`,
    entitlements: tx`select app_id, entitlement_id from gone_entitlements`,
  }
  return endOwnersOfAll(tx, tenantId, gone, { at, by: importId })
}
