import { type JobCall, jobKind } from '#kernel/jobs.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { type Answer, type Outcome, refuseAnswer, takeOutcome, webhookEnded } from '#rooms/events/webhooks/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { unroutedTerms } from '#rooms/governance/terms/index.ts'
import { carry } from '../carry.ts'
import { findApprovers } from '../facts/approvers.ts'
import { whyGone } from '../facts/find.ts'
import { isAsked } from '../machine/asked.ts'
import { decided } from '../machine/decide.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, replay } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { Assignee, Instance, TaskState } from '../machine/task.ts'
import { isLastProvision } from '../provisioning/provisioner.ts'
import { giveOrTake } from '../provisioning/records.ts'
import { listTaskEvents, lockTask } from '../store.ts'
import { addedSteps } from './added.ts'
import { listUntold } from './attempted.ts'
import { failedOver } from './failed.ts'

type Ended = JobCall<{ deliveryId: string; ticketId: string }>
type Asked = {
  tx: Tx
  call: Ended
  task: Task
  state: TaskState
  now: Instance
  outcome: Outcome
  /** Attempts to reach it that the history does not have yet. */
  untold: readonly TaskEvent[]
}

/**
 * Goes on with tasks whose webhook has answered, or cannot be asked. The answer is taken, and what comes of it written, in one
 * transaction: it counts once, however often the server is killed.
 */
export const goOnAnswered = jobKind(webhookEnded, {
  title: 'Continue requests that a webhook has decided or provisioned',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: (call) =>
    transact(call.db, async (tx) => {
      const { ticketId, deliveryId } = call.job.payload
      // The task before the delivery, as everywhere.
      const task = await lockTask(tx, call.tenant.id, ticketId)
      const outcome = await takeOutcome(tx, call, call.tenant.id, deliveryId)
      if (task?.isOpen && outcome) {
        const history = await listTaskEvents(tx, call.tenant.id, task.id)
        const state = replay(history)
        const now = currentOf(state)
        // Not where somebody else has gone on with it, or people decide it by now.
        if (now?.id === outcome.stepId && isAsked(now)) {
          const untold = await listUntold(tx, call.tenant.id, deliveryId, history)
          await goOn({ tx, call, task, state, now, outcome, untold })
        }
      }
      await call.finishIn(tx)
    }),
})

async function goOn(asked: Asked): Promise<void> {
  const { tx, call, task, state, outcome, untold } = asked
  const terms = task.kind === 'change' ? null : await unroutedTerms(tx, call, task)
  const gone = await whyGone(tx, call, task, terms)
  const follows: readonly TaskEvent[] = gone
    ? [{ is: 'closed', outcome: 'cancelled', comment: gone }]
    : await eventsOf(asked)
  const verb = outcome.answer
    ? `By the answer of a webhook (${outcome.answer.outcome}), continued`
    : 'Without an answer of a webhook, continued'
  const events = [...untold, ...follows]
  await carry(tx, call, serviceCause(call.tenant, webhookEnded.kind), task, state, { events, by: '', verb })
}

async function eventsOf(asked: Asked): Promise<readonly TaskEvent[]> {
  const { tx, call, outcome } = asked
  if (!outcome.answer) return fail(asked, outcome.error)
  const done = await follow(asked, outcome.answer)
  if (!('error' in done)) return done.events
  await refuseAnswer(tx, call, call.tenant.id, outcome.webhook.deliveryId, done.error)
  return fail(asked, done.error, true)
}

const fail = (
  { tx, call, task, state, now, outcome }: Asked,
  error: string,
  isBadAnswer = false,
): Promise<TaskEvent[]> => failedOver(tx, call, task, state, now, outcome.webhook, error, isBadAnswer)

type Followed = { events: readonly TaskEvent[] } | { error: string }

/** What an answer does: what a person could do in its place, by the same rules. */
async function follow(asked: Asked, answer: Answer): Promise<Followed> {
  if (answer.outcome === 'approve' || answer.outcome === 'deny') return decide(asked, answer)
  if (answer.outcome === 'reassign') return reassign(asked, answer)
  if (answer.outcome === 'replacePolicy') return addSteps(asked, answer)
  return carriedOut(asked, answer)
}

function decide({ state, now, outcome }: Asked, answer: Extract<Answer, { outcome: 'approve' | 'deny' }>): Followed {
  const { comment } = answer
  const events = decided(state, { stepId: now.id, isApproval: answer.outcome === 'approve', comment, revision: null })
  if ('why' in events)
    return {
      error:
        events.why === 'REASON_MISSING'
          ? 'The policy requires a reason for this decision, and the answer has no comment.'
          : 'The step is not decided by approval.',
    }
  const { webhook } = outcome
  return { events: events.map((event) => (event.is === 'ended' ? { ...event, webhook } : event)) }
}

/** To people, by the rules of the step: not to whom the access is for, and only to whom the policy allows. */
async function reassign(asked: Asked, answer: Extract<Answer, { outcome: 'reassign' }>): Promise<Followed> {
  const { tx, call, task, state, now, outcome } = asked
  if (now.step.kind !== 'approval') return { error: 'The step is not decided by approval.' }
  const { comment } = answer
  const userIds = [...new Set(answer.newStepUserIds)]
  const { to, needsReason } = now.step.reassignment
  const others = userIds.filter((id) => to.length > 0 && !to.includes(id))
  if (others.length > 0) return { error: `The policy does not allow reassigning the step to ${others.join(', ')}.` }
  if (needsReason && comment.trim() === '') return { error: 'The policy requires a reason for a reassignment.' }
  const step: ApprovalStep = { ...now.step, approvers: { by: 'users', userIds }, fallback: null }
  const found = await findApprovers(tx, call, call.tenant.id, task, state, step)
  if (found.tried.length > 0) return { error: 'None of the people to whom it reassigns the step can decide it.' }
  const assignees: Assignee[] = found.assignees.map((each) => ({ ...each, why: 'reassigned' }))
  const [stepId, newStepId] = [now.id, call.newId()]
  const { webhook } = outcome
  return {
    events: [{ is: 'reassigned', stepId, newStepId, assignees, comment, expiresAt: now.expiresAt, webhook }],
  }
}

function addSteps({ state, now, outcome }: Asked, answer: Extract<Answer, { outcome: 'replacePolicy' }>): Followed {
  if (now.step.kind !== 'approval') return { error: 'The step is not decided by approval.' }
  const added = addedSteps(answer.policySteps, state.route.length)
  if ('error' in added) return added
  const { webhook } = outcome
  const [stepId, { comment }] = [now.id, answer]
  return {
    events: [
      { is: 'ended', stepId, outcome: 'skipped', comment, webhook },
      { is: 'steps added', stepId, ...added, webhook },
    ],
  }
}

async function carriedOut(
  { tx, call, task, state, now, outcome }: Asked,
  answer: Extract<Answer, { outcome: 'complete' | 'errored' }>,
): Promise<Followed> {
  if (now.step.kind !== 'provision') return { error: 'The step does not provision anything.' }
  const { comment } = answer
  if (answer.outcome === 'errored') return { error: comment || 'The receiver could not provision it.' }
  const isLast = isLastProvision(state, now.place)
  if (isLast) await giveOrTake({ tx, call, task, state, isLast, isCarriedOut: true })
  const { webhook } = outcome
  return { events: [{ is: 'ended', stepId: now.id, outcome: 'provisioned', comment, webhook }] }
}
