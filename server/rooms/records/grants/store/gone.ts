import type { Fragment, Tx } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'

type Ending = { at: Date; by: string }

/** A server whose clock is slow must not end a grant before it began. */
const ended = (tx: Tx, { at, by }: Ending) => ({
  ended_at: tx`greatest(${at}::timestamptz, x.began_at)`,
  ended_by: by,
  ended_why: 'revoked',
})

/** Ends what deleted accounts held; returns how many grants. */
export async function endGrantsOfAccounts(
  tx: Tx,
  tenantId: number,
  { appId, ids }: { appId: string; ids: readonly string[] },
  ending: Ending,
): Promise<number> {
  const { count } = await updateRecords(tx, tenantId, 'grants', {
    set: ended(tx, ending),
    where: tx`x.app_id = ${appId} and x.account_id = any(${ids}::text[]) and x.ended_at is null`,
  })
  return count
}

/** Ends the grants of deleted entitlements, which are an operand of IN; returns how many. */
export async function endGrantsOfEntitlements(
  tx: Tx,
  tenantId: number,
  { appId, entitlements }: { appId: string; entitlements: Fragment },
  ending: Ending,
): Promise<number> {
  const { count } = await updateRecords(tx, tenantId, 'grants', {
    set: ended(tx, ending),
    where: tx`x.app_id = ${appId} and x.ended_at is null and x.entitlement_id in ${entitlements}`,
  })
  return count
}
