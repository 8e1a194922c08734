import type { May } from '#authority/proof.ts'
import { seesEveryone, showNames, sightOf } from '#authority/sight/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alert, type Cause, causeOf, record } from '#rooms/foundation/systemlog/index.ts'
import { findPolicies, policyUseProblems } from '#rooms/governance/policies/index.ts'
import { getTask } from '#rooms/governance/tasks/index.ts'
import type { Change } from './change.ts'
import { listPoliciesOf } from './deciding.ts'
import { isChangeKind, type Rule, titles } from './kinds.ts'
import { deleteRule, findChange, listNamed, listRules, lockRules, type Named, putRule } from './store.ts'

export type Wanted = { isRequired: boolean; policyId: string }

/** Has a kind of change need approval by a policy, or no longer. Where it does already, this itself needs it: see gate.ts. */
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
  await tell(tx, call, causeOf(call), rule, before, `Changes need approval: ${titles[kind]}`)
  return rule
}

/** Has a kind of change need no approval any longer: by the gate, or by an operator's command, which passes none. */
export async function dropRule(tx: Tx, world: World, cause: Cause, rule: Rule): Promise<void> {
  await deleteRule(tx, cause.tenant.id, rule.kind)
  const after = { ...rule, policyId: '' }
  await tell(tx, world, cause, after, rule, `Changes no longer need approval: ${titles[rule.kind]}`)
}

/** A policy that lets a change pass without anybody's approval would only keep everyone waiting: it is never carried out. */
async function refuseUnfit(tx: Tx, call: Call, id: string): Promise<void> {
  if (id === '') throw invalid({ field: 'policyId', description: 'must be given' })
  const use = { isEmergency: false, appId: '', entitlementId: '' }
  const named = { field: 'policyId', id, type: 'POLICY_TYPE_GRANT', use } as const
  const [first, ...others] = await policyUseProblems(tx, call, [named])
  if (first) throw invalid(first, ...others)
  const policies = await findPolicies(tx, call.tenant.id, await listPoliciesOf(tx, call.tenant.id, id))
  // Conditions read the author and what they have, and so they would choose by which steps their change is decided.
  if (policies.some(({ rules }) => rules.length > 0))
    throw invalid({
      field: 'policyId',
      description: 'must name a policy without rules: every change takes the same steps',
    })
  const policy = policies.find((each) => each.id === id)
  const lists = Object.values(policy?.policySteps ?? {})
  if (lists.some(({ steps }) => !steps.some(({ approval }) => approval !== null)))
    throw invalid({ field: 'policyId', description: 'must name a policy in which somebody approves every change' })
}

async function tell(
  tx: Tx,
  world: World,
  cause: Cause,
  rule: Rule,
  before: Rule | null,
  message: string,
): Promise<void> {
  const data = { kind: rule.kind, policyId: rule.policyId, before: before?.policyId ?? '' }
  const touched = { type: 'four eyes', id: rule.kind, data }
  await record(tx, world, cause, alert(cause, 'update', message, [touched]))
}

/** A change by its task, for those who see that. */
export async function getChange(call: Call, taskId: string): Promise<Change> {
  const task = await getTask(call.db, call, taskId)
  const change = await findChange(call.db, call.tenant.id, task.id)
  if (!change)
    throw new Refusal('CHANGE_NOT_FOUND', `The task ${taskId} is not about a change.`, { metadata: { taskId } })
  return change
}

const idsMax = 1000

/**
 * What the ids in a change stand for. Whoever decides it has to know whom it is about, and is shown those people by name. The
 * author learns no more than before: they chose the ids.
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
