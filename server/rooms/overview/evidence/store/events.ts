import { firstIdAt } from '#kernel/ids.ts'
import type { Reads } from '#kernel/sql.ts'

/** Only changes: sign-ins and tokens, which are most of a log, grant nothing. */
const isChange = '"class_uid":6003,'

export type FoundEvent = { id: string; event: string }

/** Events of a time, in the order of their ids, which begin with their time. By the primary key. */
export async function listEventsBetween(
  db: Reads,
  tenantId: number,
  { since, until, after }: { since: Date; until: Date; after: string },
  limit: number,
): Promise<FoundEvent[]> {
  const from = firstIdAt(since)
  return db<FoundEvent[]>`
    select event_id as id, event from systemlog_events
    where tenant_id = ${tenantId} and event_id > ${after > from ? after : from}
      and event_id < ${firstIdAt(new Date(until.getTime() + 1000))} and position(${isChange} in event) > 0
    order by event_id limit ${limit}`
}

export type CitedRow = {
  eventId: string
  occurredAt: Date
  event: string
  trail: string | null
  mac: Buffer
  sealNumber: number | null
  position: number | null
}

/** Whole events by their ids, in the order of the chain. */
export async function listCited(db: Reads, tenantId: number, ids: readonly string[]): Promise<CitedRow[]> {
  return db<CitedRow[]>`
    select event_id as "eventId", occurred_at as "occurredAt", event, trail, mac, seal_number as "sealNumber",
      seal_position as position
    from systemlog_events where tenant_id = ${tenantId} and event_id = any(${ids}::text[])
    order by seal_number, seal_position, event_id`
}
