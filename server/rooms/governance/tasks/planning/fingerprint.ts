import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { TaskEvent } from '../machine/event.ts'
import type { Task } from '../machine/record.ts'
import { type Rehearsed, rehearse, stateAfter } from './rehearse.ts'

/**
 * Stands for a request and the way that it would go: another one when a step or a person is another. Under the secret key, as
 * the fingerprint of a rule's plan is: with a hash alone its reader could try out whom it stands for (decision 0038).
 */
export function fingerprintOf(
  { seals, tenant }: Pick<Call, 'seals' | 'tenant'>,
  task: Task,
  { wire, policyId }: { wire: readonly unknown[]; policyId: string },
  { steps, end }: Rehearsed,
): string {
  const { kind, appId, entitlementId, subjectUserId, accountId, createdBy, durationSeconds, isEmergency } = task
  const about = [kind, appId, entitlementId, subjectUserId, accountId, createdBy, durationSeconds, isEmergency]
  const way = steps.map(({ happens, assignees, provisions, error }) => [
    happens,
    assignees.map((each) => `${each.userId} ${each.why} ${each.for ?? ''}`).toSorted(),
    provisions,
    error,
  ])
  const text = JSON.stringify([about, policyId, wire, way, end])
  return seals.mac('plan of a request', tenant.publicId, text).toString('base64url')
}

/** Refuses a request that would go another way than the plan that its requester saw. None was seen: nothing is compared. */
export async function refuseChangedPlan(
  tx: Tx,
  call: Call,
  fingerprint: string,
  { task, events }: { task: Task; events: readonly TaskEvent[] },
): Promise<void> {
  if (fingerprint === '') return
  const state = stateAfter(events, call.actor.userId, call.now())
  const now = fingerprintOf(call, task, state, await rehearse(tx, call, task, state))
  if (now !== fingerprint)
    throw new Refusal('PLAN_CHANGED', 'This request would now have other steps than planned. Create a new plan.', {
      metadata: { appId: task.appId, appEntitlementId: task.entitlementId },
    })
}
