import { isDeepStrictEqual } from 'node:util'
import { listBeyondReach, refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import { type Terms, termsOf, unroutedTerms } from '#rooms/governance/terms/index.ts'
import { permittedIn } from '#rooms/identity/roles/index.ts'
import { checkAll, formsIn, isFirstAnswer, missingIn } from '../answers.ts'
import { durationOf, policyOf } from '../by-terms.ts'
import { carry } from '../carry.ts'
import { findApprovers } from '../facts/approvers.ts'
import { whyGone } from '../facts/find.ts'
import { findSubject } from '../facts/store.ts'
import { refuseFormerDelegate } from '../former-delegates.ts'
import type { ActionName } from '../machine/action.ts'
import { changed, decided, type Refused } from '../machine/decide.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf } from '../machine/fold.ts'
import type { Task } from '../machine/record.ts'
import type { Ran } from '../machine/run.ts'
import type { Assignee, Instance, TaskState } from '../machine/task.ts'
import { beginOffboarding } from '../offboarding/begin.ts'
import { allowedTo } from '../present.ts'
import { carrying } from '../provisioning/manual.ts'
import { isLastProvision } from '../provisioning/provisioner.ts'
import { giveOrTake } from '../provisioning/records.ts'
import { findHoldings } from '../provisioning/store.ts'
import { actionNotAllowed, stepNotCurrent, taskExists, taskHistoryFull } from '../refuse.ts'
import { type Routed, routeBy, settingsOf } from '../route.ts'
import { getTask, holdTask, isNumber, personOf } from '../sight.ts'
import { addActor, findOpenTwin, findTask, lockOpenTwin } from '../store.ts'
import { whenAsked } from '../timers.ts'
import { isAmong, type Looked, recalculated } from './people.ts'

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

type Opened = Looked & { call: Call; now: Instance | null; wanted: Wanted }

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
  const done = await reopening(call, taskId, () => transact(call.db, (tx) => actIn(tx, call, taskId, wanted)))
  if (done.refusal) throw done.refusal
  return done.ran
}

type Done = { ran: Ran; refusal: Refusal | null }

/*
 * Four round trips for an approval that gives access: the task and its events, what has to be known, all that is written, and
 * COMMIT. They were eight, with 21 statements; now there are 17.
 */
export async function actIn(tx: Tx, call: Call, id: string, wanted: Wanted): Promise<Done> {
  const { task, state } = await holdTask(tx, call, id)
  const allowed = await allowedTo(tx, call, task, { state })
  const { stepId = '', action } = wanted
  if (isOutdated(wanted, state)) throw refusalOf(task, stepId, { why: 'NOT_SEEN' })
  if (stepId !== '' && stepId !== task.stepId) throw stepNotCurrent(task, stepId)
  if (!allowed.has(action)) throw actionNotAllowed(task, action, allowed)
  await refuseFormerDelegate(tx, call, currentOf(state), action)
  if (task.kind === 'grant') await refuseChoosing(tx, call, task, wanted)
  if (task.version >= eventsMax && !ends.has(action)) throw taskHistoryFull(task, eventsMax)
  const twin = state.isOpen || action === 'comment' ? null : await lockOpenTwin(tx, call.tenant.id, task)
  if (twin) throw taskExists(twin)
  const now = currentOf(state)
  const isLookedAt = state.isOpen && action !== 'comment' && action !== 'close'
  const subject =
    isLookedAt && task.subjectUserId !== '' ? findSubject(tx, call.tenant.id, task.subjectUserId, call.now()) : null
  subject?.catch(() => {})
  const opened: Opened = { tx, call, doing: call, task, state, now, wanted, subject }
  // Who could decide is looked up along with whether there is still something to decide, and where it would be given.
  const people = isByAssignment(opened) ? recalculated(opened, now) : null
  people?.catch(() => {})
  const isAboutAccess = task.kind !== 'offboarding' && task.kind !== 'change' && action !== 'comment'
  const known = isAboutAccess && state.isOpen ? unroutedTerms(tx, call, task) : null
  known?.catch(() => {})
  const holding = givesNext(opened) ? findHoldings(tx, call.tenant.id, task, call.now()) : null
  holding?.catch(() => {})
  const gone = isLookedAt ? await whyGone(tx, call, task, known, subject) : null
  const [terms, holdings] = await Promise.all([known, holding])
  const { events, refusal } = gone
    ? { events: [{ is: 'closed', outcome: 'cancelled', comment: gone } as const], refusal: null }
    : await eventsOf(opened, allowed, people)
  const isService = gone !== null || refusal !== null
  const verb = gone ? 'Cancelled, because its object no longer exists,' : refusal ? 'Assigned again' : verbs[action]
  const by = isService ? '' : call.actor.userId
  const ran = await carry(tx, call, causeOf(call), task, state, {
    events,
    by,
    verb,
    terms,
    holdings,
    subject,
  })
  // Who decided has been noted with the decision.
  if (!refusal && !ran.task.approverIds.includes(call.actor.userId))
    await addActor(tx, call.tenant.id, task.id, call.actor.userId)
  return { ran, refusal }
}

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

