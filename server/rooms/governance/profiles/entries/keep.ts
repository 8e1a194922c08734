import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { keyOf } from '../decide.ts'
import { type EntitlementRef, enrollmentOf } from '../profile.ts'
import { holdEntitlements } from './store.ts'

/** The entitlements, locked until the transaction ends; refused with all those that do not exist. */
export async function keepEntitlements(
  tx: Tx,
  call: Call,
  refs: readonly EntitlementRef[],
  field: string,
): Promise<void> {
  const known = new Set((await holdEntitlements(tx, call.tenant.id, refs)).map(keyOf))
  const [first, ...others] = refs.flatMap((ref, i) =>
    known.has(keyOf(ref))
      ? []
      : [{ field: `${field}[${i}]`, description: `the app ${ref.appId} has no entitlement ${ref.id}` }],
  )
  if (first) throw invalid(first, ...others)
}

export const hasEnrollment = async (tx: Reads & Tx, tenantId: number, profileId: string): Promise<boolean> =>
  (await holdEntitlements(tx, tenantId, [enrollmentOf(profileId)])).length > 0
