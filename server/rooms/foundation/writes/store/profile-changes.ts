import type { Tx } from '#kernel/sql.ts'

/** Has the profile checked again, as when an enrollment in it is written: its members may have changed. */
export async function markProfileChanged(tx: Tx, tenantId: number, profileId: string): Promise<void> {
  await tx`insert into profile_changes (tenant_id, profile_id) values (${tenantId}, ${profileId})`
}

/** The profiles that are to be checked; their marks are removed. */
export async function takeChangedProfiles(tx: Tx, tenantId: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    delete from profile_changes where tenant_id = ${tenantId} returning profile_id as id`
  return [...new Set(rows.map(({ id }) => id))]
}
