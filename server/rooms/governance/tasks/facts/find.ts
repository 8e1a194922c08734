import { findWebhooks } from '#rooms/events/webhooks/index.ts'
import type { ApprovalStep, Steps } from '#rooms/governance/policies/index.ts'
import type { AskedKind, Fact, FactOf, Need } from '../machine/advance.ts'
import { factsOfObject } from '../machine/facts-wanted.ts'
import type { Snapshot, Task } from '../machine/record.ts'
import type { Assignee, Explained } from '../machine/task.ts'
import { isAnswered } from './answers.ts'
import { type Assigned, findApprovers } from './approvers.ts'
import { decideCondition, factsOf } from './conditions.ts'
import type { Facts } from './facts.ts'
import { type Provisioned, planProvisioning } from './provisioning.ts'
import { nextTimeOfDay } from './time-of-day.ts'

type Find<K extends AskedKind> = (
  facts: Facts,
  of: Snapshot,
  step: Steps[K],
  without?: ReadonlySet<string>,
) => Promise<FactOf<K>>

const finders: { readonly [K in AskedKind]: Find<K> } = {
  approval: findApproval,
  wait: findWait,
  form: findForm,
  provision: async (facts, of, { provision }) => ({
    for: 'provision',
    ...(await findProvisioned(facts, of, provision)),
  }),
}

/**
 * Finds the fact that the next step of a task needs. Writes nothing. `without`: as if these people were disabled, for plans.
 */
export const findFact = (facts: Facts, of: Snapshot, need: Need, without?: ReadonlySet<string>): Promise<Fact> =>
  find(need.kind, facts, of, need, without)

const find = <K extends AskedKind>(kind: K, ...asked: Parameters<Find<K>>): Promise<Fact> => finders[kind](...asked)

async function findApproval(
  facts: Facts,
  of: Snapshot,
  step: Steps['approval'],
  without?: ReadonlySet<string>,
): Promise<FactOf<'approval'>> {
  if (await isForWebhook(facts, of.task, step))
    return { for: 'approval', assignees: [], approvedBy: null, isByWebhook: true }
  const found = await findApprovers(facts, of, step, without)
  const { assignees } = found
  const approvedBy = byAsking(of, assignees, step.needsReason.toApprove)
  return { for: 'approval', assignees, approvedBy, ...explainedBy(found) }
}

async function findWait(facts: Facts, { task, state }: Snapshot, { until }: Steps['wait']): Promise<FactOf<'wait'>> {
  if (until.by === 'condition') {
    const decided = await decideCondition(facts, until.condition, factsOf(task, state))
    return 'error' in decided
      ? { for: 'wait', isOver: false, until: null, error: decided.error }
      : { for: 'wait', isOver: decided.isTrue, until: null, error: null }
  }
  const at = facts.world.now()
  const end = until.by === 'duration' ? new Date(at.getTime() + until.seconds * 1000) : nextTimeOfDay(at, until)
  return { for: 'wait', isOver: false, until: end, error: null }
}

async function findForm(facts: Facts, { task, state }: Snapshot, { form }: Steps['form']): Promise<FactOf<'form'>> {
  const isDone = isAnswered(form, state.answers, facts.world.now())
  return { for: 'form', isAnswered: isDone, assignees: isDone ? [] : await askersOf(facts, task) }
}

/**
 * Whether a webhook decides a step. Not for a change that waits for a second person, regardless of the policy: its author
 * may control the receiver. Nor if the webhook was deleted: people decide then.
 */
export async function isForWebhook(
  { tx, tenantId }: Facts,
  { kind }: Pick<Task, 'kind'>,
  { approvers }: ApprovalStep,
): Promise<boolean> {
  if (approvers.by !== 'webhook' || kind === 'change') return false
  return (await findWebhooks(tx, tenantId, [approvers.webhookId])).length > 0
}

const explainedMax = 20

/** The stored explanation of how people were found for a step: none if the policy's first choice was sufficient. */
const explainedBy = ({ tried, leftOut }: Assigned): { explained?: Explained } =>
  tried.length + leftOut.length === 0 ? {} : { explained: { tried, leftOut: leftOut.slice(0, explainedMax) } }

/** Who fills in a form: the requester, or the subject if the requester no longer exists. */
export async function askersOf(facts: Facts, { createdBy, subjectUserId }: Task): Promise<Assignee[]> {
  const people = await facts.people([createdBy, subjectUserId])
  const able = [createdBy, subjectUserId].find((id) => people.some((person) => person.id === id && person.isEnabled))
  return able === undefined ? [] : [{ userId: able, why: 'requester' }]
}

/**
 * If the requester could decide it, they have decided by requesting. Not if they only act in another person's place, and not
 * once duration or answers have been changed.
 */
function byAsking({ task, state }: Snapshot, assignees: readonly Assignee[], needsReason: boolean): string | null {
  const asker = assignees.find(({ userId }) => userId === task.createdBy)
  const standsIn = asker?.why === 'delegate' || asker?.why === 'fallback' || asker?.why === 'superAdministrator'
  if (!asker || standsIn || state.revision > 0) return null
  return needsReason && task.description.trim() === '' ? null : asker.userId
}

async function findProvisioned(
  facts: Facts,
  of: Snapshot,
  policy: Steps['provision']['provision'],
): Promise<Provisioned> {
  const { id: taskId, kind } = of.task
  if (kind === 'offboarding') return { result: { is: 'under way' }, effects: [{ do: 'continue offboarding', taskId }] }
  const why = await whyGone(facts, of.task)
  if (why !== null) return { result: { is: 'gone', why }, effects: [] }
  if (kind === 'change') return { result: { is: 'under way' }, effects: [{ do: 'apply change' }] }
  // Read when the steps were chosen: a provisioner that was changed later was not approved.
  return planProvisioning(facts, of, policy)
}

/**
 * Why the object of a task no longer exists; null if it does. Access can be revoked, and someone offboarded, even if they
 * are disabled or deleted.
 */
export async function whyGone(facts: Facts, task: Task): Promise<string | null> {
  const wanted = factsOfObject(task)
  const [terms, isTheirs, subject] = await Promise.all([
    wanted.includes('terms') && facts.terms(task),
    wanted.includes('account') ? facts.hasAccount(task) : true,
    wanted.includes('subject') && facts.subject(task.subjectUserId),
  ])
  if (terms === null) return 'The entitlement was deleted.'
  if (!isTheirs) return 'The account for which access was requested was deleted, or now belongs to someone else.'
  if (subject === false || subject?.isEnabled) return null
  return task.kind === 'change'
    ? 'The author of the change is disabled or deleted.'
    : 'The person whose access it is about is disabled or deleted.'
}
