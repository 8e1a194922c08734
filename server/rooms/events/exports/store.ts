import type { May } from '#authority/proof.ts'
import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import { findEarliest, listTenantsWith } from '#kernel/tenants-with.ts'
import type { Exporter } from './exporter.ts'

type Row = Omit<Exporter, 'watermark'> & { seal: number; position: number }

const columns = (db: Reads) => db`
  export_id as id, display_name as "displayName", datasource_id as "datasourceId", prefix, format, state, error, failures,
  seal_number as seal, seal_position as position, watermark_event_id as "watermarkEventId", next_run_at as "nextRunAt",
  created_at as "createdAt", updated_at as "updatedAt", deleted_at as "deletedAt"`

const exporterOf = ({ seal, position, ...row }: Row): Exporter => ({ ...row, watermark: [seal, position] })

export async function insertExporter(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'exports.change'>,
  of: Exporter,
): Promise<void> {
  await tx`
    insert into systemlog_exports (tenant_id, export_id, display_name, datasource_id, prefix, format, state, seal_number,
      seal_position, watermark_event_id, next_run_at, created_at, updated_at)
    values (${tenantId}, ${of.id}, ${of.displayName}, ${of.datasourceId}, ${of.prefix}, ${of.format}, ${of.state},
      ${of.watermark[0]}, ${of.watermark[1]}, ${of.watermarkEventId}, ${of.nextRunAt}, ${of.createdAt}, ${of.updatedAt})`
}

export async function countExporters(db: Reads, tenantId: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*) as count from systemlog_exports where tenant_id = ${tenantId} and deleted_at is null`
  return row?.count ?? 0
}

/** The first half of the advisory lock; the other is the tenant. */
const creating = 0x65787074

/** Concurrent creations wait for each other, so that the limit holds. */
export async function lockExporters(tx: Tx, tenantId: number): Promise<void> {
  await tx`select pg_advisory_xact_lock(${creating}::int, ${tenantId}::int)`
}

export async function findExporter(db: Reads, tenantId: number, id: string): Promise<Exporter | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from systemlog_exports
    where tenant_id = ${tenantId} and export_id = ${id} and deleted_at is null`
  return row ? exporterOf(row) : null
}

export async function lockExporter(tx: Tx, tenantId: number, id: string): Promise<Exporter | null> {
  const [row] = await tx<Row[]>`
    select ${columns(tx)} from systemlog_exports
    where tenant_id = ${tenantId} and export_id = ${id} and deleted_at is null for update`
  return row ? exporterOf(row) : null
}

export type ExporterFilter = {
  /** Part of the name, case-insensitive. */
  query: string
  displayName: string
  /** Null for any. */
  ids: readonly string[] | null
}

/** In order of creation. */
export async function listExporters(
  db: Reads,
  tenantId: number,
  { query, displayName, ids }: ExporterFilter,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Exporter[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from systemlog_exports
    where tenant_id = ${tenantId} and deleted_at is null and export_id > ${page.after?.[0] ?? ''}
      ${query === '' ? db`` : db`and strpos(lower(display_name), lower(${query})) > 0`}
      ${displayName === '' ? db`` : db`and display_name = ${displayName}`}
      ${ids === null ? db`` : db`and export_id = any(${ids}::text[])`}
    order by export_id limit ${page.limit}`
  return rows.map(exporterOf)
}

export async function updateExporter(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'exports.change'>,
  { id, displayName, datasourceId, prefix, format, updatedAt }: Exporter,
): Promise<void> {
  await tx`
    update systemlog_exports set display_name = ${displayName}, datasource_id = ${datasourceId}, prefix = ${prefix},
      format = ${format}, updated_at = ${updatedAt}
    where tenant_id = ${tenantId} and export_id = ${id}`
}

export async function markExporterDeleted(
  tx: Tx,
  { tenant: { id: tenantId } }: May<'exports.change'>,
  id: string,
  at: Date,
): Promise<void> {
  await tx`
    update systemlog_exports set deleted_at = ${at}, updated_at = ${at} where tenant_id = ${tenantId} and export_id = ${id}`
}

/** Makes an export run now, regardless of what it was waiting for. */
export async function setDue(tx: Tx, tenantId: number, id: string, at: Date): Promise<void> {
  await tx`update systemlog_exports set next_run_at = ${at} where tenant_id = ${tenantId} and export_id = ${id}`
}

export const listTenantsWithDue = (db: Reads, at: Date): Promise<number[]> =>
  listTenantsWith(
    db,
    (after) => db`select tenant_id from systemlog_exports
      where deleted_at is null and next_run_at <= ${at} and tenant_id > ${after}`,
  )

export const findNextExport = (db: Reads, before: Date): Promise<Date | null> =>
  findEarliest(
    db,
    db`select next_run_at as at from systemlog_exports where deleted_at is null and next_run_at <= ${before}`,
  )

const dueMax = 100

export async function listDue(db: Reads, tenantId: number, at: Date): Promise<{ id: string; displayName: string }[]> {
  return db<{ id: string; displayName: string }[]>`
    select export_id as id, display_name as "displayName" from systemlog_exports
    where tenant_id = ${tenantId} and deleted_at is null and next_run_at <= ${at}
    order by next_run_at limit ${dueMax}`
}

export type Standing = Pick<Exporter, 'state' | 'error' | 'failures' | 'nextRunAt'>

export async function setStanding(
  db: Reads,
  tenantId: number,
  id: string,
  { state, error, failures, nextRunAt }: Standing,
): Promise<void> {
  await db`
    update systemlog_exports set state = ${state}, error = ${error}, failures = ${failures}, next_run_at = ${nextRunAt}
    where tenant_id = ${tenantId} and export_id = ${id}`
}

/** Writes how an attempt ended. If a new run was requested in the meantime, it stays due. */
export async function endAttempt(
  db: Reads,
  tenantId: number,
  id: string,
  begun: Date,
  { state, error, failures, nextRunAt }: Standing,
): Promise<void> {
  await db`
    update systemlog_exports set state = ${state}, error = ${error}, failures = ${failures},
      next_run_at = case when next_run_at = ${begun} then ${nextRunAt}::timestamptz else next_run_at end
    where tenant_id = ${tenantId} and export_id = ${id}`
}

export async function setExporting(db: Reads, tenantId: number, id: string): Promise<void> {
  await db`
    update systemlog_exports set state = 'exporting'
    where tenant_id = ${tenantId} and export_id = ${id} and state = 'waiting'`
}
