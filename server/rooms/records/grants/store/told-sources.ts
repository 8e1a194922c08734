import type { Fragment, Tx } from '#kernel/sql.ts'

// The entitlements through which an app reports grants to be held. Both functions take a table of (entitlement_id,
// account_id, source_id).

export async function deleteSources(tx: Tx, tenantId: number, appId: string, stale: Fragment): Promise<void> {
  await tx`
    delete from grant_sources x using ${stale} s
    where x.tenant_id = ${tenantId} and x.app_id = ${appId} and x.entitlement_id = s.entitlement_id
      and x.account_id = s.account_id and x.source_entitlement_id = s.source_id`
}

export async function insertSources(tx: Tx, tenantId: number, appId: string, told: Fragment): Promise<void> {
  await tx`
    insert into grant_sources (tenant_id, app_id, entitlement_id, account_id, source_entitlement_id)
    select ${tenantId}::int, ${appId}::text, s.entitlement_id, s.account_id, s.source_id from ${told} s
    on conflict do nothing`
}
