import { slot } from '#kernel/memory.ts'
import { isDatabaseError, onOutcome, type Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Cause, OcsfEvent } from './events/event.ts'
import { type Entry, ledger } from './kept/ledger.ts'
import { eventMac, insertEvents, type NewEventRow } from './store.ts'

type Numbered = { row: NewEventRow; entry: Entry }

function numbered(world: World, tenantId: number, event: OcsfEvent): Numbered {
  const eventId = world.newId()
  const occurredAt = world.now()
  const text = JSON.stringify({
    ...event,
    time: occurredAt.getTime(),
    metadata: { ...(event['metadata'] as object), uid: eventId },
  })
  const { entry, trail } = world.memory(ledger).enter(tenantId, eventId)
  const row = { eventId, occurredAt, event: text, trail }
  return { row: { ...row, tenantId, mac: eventMac(world.seals, tenantId, row) }, entry }
}

/** Writes events in the transaction of the change that they tell of: both commit, or neither does. */
export async function record(
  tx: Tx,
  world: World,
  { tenant }: Pick<Cause, 'tenant'>,
  ...events: OcsfEvent[]
): Promise<void> {
  const all = events.map((event) => numbered(world, tenant.id, event))
  onOutcome(tx, (outcome) =>
    world.memory(ledger).settle(
      all.map(({ entry }) => entry),
      outcome,
    ),
  )
  await insertEvents(
    tx,
    all.map(({ row }) => row),
  )
}

type Waiting = Numbered & { done: () => void; failed: (error: unknown) => void }

const rowsPerStatementMax = 500
// While one group waits for the disk, the next ones are under way; PostgreSQL lets their commits share one sync.
const writersMax = 2

/**
 * Writes events that change nothing else, in groups: those that come while all writers are busy form the next group, so
 * that the disk is waited for once a group rather than once an event.
 */
export const grouped = slot((world) => {
  let waiting: Waiting[] = []
  let writers = 0

  const write = async (): Promise<void> => {
    writers++
    // What comes in the same turn of the event loop goes into one group.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const group = waiting.slice(0, rowsPerStatementMax)
      waiting = waiting.slice(rowsPerStatementMax)
      const entries = group.map(({ entry }) => entry)
      try {
        await insertEvents(
          world.db,
          group.map(({ row }) => row),
        )
        world.memory(ledger).settle(entries, 'committed')
        for (const { done } of group) done()
      } catch (error) {
        world.memory(ledger).settle(entries, isDatabaseError(error) ? 'rolled back' : 'unknown')
        for (const { failed } of group) failed(error)
      }
    }
    writers--
  }

  return {
    /** Resolves when the event is durable. */
    record: (tenantId: number, event: OcsfEvent): Promise<void> =>
      new Promise((done, failed) => {
        waiting.push({ ...numbered(world, tenantId, event), done, failed })
        if (writers < writersMax && waiting.length === 1) void write()
      }),
  }
})
