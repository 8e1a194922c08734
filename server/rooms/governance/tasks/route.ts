import { Refusal } from '#kernel/refusals.ts'
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
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { decideCondition, factsOf } from './facts/conditions.ts'
import type { Facts } from './facts/facts.ts'
import type { TaskEvent } from './machine/event.ts'
import type { Task } from './machine/record.ts'
import type { TaskKind } from './machine/task.ts'

const typeOf: Record<Exclude<TaskKind, 'offboarding' | 'change'>, PolicyType> = {
  grant: 'POLICY_TYPE_GRANT',
  revoke: 'POLICY_TYPE_REVOKE',
  certify: 'POLICY_TYPE_CERTIFY',
}
const provisionStep = PolicyStepMessage.read({ provision: {} }, '', [])

export type Routed = Extract<TaskEvent, { is: 'routed' }>

/** By which policy a task is routed, and what else its route is made of. `draft`: a policy that is only proposed. */
export type Routing = {
  policyId: string
  terms: RouteTerms
  /** As if access were asked for this long; as long as the task says by default. */
  durationSeconds?: number | null
  draft?: DraftPolicy | null
}

/**
 * The steps that a task takes by a policy, ending with what carries it out: a policy that only says who approves means it.
 * A policy that is named and gone is not replaced by another, which might ask less.
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

/** Where the settings of a request come from: it is told once, when the route is chosen. */
export function settingsOf(
  { kind, isEmergency }: { kind: TaskKind; isEmergency: boolean },
  { appId, applied }: Terms,
): TaskEvent {
  const policy = kind === 'revoke' ? applied.revokePolicy : isEmergency ? applied.emergency : applied.grantPolicy
  const { source, routingRuleId } = policy
  const others = kind === 'revoke' ? [] : [applied.maxDuration, applied.form]
  return { is: 'settings applied', appId, source, routingRuleId, why: [policy, ...others].map(({ why }) => why) }
}

/** What a route is made of beside the policy. */
export type RouteTerms = Pick<Terms, 'provisioner' | 'deprovisioner' | 'formId'>

/** Of what is about no entitlement, as a change is. */
export const unprovisioned: RouteTerms = { provisioner: null, deprovisioner: null, formId: '' }

/** How access is given, or removed: what removes it, else what would give it. */
export const provisionerFor = (kind: TaskKind, terms: RouteTerms): ProvisionPolicy | null =>
  kind === 'revoke' ? (terms.deprovisioner ?? terms.provisioner) : terms.provisioner

/** What the requester is asked first. It is passed at once where the request answers it. */
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
    : { wire: [...wire, ...inSteps(provisionStep, own)], why: [...why, 'Approved access is provisioned.'] }
}

/** What is carried out in several steps is as many steps of the route: each has its own people, result and history. */
function inSteps(step: WireStep, own: ProvisionPolicy | null): WireStep[] {
  if (!step.provision) return [step]
  const { provision } = step
  // The provisioner of the entitlement stays what it was when the route was chosen, as the policy does.
  const provisionPolicy = provision.provisionPolicy ?? own
  const multiStep = provisionPolicy?.multiStep ?? null
  if (!multiStep) return [{ ...step, provision: { ...provision, provisionPolicy } }]
  return multiStep.provisionSteps.map((each) => ({
    ...step,
    provision: { ...provision, provisionPolicy: { ...each, multiStep: null } },
  }))
}

/** What was decided before is only carried out. */
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

/** An offboarding has one step: to have everything revoked, each under its own policy. */
export const offboardingRoute = (): Routed => ({
  is: 'routed',
  policyId: '',
  wire: [provisionStep],
  route: stepsOf([provisionStep]),
  why: ['Requested and manual grants are revoked, each under its own policy.'],
})
