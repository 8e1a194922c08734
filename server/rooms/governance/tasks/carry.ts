import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { change, record } from '#rooms/foundation/systemlog/index.ts'
import { carryOut, together } from './effects/carry-out.ts'
import type { Facts } from './facts/facts.ts'
import { findFact } from './facts/find.ts'
import { replay } from './machine/fold.ts'
import { isAgain, type Snapshot } from './machine/record.ts'
import { assigneesOf, type Happening, type Ran, unfold } from './machine/unfold.ts'
import { taskExists } from './refuse.ts'
import {
  addActor,
  findOpenTwin,
  findTask,
  insertTask,
  insertTaskEvents,
  listTaskEvents,
  lockEndsOf,
  putAssignees,
  updateTask,
} from './store.ts'
import type { Deciding } from './verdict.ts'

/** `by` is empty for the service itself; `verb` and `activity` are for the system log: `Approved`. */
export type Carried = Happening & { verb: string; activity?: 'create' | 'update'; isNew?: boolean }

/**
 * Applies events to a task: determines what follows from them, and then writes everything in one round trip, with the
 * effects and the event of the system log.
 */
export async function carry(facts: Facts, cause: Deciding, before: Snapshot, carried: Carried): Promise<Ran> {
  const { verb, activity = 'update', isNew = false } = carried
  const { tx, world, tenantId } = facts
  const ran = await unfold(world, before, carried, (of, need) => findFact(facts, of, need))
  const { task } = ran
  const message = `${verb} task ${task.number}: ${task.displayName}`
  const logged = change(cause, activity, message, [touchedBy(ran)])
  // Access that was granted again must not end because it had expired before.
  const isGivenAgain = task.kind === 'grant' && task.outcome === 'done' && !isAgain(task)
  const expiring = isGivenAgain ? lockEndsOf(tx, tenantId, task) : Promise.resolve([])
  // One round trip for everything: the statements are executed in this order.
  await together([
    write(facts, before, ran, isNew),
    record(tx, world, cause, logged),
    carryOut(facts, cause, task.id, ran.effects),
    expiring,
  ])
  for (const each of await expiring) {
    const state = replay(await listTaskEvents(tx, tenantId, each.id))
    const comment = `Task ${task.number} granted this access again.`
    const events = [{ is: 'closed', outcome: 'cancelled', comment }] as const
    await carry(facts, cause, { task: each, state }, { events, by: '', verb: 'Closed' })
  }
  return ran
}

function touchedBy({ task, events }: Ran) {
  const { kind, number, appId, entitlementId, subjectUserId, policyId, isOpen, outcome, stepId } = task
  const data = {
    kind,
    number,
    appId,
    entitlementId,
    subjectUserId,
    policyId,
    isOpen,
    outcome,
    stepId,
    events: events.map((event) => ({
      id: event.id,
      is: event.is,
      ...('outcome' in event && { outcome: event.outcome }),
    })),
  }
  return { type: 'task', id: task.id, name: task.displayName, data }
}

/** Writes the task and its new events. */
async function write({ tx, tenantId }: Facts, before: Snapshot, ran: Ran, isNew: boolean): Promise<void> {
  const { task } = ran
  const newActors = task.approverIds.filter((id) => !before.task.approverIds.includes(id))
  const row = isNew ? insertTask(tx, tenantId, task) : updateTask(tx, tenantId, task)
  const others = together([
    insertTaskEvents(tx, tenantId, task.id, before.task.version + 1, ran.events),
    putAssignees(tx, tenantId, task.id, { before: assigneesOf(before.state), after: assigneesOf(ran.state) }),
    ...newActors.map((id) => addActor(tx, tenantId, task.id, id)),
  ])
  const [inserted, rest] = await Promise.allSettled([row, others])
  if (inserted.status === 'rejected') throw inserted.reason
  // Another task for the same access was opened after the check, so the row was not inserted, and its events would have no
  // task. With this code the transaction is run again (`transact`), and finds that task.
  if (inserted.value === false)
    throw Object.assign(new Error('Another task for the same access was created in the meantime.'), { code: '40001' })
  if (rest.status === 'rejected') throw rest.reason
}

/**
 * Two tasks for the same access cannot both be open: if a closed one is opened again, the index detects that when it is
 * written.
 */
export async function reopening<T>(call: Call, taskId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown }
    // A shard of a distributed table appends its number to the name.
    if (code !== '23505' || !/^tasks_(open|offboarding)_once/.test(String(constraint))) throw error
    const task = await findTask(call.db, call.tenant.id, taskId)
    const twin = task && (await findOpenTwin(call.db, call.tenant.id, task))
    throw twin
      ? taskExists(twin)
      : new Refusal('LOST_RACE', 'The same object was being changed by another request; try again.')
  }
}