/** Whether what is done may be the last that is missing before access is given. */
const givesNext = ({ task, state, now, wanted: { action } }: Opened): boolean =>
  action === 'approve' &&
  task.kind === 'grant' &&
  task.accountId === '' &&
  now !== null &&
  state.route[now.place + 1]?.kind === 'provision'

/** What was seen is told to be something else: that says more than that the step has another id by now. */
const isOutdated = ({ revision = '' }: Wanted, state: TaskState): boolean =>
  revision !== '' && Number(revision) !== state.revision

type Events = { events: readonly TaskEvent[]; refusal: Refusal | null }

/**
 * Whether someone may do it only because the step is theirs. Who hands a step on that is no longer theirs would choose who
 * decides it.
 */
function isByAssignment({ call, task, wanted: { action } }: Pick<Opened, 'call' | 'task' | 'wanted'>): boolean {
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
  opened: Opened,
  allowed: ReadonlySet<ActionName>,
  people: Promise<readonly TaskEvent[]> | null,
): Promise<Events> {
  const { call, task, state, now, wanted } = opened
  const { action } = wanted
  if (people) {
    const moved = await people
    if (!isAmong(moved, call.actor.userId)) {
      const left = new Set([...allowed].filter((name) => !isByAssignment({ ...opened, wanted: { action: name } })))
      return { events: moved, refusal: actionNotAllowed(task, action, left) }
    }
  }
  const done = await does[action](opened)
  const acted: TaskEvent = { is: 'acted', action, stepId: now?.id ?? '' }
  const events = action === 'comment' ? done : [acted, ...done]
  const isLookedAt = state.stuckWhy !== null && action !== 'comment' && !leavesStep.has(action)
  if (!isLookedAt || now?.step.kind === 'wait') return { events, refusal: null }
  // What stopped a task may be mended by now: it is looked at again.
  const again = action === 'process' ? [] : await recalculated({ ...opened, state: { ...state, stuckWhy: null } }, now)
  return { events: [acted, { is: 'resumed' }, ...again, ...done], refusal: null }
}

