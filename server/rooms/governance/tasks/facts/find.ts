import { findWebhooks } from '#rooms/events/webhooks/index.ts'
import type { ApprovalStep, WaitStep } from '#rooms/governance/policies/index.ts'
import type { Fact, Need } from '../machine/advance.ts'
import { factsOfObject } from '../machine/facts-wanted.ts'
import type { Task } from '../machine/record.ts'
import type { Snapshot } from '../machine/snapshot.ts'
import type { Assignee, Explained } from '../machine/task.ts'
import { isAnswered } from './answers.ts'
import { type Assigned, findApprovers } from './approvers.ts'
import { decideCondition, factsOf } from './conditions.ts'
import type { Facts } from './facts.ts'
import { type Provisioned, planProvisioning } from './provisioning.ts'
import { nextTimeOfDay } from './time-of-day.ts'

type FactFor<F extends Fact['for']> = Extract<Fact, { for: F }>

/** What the world says of a task when it goes on. Nothing is written. `without`: as if these people were disabled, for plans. */
export async function findFact(facts: Facts, of: Snapshot, need: Need, without?: ReadonlySet<string>): Promise<Fact> {
  if (need.for === 'approval') return findApproval(facts, of, need.step, without)
  if (need.for === 'wait') return findWait(facts, of, need.step)
  if (need.for === 'form') {
    const isDone = isAnswered(need.step.form, of.state.answers, facts.world.now())
    return { for: 'form', isAnswered: isDone, assignees: isDone ? [] : await askersOf(facts, of.task) }
  }
  return { for: 'provision', ...(await provision(facts, of, need.step.provision)) }
}

async function findApproval(
  facts: Facts,
  of: Snapshot,
  step: ApprovalStep,
  without?: ReadonlySet<string>,
): Promise<FactFor<'approval'>> {
  if (await isForWebhook(facts, of.task, step))
    return { for: 'approval', assignees: [], approvedBy: null, isByWebhook: true }
  const found = await findApprovers(facts, of, step, without)
  const { assignees } = found
  const approvedBy = byAsking(of, assignees, step.needsReason.toApprove)
  return { for: 'approval', assignees, approvedBy, ...explainedBy(found) }
}

async function findWait(facts: Facts, { task, state }: Snapshot, { until }: WaitStep): Promise<FactFor<'wait'>> {
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

/**
 * Whether a webhook decides a step. Not a change that waits for a second person, whatever the policy says: whoever controls the
 * receiver may be its author. Nor one that was deleted: people decide then.
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

/** What is kept of how a step came to its people: nothing where the policy's first word was enough. */
const explainedBy = ({ tried, leftOut }: Assigned): { explained?: Explained } =>
  tried.length + leftOut.length === 0 ? {} : { explained: { tried, leftOut: leftOut.slice(0, explainedMax) } }

/** Who fills in a form: who asked, or whom it is about where that one is gone. */
export async function askersOf(facts: Facts, { createdBy, subjectUserId }: Task): Promise<Assignee[]> {
  const people = await facts.people([createdBy, subjectUserId])
  const able = [createdBy, subjectUserId].find((id) => people.some((person) => person.id === id && person.isEnabled))
  return able === undefined ? [] : [{ userId: able, why: 'requester' }]
}

/**
 * Who asked for it and would decide it has decided, by asking. Not for others in whose place they stand, and not once
 * duration or answers are not what they asked for.
 */
function byAsking({ task, state }: Snapshot, assignees: readonly Assignee[], needsReason: boolean): string | null {
  const asker = assignees.find(({ userId }) => userId === task.createdBy)
  const standsIn = asker?.why === 'delegate' || asker?.why === 'fallback' || asker?.why === 'superAdministrator'
  if (!asker || standsIn || state.revision > 0) return null
  return needsReason && task.description.trim() === '' ? null : asker.userId
}

async function provision(
  facts: Facts,
  of: Snapshot,
  policy: Extract<Need, { for: 'provision' }>['step']['provision'],
): Promise<Provisioned> {
  const { id: taskId, kind } = of.task
  if (kind === 'offboarding') return { result: { is: 'under way' }, effects: [{ do: 'continue offboarding', taskId }] }
  const why = await whyGone(facts, of.task)
  if (why !== null) return { result: { is: 'gone', why }, effects: [] }
  if (kind === 'change') return { result: { is: 'under way' }, effects: [{ do: 'apply change' }] }
  // Read when the steps were chosen: what was put there since is not what was approved.
  return planProvisioning(facts, of, policy)
}

/**
 * Why a task is about nothing any more; null where it still is. Access can be revoked, and someone offboarded, also once they
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
