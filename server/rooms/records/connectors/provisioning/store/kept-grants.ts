import type { Reads } from '#kernel/sql.ts'

type PairRef = { appId: string; entitlementId: string; accountId: string }

/** What the connector wrote about a grant besides its entitlement and its account; null if nothing. */
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
