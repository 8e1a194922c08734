import type { Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'

/** Changes of a user, by column. */
export type UserSet = Readonly<Record<string, string | string[] | Date | { readonly json: unknown }>>

export async function updatePerson(tx: Tx, tenantId: number, userId: string, set: UserSet): Promise<void> {
  // A change of an address is recorded for rules with the previous one, which the few-rows path does not do.
  await updateRecords(tx, tenantId, 'users', { set, where: tx`x.user_id = ${userId}` }, { isFew: !('email' in set) })
}

export async function setMerged(
  tx: Tx,
  tenantId: number,
  userId: string,
  set: { merged_into: string; status: string; disabled_by: string; updated_at: Date },
): Promise<void> {
  await updateRecords(tx, tenantId, 'users', { set, where: tx`x.user_id = ${userId}` }, { isFew: true })
}
