import type { Tx } from '#kernel/sql.ts'

/** What a restored backup must not bring back: what only sessions of people who have signed in already, or are about to, rest on. */
export async function deleteSignInsOf(tx: Tx, tenantIds: readonly number[]): Promise<void> {
  await tx`delete from sign_in_links where tenant_id = any(${tenantIds}::int[])`
  await tx`delete from sign_in_challenges where tenant_id = any(${tenantIds}::int[])`
  await tx`delete from sessions where tenant_id = any(${tenantIds}::int[])`
}

/** Who someone is at a provider. */
export async function deleteIdentitiesOf(tx: Tx, tenantIds: readonly number[]): Promise<void> {
  await tx`delete from oidc_identities where tenant_id = any(${tenantIds}::int[])`
}
