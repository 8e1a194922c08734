import type { Tenancy } from '#kernel/routes.ts'
import type { Seals } from '#kernel/seals.ts'
import type { Fragment, Reads, Sql, Tx } from '#kernel/sql.ts'
import { lateAfterMs } from './seals.ts'

export type EventRow = { eventId: string; occurredAt: Date; event: string; trail: string | null; mac: Buffer }
export type NewEventRow = EventRow & { tenantId: number }

export const eventMac = (seals: Seals, tenantId: number, row: Omit<EventRow, 'mac'>): Buffer =>
  seals.mac(
    'systemlog event',
    String(tenantId),
    row.eventId,
    row.occurredAt.toISOString(),
    row.event,
    // Events of earlier versions have none.
    ...(row.trail === null ? [] : [row.trail]),
  )

/**
 * Several in a transaction with the change that they record; or in a separate one, if nothing is changed. The statement
 * itself counts what was inserted, and fails as a whole if the count is wrong: a trigger or a rule that discards events
 * makes the change fail, rather than go unrecorded.
 */
export async function insertEvents(db: Reads, rows: readonly NewEventRow[]): Promise<void> {
  const eventIds = db.array(
    'text',
    rows.map((row) => row.eventId),
  )
  await db`
    with stored as (
      insert into systemlog_events (tenant_id, event_id, occurred_at, event, trail, mac)
      select tenant_id, event_id, occurred_at, event, trail, mac from unnest(
        ${db.array(
          'int4',
          rows.map((row) => row.tenantId),
        )}, ${eventIds}, ${columnsOf(db, rows)}
      ) as e (tenant_id, event_id, occurred_at, event, trail, mac)
      returning event_id
    )
    select 1 / (coalesce(array_agg(event_id::text order by event_id), '{}') = ${db.array(
      'text',
      rows.map((row) => row.eventId).toSorted(),
    )})::int as "isAll" from stored`.catch((error: unknown) => {
    throw isMissed(error) ? interferes(error) : error
  })
}

/** Up to this many events are inserted as a few. */
export const fewEventsMax = 8

/**
 * A few events in a transaction, as values, which a distributed database sends to one shard. What was stored is
 * compared here: if it is not all of them, the transaction fails.
 */
export async function insertFewEvents(db: Tx, rows: readonly NewEventRow[]): Promise<void> {
  const values = rows.map(
    ({ tenantId, eventId, occurredAt, event, trail, mac }, place) =>
      db`${place === 0 ? db`` : db`,`} (${tenantId}, ${eventId}, ${occurredAt}, ${event}, ${trail}, ${mac})`,
  )
  const stored = await db<{ id: string }[]>`
    insert into systemlog_events (tenant_id, event_id, occurred_at, event, trail, mac) values ${values}
    returning event_id as id`
  const ids = new Set(stored.map(({ id }) => id))
  if (stored.length !== rows.length || !rows.every(({ eventId }) => ids.has(eventId))) throw interferes(undefined)
}

/** The columns of events after their ids. */
export const columnsOf = (db: Sql, rows: readonly EventRow[]) => db`
  ${db.array(
    'timestamptz',
    rows.map((row) => row.occurredAt),
  )},
  ${db.array(
    'text',
    rows.map((row) => row.event),
  )},
  ${db.array(
    'text',
    rows.map((row) => row.trail),
  )},
  ${db.array(
    'bytea',
    rows.map((row) => row.mac),
  )}`

const divisionByZero = '22012'
const isMissed = (error: unknown): boolean => (error as { code?: string }).code === divisionByZero
const interferes = (cause: unknown): Error =>
  Object.assign(
    new Error(
      'the database did not store the system log events as given: a trigger or a rule on systemlog_events interferes',
      { cause },
    ),
    // The statement failed as a whole.
    { code: divisionByZero, severity: 'ERROR' },
  )

/** Which of these events exist, and in which link of the chain; null if they are in none yet. */
export async function findEvents(
  db: Reads,
  tenantId: number,
  eventIds: readonly string[],
): Promise<{ eventId: string; sealNumber: number | null }[]> {
  return db<{ eventId: string; sealNumber: number | null }[]>`
    select event_id as "eventId", seal_number as "sealNumber" from systemlog_events
    where tenant_id = ${tenantId} and event_id = any(${eventIds}::text[])`
}

export async function findTenancy(db: Reads, tenantId: number): Promise<Tenancy | null> {
  const [row] = await db<Tenancy[]>`
    select tenant_id as id, public_id as "publicId", domain from tenants where tenant_id = ${tenantId}`
  return row ?? null
}

/** Events that operators are notified of, since a time. */
export async function listAlerts(db: Reads, since: Date, limit: number): Promise<(EventRow & { tenantId: number })[]> {
  return db<(EventRow & { tenantId: number })[]>`
    select tenant_id as "tenantId", event_id as "eventId", occurred_at as "occurredAt", event, trail, mac
    from systemlog_events
    where event like '{"severity_id":4%' and occurred_at >= ${since}
    order by occurred_at limit ${limit}`
}

export type Place = readonly [sealNumber: number, position: number]

