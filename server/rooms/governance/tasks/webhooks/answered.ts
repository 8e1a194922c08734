import { jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { type Answer, type Outcome, refuseAnswer, takeOutcome, webhookEnded } from '#rooms/events/webhooks/index.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { carry } from '../carry.ts'
import { findApprovers } from '../facts/approvers.ts'
import { Facts } from '../facts/facts.ts'
import { whyGone } from '../facts/find.ts'
import { decided } from '../machine/decide.ts'
import { recordAccess } from '../machine/effect.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, isAsked, isLastProvision, replay } from '../machine/fold.ts'
import type { Snapshot } from '../machine/record.ts'
import type { Assignee, Instance } from '../machine/task.ts'
import type { Happening } from '../machine/unfold.ts'
import { listTaskEvents, lockTask } from '../store.ts'
import { addedSteps } from './added.ts'
import { listUntold } from './attempted.ts'
import { failedOver } from './failed.ts'

type Asked = Snapshot & {
  facts: Facts
  now: Instance
  outcome: Outcome
  /** Attempts that are not in the history yet. */
  untold: readonly TaskEvent[]
}

/**
 * Continues tasks whose webhook has answered, or could not be reached. Taking the answer and writing its consequences are
 * one transaction: it counts once, even if the server is killed.
 */
export const goOnAnswered = jobKind(webhookEnded, {
  title: 'Response of a webhook',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: (call) =>
    transact(call.db, async (tx) => {
      const { ticketId, deliveryId } = call.job.payload
      // Lock order: the task before the delivery, as everywhere.
      const task = await lockTask(tx, call.tenant.id, ticketId)
      const outcome = await takeOutcome(tx, call, call.tenant.id, deliveryId)
      if (task?.isOpen && outcome) {
        const history = await listTaskEvents(tx, call.tenant.id, task.id)
        const state = replay(history)
        const now = currentOf(state)
        // Not if it has been continued already, or people decide it by now.
        if (now?.id === outcome.stepId && isAsked(now)) {
          const untold = await listUntold(tx, call.tenant.id, deliveryId, history)
          await goOn({ facts: new Facts(tx, call), task, state, now, outcome, untold })
        }
      }
      await call.finishIn(tx)
    }),
})

async function goOn(asked: Asked): Promise<void> {
  const { facts, task, state, outcome, untold } = asked
  const gone = await whyGone(facts, task)
  const follows: Follows = gone
    ? { events: [{ is: 'closed', outcome: 'cancelled', comment: gone }] }
    : await whatFollows(asked)
  const verb = outcome.answer
    ? `By the answer of a webhook (${outcome.answer.outcome}), continued`
    : 'Without an answer of a webhook, continued'
  const cause = serviceCause(facts.world.tenant, webhookEnded.kind)
  const events = [...untold, ...follows.events]
  await carry(facts, cause, { task, state }, { ...follows, events, by: '', verb })
}

type Follows = Pick<Happening, 'events' | 'effects'>

async function whatFollows(asked: Asked): Promise<Follows> {
  const { facts, task, state, now, outcome } = asked
  const { webhook, answer, error } = outcome
  if (!answer) return { events: await failedOver(facts, { task, state }, now, { webhook, error }) }
  const done = await follow(asked, answer)
  if (!('error' in done)) return done
  await refuseAnswer(facts.tx, facts.world, facts.tenantId, webhook.deliveryId, done.error)
  return { events: await failedOver(facts, { task, state }, now, { webhook, error: done.error, isBadAnswer: true }) }
}

type Followed = Follows | { error: string }

/** The consequences of an answer: what a person could do instead, by the same rules. */
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

/** Reassigns to people, by the rules of the step: not to the subject, and only to those whom the policy allows. */
async function reassign(asked: Asked, answer: Extract<Answer, { outcome: 'reassign' }>): Promise<Followed> {
  const { facts, task, state, now, outcome } = asked
  if (now.step.kind !== 'approval') return { error: 'The step is not decided by approval.' }
  const { comment } = answer
  const userIds = [...new Set(answer.newStepUserIds)]
  const { to, needsReason } = now.step.reassignment
  const others = userIds.filter((id) => to.length > 0 && !to.includes(id))
  if (others.length > 0) return { error: `The policy does not allow reassigning the step to ${others.join(', ')}.` }
  if (needsReason && comment.trim() === '') return { error: 'The policy requires a reason for a reassignment.' }
  const step: ApprovalStep = { ...now.step, approvers: { by: 'users', userIds }, fallback: null }
  const found = await findApprovers(facts, { task, state }, step)
  if (found.tried.length > 0) return { error: 'None of the people to whom it reassigns the step can decide it.' }
  const assignees: Assignee[] = found.assignees.map((each) => ({ ...each, why: 'reassigned' }))
  const [stepId, newStepId] = [now.id, facts.world.newId()]
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

function carriedOut(
  { task, state, now, outcome }: Asked,
  answer: Extract<Answer, { outcome: 'complete' | 'errored' }>,
): Followed {
  if (now.step.kind !== 'provision') return { error: 'The step does not provision anything.' }
  const { comment } = answer
  if (answer.outcome === 'errored') return { error: comment || 'The receiver could not provision it.' }
  const { webhook } = outcome
  return {
    events: [{ is: 'ended', stepId: now.id, outcome: 'provisioned', comment, webhook }],
    effects: isLastProvision(state, now.place) ? [recordAccess({ task, state }, true)] : [],
  }
}
