import type { May } from '#authority/proof.ts'
import { seesEveryone, showNames, sightOf } from '#authority/sight/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type Cause, type CauseBy, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { findPolicies, type Policy, policyUseProblems } from '#rooms/governance/policies/index.ts'
import { getTask } from '#rooms/governance/tasks/index.ts'
import type { Change } from './change.ts'
import { listPoliciesOf } from './deciding.ts'
import { isChangeKind, type Rule, titles } from './kinds.ts'
import { deleteRule, findChange, listNamed, listRules, lockRules, type Named, putRule } from './store.ts'

export type Wanted = { isRequired: boolean; policyId: string }

/**
 * Sets whether a kind of change needs approval, and by which policy. If it does already, this change itself needs approval:
 * see gate.ts.
 */
export async function setRule(
  tx: Tx,
  call: May<'four-eyes.change'>,
  kind: string,
  wanted: Wanted,
): Promise<Rule | null> {
  if (!isChangeKind(kind))
    throw new Refusal('CHANGE_KIND_NOT_FOUND', `There is no kind of change ${kind}.`, { metadata: { kind } })
  await lockRules(tx, call.tenant.id)
  const before = (await listRules(tx, call.tenant.id)).find((rule) => rule.kind === kind) ?? null
  if (!wanted.isRequired) {
    if (wanted.policyId !== '') throw invalid({ field: 'policyId', description: 'must be empty if required is false' })
    if (before) await dropRule(tx, call, causeOf(call), before)
    return null
  }
  await refuseUnfit(tx, call, wanted.policyId)
  const rule = { kind, policyId: wanted.policyId, changedBy: call.actor.userId, changedAt: call.now() }
  await putRule(tx, call, rule)
  await recordRuleChange(tx, call, causeOf(call), { rule, before }, `Changes need approval: ${titles[kind]}`)
  return rule
}

type Choosing = CauseBy<'four-eyes.change' | 'operator'>

/** Turns off approval for a kind of change: after the gate, or by an operator's command, which does not pass the gate. */
export async function dropRule(tx: Tx, world: World, cause: Choosing, rule: Rule): Promise<void> {
  await deleteRule(tx, cause.tenant.id, rule.kind)
  const after = { ...rule, policyId: '' }
  await recordRuleChange(
    tx,
    world,
    cause,
    { rule: after, before: rule },
    `Changes no longer need approval: ${titles[rule.kind]}`,
  )
}

/** A change that a policy lets pass without anyone's approval would never be carried out, so such a policy is refused. */
async function refuseUnfit(tx: Tx, call: Call, id: string): Promise<void> {
  if (id === '') throw invalid({ field: 'policyId', description: 'must be given' })
  const use = { isEmergency: false, appId: '', entitlementId: '' }
  const named = { field: 'policyId', id, type: 'POLICY_TYPE_GRANT', use } as const
  const [first, ...others] = await policyUseProblems(tx, call, [named])
  if (first) throw invalid(first, ...others)
  const policies = await findPolicies(tx, call.tenant.id, await listPoliciesOf(tx, call.tenant.id, id))
  // Conditions read the author and their access, so that authors could choose the steps by which their change is decided.
  if (policies.some(({ rules }) => rules.length > 0))
    throw invalid({
      field: 'policyId',
      description: 'Choose a policy without rules: every change takes the same steps.',
    })
  if (!isApproved(policies, id))
    throw invalid({ field: 'policyId', description: 'Choose a policy in which a person approves.' })
}

// Policies can be saved with references up to five deep.
const hopsMax = 5

/** Whether its steps, or those of the policy that it refers to, contain an approval. */
function isApproved(policies: readonly Policy[], id: string, hops = 0): boolean {
  const policy = policies.find((each) => each.id === id)
  if (!policy || hops > hopsMax) return false
  const lists = Object.values(policy.policySteps)
  if (lists.some(({ steps }) => !steps.some(({ approval }) => approval !== null))) return false
  return policy.baselinePolicyId === '' || isApproved(policies, policy.baselinePolicyId, hops + 1)
}

async function recordRuleChange(
  tx: Tx,
  world: World,
  cause: Cause,
  { rule, before }: { rule: Rule; before: Rule | null },
  message: string,
): Promise<void> {
  const data = { kind: rule.kind, policyId: rule.policyId, before: before?.policyId ?? '' }
  const touched = { type: 'four eyes', id: rule.kind, data }
  await record(tx, world, cause, alert(cause, 'update', message, [touched]))
}

/** The change of a task, for callers who can see the task. */
export async function getChange(call: Call, taskId: string): Promise<Change> {
  const task = await getTask(call.db, call, taskId)
  const change = await findChange(call.db, call.tenant.id, task.id)
  if (!change)
    throw new Refusal('CHANGE_NOT_FOUND', `The task ${taskId} is not about a change.`, { metadata: { taskId } })
  return change
}

const idsMax = 1000

/**
 * The names of the ids in a change. Whoever decides it has to know whom it affects, and sees those people by name. The
 * author learns nothing new: they chose the ids.
 */
export async function namesIn(call: Call, { plan, path, authorId }: Change): Promise<Named[]> {
  const ids = new Set(JSON.stringify([plan, path, authorId]).match(/\b[0-9A-Za-z]{27}\b/g) ?? [])
  const named = await listNamed(call.db, call.tenant.id, [...ids].slice(0, idsMax))
  const userIds = named.filter(({ type }) => type === 'user').map(({ id }) => id)
  if (call.actor.userId === authorId && !seesEveryone(call.actor)) {
    const seen = await sightOf(call, call.db).people(userIds)
    return named.filter(({ id }) => seen.has(id))
  }
  showNames(call, userIds)
  return named
}
