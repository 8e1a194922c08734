import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { type Terms, termsOf, unroutedTerms } from '#rooms/governance/terms/index.ts'
import { findApprovers } from '../assigning/find.ts'
import { carry } from '../carry.ts'
import { durationOf, policyOf } from '../creating/actions.ts'
import { whyGone } from '../finder.ts'
import { refuseFormerDelegate } from '../former-delegates.ts'
import { type ActionName, changed, decided, type Refused } from '../machine/decide.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, replay } from '../machine/fold.ts'
import type { Ran } from '../machine/run.ts'
import { allowedTo } from '../present.ts'
import { giveOrTake } from '../provisioning/records.ts'
import type { Task } from '../record.ts'
import { actionNotAllowed, stepNotCurrent, taskExists, taskNotFound } from '../refuse.ts'
import { routeBy, settingsOf } from '../route.ts'
import { getTask } from '../sight.ts'
import { addActor, findOpenTwin, listTaskEvents, lockTask } from '../store.ts'
import type { Assignee, Instance, TaskState } from '../task.ts'

/** What someone wants done with a task. */
export type Wanted = {
  action: ActionName
  /** The step that they saw; empty where the operation does not ask for it. */
  stepId?: string
  comment?: string
  newUserIds?: readonly string[]
  durationSeconds?: number | null
  answers?: { readonly [name: string]: unknown } | null
}

type Opened = { tx: Tx; call: Call; task: Task; state: TaskState; now: Instance | null; wanted: Wanted }

/**
 * Does something with a task, if the caller may now: what `actionsOf` allows, and nothing else. The row is held, so that
 * of two who decide at once one is first; the other's step is then no longer the current one.
 */
export async function act(call: Call, id: string, wanted: Wanted): Promise<Ran> {
  const { id: taskId } = await getTask(call.db, call, id)
  return transact(call.db, async (tx) => {
    const task = await lockTask(tx, call.tenant.id, taskId)
    if (!task) throw taskNotFound(id)
    const state = replay(await listTaskEvents(tx, call.tenant.id, taskId))
    const allowed = await allowedTo(tx, call, task, state)
    const { stepId = '', action } = wanted
    if (stepId !== '' && stepId !== task.stepId) throw stepNotCurrent(task, stepId)
    if (!allowed.has(action)) throw actionNotAllowed(task, action, allowed)
    await refuseFormerDelegate(tx, call, currentOf(state), action)
    const twin = state.isOpen || action === 'comment' ? null : await findOpenTwin(tx, call.tenant.id, task)
    if (twin) throw taskExists(twin)
    const gone = state.isOpen && action !== 'comment' && action !== 'close' ? await whyGone(tx, call, task) : null
    const opened = { tx, call, task, state, now: currentOf(state), wanted }
    const events: readonly TaskEvent[] = gone
      ? [{ is: 'closed', outcome: 'cancelled', comment: gone }]
      : await does[action](opened)
    // What stopped a task may be mended by now: it is looked at again.
    const before = action === 'comment' ? state : { ...state, stuckWhy: null }
    const verb = gone ? 'Cancelled, since it is about nothing any more,' : verbs[action]
    const ran = await carry(tx, call, causeOf(call), task, before, { events, by: gone ? '' : call.actor.userId, verb })
    await addActor(tx, call.tenant.id, task.id, call.actor.userId)
    return ran
  })
}

const verbs: Record<ActionName, string> = {
  approve: 'Approved',
  deny: 'Denied',
  comment: 'Commented on',
  close: 'Closed',
  reassign: 'Reassigned',
  restart: 'Restarted',
  reset: 'Reset',
  'skip-step': 'Skipped a step of',
  escalate: 'Escalated to emergency access',
  process: 'Processed',
  'update-grant-duration': 'Changed the duration of',
  'update-request-data': 'Changed the answers of',
  'retry-provisioning': 'Retried',
  'provision-complete': 'Completed',
  'provision-errored': 'Reported as failed',
  'provision-cancelled': 'Did not carry out',
}

type Does = (opened: Opened) => Promise<readonly TaskEvent[]> | readonly TaskEvent[]

