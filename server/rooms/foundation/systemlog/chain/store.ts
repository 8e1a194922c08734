import type { Reads, Sql } from '#kernel/sql.ts'
import { chainLock, type Head, type Seal } from '../seals.ts'
import { columnsOf, type EventRow } from '../store.ts'

export type Ending = {
  /** The last link, and its required head. */
  last: Head
  lastHeadMac: Buffer
  /** The link that follows it, and its head. */
  seal: Seal
  headMac: Buffer
}

/**
 * Inserts events together with the link that contains them, if the chain still ends where the caller expects and nobody
 * else is sealing; returns whether it did. One statement, so all or nothing. The number of the link is unique: of two
 * processes that append at once, one fails.
 */
export async function insertSealed(
  db: Sql,
  tenantId: number,
  { last, lastHeadMac, seal, headMac }: Ending,
  rows: readonly EventRow[],
): Promise<boolean> {
  const eventIds = db.array(
    'text',
    rows.map((row) => row.eventId),
  )
  const [written] = await db<{ links: number }[]>`
    with moved as (
      update systemlog_heads set seal_number = ${seal.sealNumber}, mac = ${headMac}
      where tenant_id = ${tenantId} and seal_number = ${last.sealNumber} and mac = ${lastHeadMac}
        and (select pg_try_advisory_xact_lock(${chainLock}::int, ${tenantId}::int))
        -- The trigger that keeps hands off lets events with the number of a link pass where this is said.
        and (select set_config('bailiwick.appends_link', ${String(seal.sealNumber)}, true)) <> ''
        and (select seal_number = ${last.sealNumber} and mac = ${last.mac} from systemlog_seals
          where tenant_id = ${tenantId} order by seal_number desc limit 1)
      returning 1
    ), link as (
      insert into systemlog_seals (tenant_id, seal_number, event_count, sealed_at, earliest_at, latest_at, comes_late, mac)
      select ${tenantId}, ${seal.sealNumber}, ${seal.eventCount}, ${seal.sealedAt}, ${seal.earliestAt}, ${seal.latestAt},
        ${seal.comesLate}, ${seal.mac}
      from moved
      returning 1
    ), stored as (
      insert into systemlog_events (tenant_id, event_id, occurred_at, event, trail, mac, seal_number, seal_position)
      select ${tenantId}, event_id, occurred_at, event, trail, e.mac, ${seal.sealNumber}, position
      from link, unnest(${eventIds}, ${columnsOf(db, rows)})
        with ordinality as e (event_id, occurred_at, event, trail, mac, position)
      returning event_id
    )
    select (select count(*) from link) as links,
      1 / ((select count(*) from moved) = (select count(*) from link)
        and (select array_agg(event_id::text) from stored)
          is not distinct from (select ${eventIds} from link))::int as "isAll"`
  return written?.links === 1
}

/** Links between two numbers, with a hash of the MACs of their events in their order. */
export async function listLinkDigests(
  db: Reads,
  tenantId: number,
  from: number,
  to: number,
): Promise<{ sealNumber: number; digest: string; mac: Buffer }[]> {
  return db<{ sealNumber: number; digest: string; mac: Buffer }[]>`
    select s.seal_number as "sealNumber", s.mac, (
      select encode(sha256(string_agg(e.mac, '' order by e.seal_position)), 'base64') from systemlog_events e
      where e.tenant_id = ${tenantId} and e.seal_number = s.seal_number
    ) as digest
    from systemlog_seals s
    where s.tenant_id = ${tenantId} and s.seal_number between ${from} and ${to}`
}
