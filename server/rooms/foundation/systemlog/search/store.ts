import type { Reads } from '#kernel/sql.ts'
import { type EventFilter, inLinks, inOrder, type ListedEvent, type Place } from '../store.ts'

/** The place of the event this many further on in the order of a filter, or null if there are fewer: read from the index. */
export async function findPlaceBeyond(
  db: Reads,
  tenantId: number,
  filter: EventFilter,
  count: number,
): Promise<Place | null> {
  const [row] = await db<{ seal: number; position: number }[]>`
    select seal_number as seal, seal_position as position from systemlog_events
    where ${inLinks(db, tenantId, filter)}
    order by ${inOrder(db, filter.isDescending)} offset ${count - 1} limit 1`
  return row ? [row.seal, row.position] : null
}

/** Events that contain all of these texts. The caller limits the places between which they are: each event is searched. */
export async function listHolding(
  db: Reads,
  tenantId: number,
  filter: EventFilter,
  { exact, lower }: { exact: readonly string[]; lower: readonly string[] },
  limit: number,
): Promise<ListedEvent[]> {
  const { since, until } = filter
  const rows = await db<{ event: string; seal: number; position: number }[]>`
    select event, seal_number as seal, seal_position as position from systemlog_events
    where ${inLinks(db, tenantId, filter)}
      ${since ? db`and occurred_at >= ${since}` : db``}
      ${until ? db`and occurred_at < ${until}` : db``}
      ${exact.length === 0 ? db`` : exact.map((text) => db`and position(${text} in event) > 0`)}
      ${lower.length === 0 ? db`` : lower.map((text) => db`and position(${text} in lower(event collate "C")) > 0`)}
    order by ${inOrder(db, filter.isDescending)}
    limit ${limit}`
  return rows.map(({ event, seal, position }) => ({ event, place: [seal, position] }))
}

/** When the event at a place occurred. */
export async function findTimeAt(db: Reads, tenantId: number, [seal, position]: Place): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    select occurred_at as at from systemlog_events
    where tenant_id = ${tenantId} and seal_number = ${seal} and seal_position = ${position}`
  return row?.at ?? null
}

/** An event as it was recorded, and the link that contains it; none if it waits to be sealed. */
export async function findRecorded(
  db: Reads,
  tenantId: number,
  eventId: string,
): Promise<{ event: string; link: number | null } | null> {
  const [row] = await db<{ event: string; link: number | null }[]>`
    select event, seal_number as link from systemlog_events where tenant_id = ${tenantId} and event_id = ${eventId}`
  return row ?? null
}
