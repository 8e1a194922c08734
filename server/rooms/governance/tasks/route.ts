import { invalid, Refusal } from '#kernel/refusals.ts'
import { type Form, findForm, formBodyOnWire } from '#rooms/governance/forms/index.ts'
import {
  type DraftPolicy,
  defaultPolicyIds,
  PolicyStepMessage,
  type PolicyType,
  type Resolved,
  resolvePolicy,
  stepsOf,
  type WireStep,
} from '#rooms/governance/policies/index.ts'
import type { Terms } from '#rooms/governance/terms/index.ts'
import { durationProblem, type ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { decideCondition, factsOf } from './facts/conditions.ts'
import type { Facts } from './facts/facts.ts'
import type { TaskEvent } from './machine/event.ts'
import type { Task } from './machine/record.ts'
import type { TaskKind } from './machine/task.ts'
import { durationTooLong } from './refuse.ts'

const typeOf: Record<Exclude<TaskKind, 'offboarding' | 'change'>, PolicyType> = {
  grant: 'POLICY_TYPE_GRANT',
  revoke: 'POLICY_TYPE_REVOKE',
  certify: 'POLICY_TYPE_CERTIFY',
}
const provisionStep = PolicyStepMessage.read({ provision: {} }, '', [])

export type Routed = Extract<TaskEvent, { is: 'routed' }>

/** The policy by which a task is routed, and the other inputs of its route. `draft`: a policy that is only proposed. */
export type Routing = {
  policyId: string
  terms: RouteTerms
  /** As if access were requested for this duration; the task's own by default. */
  durationSeconds?: number | null
  draft?: DraftPolicy | null
}

/**
 * The steps that a task takes by a policy, ending with provisioning, also if the policy contains only approvals. A policy
 * that is named but no longer exists is not replaced by another, which might require less.
 */
export async function routeBy(facts: Facts, task: Task, routing: Routing): Promise<Routed> {
  const { terms, durationSeconds = task.durationSeconds, draft = null } = routing
  const { tx, tenantId } = facts
  const kind = task.kind === 'offboarding' ? 'revoke' : task.kind === 'change' ? 'grant' : task.kind
  const type = typeOf[kind]
  const id = routing.policyId || defaultPolicyIds[type]
  const of = factsOf(task, { durationSeconds })
  const resolved = await resolvePolicy(tx, tenantId, { id, type }, (text) => decideCondition(facts, text, of), draft)
  if (!resolved)
    throw new Refusal('POLICY_CONDITION_FAILED', `The policy ${id} does not exist or has another type.`, {
      metadata: { policyId: id },
    })
  if ('error' in resolved) throw new Refusal('POLICY_CONDITION_FAILED', resolved.error, { metadata: { policyId: id } })
  const form = kind === 'grant' && terms.formId !== '' ? await findForm(tx, tenantId, terms.formId) : null
  const { wire, why } = withProvision(kind, resolved, provisionerFor(kind, terms))
  const all = form ? [formStep(form), ...wire] : wire
  const { policyId, choices } = resolved
  return { is: 'routed', policyId, wire: all, route: stepsOf(all), why, choices }
}

/** The sources of a request's settings: recorded once, when the route is chosen. */
export function settingsOf(
  { kind, isEmergency }: { kind: TaskKind; isEmergency: boolean },
  { appId, applied }: Terms,
): TaskEvent {
  const policy = kind === 'revoke' ? applied.revokePolicy : isEmergency ? applied.emergency : applied.grantPolicy
  const { source, routingRuleId } = policy
  const others = kind === 'revoke' ? [] : [applied.maxDuration, applied.form]
  return { is: 'settings applied', appId, source, routingRuleId, why: [policy, ...others].map(({ why }) => why) }
}

/** The inputs of a route in addition to the policy. */
export type RouteTerms = Pick<Terms, 'provisioner' | 'deprovisioner' | 'formId'>

/** For tasks without an entitlement, such as changes. */
export const unprovisioned: RouteTerms = { provisioner: null, deprovisioner: null, formId: '' }

/** How access is provisioned or revoked: by the deprovisioner, else by what would provision it. */
export const provisionerFor = (kind: TaskKind, terms: RouteTerms): ProvisionPolicy | null =>
  kind === 'revoke' ? (terms.deprovisioner ?? terms.provisioner) : terms.provisioner

/** The form for the requester. It is passed at once if the request contains the answers. */
const formStep = (form: Form): WireStep =>
  PolicyStepMessage.read({ form: { form: formBodyOnWire(form.id, form) } }, '', [])

export function withProvision(
  kind: TaskKind,
  { wire, route, why }: Resolved,
  own: ProvisionPolicy | null,
): { wire: WireStep[]; why: readonly string[] } {
  const isCarriedOut = route.some((step) => step.kind === 'provision') || route.at(-1)?.kind === 'reject'
  if (kind === 'certify') return { wire: [...wire], why }
  return isCarriedOut
    ? { wire: wire.flatMap((step) => inSteps(step, own)), why }
    : { wire: [...wire, ...inSteps(provisionStep, own)], why: [...why, 'Provisioning follows the approval.'] }
}

/** Provisioning in several steps becomes several steps of the route: each has its own people, result and history. */
function inSteps(step: WireStep, own: ProvisionPolicy | null): WireStep[] {
  if (!step.provision) return [step]
  const { provision } = step
  // The provisioner of the entitlement stays as it was when the route was chosen, like the policy.
  const provisionPolicy = provision.provisionPolicy ?? own
  const multiStep = provisionPolicy?.multiStep ?? null
  if (!multiStep) return [{ ...step, provision: { ...provision, provisionPolicy } }]
  return multiStep.provisionSteps.map((each) => ({
    ...step,
    provision: { ...provision, provisionPolicy: { ...each, multiStep: null } },
  }))
}

/** A route without approvals, because it was decided before. */
export function provisionRoute(terms: RouteTerms): Routed {
  const wire = inSteps(provisionStep, terms.provisioner)
  return {
    is: 'routed',
    policyId: '',
    wire,
    route: stepsOf(wire),
    why: ['It was granted before, but is missing in the app.'],
  }
}

/** An offboarding has one step: to revoke everything, each under its own policy. */
export const offboardingRoute = (): Routed => ({
  is: 'routed',
  policyId: '',
  wire: [provisionStep],
  route: stepsOf([provisionStep]),
  why: ['Requested and manual grants are revoked, each under its own policy.'],
})

/** In an emergency the emergency policy, if the entitlement has one. */
export function policyOf(
  { kind, isEmergency }: { kind: 'grant' | 'revoke'; isEmergency: boolean },
  terms: Terms,
): string {
  if (kind === 'revoke') return terms.revokePolicyId
  if (!isEmergency) return terms.grantPolicyId
  if (!terms.isEmergencyEnabled || terms.emergencyPolicyId === '')
    throw new Refusal('EMERGENCY_UNAVAILABLE', 'This entitlement has no emergency access.')
  return terms.emergencyPolicyId
}

/** The duration of the request: the entitlement's maximum, unless a shorter one is requested. */
export function durationOf(
  asked: number | null,
  { maxSeconds }: Pick<Terms, 'maxSeconds'>,
  field: string,
): number | null {
  if (asked === null) return maxSeconds
  if (maxSeconds !== null && asked > maxSeconds) throw durationTooLong(field, maxSeconds)
  const problem = durationProblem(field, { durationGrant: asked, durationUnset: null })
  if (problem) throw invalid(problem)
  return asked
}
