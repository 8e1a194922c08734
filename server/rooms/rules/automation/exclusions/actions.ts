import type { May } from '#authority/proof.ts'
import { refuseBeyondReach } from '#authority/reach/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { recordChange } from '#rooms/foundation/systemlog/index.ts'
import { insertChanges } from '#rooms/foundation/writes/index.ts'
import { userNotFound } from '#rooms/identity/users/index.ts'
import type { EntitlementRef } from '../automation.ts'
import { keepTarget, targetName } from '../rule/actions.ts'
import { deleteExclusions, insertExclusions } from './store.ts'

/**
 * Excludes users from the entitlement's rule, even from one that is created later. Users who are excluded already stay so.
 */
export async function addExclusions(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'rules.edit'>,
  ref: EntitlementRef,
  userIds: readonly string[],
  reason = '',
): Promise<void> {
  await keepTarget(tx, call, ref)
  const wanted = [...new Set(userIds)]
  if (wanted.length === 0) return
  const by = call.actor.userId
  const { added, unknown } = await insertExclusions(tx, call.tenant.id, ref, wanted, { by, at: call.now(), reason })
  if (unknown.length > 0) throw userNotFound(...unknown)
  await recordExclusion(tx, call, ref, 'create', { userIds: added, reason })
}

/** Ends the exclusion of users, for whom the rule is then evaluated again. Users who are not excluded are ignored. */
export async function removeExclusions(
  tx: Tx,
  call: May<'entitlement.change-rule' | 'rules.edit'>,
  ref: EntitlementRef,
  userIds: readonly string[],
  reason = '',
): Promise<void> {
  await keepTarget(tx, call, ref)
  await refuseBeyondReach(tx, call, ref)
  const removed = await deleteExclusions(tx, call, ref, userIds)
  await insertChanges(tx, call.tenant.id, ref, removed, call.actor.userId)
  await recordExclusion(tx, call, ref, 'delete', { userIds: removed, reason })
}

async function recordExclusion(
  tx: Tx,
  call: Call,
  ref: EntitlementRef,
  activity: 'create' | 'delete',
  { userIds, reason }: { userIds: readonly string[]; reason: string },
): Promise<void> {
  if (userIds.length === 0) return
  const touched = { type: 'entitlement', id: ref.id, data: { appId: ref.appId, userIds, reason } }
  const who = userIds.length === 1 ? '1 user' : `${userIds.length} users`
  const what = activity === 'create' ? 'excluded from' : 'no longer excluded from'
  const message = `${who} ${what} the automation rule of ${await targetName(tx, call, ref)}`
  await recordChange(tx, call, activity, message, [touched])
}
