import type { May } from '#authority/proof.ts'
import { refuseGivingBeyondReach } from '#authority/reach/index.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { change, record } from '#rooms/foundation/systemlog/index.ts'
import { endGrants, insertGrants, type NewGrant } from '#rooms/records/grants/index.ts'
import { carry, reopening } from '../../carry.ts'
import { Facts } from '../../facts/facts.ts'
import { whyGone } from '../../facts/find.ts'
import type { TaskEvent } from '../../machine/event.ts'
import { replay } from '../../machine/fold.ts'
import type { Task } from '../../machine/record.ts'
import type { TaskState } from '../../machine/task.ts'
import type { Ran } from '../../machine/unfold.ts'
import { taskExists, taskHistoryFull, taskNotFound } from '../../refuse.ts'
import { getTask, personOf } from '../../sight.ts'
import { addActor, listTaskEvents, lockOpenTwin, lockTask } from '../../store.ts'
import { type Deciding, undoing } from '../../verdict.ts'
import { type EndedRow, type Undoable, undoable, whyNotGivenBack } from './decide.ts'
import { type GivenRow, hadEnd, listEndedBy, listGivenBy, listOtherSources } from './store.ts'

export type UndoPlan = Undoable & {
  /** The grants of the task, which end, with the other reasons for which the access stays held. */
  ends: readonly (GivenRow & { staysBy: readonly string[] })[]
  /** The grants that the task ended and that are restored, and those that cannot be. */
  givesBack: readonly EndedRow[]
  cannot: readonly { row: EndedRow; why: string }[]
  /** What people did manually, outside of this service. */
  byHand: readonly { userId: string; at: Date }[]
  /** Why the task is then closed instead of asking again. */
  gone: string | null
}

const eventsMax = 2_000

const askingOf = (call: Call, task: Task) => ({
  userId: call.actor.userId,
  isAdministrator: personOf(call, task).isAdministrator,
  now: call.now(),
})

/** The effects of undoing a decision. Writes nothing. */
async function planUndo(
  tx: Tx,
  call: Call,
  task: Task,
  state: TaskState,
  stepId: string,
): Promise<UndoPlan | { whyNot: string }> {
  const found = undoable(task, state, stepId, askingOf(call, task))
  if ('whyNot' in found) return found
  const now = call.now()
  const { tenant } = call
  const since = found.decision.at
  const given = task.kind === 'change' ? [] : await listGivenBy(tx, tenant.id, task, now)
  const ends = []
  for (const row of given) ends.push({ ...row, staysBy: await listOtherSources(tx, tenant.id, row, now) })
  const ended = task.kind === 'change' ? [] : await listEndedBy(tx, tenant.id, task, since)
  const isOverdue = task.kind === 'grant' && (await hadEnd(tx, tenant.id, task, since))
  const judged = ended.map((row) => ({ row, why: whyNotGivenBack(row, { isOverdue, now }) }))
  const from = state.instances.indexOf(found.decision.instance)
  const byHand = state.instances
    .slice(from)
    .flatMap(({ step, end }) =>
      step.kind === 'provision' && end?.outcome === 'provisioned' && end.by !== ''
        ? [{ userId: end.by, at: end.at }]
        : [],
    )
  return {
    ...found,
    ends,
    givesBack: judged.filter(({ why }) => why === null).map(({ row }) => row),
    cannot: judged.flatMap(({ row, why }) => (why === null ? [] : [{ row, why }])),
    byHand,
    gone: await whyGone(new Facts(tx, call), task),
  }
}

/** The plan for undoing a decision as the caller could now. */
export async function lookAtUndo(call: Call, id: string, stepId: string) {
  const task = await getTask(call.db, call, id)
  return transact(call.db, async (tx) => {
    const state = replay(await listTaskEvents(tx, call.tenant.id, task.id))
    return { task, plan: await planUndo(tx, call, task, state, stepId) }
  })
}

/**
 * Undoes a decision: the grants of the task end, only those for this reason; what it ended is granted again if that is still
 * possible; and the step is asked again. All in one transaction, which locks the task.
 */
export async function undoDecision(
  call: May<'tasks.act'>,
  id: string,
  { stepId, comment }: { stepId: string; comment: string },
): Promise<Ran> {
  const { id: taskId } = await getTask(call.db, call, id)
  return reopening(call, taskId, () => transact(call.db, (tx) => undoIn(tx, call, taskId, stepId, comment)))
}

async function undoIn(tx: Tx, call: May<'tasks.act'>, taskId: string, stepId: string, comment: string): Promise<Ran> {
  const task = await lockTask(tx, call.tenant.id, taskId)
  if (!task) throw taskNotFound(taskId)
  const state = replay(await listTaskEvents(tx, call.tenant.id, taskId))
  const plan = await planUndo(tx, call, task, state, stepId)
  if ('whyNot' in plan) throw notUndoable(task, plan.whyNot)
  if (task.version >= eventsMax) throw taskHistoryFull(task, eventsMax)
  const twin = state.isOpen ? null : await lockOpenTwin(tx, call.tenant.id, task)
  if (twin) throw taskExists(twin)
  for (const { appId, entitlementId: id } of plan.givesBack) await refuseGivingBeyondReach(tx, call, [{ appId, id }])
  const cause = undoing(call, plan)
  await takeBack(tx, call, cause, task, plan)
  const events: TaskEvent[] = [{ is: 'undone', stepId: plan.decision.instance.id, comment }]
  if (plan.gone !== null) events.push({ is: 'closed', outcome: 'cancelled', comment: plan.gone })
  const verb = `Undid the decision (${plan.decision.outcome}) of`
  const happening = { events, by: call.actor.userId, verb }
  const ran = await carry(new Facts(tx, call), cause, { task, state }, happening)
  await addActor(tx, call.tenant.id, task.id, call.actor.userId)
  return ran
}

const touchedMax = 50

/** Ends the grants of the task, restores those that it ended, and records both. */
async function takeBack(tx: Tx, call: Call, cause: Deciding, task: Task, { ends, givesBack }: UndoPlan): Promise<void> {
  const at = call.now()
  const { actor } = call
  // Ended by the person, not by the task: a second undo must only find what the task itself ended.
  await endGrants(tx, cause, ends, { by: actor.userId, at, source: 'request' })
  const rows = givesBack.map((row) => ({ ...row, id: call.newId() }))
  await insertGrants(
    tx,
    cause,
    rows.map(({ id, appId, entitlementId, accountId, source, grantedBy, grantedAt, expiresAt }) => ({
      id,
      appId,
      entitlementId,
      accountId,
      source: source as NewGrant['source'],
      grantedBy,
      grantedAt,
      ...(expiresAt && { expiresAt }),
    })),
    at,
  )
  if (ends.length + rows.length === 0) return
  const touched = [
    ...ends.map(({ id, appId, entitlementId, accountId }) => ({ id, appId, entitlementId, accountId, is: 'ended' })),
    ...rows.map(({ id, appId, entitlementId, accountId }) => ({
      id,
      appId,
      entitlementId,
      accountId,
      is: 'restored',
    })),
  ].slice(0, touchedMax)
  const message = `Undid what task ${task.number} did: ${ends.length} grants ended, ${rows.length} restored`
  await record(
    tx,
    call,
    cause,
    change(
      cause,
      'update',
      message,
      touched.map(({ id, ...data }) => ({ type: 'grant', id, data: { ...data, taskId: task.id } })),
    ),
  )
}

const notUndoable = (task: Task, why: string): Refusal =>
  new Refusal('DECISION_NOT_UNDOABLE', why, { metadata: { taskId: task.id } })
