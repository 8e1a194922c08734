import { jobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { serviceCause } from '#rooms/foundation/systemlog/index.ts'
import { type Outcome, provisioningEnded, takeOutcome } from '#rooms/records/connectors/index.ts'
import { carry } from '../carry.ts'
import { deleteWait, listWaits, type Wait } from '../effects/waits-store.ts'
import { carriersOf } from '../facts/carriers.ts'
import { Facts } from '../facts/facts.ts'
import { recordAccess } from '../machine/effect.ts'
import type { TaskEvent } from '../machine/event.ts'
import { currentOf, isLastProvision, replay } from '../machine/fold.ts'
import type { Snapshot, Task } from '../machine/record.ts'
import type { Instance } from '../machine/task.ts'
import type { Happening } from '../machine/unfold.ts'
import { listTaskEvents, lockTask } from '../store.ts'

/** Continues requests whose access a connector has granted or revoked, or could not. */
export const goOnProvisioned = jobKind(provisioningEnded, {
  title: 'Result of a connector',
  retry: { firstMs: 1_000, maxMs: 300_000, attemptsMax: 50 },
  limitPerTenant: 4,
  afterUnknown: 'retry',
  attemptMs: 60_000,
  handle: (call) =>
    transact(call.db, async (tx) => {
      const { rootId } = call.job.payload
      const waits = await listWaits(tx, call.tenant.id, { rootId })
      // Lock order: tasks before the connector, as everywhere.
      const tasks: [Wait, Task | null][] = []
      for (const wait of waits) tasks.push([wait, await lockTask(tx, call.tenant.id, wait.taskId)])
      const outcome = await takeOutcome(tx, call.tenant.id, call.job.payload)
      for (const [wait, task] of tasks) {
        await deleteWait(tx, call.tenant.id, wait)
        if (task?.isOpen && outcome) await goOn(new Facts(tx, call), task, wait, outcome)
      }
      await call.finishIn(tx)
    }),
})

async function goOn(facts: Facts, task: Task, wait: Wait, outcome: Outcome): Promise<void> {
  const { tx, tenantId, world } = facts
  const state = replay(await listTaskEvents(tx, tenantId, task.id))
  const now = currentOf(state)
  const isWaiting = now?.step.kind === 'provision' && now.generation === wait.generation && now.place === wait.place
  // It has been continued already, or people provision it by now.
  if (!now || !isWaiting || now.assignees.length > 0) return
  const follows = await whatFollows(facts, { task, state }, now, outcome)
  if (!follows) return
  const verb = outcome.state === 'done' ? 'The connector carried out' : 'The connector could not carry out'
  const cause = serviceCause(world.tenant, provisioningEnded.kind)
  await carry(facts, cause, { task, state }, { ...follows, by: '', verb })
}

type Follows = Pick<Happening, 'events' | 'effects'>

/** Null if there is more to wait for. */
async function whatFollows(
  facts: Facts,
  of: Snapshot,
  { id: stepId, place }: Instance,
  { state: is, error, accountId, isReplaced, connectorName }: Outcome,
): Promise<Follows | null> {
  const { tx, tenantId, world } = facts
  const { task, state } = of
  const others = await listWaits(tx, tenantId, { taskId: task.id })
  if (is === 'done') {
    // A revocation from several accounts waits for the others.
    if (others.length > 0) return null
    const about = task.kind === 'grant' ? { ...task, accountId } : task
    const comment = `Provisioned by the connector ${connectorName}.`
    return {
      events: [{ is: 'ended', stepId, outcome: 'provisioned', comment }],
      effects: isLastProvision(state, place) ? [recordAccess({ task: about, state }, true)] : [],
    }
  }
  for (const other of others) await deleteWait(tx, tenantId, other)
  const comment = `The connector ${connectorName} did not provision it: ${error}`
  if (isReplaced) {
    const ended: TaskEvent = { is: 'ended', stepId, outcome: 'not done', comment }
    return { events: [ended, { is: 'closed', outcome: 'cancelled', comment }] }
  }
  const failed: TaskEvent = { is: 'ended', stepId, outcome: 'failed', comment }
  const assignees = await carriersOf(facts, of, null)
  const then: TaskEvent =
    assignees.length === 0
      ? { is: 'closed', outcome: 'failed', comment }
      : { is: 'begun', stepId: world.newId(), assignees, expiresAt: null }
  return { events: [failed, then] }
}