export async function findPlace(db: Reads, tenantId: number, eventId: string): Promise<Place | null> {
  const [row] = await db<{ seal: number; position: number }[]>`
    select seal_number as seal, seal_position as position from systemlog_events
    where tenant_id = ${tenantId} and event_id = ${eventId} and seal_number is not null`
  return row ? [row.seal, row.position] : null
}

export type EventFilter = {
  since: Date | null
  until: Date | null
  /** Places in the chain: after the first and before the second. */
  after: Place | null
  before: Place | null
  isDescending: boolean
}
export type ListedEvent = { event: string; place: Place }

export const beginning: Place = [0, 0]
const end: Place = [Number.MAX_SAFE_INTEGER, 0]

// Each link has the time of the latest event up to it: no event since then is in a link before the first that reaches
// it.
const firstSealSince = (db: Reads, tenantId: number, since: Date) => db`
  coalesce((select seal_number from systemlog_seals
    where tenant_id = ${tenantId} and latest_at >= ${since}
    order by latest_at, seal_number limit 1), ${end[0]})`

// And none that occurred before then is in a link after the first that is minutes beyond it, except late ones.
const lastSealUntil = (db: Reads, tenantId: number, until: Date) => db`
  greatest(
    coalesce((select seal_number from systemlog_seals
      where tenant_id = ${tenantId} and latest_at >= ${until}::timestamptz + ${lateAfterMs} * interval '1 millisecond'
      order by latest_at, seal_number limit 1), ${end[0]}),
    (select seal_number from systemlog_seals
      where tenant_id = ${tenantId} and comes_late and earliest_at < ${until}
      order by seal_number desc limit 1))`

/** Events in the order of the chain, or in reverse. */
export async function listEvents(
  db: Reads,
  tenantId: number,
  { since, until, after, before, isDescending }: EventFilter,
  limit: number,
): Promise<ListedEvent[]> {
  const rows = await db<{ event: string; seal: number; position: number }[]>`
    select event, seal_number as seal, seal_position as position from systemlog_events
    where ${inLinks(db, tenantId, { since, until, after, before })}
      ${since ? db`and occurred_at >= ${since}` : db``}
      ${until ? db`and occurred_at < ${until}` : db``}
    order by ${inOrder(db, isDescending)}
    limit ${limit}`
  return rows.map(({ event, seal, position }) => ({ event, place: [seal, position] }))
}

/** With the index only: events of the links that contain those of a time, and maybe some more, between two places. */
export const inLinks = (
  db: Reads,
  tenantId: number,
  { since, until, after, before }: Omit<EventFilter, 'isDescending'>,
): Fragment => {
  const [afterSeal, afterPosition] = after ?? beginning
  const [beforeSeal, beforePosition] = before ?? end
  return db`
    tenant_id = ${tenantId} and seal_number is not null
      ${since ? db`and seal_number >= ${firstSealSince(db, tenantId, since)}` : db``}
      ${until ? db`and seal_number <= ${lastSealUntil(db, tenantId, until)}` : db``}
      and (seal_number, seal_position) > (${afterSeal}, ${afterPosition})
      and (seal_number, seal_position) < (${beforeSeal}, ${beforePosition})`
}

export const inOrder = (db: Reads, isDescending: boolean): Fragment =>
  isDescending ? db`seal_number desc, seal_position desc` : db`seal_number, seal_position`

export type SealedRow = EventRow & { sealNumber: number; position: number }

/** Whole events in the order of the chain, after a place and up to a link. */
export async function listSealed(
  db: Reads,
  tenantId: number,
  [afterSeal, afterPosition]: Place,
  upTo: number,
  limit: number,
): Promise<SealedRow[]> {
  return db<SealedRow[]>`
    select event_id as "eventId", occurred_at as "occurredAt", event, trail, mac, seal_number as "sealNumber",
      seal_position as position
    from systemlog_events
    where tenant_id = ${tenantId} and seal_number is not null
      and (seal_number, seal_position) > (${afterSeal}, ${afterPosition}) and seal_number <= ${upTo}
    order by seal_number, seal_position limit ${limit}`
}

/** How many events follow a place in the chain, counted up to a limit. */
export async function countAfter(
  db: Reads,
  tenantId: number,
  [afterSeal, afterPosition]: Place,
  limit: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from systemlog_events
      where tenant_id = ${tenantId} and seal_number is not null
        and (seal_number, seal_position) > (${afterSeal}, ${afterPosition})
      limit ${limit}) as e`
  return row?.count ?? 0
}

/** An event as it was recorded: JSON. */
export async function findEventText(db: Reads, tenantId: number, eventId: string): Promise<string | null> {
  const [row] = await db<{ event: string }[]>`
    select event from systemlog_events where tenant_id = ${tenantId} and event_id = ${eventId}`
  return row?.event ?? null
}

/** Whole events that are not in the chain yet, after one of them. */
export async function listWaiting(db: Reads, tenantId: number, after: string, limit: number): Promise<EventRow[]> {
  return db<EventRow[]>`
    select event_id as "eventId", occurred_at as "occurredAt", event, trail, mac from systemlog_events
    where tenant_id = ${tenantId} and seal_number is null and event_id > ${after}
    order by event_id limit ${limit}`
}
