import type { Seals } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'

export type EventRow = { eventId: string; occurredAt: Date; event: string; mac: Buffer }
export type NewEventRow = EventRow & { tenantId: number }

export const eventMac = (seals: Seals, tenantId: number, row: Omit<EventRow, 'mac'>): Buffer =>
  seals.mac('systemlog event', String(tenantId), row.eventId, row.occurredAt.toISOString(), row.event)

/** In a transaction with the change it tells of; or by itself, for what changes nothing. */
export async function insertEvents(db: Reads, rows: readonly NewEventRow[]): Promise<void> {
  await db`
    insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac)
    select tenant_id, event_id, occurred_at, event, decode(mac, 'hex') from unnest(
      ${rows.map((row) => row.tenantId)}::int[],
      ${rows.map((row) => row.eventId)}::text[],
      ${rows.map((row) => row.occurredAt.toISOString())}::timestamptz[],
      ${rows.map((row) => row.event)}::text[],
      ${rows.map((row) => row.mac.toString('hex'))}::text[]
    ) as e (tenant_id, event_id, occurred_at, event, mac)`
}

const tenantsMax = 1000

/** Tenants with events that are not in the chain yet. */
export async function listTenantsToSeal(db: Reads): Promise<number[]> {
  // A loose index scan: one probe a tenant, however many events wait.
  const rows = await db<{ id: number }[]>`
    with recursive waiting as (
      (select tenant_id from systemlog_events where seal_number is null order by tenant_id limit 1)
      union all
      select (select tenant_id from systemlog_events e
        where seal_number is null and e.tenant_id > waiting.tenant_id order by tenant_id limit 1)
      from waiting where waiting.tenant_id is not null
    )
    select tenant_id as id from waiting where tenant_id is not null limit ${tenantsMax}`
  return rows.map((row) => row.id)
}

export type Head = { sealNumber: number; mac: Buffer }

/** Holds the end of a tenant's chain: whoever seals, seals alone. */
export async function lockHead(tx: Tx, tenantId: number): Promise<Head | null> {
  await tx`select pg_advisory_xact_lock(${0x6261696c}::int, ${tenantId}::int)`
  return findHead(tx, tenantId)
}

export async function findHead(db: Reads, tenantId: number): Promise<Head | null> {
  const [row] = await db<Head[]>`
    select seal_number as "sealNumber", mac from systemlog_heads where tenant_id = ${tenantId}`
  return row ?? null
}

export async function listUnsealed(
  tx: Tx,
  tenantId: number,
  limit: number,
): Promise<{ eventId: string; mac: Buffer }[]> {
  return tx`
    select event_id as "eventId", mac from systemlog_events
    where tenant_id = ${tenantId} and seal_number is null
    order by event_id limit ${limit}`
}

export async function insertSeal(
  tx: Tx,
  tenantId: number,
  seal: { number: number; eventIds: readonly string[]; mac: Buffer; headMac: Buffer; at: Date },
): Promise<void> {
  await tx`
    update systemlog_events e set seal_number = ${seal.number}, seal_position = s.position
    from unnest(${seal.eventIds as string[]}::text[]) with ordinality as s (event_id, position)
    where e.tenant_id = ${tenantId} and e.event_id = s.event_id`
  await tx`
    insert into systemlog_seals (tenant_id, seal_number, event_count, sealed_at, mac)
    values (${tenantId}, ${seal.number}, ${seal.eventIds.length}, ${seal.at}, ${seal.mac})`
  await tx`
    insert into systemlog_heads (tenant_id, seal_number, mac) values (${tenantId}, ${seal.number}, ${seal.headMac})
    on conflict (tenant_id) do update set seal_number = excluded.seal_number, mac = excluded.mac`
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
  /** Places in the chain: after the one and before the other. */
  after: Place | null
  before: Place | null
  isDescending: boolean
}
export type ListedEvent = { event: string; place: Place }

const first: Place = [0, 0]
const last: Place = [Number.MAX_SAFE_INTEGER, 0]

// An event is sealed after it happened, so none that happened since then is in a link that was made before.
const firstSealSince = (db: Reads, tenantId: number, since: Date) => db`
  (select coalesce(min(seal_number), ${last[0]}) from systemlog_seals
   where tenant_id = ${tenantId} and sealed_at >= ${since})`

/** Events in the order of the chain, or against it. */
export async function listEvents(
  db: Reads,
  tenantId: number,
  { since, until, after, before, isDescending }: EventFilter,
  limit: number,
): Promise<ListedEvent[]> {
  const [afterSeal, afterPosition] = after ?? first
  const [beforeSeal, beforePosition] = before ?? last
  const rows = await db<{ event: string; seal: number; position: number }[]>`
    select event, seal_number as seal, seal_position as position from systemlog_events
    where tenant_id = ${tenantId} and seal_number is not null
      ${since ? db`and seal_number >= ${firstSealSince(db, tenantId, since)}` : db``}
      and (seal_number, seal_position) > (${afterSeal}, ${afterPosition})
      and (seal_number, seal_position) < (${beforeSeal}, ${beforePosition})
      ${since ? db`and occurred_at >= ${since}` : db``}
      ${until ? db`and occurred_at < ${until}` : db``}
    order by ${isDescending ? db`seal_number desc, seal_position desc` : db`seal_number, seal_position`}
    limit ${limit}`
  return rows.map(({ event, seal, position }) => ({ event, place: [seal, position] }))
}
