import type { Call } from '#kernel/routes.ts'
import { fingerprintOf, refuseOutdated } from '#rooms/foundation/plans/index.ts'
import type { Facts } from '../facts/facts.ts'
import type { TaskEvent } from '../machine/event.ts'
import type { Task } from '../machine/record.ts'
import { type Rehearsed, rehearse, stateAfter } from './rehearse.ts'

/** Identifies a request and its planned course: it differs if any step or person differs. */
export function fingerprintOfRequest(
  call: Pick<Call, 'seals' | 'tenant'>,
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
  return fingerprintOf(call, 'request', [about, policyId, wire, way, end])
}

/**
 * Refuses a request that would have other steps than the plan that its requester saw. Without a plan, nothing is compared.
 */
export async function refuseChangedPlan(
  facts: Facts,
  call: Call,
  fingerprint: string,
  { task, events }: { task: Task; events: readonly TaskEvent[] },
): Promise<void> {
  if (fingerprint === '') return
  const state = stateAfter(events, call.actor.userId, call.now())
  const now = fingerprintOfRequest(call, task, state, await rehearse(facts, { task, state }))
  refuseOutdated(now, fingerprint, {
    reason: 'PLAN_CHANGED',
    message: 'This request would now have other steps than planned. Create a new plan.',
    metadata: { appId: task.appId, appEntitlementId: task.entitlementId },
  })
}
