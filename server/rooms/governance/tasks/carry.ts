import { type Cause, change, record } from '#rooms/foundation/systemlog/index.ts'
import { carryOut, together } from './effects/carry-out.ts'
import type { Facts } from './facts/facts.ts'
import { findFact } from './facts/find.ts'
import { replay } from './machine/fold.ts'
import { isAgain } from './machine/record.ts'
import type { Snapshot } from './machine/snapshot.ts'
import { assigneesOf, type Happening, type Ran, unfold } from './machine/unfold.ts'
import {
  addActor,
  insertTask,
  insertTaskEvents,
  listTaskEvents,
  lockEndsOf,
  putAssignees,
  updateTask,
} from './store.ts'

/** `by` is empty for the service itself; `verb` and `activity` are for the system log: `Approved`. */
export type Carried = Happening & { verb: string; activity?: 'create' | 'update'; isNew?: boolean }

/**
 * What happens to a task: what follows from it is found out, and then all of it is written in one round trip, with its effects
 * and its event of the system log.
 */
export async function carry(facts: Facts, cause: Cause, before: Snapshot, carried: Carried): Promise<Ran> {
  const { verb, activity = 'update', isNew = false } = carried
  const { tx, world, tenantId } = facts
  const ran = await unfold(world, before, carried, (of, need) => findFact(facts, of, need))
  const { task } = ran
  const message = `${verb} task ${task.number}: ${task.displayName}`
  const logged = change(cause, activity, message, [touchedBy(ran)])
  // Access that was given again does not end because its time was over before.
  const isGivenAgain = task.kind === 'grant' && task.outcome === 'done' && !isAgain(task)
  const expiring = isGivenAgain ? lockEndsOf(tx, tenantId, task) : Promise.resolve([])
  // One round trip for all of it: the statements are carried out in this order.
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

/** Writes what became of a task. */
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
  // Somebody has opened one about the same since it was looked whether there is one, so that the row was not inserted, and its
  // events have nothing to be of. By this code all of it is done again (`transact`), and finds that one.
  if (inserted.value === false)
    throw Object.assign(new Error('Another task for the same access was created in the meantime.'), { code: '40001' })
  if (rest.status === 'rejected') throw rest.reason
}
