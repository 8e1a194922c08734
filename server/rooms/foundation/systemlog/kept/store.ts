import type { Reads, Tx } from '#kernel/sql.ts'

export type RestoredRow = { restoredAt: Date | null; credentialsFloor: Date | null; mac: Buffer | null }

export async function findRestored(db: Reads): Promise<RestoredRow | null> {
  const [row] = await db<RestoredRow[]>`
    select restored_at as "restoredAt", credentials_floor as "credentialsFloor", restored_mac as mac from installation`
  return row ?? null
}

export async function updateRestored(tx: Tx, { restoredAt, credentialsFloor, mac }: RestoredRow): Promise<void> {
  await tx`
    update installation set restored_at = ${restoredAt}, credentials_floor = ${credentialsFloor}, restored_mac = ${mac}`
}

/** What only sessions of people who have signed in already, or are about to, rest on. */
export async function deleteSignIns(tx: Tx, tenantIds: readonly number[]): Promise<void> {
  await tx`delete from sign_in_links where tenant_id = any(${tenantIds}::int[])`
  await tx`delete from sign_in_challenges where tenant_id = any(${tenantIds}::int[])`
  await tx`delete from sessions where tenant_id = any(${tenantIds}::int[])`
}

/** Who someone is at a provider. */
export async function deleteIdentities(tx: Tx, tenantIds: readonly number[]): Promise<void> {
  await tx`delete from oidc_identities where tenant_id = any(${tenantIds}::int[])`
}
