import type { May } from '#authority/proof.ts'
import { listBeyondReach, refuseGivingBeyondReach } from '#authority/reach/index.ts'
import type { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
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
import { type AskedAction, actionRules, type Outcome, refusalOf, type Wanted } from './action-rules.ts'
import { isAmong, recalculated, refuseFormerDelegate } from './people.ts'

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
  const asked: AskedAction = { facts, call, task, state, now, wanted }
  // In one round trip: whether there is still something to decide, who could decide it, and what has to be known to give it.
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

/**
 * Whether someone may do it only because the step is theirs. Who hands a step on that is no longer theirs would choose who
 * decides it.
 */
function isByAssignment({ call, task, wanted: { action } }: AskedAction): boolean {
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
  // What stopped a task may be mended by now: it is looked at again.
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
