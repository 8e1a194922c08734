import type { Tx } from '#kernel/sql.ts'

/** The profile is looked at again, as when an enrollment in it is written: its members may be others. */
export async function markProfileChanged(tx: Tx, tenantId: number, profileId: string): Promise<void> {
  await tx`insert into profile_changes (tenant_id, profile_id) values (${tenantId}, ${profileId})`
}

/** The profiles that something is to be looked at in; they are marked no more. */
export async function takeChangedProfiles(tx: Tx, tenantId: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    delete from profile_changes where tenant_id = ${tenantId} returning profile_id as id`
  return [...new Set(rows.map(({ id }) => id))]
}
