import { may } from '#authority/may.ts'
import { showTargets } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import {
  described,
  duration,
  flag,
  int32,
  list,
  listOf,
  message,
  nested,
  oneOf,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { AppliedMessage } from '#rooms/governance/terms/index.ts'
import { PlannedStepMessage, plannedOnWire } from '../../planning/planned-step.ts'
import { namesFor } from '../../planning/view.ts'
import type { RequestPlan } from './actions.ts'

const HeldMessage = message('bailiwick.v1.PlannedHeldReason', {
  source: described(text(), 'manual, import, rule, request or profile.'),
  expiresAt: described(timestamp(), 'Unset if it does not expire.'),
})

const ends = [
  'REQUEST_PLAN_END_UNSPECIFIED',
  'REQUEST_PLAN_END_DONE',
  'REQUEST_PLAN_END_DENIED',
  'REQUEST_PLAN_END_STUCK',
] as const

export const RequestPlanMessage = message('bailiwick.v1.RequestPlan', {
  fingerprint: described(
    text(),
    'Send it with the request as planFingerprint: the request is then created as planned, or refused.',
  ),
  appId: text(),
  appEntitlementId: text(),
  identityUserId: text(),
  appUserId: text(),
  policyId: described(
    text(),
    'This and the sources of settings are shown to callers who may see the request settings.',
  ),
  policyWhy: described(list(text()), 'How the policy and its steps were chosen.'),
  grantPolicySource: nested(AppliedMessage),
  maxDurationSource: nested(AppliedMessage),
  formSource: nested(AppliedMessage),
  emergencySource: nested(AppliedMessage),
  provisionerSource: nested(AppliedMessage),
  maxDuration: described(duration(), 'The maximum duration that can be requested; unset if there is no limit.'),
  grantDuration: described(duration(), 'The requested duration; unset if access would not expire.'),
  steps: listOf(PlannedStepMessage),
  end: described(oneOf(ends), 'The result of the request if everybody who is asked approves.'),
  decisionsNeeded: described(int32(), 'How many steps wait for people.'),
  alreadyHeld: listOf(HeldMessage),
  isExtension: described(flag(), 'Whether the person already has the access, so that the request extends it.'),
  conflicts: described(list(text()), 'How automation rules affect this access.'),
  openTaskId: described(text(), 'An open task for the same access: the request would be refused.'),
})

/**
 * How automation rules affect a request: for callers who may see rules; for themselves, callers only see that access is
 * granted anyway.
 */
function conflictsOf(call: Call, { rule, held, task }: RequestPlan): string[] {
  const maySee = may(call.actor, 'rules.read')
  if (!rule.hasRule || !(maySee || task.subjectUserId === call.actor.userId)) return []
  const told: string[] = []
  if (rule.matches && !rule.isExcluded)
    told.push('An automation rule grants this access anyway, as long as it matches.')
  if (maySee && rule.isExcluded) told.push('This person is excluded from the automation rule of this entitlement.')
  if (maySee && rule.error !== '')
    told.push(`The automation rule of this entitlement fails for this person: ${rule.error}`)
  if (held.some(({ source }) => source === 'rule') && task.durationSeconds !== null)
    told.push('The access is granted by an automation rule: it does not end with the request.')
  return told
}

export async function requestPlanOnWire(tx: Tx, call: Call, plan: RequestPlan) {
  const { task, terms, routed, rehearsed, held, twin, fingerprint } = plan
  showTargets(call, [{ appId: task.appId, id: task.entitlementId }])
  const { show } = await namesFor(tx, call, rehearsed.steps, [
    task.subjectUserId,
    ...rehearsed.steps.map(({ approvedBy }) => approvedBy),
  ])
  const { applied } = terms
  const seesSettings = may(call.actor, 'terms.read')
  const seen = <T>(source: T): T | null => (seesSettings ? source : null)
  const mine =
    twin !== null && (may(call.actor, 'tasks.read') || [twin.createdBy, twin.subjectUserId].includes(call.actor.userId))
  return {
    fingerprint,
    appId: task.appId,
    appEntitlementId: task.entitlementId,
    identityUserId: task.subjectUserId,
    appUserId: task.accountId,
    policyId: seesSettings ? routed.policyId : '',
    policyWhy: seesSettings ? routed.why : [],
    grantPolicySource: seen(task.isEmergency ? applied.emergency : applied.grantPolicy),
    maxDurationSource: seen(applied.maxDuration),
    formSource: seen(applied.form),
    emergencySource: seen(applied.emergency),
    provisionerSource: seen(applied.provisioner),
    maxDuration: terms.maxSeconds,
    grantDuration: task.durationSeconds,
    steps: rehearsed.steps.map((planned) => plannedOnWire(planned, show)),
    end: `REQUEST_PLAN_END_${rehearsed.end.toUpperCase()}` as (typeof ends)[number],
    decisionsNeeded: rehearsed.steps.filter(({ happens }) => happens === 'people').length,
    alreadyHeld: held,
    isExtension: held.length > 0,
    conflicts: conflictsOf(call, plan),
    openTaskId: mine && twin ? twin.id : '',
  }
}