/** Two about the same access cannot both be open: of one that is opened again, the index says so when it is written. */
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
    const { kind } = opened.task
    if (kind !== 'grant' && kind !== 'revoke') throw invalid({ field: 'task_id', description: 'cannot be reset' })
    return [...commented(opened), ...(await routed(opened, { kind, isEmergency: opened.state.isEmergency }))]
  },
  'skip-step': ({ now, wanted: { comment = '' } }) =>
    now ? [{ is: 'ended', stepId: now.id, outcome: 'skipped', comment }] : [],
  async escalate(opened) {
    const route = await routed(opened, { kind: 'grant', isEmergency: true })
    const { durationSeconds, answers } = opened.state
    return [...commented(opened), { is: 'created', durationSeconds, answers, isEmergency: true }, ...route]
  },
  async process(opened) {
    const { tx, call, task, state, now } = opened
    if (task.kind === 'offboarding') await beginOffboarding(tx, call, task)
    if (now?.step.kind === 'wait') return whenAsked(tx, call, task, state, now)
    return recalculated({ ...opened, state: { ...state, stuckWhy: null } }, now)
  },
  async 'update-grant-duration'({ wanted, state, ...opened }) {
    if (wanted.durationSeconds === null || wanted.durationSeconds === undefined)
      throw invalid({ field: 'duration', description: 'must be given' })
    const terms = await termsNow(opened)
    const durationSeconds = durationOf(wanted.durationSeconds, terms, 'duration')
    if (durationSeconds === state.durationSeconds) return []
    const change = { is: 'duration changed', durationSeconds } as const
    const other = await routedOtherwise({ ...opened, terms }, state, durationSeconds)
    return other ? [change, other] : changed(state, change, { by: opened.call.actor.userId, newId: opened.call.newId })
  },
  'update-request-data': answer,
  // What was approved stays approved: only what failed is done again.
  'retry-provisioning': ({ wanted: { comment = '' } }) => [{ is: 'retried', comment }],
  async 'provision-complete'({ tx, call, task, state, now, wanted: { comment = '' } }) {
    if (!now) return []
    const isLast = isLastProvision(state, now.place)
    if (isLast) await giveOrTake({ tx, call, task, state, isLast, isCarriedOut: true })
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

/** What applies to the request now, routing rules included. */
async function termsNow({ tx, call, task }: Pick<Opened, 'tx' | 'call' | 'task'>): Promise<Terms> {
  const terms = await (task.kind === 'grant' ? termsOf : unroutedTerms)(tx, call, task)
  if (!terms) throw new Refusal('ENTITLEMENT_NOT_FOUND', 'The entitlement of this task was deleted.')
  return terms
}

async function routed(opened: Opened, of: { kind: 'grant' | 'revoke'; isEmergency: boolean }): Promise<TaskEvent[]> {
  const { tx, call, task, state } = opened
  const terms = await termsNow(opened)
  return [settingsOf(of, terms), await routeBy(tx, call, task, state, policyOf(of, terms), terms)]
}

/**
 * The steps that the policy demands for another duration; null where it demands the same. Otherwise who asks for an hour, which
 * one person approves, would be given a year by that one person.
 */
async function routedOtherwise(
  { tx, call, task, terms }: Pick<Opened, 'tx' | 'call' | 'task'> & { terms: Terms },
  { durationSeconds: before, policyId }: TaskState,
  durationSeconds: number | null,
): Promise<Routed | null> {
  const routeFor = (seconds: number | null) => routeBy(tx, call, task, { durationSeconds: seconds }, policyId, terms)
  // Both by the policy as it is now: that it was changed since is no reason to leave the steps that the task began with.
  const [old, other] = [await routeFor(before), await routeFor(durationSeconds)]
  return isDeepStrictEqual(old.wire, other.wire) ? null : other
}

/** Other answers: by the rules of the forms of the route, as one and only together with what was answered before. */
async function answer(opened: Opened): Promise<readonly TaskEvent[]> {
  const { tx, call, now, state, wanted } = opened
  const { answers: sent, answersIn = 'data' } = wanted
  if (!sent) throw invalid({ field: answersIn, description: 'must be given' })
  const form = now?.step.kind === 'form' ? now.step.form : null
  const all = { ...state.answers, ...sent }
  const { answers, problems } = await checkAll(tx, call.tenant.id, formsIn(state.route), all, call.now())
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
    return [...commented(opened), change, { is: 'ended', stepId: now?.id ?? '', outcome: 'answered', comment: '' }]
  const events = [...commented(opened), ...changed(state, change, { by: call.actor.userId, newId: call.newId })]
  return form && events.at(-1) === change
    ? [...events, { is: 'ended', stepId: now?.id ?? '', outcome: 'answered', comment: '' }]
    : events
}

function decide({ task, state, now, wanted }: Opened, isApproval: boolean): readonly TaskEvent[] {
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
async function reassign({ tx, call, task, state, now, wanted }: Opened): Promise<readonly TaskEvent[]> {
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
  const found = await findApprovers(tx, call, call.tenant.id, task, state, asStep)
  if (found.tried.length > 0)
    throw invalid({
      field: 'newStepUserIds',
      description: `none of them can decide this step: ${found.leftOut.map(({ userId, why }) => `${userId} (${why})`).join(', ') || 'unknown users'}`,
    })
  const assignees: Assignee[] = found.assignees.map((each) => ({ ...each, why: 'reassigned' }))
  const newStepId = call.newId()
  return [{ is: 'reassigned', stepId: now.id, newStepId, assignees, comment, expiresAt: now.expiresAt }]
}
