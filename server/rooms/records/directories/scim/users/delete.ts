import type { Tx } from '#kernel/sql.ts'
import { deleteAccounts } from '#rooms/records/accounts/index.ts'
import { endGrantsOfAccounts } from '#rooms/records/grants/index.ts'

/** Deletes accounts, and ends everything that they held: returns how many grants. */
export async function deleteWithGrants(
  tx: Tx,
  tenantId: number,
  appId: string,
  ids: readonly string[],
  { at, by }: { at: Date; by: string },
): Promise<number> {
  await deleteAccounts(tx, tenantId, appId, ids, at)
  return endGrantsOfAccounts(tx, tenantId, { appId, ids }, { at, by })
}
