import type { Reads, Tx } from '#kernel/sql.ts'
import { findWebhooks } from '#rooms/events/webhooks/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { type Terms, unroutedTerms } from '#rooms/governance/terms/index.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import { isAnswered } from '../answers.ts'
import { carryOutChange } from '../changes/approved.ts'
import type { Doing } from '../doing.ts'
import type { Fact, ProvisionResult } from '../machine/advance.ts'
import type { Task } from '../machine/record.ts'
import type { Finder } from '../machine/run.ts'
import type { Assignee, Explained, TaskState } from '../machine/task.ts'
import { beginOffboarding } from '../offboarding/begin.ts'
import { beginProvisioning } from '../provisioning/begin.ts'
import { isLastProvision, type Provisioning } from '../provisioning/provisioner.ts'
import { type Assigned, findApprovers, type Looking } from './approvers.ts'
import { decideCondition, factsOf } from './conditions.ts'
import { isAccountOf, listPeople } from './store.ts'
import { nextTimeOfDay } from './time-of-day.ts'

/**
 * What the world says of a task when it goes on. `without`: as if these people were disabled, for plans. `terms`: what applies,
 * where it was looked up in the same transaction, and with it that the task is still about something. `holdings`: what the
 * person holds, the same way.
 */
export const finderFor =
  (doing: Doing, { terms = null, holdings = null, later, ...looking }: Looking & Recalled = {}): Finder =>
  async (tx, task, state, need): Promise<Fact> => {
    const at = doing.now()
    if (need.for === 'approval') {
      if (await isForWebhook(tx, doing, task, need.step))
        return { for: 'approval', assignees: [], approvedBy: null, isByWebhook: true }
      const found = await findApprovers(tx, doing, doing.tenant.id, task, state, need.step, looking)
      const { assignees } = found
      return {
        for: 'approval',
        assignees,
        approvedBy: byAsking(task, state, assignees, need.step.needsReason.toApprove),
        ...explainedBy(found),
      }
    }
    if (need.for === 'wait') {
      const { until } = need.step
      if (until.by === 'condition') {
        const decided = await decideCondition(tx, doing, doing.tenant.id, until.condition, factsOf(task, state))
        return 'error' in decided
          ? { for: 'wait', isOver: false, until: null, error: decided.error }
          : { for: 'wait', isOver: decided.isTrue, until: null, error: null }
      }
      const end = until.by === 'duration' ? new Date(at.getTime() + until.seconds * 1000) : nextTimeOfDay(at, until)
      return { for: 'wait', isOver: false, until: end, error: null }
    }
    if (need.for === 'form') {
      const isDone = isAnswered(need.step.form, state.answers, at)
      return { for: 'form', isAnswered: isDone, assignees: isDone ? [] : await askersOf(tx, doing, task) }
    }
    const recalled = { terms, holdings, ...(later && { later }) }
    return { for: 'provision', result: await provision(tx, doing, task, state, need.step.provision, recalled) }
  }

/**
 * Whether a webhook decides a step. Not a change that waits for a second person, whatever the policy says: whoever controls the
 * receiver may be its author. Nor one that was deleted: people decide then.
 */
export async function isForWebhook(
  db: Reads,
  doing: Pick<Doing, 'tenant'>,
  { kind }: Pick<Task, 'kind'>,
  { approvers }: ApprovalStep,
): Promise<boolean> {
  if (approvers.by !== 'webhook' || kind === 'change') return false
  return (await findWebhooks(db, doing.tenant.id, [approvers.webhookId])).length > 0
}

type Recalled = Pick<Provisioning, 'holdings' | 'later'> & { terms?: Terms | null }

const explainedMax = 20

/** What is kept of how a step came to its people: nothing where the policy's first word was enough. */
const explainedBy = ({ tried, leftOut }: Assigned): { explained?: Explained } =>
  tried.length + leftOut.length === 0 ? {} : { explained: { tried, leftOut: leftOut.slice(0, explainedMax) } }

/** Who fills in a form: who asked, or whom it is about where that one is gone. */
export async function askersOf(db: Reads, doing: Pick<Doing, 'tenant' | 'now'>, task: Task): Promise<Assignee[]> {
  const people = await listPeople(db, doing.tenant.id, [task.createdBy, task.subjectUserId], doing.now())
  const able = [task.createdBy, task.subjectUserId].find((id) =>
    people.some((person) => person.id === id && person.isEnabled),
  )
  return able === undefined ? [] : [{ userId: able, why: 'requester' }]
}

/**
 * Who asked for it and would decide it has decided, by asking. Not for others in whose place they stand, and not once
 * duration or answers are not what they asked for.
 */
function byAsking(task: Task, state: TaskState, assignees: readonly Assignee[], needsReason: boolean): string | null {
  const asker = assignees.find(({ userId }) => userId === task.createdBy)
  const standsIn = asker?.why === 'delegate' || asker?.why === 'fallback' || asker?.why === 'superAdministrator'
  if (!asker || standsIn || state.revision > 0) return null
  return needsReason && task.description.trim() === '' ? null : asker.userId
}

async function provision(
  tx: Tx,
  doing: Doing,
  task: Task,
  state: TaskState,
  own: ProvisionPolicy | null,
  { terms: known = null, ...recalled }: Recalled,
): Promise<ProvisionResult> {
  if (task.kind === 'offboarding') return beginOffboarding(tx, doing, task)
  const terms = known ?? (task.kind === 'change' ? null : await unroutedTerms(tx, doing, task))
  const why = known ? null : await whyGone(tx, doing, task, terms)
  if (task.kind === 'change' && !why) return carryOutChange(tx, doing, task)
  if (why || !terms) return { is: 'gone', why: why ?? goneText }
  const isLast = isLastProvision(state, state.place)
  // Read when the steps were chosen: what was put there since is not what was approved.
  return beginProvisioning({ tx, call: doing, task, state, isLast, ...recalled }, own)
}

const goneText = 'The entitlement was deleted.'

const findPerson = async (db: Reads, { tenant, now }: Pick<Doing, 'tenant' | 'now'>, id: string) =>
  (await listPeople(db, tenant.id, [id], now()))[0] ?? null

/**
 * Why a task is about nothing any more; null where it still is. Access can be revoked, and someone offboarded, also once they
 * are disabled or deleted.
 */
export async function whyGone(
  db: Reads,
  doing: Pick<Doing, 'tenant' | 'now'>,
  task: Task,
  termsNow: Terms | null | Promise<Terms | null>,
  subjectNow: Looking['subject'] = null,
): Promise<string | null> {
  if (task.kind === 'offboarding') return null
  const isOfSomeone = task.subjectUserId !== '' && task.kind !== 'revoke'
  // In one round trip.
  const [terms, isTheirs, subject] = await Promise.all([
    termsNow,
    task.kind === 'grant' && task.accountId !== '' ? isAccountOf(db, doing.tenant.id, task) : true,
    isOfSomeone ? (subjectNow ?? findPerson(db, doing, task.subjectUserId)) : null,
  ])
  if (!terms && task.kind !== 'change') return goneText
  if (!isTheirs) return 'The account for which access was requested was deleted, or now belongs to someone else.'
  if (!isOfSomeone || subject?.isEnabled) return null
  return task.kind === 'change'
    ? 'The author of the change is disabled or deleted.'
    : 'The person whose access it is about is disabled or deleted.'
}
