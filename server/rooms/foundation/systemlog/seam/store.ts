import type { Reads, Tx } from '#kernel/sql.ts'

/** Up to which link events were removed from the database, after they were archived. */
export type Seam = {
  sealNumber: number
  /** The MAC of that link: what the first event after it continues. */
  sealMac: Buffer
  /** When the last of them occurred. */
  latestAt: Date
  /** How many were removed in all. */
  eventCount: number
  removedAt: Date
}
export type SeamRow = Seam & { mac: Buffer }

export async function findSeamRow(db: Reads, tenantId: number): Promise<SeamRow | null> {
  const [row] = await db<SeamRow[]>`
    select seal_number as "sealNumber", seal_mac as "sealMac", latest_at as "latestAt", event_count as "eventCount",
      removed_at as "removedAt", mac
    from systemlog_seams where tenant_id = ${tenantId}`
  return row ?? null
}

export async function putSeam(tx: Tx, tenantId: number, seam: SeamRow): Promise<void> {
  await tx`
    insert into systemlog_seams (tenant_id, seal_number, seal_mac, latest_at, event_count, removed_at, mac)
    values (${tenantId}, ${seam.sealNumber}, ${seam.sealMac}, ${seam.latestAt}, ${seam.eventCount}, ${seam.removedAt},
      ${seam.mac})
    on conflict (tenant_id) do update set seal_number = excluded.seal_number, seal_mac = excluded.seal_mac,
      latest_at = excluded.latest_at, event_count = excluded.event_count, removed_at = excluded.removed_at,
      mac = excluded.mac`
}

/** Removes the events of links after one and up to another; returns how many there were. */
export async function deleteEvents(tx: Tx, tenantId: number, after: number, upTo: number): Promise<number> {
  // The trigger that protects events permits removing them up to this link. A trusted number in the text, as `set`
  // takes no parameters.
  await tx.unsafe(`set local bailiwick.archived_up_to = '${BigInt(upTo)}'`)
  const removed = await tx`
    delete from systemlog_events
    where tenant_id = ${tenantId} and seal_number > ${after} and seal_number <= ${upTo} returning 1`
  await tx.unsafe(`set local bailiwick.archived_up_to = ''`)
  return removed.length
}

/** An event that is in the database although it is in a link whose events were removed. */
export async function findReturned(db: Reads, tenantId: number, upTo: number): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select event_id as id from systemlog_events
    where tenant_id = ${tenantId} and seal_number is not null and seal_number <= ${upTo} limit 1`
  return row?.id ?? null
}

const filesMax = 3

/** Files of exports that may contain an event, by its id: those whose events have ids on both sides of it. */
export async function findFilesAround(
  db: Reads,
  tenantId: number,
  eventId: string,
  upTo: number,
): Promise<{ name: string; datasourceId: string }[]> {
  return db<{ name: string; datasourceId: string }[]>`
    select name, datasource_id as "datasourceId" from systemlog_export_files
    where tenant_id = ${tenantId} and least_event_id <= ${eventId} and greatest_event_id >= ${eventId}
      and done_at is not null and first_seal <= ${upTo}
    order by first_seal, first_position, export_id limit ${filesMax}`
}
