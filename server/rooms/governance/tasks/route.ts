import { Refusal } from '#kernel/refusals.ts'
import type { Reads } from '#kernel/sql.ts'
import {
  defaultPolicyIds,
  PolicyStepMessage,
  type PolicyType,
  type Resolved,
  resolvePolicy,
  stepsOf,
} from '#rooms/governance/policies/index.ts'
import type { Terms } from '#rooms/governance/terms/index.ts'
import { decideCondition, factsOf } from './assigning/facts.ts'
import type { Doing } from './finder.ts'
import type { TaskEvent } from './machine/event.ts'
import type { Task } from './record.ts'
import type { TaskKind, TaskState } from './task.ts'

const typeOf: Record<Exclude<TaskKind, 'offboarding' | 'change'>, PolicyType> = {
  grant: 'POLICY_TYPE_GRANT',
  revoke: 'POLICY_TYPE_REVOKE',
  certify: 'POLICY_TYPE_CERTIFY',
}
const provisionStep = PolicyStepMessage.read({ provision: {} }, '', [])

export type Routed = Extract<TaskEvent, { is: 'routed' }>

/**
 * The steps that a task takes by a policy, ending with what carries it out: a policy that only says who approves means it.
 * A policy that is named and gone is not replaced by another, which might ask less.
 */
export async function routeBy(
  db: Reads,
  doing: Doing,
  task: Task,
  state: Pick<TaskState, 'durationSeconds'>,
  policyId: string,
): Promise<Routed> {
  const kind = task.kind === 'offboarding' ? 'revoke' : task.kind === 'change' ? 'grant' : task.kind
  const type = typeOf[kind]
  const id = policyId || defaultPolicyIds[type]
  const facts = factsOf(task, state)
  const resolved = await resolvePolicy(db, doing.tenant.id, { id, type }, (condition) =>
    decideCondition(db, doing, doing.tenant.id, condition, facts),
  )
  if (!resolved)
    throw new Refusal('POLICY_CONDITION_FAILED', `The policy ${id} does not exist or is of another type.`, {
      metadata: { policyId: id },
    })
  if ('error' in resolved) throw new Refusal('POLICY_CONDITION_FAILED', resolved.error, { metadata: { policyId: id } })
  return { is: 'routed', ...withProvision(kind, resolved) }
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

export function withProvision(kind: TaskKind, { policyId, wire, route, why }: Resolved): Omit<Routed, 'is'> {
  const isCarriedOut = route.some((step) => step.kind === 'provision') || route.at(-1)?.kind === 'reject'
  if (kind === 'certify' || isCarriedOut) return { policyId, wire, route, why }
  const all = [...wire, provisionStep]
  return { policyId, wire: all, route: stepsOf(all), why: [...why, 'What is approved is carried out.'] }
}
