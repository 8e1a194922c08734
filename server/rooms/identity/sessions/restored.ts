import type { Tx } from '#kernel/sql.ts'

/** Deletes what a restored backup must not bring back: records of sign-ins that are complete or in progress. */
export async function deleteSignInsOf(tx: Tx, tenantIds: readonly number[]): Promise<void> {
  await tx`delete from sign_in_links where tenant_id = any(${tenantIds}::int[])`
  await tx`delete from invitations where tenant_id = any(${tenantIds}::int[])`
  await tx`delete from sign_in_challenges where tenant_id = any(${tenantIds}::int[])`
  await tx`delete from sessions where tenant_id = any(${tenantIds}::int[])`
}

/** Deletes who people are at a provider. */
export async function deleteIdentitiesOf(tx: Tx, tenantIds: readonly number[]): Promise<void> {
  await tx`delete from oidc_identities where tenant_id = any(${tenantIds}::int[])`
}
