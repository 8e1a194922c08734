import type { May } from '#authority/proof.ts'
import { listBeyondReach, refuseGivingBeyondReach } from '#authority/reach/index.ts'
import type { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { permittedIn } from '#rooms/identity/roles/index.ts'
import { carry, reopening } from '../carry.ts'
import { Facts } from '../facts/facts.ts'
import { whyGone } from '../facts/find.ts'
import type { ActionName } from '../machine/action.ts'
import type { TaskEvent } from '../machine/event.ts'
import { factsWanted } from '../machine/facts-wanted.ts'
import { currentOf } from '../machine/fold.ts'
import type { Snapshot, Task } from '../machine/record.ts'
import type { Ran } from '../machine/unfold.ts'
import { allowedTo } from '../present.ts'
import { actionNotAllowed, stepNotCurrent, taskExists, taskHistoryFull } from '../refuse.ts'
import { getTask, holdTask, isNumber, personOf } from '../sight.ts'
import { addActor } from '../store.ts'
import { allowing } from '../verdict.ts'
import { type AskedAction, actionRules, type Outcome, refusalOf, type Wanted } from './action-rules.ts'
import { isAmong, recalculated, refuseFormerDelegate } from './people.ts'

/** Actions that also require that the caller could be assigned now: the reason for the assignment may no longer apply. */
const ofAssignees: ReadonlySet<ActionName> = new Set([
  'approve',
  'deny',
  'provision-complete',
  'provision-errored',
  'provision-cancelled',
])
/** Actions that lead to the end of a task: they remain possible regardless of the length of its history. */
const ends: ReadonlySet<ActionName> = new Set([...ofAssignees, 'close', 'skip-step'])
// The whole history is read whenever the task is: endless comments must not make it slow for others.
const eventsMax = 2_000
/** Actions that leave the current step, regardless of why it was stuck. */
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
 * Performs an action on a task, if the caller may: only what `actionsOf` allows. The row is locked, so that of two
 * concurrent decisions one is first; for the other one the step is then no longer current.
 */
export async function act(call: May<'tasks.act'>, id: string, wanted: Wanted): Promise<Ran> {
  const taskId = isNumber(id) ? (await getTask(call.db, call, id)).id : id
  const done = await reopening(call, taskId, () =>
    transact(call.db, (tx) => actIn(new Facts(tx, call), call, taskId, wanted)),
  )
  if (done.refusal) throw done.refusal
  return done.ran
}

type Done = { ran: Ran; refusal: Refusal | null }

/*
 * Four round trips for an approval that grants access: the task and its events, the facts, all writes, and COMMIT. There
 * used to be eight, with 21 statements; now there are 17 statements.
 */
export async function actIn(facts: Facts, call: May<'tasks.act'>, id: string, wanted: Wanted): Promise<Done> {
  const { tx, tenantId } = facts
  const before = await holdTask(tx, call, id)
  const { task, state } = before
  const allowed = await allowedTo(tx, call, task, { state })
  const now = currentOf(state)
  const { action } = wanted
  refuseOutdated(before, wanted)
  const cause = allowing(call, task, action, allowed)
  await refuseFormerDelegate(facts, call, now, action)
  if (task.kind === 'grant') await refuseChoosing(tx, call, task, wanted)
  if (task.version >= eventsMax && !ends.has(action)) throw taskHistoryFull(task, eventsMax)
  const twin = state.isOpen || action === 'comment' ? null : await facts.openTwin(task)
  if (twin) throw taskExists(twin)
  const asked: AskedAction = { facts, call, task, state, now, wanted }
  // In one round trip: whether there is still something to decide, who could decide it, and the facts needed to grant it.
  const isLookedAt = state.isOpen && action !== 'comment' && action !== 'close'
  const [gone, moved] = await Promise.all([
    isLookedAt ? whyGone(facts, task) : null,
    isByAssignment(asked) ? recalculated(facts, before) : null,
    facts.read(task, factsWanted(before, action)),
  ])
  const { events, effects = [], refusal = null } = gone ? closedAs(gone) : await eventsOf(asked, allowed, moved)
  const isService = gone !== null || refusal !== null
  const verb = gone ? 'Cancelled, because its object no longer exists,' : refusal ? 'Assigned again' : verbs[action]
  const by = isService ? '' : call.actor.userId
  const ran = await carry(facts, cause, before, { events, effects, by, verb })
  // Deciders were added with the decision.
  if (!refusal && !ran.task.approverIds.includes(call.actor.userId))
    await addActor(tx, tenantId, task.id, call.actor.userId)
  return { ran, refusal }
}

/** Refuses actions on a task that has changed since the client saw it. */
function refuseOutdated({ task, state }: Snapshot, { stepId = '', revision = '' }: Wanted): void {
  // Checked first: this is more specific than that the id of the step has changed.
  if (revision !== '' && Number(revision) !== state.revision) throw refusalOf(task, stepId, { why: 'NOT_SEEN' })
  if (stepId !== '' && stepId !== task.stepId) throw stepNotCurrent(task, stepId)
}

const closedAs = (comment: string): Outcome => ({ events: [{ is: 'closed', outcome: 'cancelled', comment }] })

/**
 * Administrators cannot decide, or choose who decides, requests for access that they may not grant themselves. People named
 * by a policy can reassign a step to those who may (decision 0125).
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

/**
 * Whether someone may perform an action only because the step is assigned to them. If someone could reassign a step that
 * should no longer be theirs, they would choose who decides it.
 */
function isByAssignment({ call, task, wanted: { action } }: AskedAction): boolean {
  if (ofAssignees.has(action)) return true
  const { isAdministrator, isRequester, isSubject } = personOf(call, task)
  if (action === 'update-request-data') return !isRequester && !isSubject
  if (task.kind === 'change' && (action === 'reassign' || action === 'skip-step')) return true
  return (action === 'reassign' || action === 'update-grant-duration') && !isAdministrator
}

/**
 * The events of an action. An assignee who could no longer be assigned (their report has another manager, they left the
 * group) decides nothing: the step is assigned to those who can decide, which is kept, and the caller is refused.
 */
async function eventsOf(
  asked: AskedAction,
  allowed: ReadonlySet<ActionName>,
  moved: readonly TaskEvent[] | null,
): Promise<Outcome> {
  const { facts, call, task, state, now, wanted } = asked
  const { action } = wanted
  if (moved && !isAmong(moved, call.actor.userId)) {
    const left = new Set([...allowed].filter((name) => !isByAssignment({ ...asked, wanted: { action: name } })))
    return { events: moved, refusal: actionNotAllowed(task, action, left) }
  }
  const done = await actionRules[action](asked)
  const { events, effects = [] } = 'events' in done ? done : { events: done }
  if (action === 'comment') return { events, effects }
  const acted: TaskEvent = { is: 'acted', action, stepId: now?.id ?? '' }
  const isLookedAt = state.stuckWhy !== null && !leavesStep.has(action)
  if (!isLookedAt || now?.step.kind === 'wait') return { events: [acted, ...events], effects }
  // What stopped a task may be fixed by now: it is checked again.
  const again = action === 'process' ? [] : await recalculated(facts, { task, state: { ...state, stuckWhy: null } })
  return { events: [acted, { is: 'resumed' }, ...again, ...events], effects }
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
