import { isDeepStrictEqual } from 'node:util'
import { listBeyondReach, refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { type Terms, termsOf } from '#rooms/governance/terms/index.ts'
import { permittedIn } from '#rooms/identity/roles/index.ts'
import { durationOf, policyOf } from '../by-terms.ts'
import { carry } from '../carry.ts'
import { checkAll, formsIn, isFirstAnswer, missingIn } from '../facts/answers.ts'
import { findApprovers } from '../facts/approvers.ts'
import { carrying } from '../facts/carriers.ts'
import { Facts } from '../facts/facts.ts'
import { whyGone } from '../facts/find.ts'
import { refuseFormerDelegate } from '../former-delegates.ts'
import type { ActionName } from '../machine/action.ts'
import { changed, decided, type Refused } from '../machine/decide.ts'
import { type Effect, recordAccess } from '../machine/effect.ts'
import type { TaskEvent } from '../machine/event.ts'
import { factsWanted } from '../machine/facts-wanted.ts'
import { currentOf, isLastProvision } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { Snapshot } from '../machine/snapshot.ts'
import type { Assignee, Instance } from '../machine/task.ts'
import type { Ran } from '../machine/unfold.ts'
import { allowedTo } from '../present.ts'
import { actionNotAllowed, stepNotCurrent, taskExists, taskHistoryFull } from '../refuse.ts'
import { type Routed, routeBy, settingsOf } from '../route.ts'
import { getTask, holdTask, isNumber, personOf } from '../sight.ts'
import { addActor, findOpenTwin, findTask } from '../store.ts'
import { whenAsked } from '../timers.ts'
import { isAmong, recalculated } from './people.ts'

/** What someone wants done with a task. */
export type Wanted = {
  action: ActionName
  /** The step that they saw; empty where the operation does not ask for it. */
  stepId?: string
  comment?: string
  newUserIds?: readonly string[]
  durationSeconds?: number | null
  answers?: { readonly [name: string]: unknown } | null
  /** The field of the request that the answers are in; `data` unless said. */
  answersIn?: string
  /** What the request said when it was seen; empty where that is not said. */
  revision?: string
}

/** What is done with a task, and the task as it is. */
type Doing = Snapshot & { facts: Facts; call: Call; now: Instance | null; wanted: Wanted }

/** What only someone may do who could also be assigned now: what they were assigned for may have changed since. */
const ofAssignees: ReadonlySet<ActionName> = new Set([
  'approve',
  'deny',
  'provision-complete',
  'provision-errored',
  'provision-cancelled',
])
/** What brings a task to its end: it stays possible however much has happened to it. */
const ends: ReadonlySet<ActionName> = new Set([...ofAssignees, 'close', 'skip-step'])
// All of them are read whenever a task is: whoever comments without end must not make it slow for others.
const eventsMax = 2_000
/** What leaves the current step behind, whoever it was stuck for. */
const leavesStep: ReadonlySet<ActionName> = new Set([
  'close',
  'reassign',
  'restart',
  'reset',
  'escalate',
  'skip-step',
  'retry-provisioning',
])

/**
 * Does something with a task, if the caller may now: what `actionsOf` allows, and nothing else. The row is held, so that
 * of two who decide at once one is first; the other's step is then no longer the current one.
 */
export async function act(call: Call, id: string, wanted: Wanted): Promise<Ran> {
  const taskId = isNumber(id) ? (await getTask(call.db, call, id)).id : id
  const done = await reopening(call, taskId, () =>
    transact(call.db, (tx) => actIn(new Facts(tx, call), call, taskId, wanted)),
  )
  if (done.refusal) throw done.refusal
  return done.ran
}

type Done = { ran: Ran; refusal: Refusal | null }

/*
 * Four round trips for an approval that gives access: the task and its events, what has to be known, all that is written, and
 * COMMIT. They were eight, with 21 statements; now there are 17.
 */
export async function actIn(facts: Facts, call: Call, id: string, wanted: Wanted): Promise<Done> {
  const { tx, tenantId } = facts
  const before = await holdTask(tx, call, id)
  const { task, state } = before
  const allowed = await allowedTo(tx, call, task, { state })
  const now = currentOf(state)
  const { action } = wanted
  refuseOutdated(before, wanted)
  if (!allowed.has(action)) throw actionNotAllowed(task, action, allowed)
  await refuseFormerDelegate(facts, call, now, action)
  if (task.kind === 'grant') await refuseChoosing(tx, call, task, wanted)
  if (task.version >= eventsMax && !ends.has(action)) throw taskHistoryFull(task, eventsMax)
  const twin = state.isOpen || action === 'comment' ? null : await facts.openTwin(task)
  if (twin) throw taskExists(twin)
  const doing: Doing = { facts, call, task, state, now, wanted }
  // In one round trip: whether there is still something to decide, who could decide it, and what has to be known to give it.
  const isLookedAt = state.isOpen && action !== 'comment' && action !== 'close'
  const [gone, moved] = await Promise.all([
    isLookedAt ? whyGone(facts, task) : null,
    isByAssignment(doing) ? recalculated(facts, before) : null,
    facts.read(task, factsWanted(before, action)),
  ])
  const { events, effects = [], refusal = null } = gone ? closedAs(gone) : await eventsOf(doing, allowed, moved)
  const isService = gone !== null || refusal !== null
  const verb = gone ? 'Cancelled, because its object no longer exists,' : refusal ? 'Assigned again' : verbs[action]
  const by = isService ? '' : call.actor.userId
  const ran = await carry(facts, causeOf(call), before, { events, effects, by, verb })
  // Who decided has been noted with the decision.
  if (!refusal && !ran.task.approverIds.includes(call.actor.userId))
    await addActor(tx, tenantId, task.id, call.actor.userId)
  return { ran, refusal }
}

/** Refuses what was wanted of a task that has changed since it was seen. */
function refuseOutdated({ task, state }: Snapshot, { stepId = '', revision = '' }: Wanted): void {
  // That says more than that the step has another id by now.
  if (revision !== '' && Number(revision) !== state.revision) throw refusalOf(task, stepId, { why: 'NOT_SEEN' })
  if (stepId !== '' && stepId !== task.stepId) throw stepNotCurrent(task, stepId)
}

const closedAs = (comment: string): Outcome => ({ events: [{ is: 'closed', outcome: 'cancelled', comment }] })

/**
 * Refuses to let someone decide by administering, or choose who decides, what they may not give themselves. Whom a policy
 * names may hand a step on to those who may (decision 0125).
 */
async function refuseChoosing(tx: Tx, call: Call, task: Task, { action, newUserIds = [] }: Wanted): Promise<void> {
  if (action !== 'skip-step' && action !== 'reassign') return
  const ref = { appId: task.appId, id: task.entitlementId }
  const beyond =
    action === 'skip-step' || personOf(call, task).isAdministrator
      ? null
      : await listBeyondReach(
          tx,
          { tenantId: call.tenant.id, at: call.now(), permittedTo: permittedIn(call, call.tenant.id) },
          ref,
          { asOwners: [], others: newUserIds },
        )
  if (beyond === null || beyond.size > 0) await refuseGivingBeyondReach(tx, call, [ref])
}

/** What comes of an action. */
type Outcome = { events: readonly TaskEvent[]; effects?: readonly Effect[]; refusal?: Refusal }

/**
 * Whether someone may do it only because the step is theirs. Who hands a step on that is no longer theirs would choose who
 * decides it.
 */
function isByAssignment({ call, task, wanted: { action } }: Doing): boolean {
  if (ofAssignees.has(action)) return true
  const { isAdministrator, isRequester, isSubject } = personOf(call, task)
  if (action === 'update-request-data') return !isRequester && !isSubject
  if (task.kind === 'change' && (action === 'reassign' || action === 'skip-step')) return true
  return (action === 'reassign' || action === 'update-grant-duration') && !isAdministrator
}

/**
 * What an action does. Who is assigned but could not be any more (their manager's place is another's, they left the group)
 * decides nothing: the step goes to those who can, which stays, and the caller is refused.
 */
async function eventsOf(
  doing: Doing,
  allowed: ReadonlySet<ActionName>,
  moved: readonly TaskEvent[] | null,
): Promise<Outcome> {
  const { facts, call, task, state, now, wanted } = doing
  const { action } = wanted
  if (moved && !isAmong(moved, call.actor.userId)) {
    const left = new Set([...allowed].filter((name) => !isByAssignment({ ...doing, wanted: { action: name } })))
    return { events: moved, refusal: actionNotAllowed(task, action, left) }
  }
  const done = await does[action](doing)
  const { events, effects = [] } = 'events' in done ? done : { events: done }
  if (action === 'comment') return { events, effects }
  const acted: TaskEvent = { is: 'acted', action, stepId: now?.id ?? '' }
  const isLookedAt = state.stuckWhy !== null && !leavesStep.has(action)
  if (!isLookedAt || now?.step.kind === 'wait') return { events: [acted, ...events], effects }
  // What stopped a task may be mended by now: it is looked at again.
  const again = action === 'process' ? [] : await recalculated(facts, { task, state: { ...state, stuckWhy: null } })
  return { events: [acted, { is: 'resumed' }, ...again, ...events], effects }
}

/** Two about the same access cannot both be open: of one that is doing again, the index says so when it is written. */
export async function reopening<T>(call: Call, taskId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown }
    // A shard of a distributed table adds its number to the name.
    if (code !== '23505' || !/^tasks_(open|offboarding)_once/.test(String(constraint))) throw error
    const task = await findTask(call.db, call.tenant.id, taskId)
    const twin = task && (await findOpenTwin(call.db, call.tenant.id, task))
    throw twin
      ? taskExists(twin)
      : new Refusal('LOST_RACE', 'The same object was being changed by another request; try again.')
  }
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

