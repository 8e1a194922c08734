import type { Reads } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'
import type { AccessChange } from '#rooms/records/grants/index.ts'

export const listTenantsWithChanges = (db: Reads): Promise<number[]> =>
  listTenantsWith(db, (after) => db`select tenant_id from provisioning_changes where tenant_id > ${after}`)

/** Changes that were not looked at yet. Those for which a request waits are left until it has taken the result. */
export async function listChanges(db: Reads, tenantId: number, limit: number): Promise<AccessChange[]> {
  return db<AccessChange[]>`
    select c.app_id as "appId", c.entitlement_id as "entitlementId", c.account_id as "accountId",
      c.cause_id as "causeId", c.change
    from provisioning_changes c
    where c.tenant_id = ${tenantId} and not exists (
      select 1 from connector_tasks t
      where t.tenant_id = ${tenantId} and t.app_id = c.app_id and t.account_id = c.account_id
        and t.entitlement_id = c.entitlement_id and t.kind <> 'sync' and t.is_awaited)
    order by c.app_id, c.account_id, c.entitlement_id limit ${limit}`
}
