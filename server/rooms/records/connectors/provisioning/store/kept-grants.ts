import type { Reads, Tx } from '#kernel/sql.ts'

type PairRef = { appId: string; entitlementId: string; accountId: string }

/** What the connector wrote of a grant beside its entitlement and its account; null where those are all. */
export async function findKeptGrant(
  db: Reads,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
): Promise<{ isFixed: boolean; data: Buffer } | null> {
  const [row] = await db<{ isFixed: boolean; data: Buffer }[]>`
    select is_fixed as "isFixed", data from connector_grants
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId}`
  return row ?? null
}

export async function putKeptGrant(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
  { isFixed, data }: { isFixed: boolean; data: Uint8Array },
): Promise<void> {
  await tx`
    insert into connector_grants (tenant_id, app_id, entitlement_id, account_id, is_fixed, data)
    values (${tenantId}, ${appId}, ${entitlementId}, ${accountId}, ${isFixed}, ${Buffer.from(data)})
    on conflict (tenant_id, app_id, entitlement_id, account_id)
    do update set is_fixed = excluded.is_fixed, data = excluded.data`
}

export async function deleteKeptGrant(
  tx: Tx,
  tenantId: number,
  { appId, entitlementId, accountId }: PairRef,
): Promise<void> {
  await tx`
    delete from connector_grants
    where tenant_id = ${tenantId} and app_id = ${appId} and entitlement_id = ${entitlementId}
      and account_id = ${accountId}`
}