type Does = (doing: Doing) => Promise<readonly TaskEvent[] | Outcome> | readonly TaskEvent[]

const does: Record<ActionName, Does> = {
  approve: (doing) => decide(doing, true),
  deny: (doing) => decide(doing, false),
  comment({ wanted: { comment = '' } }) {
    if (comment.trim() === '') throw invalid({ field: 'comment', description: 'must not be empty' })
    return [{ is: 'commented', comment }]
  },
  close: ({ wanted: { comment = '' } }) => [{ is: 'closed', outcome: 'cancelled', comment }],
  reassign,
  restart: ({ wanted: { comment = '' } }) => [{ is: 'restarted', comment }],
  async reset(doing) {
    const { kind } = doing.task
    if (kind !== 'grant' && kind !== 'revoke') throw invalid({ field: 'task_id', description: 'cannot be reset' })
    return [...commented(doing), ...(await routed(doing, { kind, isEmergency: doing.state.isEmergency }))]
  },
  'skip-step': ({ now, wanted: { comment = '' } }) =>
    now ? [{ is: 'ended', stepId: now.id, outcome: 'skipped', comment }] : [],
  async escalate(doing) {
    const route = await routed(doing, { kind: 'grant', isEmergency: true })
    const { durationSeconds, answers } = doing.state
    return [...commented(doing), { is: 'created', durationSeconds, answers, isEmergency: true }, ...route]
  },
  async process({ facts, task, state, now }) {
    if (now?.step.kind === 'wait') return whenAsked(facts, { task, state })
    const events = await recalculated(facts, { task, state: { ...state, stuckWhy: null } })
    return task.kind === 'offboarding' ? { events, effects: [{ do: 'continue offboarding', taskId: task.id }] } : events
  },
  async 'update-grant-duration'(doing) {
    const { wanted, state, call } = doing
    if (wanted.durationSeconds === null || wanted.durationSeconds === undefined)
      throw invalid({ field: 'duration', description: 'must be given' })
    const terms = await termsNow(doing)
    const durationSeconds = durationOf(wanted.durationSeconds, terms, 'duration')
    if (durationSeconds === state.durationSeconds) return []
    const change = { is: 'duration changed', durationSeconds } as const
    const other = await routedOtherwise(doing, terms, durationSeconds)
    return other ? [change, other] : changed(state, change, { by: call.actor.userId, newId: call.newId })
  },
  'update-request-data': answer,
  // What was approved stays approved: only what failed is done again.
  'retry-provisioning': ({ wanted: { comment = '' } }) => [{ is: 'retried', comment }],
  async 'provision-complete'({ task, state, now, wanted: { comment = '' } }) {
    if (!now) return []
    const effects = isLastProvision(state, now.place) ? [recordAccess({ task, state }, true)] : []
    return { events: [{ is: 'ended', stepId: now.id, outcome: 'provisioned', comment }], effects }
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

const commented = ({ wanted: { comment = '' } }: Doing): TaskEvent[] =>
  comment.trim() === '' ? [] : [{ is: 'commented', comment }]

/** What applies to the request now, routing rules included. */
async function termsNow({ facts, call, task }: Pick<Doing, 'facts' | 'call' | 'task'>): Promise<Terms> {
  const terms = await (task.kind === 'grant' ? termsOf(facts.tx, call, task) : facts.terms(task))
  if (!terms) throw new Refusal('ENTITLEMENT_NOT_FOUND', 'The entitlement of this task was deleted.')
  return terms
}

async function routed(doing: Doing, of: { kind: 'grant' | 'revoke'; isEmergency: boolean }): Promise<TaskEvent[]> {
  const { facts, task, state } = doing
  const { durationSeconds } = state
  const terms = await termsNow(doing)
  return [settingsOf(of, terms), await routeBy(facts, task, { policyId: policyOf(of, terms), terms, durationSeconds })]
}

/**
 * The steps that the policy demands for another duration; null where it demands the same. Otherwise who asks for an hour, which
 * one person approves, would be given a year by that one person.
 */
async function routedOtherwise(
  { facts, task, state: { durationSeconds: before, policyId } }: Doing,
  terms: Terms,
  durationSeconds: number | null,
): Promise<Routed | null> {
  const routeFor = (seconds: number | null) => routeBy(facts, task, { policyId, terms, durationSeconds: seconds })
  // Both by the policy as it is now: that it was changed since is no reason to leave the steps that the task began with.
  const [old, other] = [await routeFor(before), await routeFor(durationSeconds)]
  return isDeepStrictEqual(old.wire, other.wire) ? null : other
}

/** Other answers: by the rules of the forms of the route, as one and only together with what was answered before. */
async function answer(doing: Doing): Promise<readonly TaskEvent[]> {
  const { facts, call, now, state, wanted } = doing
  const { answers: sent, answersIn = 'data' } = wanted
  if (!sent) throw invalid({ field: answersIn, description: 'must be given' })
  const form = now?.step.kind === 'form' ? now.step.form : null
  const all = { ...state.answers, ...sent }
  const { answers, problems } = await checkAll(facts.tx, facts.tenantId, formsIn(state.route), all, call.now())
  const missing = (form ? missingIn(form, answers, call.now()) : []).map((field) => ({
    field,
    description: 'must be answered',
  }))
  const [first, ...others] = [...problems, ...missing].map(({ field, description }) => ({
    field: `${answersIn}.${field}`,
    description,
  }))
  if (first) throw invalid(first, ...others)
  const change = { is: 'answers changed', answers } as const
  if (form && isFirstAnswer(form, state.answers, answers))
    return [...commented(doing), change, { is: 'ended', stepId: now?.id ?? '', outcome: 'answered', comment: '' }]
  const events = [...commented(doing), ...changed(state, change, { by: call.actor.userId, newId: call.newId })]
  return form && events.at(-1) === change
    ? [...events, { is: 'ended', stepId: now?.id ?? '', outcome: 'answered', comment: '' }]
    : events
}

function decide({ task, state, now, wanted }: Doing, isApproval: boolean): readonly TaskEvent[] {
  const stepId = wanted.stepId || (now?.id ?? '')
  const { comment = '', revision = '' } = wanted
  const seen = revision === '' ? null : Number(revision)
  const events = decided(state, { stepId, isApproval, comment, revision: seen })
  if ('why' in events) throw refusalOf(task, stepId, events)
  return events
}

function refusalOf(task: Task, stepId: string, { why }: Refused): Refusal {
  if (why === 'REASON_MISSING')
    return new Refusal('TASK_REASON_REQUIRED', 'The policy requires a reason for this decision.', {
      violations: [{ field: 'comment', description: 'must not be empty' }],
    })
  if (why === 'NOT_SEEN')
    return new Refusal('TASK_CHANGED', 'The duration or the answers of this request changed since. Review it again.', {
      metadata: { taskId: task.id },
    })
  return stepNotCurrent(task, stepId)
}

/** The same step, decided by named people: by the rules of the step, and only whom the policy allows. */
async function reassign({ facts, call, task, state, now, wanted }: Doing): Promise<readonly TaskEvent[]> {
  const { newUserIds = [], comment = '' } = wanted
  if (!now || (now.step.kind !== 'approval' && now.step.kind !== 'provision')) return []
  if (newUserIds.length === 0) throw invalid({ field: 'newStepUserIds', description: 'must not be empty' })
  const step = now.step.kind === 'approval' ? now.step : null
  const allowed = step?.reassignment.to ?? []
  const others = newUserIds.filter((id) => allowed.length > 0 && !allowed.includes(id))
  if (others.length > 0 && (task.kind === 'change' || !personOf(call, task).isAdministrator))
    throw invalid({ field: 'newStepUserIds', description: `the policy does not allow ${others.join(', ')}` })
  if (step?.reassignment.needsReason && comment.trim() === '')
    throw new Refusal('TASK_REASON_REQUIRED', 'The policy requires a reason for this reassignment.', {
      violations: [{ field: 'comment', description: 'must not be empty' }],
    })
  const asStep: ApprovalStep = {
    ...(step ?? carrying({ by: 'appOwners' })),
    approvers: { by: 'users', userIds: newUserIds },
    fallback: null,
  }
  const found = await findApprovers(facts, { task, state }, asStep)
  if (found.tried.length > 0)
    throw invalid({
      field: 'newStepUserIds',
      description: `none of them can decide this step: ${found.leftOut.map(({ userId, why }) => `${userId} (${why})`).join(', ') || 'unknown users'}`,
    })
  const assignees: Assignee[] = found.assignees.map((each) => ({ ...each, why: 'reassigned' }))
  const newStepId = call.newId()
  return [{ is: 'reassigned', stepId: now.id, newStepId, assignees, comment, expiresAt: now.expiresAt }]
}