const does: Record<ActionName, Does> = {
  approve: (opened) => decide(opened, true),
  deny: (opened) => decide(opened, false),
  comment({ wanted: { comment = '' } }) {
    if (comment.trim() === '') throw invalid({ field: 'comment', description: 'must not be empty' })
    return [{ is: 'commented', comment }]
  },
  close: ({ wanted: { comment = '' } }) => [{ is: 'closed', outcome: 'cancelled', comment }],
  reassign,
  restart: ({ wanted: { comment = '' } }) => [{ is: 'restarted', comment }],
  async reset(opened) {
    const terms = await termsNow(opened)
    const { kind } = opened.task
    if (kind !== 'grant' && kind !== 'revoke') throw invalid({ field: 'task_id', description: 'cannot be reset' })
    const { isEmergency } = opened.state
    const routed = await routeBy(
      opened.tx,
      opened.call,
      opened.task,
      opened.state,
      policyOf({ kind, isEmergency }, terms),
    )
    return [...commented(opened), settingsOf({ kind, isEmergency }, terms), routed]
  },
  'skip-step': ({ now, wanted: { comment = '' } }) =>
    now ? [{ is: 'ended', stepId: now.id, outcome: 'skipped', comment }] : [],
  async escalate(opened) {
    const terms = await termsNow(opened)
    const routed = await routeBy(
      opened.tx,
      opened.call,
      opened.task,
      opened.state,
      policyOf({ kind: 'grant', isEmergency: true }, terms),
    )
    const { durationSeconds, answers } = opened.state
    return [
      ...commented(opened),
      { is: 'created', durationSeconds, answers, isEmergency: true },
      settingsOf({ kind: 'grant', isEmergency: true }, terms),
      routed,
    ]
  },
  process: recalculate,
  async 'update-grant-duration'({ wanted, state, ...opened }) {
    const terms = await termsNow(opened)
    if (wanted.durationSeconds === null || wanted.durationSeconds === undefined)
      throw invalid({ field: 'duration', description: 'must be given' })
    const durationSeconds = durationOf(wanted.durationSeconds, terms, 'duration')
    return durationSeconds === state.durationSeconds ? [] : changed(state, { is: 'duration changed', durationSeconds })
  },
  'update-request-data'({ now, state, wanted: { answers } }) {
    if (!answers) throw invalid({ field: 'data', description: 'must be given' })
    const change = changed(state, { is: 'answers changed', answers })
    const isAnswered = now?.step.kind === 'form' && change.length === 1
    return isAnswered ? [...change, { is: 'ended', stepId: now.id, outcome: 'answered', comment: '' }] : change
  },
  // What was approved stays approved: only what failed is done again.
  'retry-provisioning': ({ wanted: { comment = '' } }) => [{ is: 'retried', comment }],
  async 'provision-complete'({ tx, call, task, state, now, wanted: { comment = '' } }) {
    if (!now) return []
    await giveOrTake({ tx, call, task, state })
    return [{ is: 'ended', stepId: now.id, outcome: 'provisioned', comment }]
  },
  'provision-errored': ({ now, wanted: { comment = '' } }) =>
    now
      ? [
          { is: 'ended', stepId: now.id, outcome: 'failed', comment },
          { is: 'closed', outcome: 'failed', comment: '' },
        ]
      : [],
  'provision-cancelled': ({ now, wanted: { comment = '' } }) =>
    now
      ? [
          { is: 'ended', stepId: now.id, outcome: 'not done', comment },
          { is: 'closed', outcome: 'cancelled', comment: '' },
        ]
      : [],
}

const commented = ({ wanted: { comment = '' } }: Opened): TaskEvent[] =>
  comment.trim() === '' ? [] : [{ is: 'commented', comment }]

async function termsNow({ tx, call, task }: Pick<Opened, 'tx' | 'call' | 'task'>): Promise<Terms> {
  const terms = await (task.kind === 'grant' ? termsOf : unroutedTerms)(tx, call, task)
  if (!terms) throw new Refusal('ENTITLEMENT_NOT_FOUND', 'The entitlement of this task was deleted.')
  return terms
}

function decide({ task, state, now, wanted }: Opened, isApproval: boolean): readonly TaskEvent[] {
  const stepId = wanted.stepId || (now?.id ?? '')
  const events = decided(state, { stepId, isApproval, comment: wanted.comment ?? '', revision: null })
  if ('why' in events) throw refusal(task, stepId, events)
  return events
}

