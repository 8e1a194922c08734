import { slot } from '#kernel/memory.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { recordStopped } from '../standing.ts'
import { insertDeliveries, trimDeliveries } from '../store/deliveries.ts'
import {
  type Claimed,
  commitLater,
  type Failure,
  type Held,
  type Left,
  lockHeld,
  type Progress,
  release,
  saveFailure,
  saveProgress,
} from '../store/due.ts'
import type { Delivery } from '../subscription.ts'

/** What a run has to save. */
export type Entry = {
  claimed: Claimed
  /** Null if the cursor does not move. */
  progress: Progress | null
  deliveries: readonly Delivery[]
  isToTrim: boolean
  /** Set when the run ends. */
  left: Left | null
}

type Waiting = Entry & { done(held: Held | null): void; failed(error: unknown): void }
type Queue = { waiting: Waiting[]; timer: NodeJS.Timeout | null; isWriting: boolean }

/** Progress that runs of one tenant save within this time is one transaction. */
const gatherMs = 250

/**
 * Saves the progress of all runs of a process together. Saved separately, each run took a transaction of five statements
 * every half second, which was a third of the CPU time of delivering to 20 subscriptions.
 */
export const progressOf = slot(() => {
  const queues = new Map<number, Queue>()

  const write = async (world: World, tenant: Tenancy, queue: Queue): Promise<void> => {
    const group = queue.waiting
    queue.waiting = []
    queue.isWriting = true
    try {
      const held = await transact(world.db, (tx) => writeAll(tx, world, tenant, group))
      for (const { claimed, done } of group) done(held.get(claimed.id) ?? null)
    } catch (error) {
      for (const { failed } of group) failed(error)
    }
    queue.isWriting = false
    if (queue.waiting.length > 0) schedule(world, tenant, queue)
    else if (!queue.timer) queues.delete(tenant.id)
  }

  const schedule = (world: World, tenant: Tenancy, queue: Queue): void => {
    if (queue.isWriting) return
    const begin = (): void => {
      queue.timer = null
      if (queue.waiting.length > 0) void write(world, tenant, queue)
    }
    // The end of a run is being waited for.
    if (queue.waiting.some(({ left }) => left !== null)) {
      if (queue.timer) clearTimeout(queue.timer)
      begin()
    } else queue.timer ??= setTimeout(begin, gatherMs)
  }

  return {
    /** Returns the current state of the subscription; null if another process has it, and nothing was written. */
    save: (world: World, tenant: Tenancy, entry: Entry): Promise<Held | null> =>
      new Promise((done, failed) => {
        const queue = queues.get(tenant.id) ?? { waiting: [], timer: null, isWriting: false }
        queues.set(tenant.id, queue)
        queue.waiting.push({ ...entry, done, failed })
        schedule(world, tenant, queue)
      }),
  }
})

async function writeAll(
  tx: Tx,
  world: World,
  tenant: Tenancy,
  group: readonly Entry[],
): Promise<ReadonlyMap<string, Held>> {
  // Does not wait for the disk: what is lost in a power failure is sent again, with the same ids. The reason why a
  // subscription stopped is flushed.
  if (group.every(({ left }) => !left?.failure)) await commitLater(tx)
  const rows = await lockHeld(
    tx,
    tenant.id,
    group.map(({ claimed }) => claimed.id),
  )
  const ours = group.filter(({ claimed }) => rows.get(claimed.id)?.leaseId === claimed.leaseId)
  const moved = ours.flatMap(({ claimed, progress }) => (progress ? [{ ...progress, id: claimed.id }] : []))
  if (moved.length > 0) await saveProgress(tx, tenant.id, moved)
  const deliveries = ours.flatMap((entry) => entry.deliveries)
  if (deliveries.length > 0) await insertDeliveries(tx, tenant.id, deliveries)
  for (const isBehind of [true, false]) {
    const leaving = ours.filter(({ left }) => left?.isBehind === isBehind).map(({ claimed }) => claimed.id)
    if (leaving.length > 0) await release(tx, tenant.id, leaving, isBehind)
  }
  for (const { claimed, isToTrim, left } of ours) {
    if (isToTrim) await trimDeliveries(tx, tenant.id, claimed.id)
    if (left?.failure)
      await writeFailure(tx, world, tenant, { ...claimed, state: stateOf(rows, claimed) }, left.failure)
  }
  return new Map(ours.map(({ claimed }) => [claimed.id, rows.get(claimed.id) as Held]))
}

const stateOf = (rows: ReadonlyMap<string, Held>, { id, state }: Claimed): Claimed['state'] =>
  rows.get(id)?.state ?? state

/** A subscription that stops is an event of the system log. */
async function writeFailure(tx: Tx, world: World, tenant: Tenancy, claimed: Claimed, failure: Failure): Promise<void> {
  await saveFailure(tx, tenant.id, claimed.id, failure)
  const { state, reason, detail } = failure
  if (state !== 'active' && reason !== '' && claimed.state === 'active')
    await recordStopped(tx, world, tenant, claimed, { state, reason, detail })
}
