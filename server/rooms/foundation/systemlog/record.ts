import { slot } from '#kernel/memory.ts'
import type { Call } from '#kernel/routes.ts'
import { isDatabaseError, onOutcome, type Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { appended, appendedMin } from './chain/append.ts'
import { type Entry, ledger } from './chain/ledger.ts'
import { type Activity, type Cause, causeOf, change, type OcsfEvent, type Touched } from './events/event.ts'
import { type EventText, eventText } from './events/text.ts'
import { eventMac, fewEventsMax, insertEvents, insertFewEvents, type NewEventRow } from './store.ts'

type Numbered = { row: NewEventRow; entry: Entry }

function numbered(world: World, tenantId: number, event: OcsfEvent | EventText): Numbered {
  const eventId = world.newId()
  const occurredAt = world.now()
  const text =
    typeof event === 'function' ? event(eventId, occurredAt.getTime()) : eventText(event, eventId, occurredAt.getTime())
  const { entry, trail } = world.memory(ledger).enter(tenantId, eventId)
  const row: NewEventRow = { eventId, occurredAt, event: text, trail, tenantId, mac: noMac }
  row.mac = eventMac(world.seals, tenantId, row)
  return { row, entry }
}
const noMac = Buffer.alloc(0)

/** Records what a request changed, in the transaction of the change. */
export const recordChange = (
  tx: Tx,
  call: Call,
  activity: Activity,
  message: string,
  touched: readonly Touched[],
): Promise<void> => record(tx, call, call, change(causeOf(call), activity, message, touched))

/** Writes events in the transaction of the change that they record: both commit, or neither does. */
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
  const rows = all.map(({ row }) => row)
  if (rows.length <= fewEventsMax) await insertFewEvents(tx, rows)
  else await insertEvents(tx, rows)
}

type Waiting = Numbered & { done: () => void; failed: (error: unknown) => void }

const rowsPerStatementMax = 500
const underWayMax = 2
// Each group has a fixed cost: a second one is worth it if it is not small.
const secondMin = 32

/** The events of a tenant separately, if they are enough for a link; the others together. */
function partsOf(group: readonly Waiting[]): { tenantId: number | null; events: Waiting[] }[] {
  const byTenant = Map.groupBy(group, ({ row }) => row.tenantId)
  const many = [...byTenant].filter(([, events]) => events.length >= appendedMin)
  const rest = group.filter(({ row }) => (byTenant.get(row.tenantId)?.length ?? 0) < appendedMin)
  return [
    ...many.map(([tenantId, events]) => ({ tenantId, events })),
    ...(rest.length > 0 ? [{ tenantId: null, events: rest }] : []),
  ]
}

/**
 * Writes events without a change, in groups: those that arrive while groups are being written form the next one, so
 * that the disk is synced once per group rather than once per event. Two may be in progress: while PostgreSQL writes
 * one, the other is sent or waits there already, and neither side waits for the other.
 */
export const grouped = slot((world) => {
  let waiting: Waiting[] = []
  let underWay = 0
  let isComing = false

  const writePart = async (tenantId: number | null, events: readonly Waiting[]): Promise<void> => {
    const entries = events.map(({ entry }) => entry)
    const rows = events.map(({ row }) => row)
    try {
      if (tenantId === null || !(await world.memory(appended).append(tenantId, rows)))
        await insertEvents(world.db, rows)
      world.memory(ledger).settle(entries, 'committed')
      for (const { done } of events) done()
    } catch (error) {
      world.memory(ledger).settle(entries, isDatabaseError(error) ? 'rolled back' : 'unknown')
      for (const { failed } of events) failed(error)
    }
  }

  const write = async (group: readonly Waiting[]): Promise<void> => {
    underWay++
    await Promise.all(partsOf(group).map(({ tenantId, events }) => writePart(tenantId, events)))
    underWay--
    turn()
  }

  const turn = (): void => {
    isComing = false
    while (waiting.length > 0 && (underWay === 0 || (underWay < underWayMax && waiting.length >= secondMin))) {
      const group = waiting.slice(0, rowsPerStatementMax)
      waiting = waiting.slice(rowsPerStatementMax)
      void write(group)
    }
  }

  return {
    /** Resolves when the event is durable. */
    record: (tenantId: number, event: OcsfEvent | EventText): Promise<void> =>
      new Promise((done, failed) => {
        const { row, entry } = numbered(world, tenantId, event)
        waiting.push({ row, entry, done, failed })
        if (isComing) return
        isComing = true
        // Events from the same turn of the event loop go into one group.
        setImmediate(turn)
      }),
  }
})
