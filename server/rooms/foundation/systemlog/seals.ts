import type { Reads, Tx } from '#kernel/sql.ts'
import { listTenantsWith } from '#kernel/tenants-with.ts'

/** Tenants with events that are not in the chain yet. */
export const listTenantsToSeal = (db: Reads): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from systemlog_events where seal_number is null and tenant_id > ${after}`,
  )

// Longer than a transaction is open, so that links are hardly ever late.
export const lateAfterMs = 300_000

export type Head = { sealNumber: number; mac: Buffer }
export type Seal = Head & { eventCount: number; sealedAt: Date; earliestAt: Date; latestAt: Date; comesLate: boolean }
export type UnsealedRow = { eventId: string; occurredAt: Date; mac: Buffer }

/** When the events of a link occurred, according to the link. */
export function nextTimes(
  events: readonly Pick<UnsealedRow, 'occurredAt'>[],
  last: Pick<Seal, 'latestAt'> | null,
): Pick<Seal, 'earliestAt' | 'latestAt' | 'comesLate'> {
  const times = events.map((event) => event.occurredAt.getTime())
  const earliest = times.reduce((a, b) => Math.min(a, b))
  const before = last ? last.latestAt.getTime() : earliest
  return {
    earliestAt: new Date(earliest),
    latestAt: new Date(times.reduce((a, b) => Math.max(a, b), before)),
    comesLate: earliest < before - lateAfterMs,
  }
}

/** The first half of the advisory lock on the end of a tenant's chain; the other is the tenant. */
export const chainLock = 0x6261696c

/** Locks the end of a tenant's chain: only one process seals at a time. */
export async function lockHead(tx: Tx, tenantId: number): Promise<Head | null> {
  await tx`select pg_advisory_xact_lock(${chainLock}::int, ${tenantId}::int)`
  // The row too: if each node has its own advisory locks, processes that append wait for the row.
  const [row] = await tx<Head[]>`
    select seal_number as "sealNumber", mac from systemlog_heads where tenant_id = ${tenantId} for update`
  return row ?? null
}

export async function findHead(db: Reads, tenantId: number): Promise<Head | null> {
  const [row] = await db<Head[]>`
    select seal_number as "sealNumber", mac from systemlog_heads where tenant_id = ${tenantId}`
  return row ?? null
}

const sealColumns = (db: Reads) => db`
  seal_number as "sealNumber", event_count as "eventCount", sealed_at as "sealedAt", earliest_at as "earliestAt",
  latest_at as "latestAt", comes_late as "comesLate", mac`

export async function findLastSeal(db: Reads, tenantId: number): Promise<Seal | null> {
  const [row] = await db<Seal[]>`
    select ${sealColumns(db)} from systemlog_seals where tenant_id = ${tenantId} order by seal_number desc limit 1`
  return row ?? null
}

export async function findSeal(db: Reads, tenantId: number, sealNumber: number): Promise<Seal | null> {
  const [row] = await db<Seal[]>`
    select ${sealColumns(db)} from systemlog_seals where tenant_id = ${tenantId} and seal_number = ${sealNumber}`
  return row ?? null
}

export async function findSealBefore(db: Reads, tenantId: number, sealNumber: number): Promise<Seal | null> {
  const [row] = await db<Seal[]>`
    select ${sealColumns(db)} from systemlog_seals
    where tenant_id = ${tenantId} and seal_number < ${sealNumber} order by seal_number desc limit 1`
  return row ?? null
}

/** The MACs of the events in a link, in their order. */
export async function listSealedMacs(
  db: Reads,
  tenantId: number,
  sealNumber: number,
  limit: number,
): Promise<Buffer[]> {
  const rows = await db<{ mac: Buffer }[]>`
    select mac from systemlog_events where tenant_id = ${tenantId} and seal_number = ${sealNumber}
    order by seal_position limit ${limit}`
  return rows.map(({ mac }) => mac)
}

/** Links after one and up to another, both by number. */
export async function listSeals(
  db: Reads,
  tenantId: number,
  after: number,
  upTo: number,
  limit: number,
): Promise<Seal[]> {
  return db<Seal[]>`
    select ${sealColumns(db)} from systemlog_seals
    where tenant_id = ${tenantId} and seal_number > ${after} and seal_number <= ${upTo}
    order by seal_number limit ${limit}`
}

export async function listUnsealed(tx: Tx, tenantId: number, limit: number): Promise<UnsealedRow[]> {
  return tx<UnsealedRow[]>`
    select event_id as "eventId", occurred_at as "occurredAt", mac from systemlog_events
    where tenant_id = ${tenantId} and seal_number is null
    order by event_id limit ${limit}`
}

export async function insertSeal(
  tx: Tx,
  tenantId: number,
  seal: Seal,
  eventIds: readonly string[],
  headMac: Buffer,
): Promise<void> {
  // With what they return, so that a rule that does nothing instead is an error, rather than a prepared statement that
  // does nothing for as long as the connection exists.
  const [moved] = await tx<{ count: number }[]>`
    with moved as (
      update systemlog_events e set seal_number = ${seal.sealNumber}, seal_position = s.position
      from unnest(${eventIds}::text[]) with ordinality as s (event_id, position)
      where e.tenant_id = ${tenantId} and e.event_id = s.event_id
      returning 1
    )
    select count(*) from moved`
  const added = await tx`
    insert into systemlog_seals (tenant_id, seal_number, event_count, sealed_at, earliest_at, latest_at, comes_late, mac)
    values (${tenantId}, ${seal.sealNumber}, ${seal.eventCount}, ${seal.sealedAt}, ${seal.earliestAt}, ${seal.latestAt},
      ${seal.comesLate}, ${seal.mac})
    returning 1`
  const ended = await tx`
    insert into systemlog_heads (tenant_id, seal_number, mac) values (${tenantId}, ${seal.sealNumber}, ${headMac})
    on conflict (tenant_id) do update set seal_number = excluded.seal_number, mac = excluded.mac
    returning 1`
  if (moved?.count !== eventIds.length || added.length !== 1 || ended.length !== 1)
    throw new Error(
      'the database did not store the link: a trigger or a rule on the tables of the system log interferes',
    )
}

/** Links by their numbers. */
export async function findSeals(db: Reads, tenantId: number, sealNumbers: readonly number[]): Promise<Head[]> {
  return db<Head[]>`
    select seal_number as "sealNumber", mac from systemlog_seals
    where tenant_id = ${tenantId} and seal_number = any(${sealNumbers}::bigint[])`
}