function refusal(task: Task, stepId: string, { why }: Refused): Refusal {
  if (why === 'REASON_MISSING')
    return new Refusal('TASK_REASON_REQUIRED', 'The policy requires a reason for this decision.', {
      violations: [{ field: 'comment', description: 'must not be empty' }],
    })
  if (why === 'NOT_SEEN') return new Refusal('TASK_CHANGED', 'What is asked for has changed since; look at it again.')
  return stepNotCurrent(task, stepId)
}

/** The same step, decided by named people: by the rules of the step, and only whom the policy allows. */
async function reassign({ tx, call, task, state, now, wanted }: Opened): Promise<readonly TaskEvent[]> {
  const { newUserIds = [], comment = '' } = wanted
  if (!now || (now.step.kind !== 'approval' && now.step.kind !== 'provision')) return []
  if (newUserIds.length === 0) throw invalid({ field: 'newStepUserIds', description: 'must not be empty' })
  const step = now.step.kind === 'approval' ? now.step : null
  const allowed = step?.reassignment.to ?? []
  const others = newUserIds.filter((id) => allowed.length > 0 && !allowed.includes(id))
  if (others.length > 0 && !call.actor.permissions.has('tasks.manage'))
    throw invalid({ field: 'newStepUserIds', description: `the policy does not allow ${others.join(', ')}` })
  if (step?.reassignment.needsReason && comment.trim() === '')
    throw new Refusal('TASK_REASON_REQUIRED', 'The policy requires a reason for this reassignment.', {
      violations: [{ field: 'comment', description: 'must not be empty' }],
    })
  const asStep: ApprovalStep = {
    ...(step ?? anyoneStep),
    approvers: { by: 'users', userIds: newUserIds },
    fallback: null,
  }
  const found = await findApprovers(tx, call, call.tenant.id, task, state, asStep)
  if (found.tried.length > 0)
    throw invalid({
      field: 'newStepUserIds',
      description: `nobody of them can decide this step: ${found.leftOut.map(({ userId, why }) => `${userId} (${why})`).join(', ') || 'unknown users'}`,
    })
  const assignees: Assignee[] = found.assignees.map((each) => ({ ...each, why: 'reassigned' }))
  const newStepId = call.newId()
  return [{ is: 'reassigned', stepId: now.id, newStepId, assignees, comment, expiresAt: now.expiresAt }]
}

const anyoneStep: ApprovalStep = {
  kind: 'approval',
  approvers: { by: 'appOwners' },
  allowSelfApproval: true,
  requireDistinctApprovers: false,
  fallback: null,
  allowDelegation: true,
  reassignment: { isAllowed: true, to: [], needsReason: false },
  needsReason: { toApprove: false, toDeny: false },
  escalation: null,
}

/** Who can decide the current step, as the world is now. A step that was reassigned by hand keeps those who still can. */
async function recalculate({ tx, call, task, state, now }: Opened): Promise<readonly TaskEvent[]> {
  return recalculated(tx, call, task, state, now)
}

export async function recalculated(
  tx: Tx,
  doing: Parameters<typeof findApprovers>[1] & Pick<Call, 'tenant'>,
  task: Task,
  state: TaskState,
  now: Instance | null,
): Promise<readonly TaskEvent[]> {
  if (now?.step.kind !== 'approval') return []
  const byHand = now.assignees.filter(({ why }) => why === 'reassigned' || why === 'escalated')
  const step: ApprovalStep =
    byHand.length > 0
      ? { ...now.step, approvers: { by: 'users', userIds: byHand.map((each) => each.for ?? each.userId) } }
      : now.step
  const { assignees } = await findApprovers(tx, doing, doing.tenant.id, task, state, step)
  const before = new Set(now.assignees.map(({ userId }) => userId))
  const isSame = assignees.length === before.size && assignees.every(({ userId }) => before.has(userId))
  if (isSame) return []
  const kept = assignees.map(
    (each): Assignee => (byHand.length > 0 && each.why === 'users' ? { ...each, why: 'reassigned' } : each),
  )
  const event: TaskEvent = { is: 'recalculated', stepId: now.id, assignees: kept }
  return kept.length > 0 ? [event] : [event, { is: 'stuck', why: 'Nobody is left who can decide this step.' }]
}
