import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Place } from '#rooms/foundation/systemlog/index.ts'
import type { ExportFile } from './exporter.ts'

type Row = Omit<ExportFile, 'first' | 'last'> & {
  firstSeal: number
  firstPosition: number
  lastSeal: number
  lastPosition: number
}

const columns = (db: Reads) => db`
  export_id as "exportId", first_seal as "firstSeal", first_position as "firstPosition", last_seal as "lastSeal",
  last_position as "lastPosition", datasource_id as "datasourceId", format, name, event_count as "eventCount",
  last_event_id as "lastEventId", least_event_id as "leastEventId", greatest_event_id as "greatestEventId",
  content_bytes as "contentBytes", stored_bytes as "storedBytes", note, created_at as "createdAt", done_at as "doneAt"`

const fileOf = ({ firstSeal, firstPosition, lastSeal, lastPosition, ...row }: Row): ExportFile => ({
  ...row,
  first: [firstSeal, firstPosition],
  last: [lastSeal, lastPosition],
})

/** The file that is being written, or whose writer was interrupted. */
export async function findFileUnderWay(db: Reads, tenantId: number, exportId: string): Promise<ExportFile | null> {
  const [row] = await db<Row[]>`
    select ${columns(db)} from systemlog_export_files
    where tenant_id = ${tenantId} and export_id = ${exportId} and done_at is null`
  return row ? fileOf(row) : null
}

export async function insertFile(tx: Tx, tenantId: number, of: ExportFile): Promise<void> {
  await tx`
    insert into systemlog_export_files (tenant_id, export_id, first_seal, first_position, last_seal, last_position,
      datasource_id, format, name, event_count, last_event_id, least_event_id, greatest_event_id, content_bytes, created_at)
    values (${tenantId}, ${of.exportId}, ${of.first[0]}, ${of.first[1]}, ${of.last[0]}, ${of.last[1]},
      ${of.datasourceId}, ${of.format}, ${of.name}, ${of.eventCount}, ${of.lastEventId}, ${of.leastEventId},
      ${of.greatestEventId}, ${of.contentBytes}, ${of.createdAt})`
}

/** Deletes the record of an unfinished file, for example because the datasource changed: the events are written again. */
export async function dropFileUnderWay(tx: Tx, tenantId: number, exportId: string): Promise<void> {
  await tx`
    delete from systemlog_export_files
    where tenant_id = ${tenantId} and export_id = ${exportId} and done_at is null`
}

type Done = { name: string; storedBytes: number; note: string; doneAt: Date }

/** Records that a file is stored, and moves the watermark past it. Returns whether it was still the one under way. */
export async function finishFile(tx: Tx, tenantId: number, file: ExportFile, done: Done): Promise<boolean> {
  const finished = await tx`
    update systemlog_export_files set done_at = ${done.doneAt}, stored_bytes = ${done.storedBytes}, note = ${done.note}
    where tenant_id = ${tenantId} and export_id = ${file.exportId} and first_seal = ${file.first[0]}
      and first_position = ${file.first[1]} and name = ${done.name} and done_at is null
    returning 1`
  if (finished.length === 0) return false
  await tx`
    update systemlog_exports set seal_number = ${file.last[0]}, seal_position = ${file.last[1]},
      watermark_event_id = ${file.lastEventId}
    where tenant_id = ${tenantId} and export_id = ${file.exportId}`
  return true
}

/** Newest first. */
export async function listFiles(
  db: Reads,
  tenantId: number,
  exportId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<ExportFile[]> {
  const [seal, position] = (page.after ?? [Number.MAX_SAFE_INTEGER, 0]) as Place
  const rows = await db<Row[]>`
    select ${columns(db)} from systemlog_export_files
    where tenant_id = ${tenantId} and export_id = ${exportId} and (first_seal, first_position) < (${seal}, ${position})
    order by first_seal desc, first_position desc limit ${page.limit}`
  return rows.map(fileOf)
}

/** With whether its last event is the last of its link. */
export type DoneFile = ExportFile & { endsLink: boolean }

/** Finished files that contain events after a link, in the order of the chain: of all exports, deleted ones included. */
export async function listFilesBehind(
  db: Reads,
  tenantId: number,
  sealNumber: number,
  limit: number,
): Promise<DoneFile[]> {
  const rows = await db<(Row & { endsLink: boolean })[]>`
    select f.*, f.last_position >= s.event_count as "endsLink" from (
      select ${columns(db)}, last_seal, last_position from systemlog_export_files
      where tenant_id = ${tenantId} and last_seal > ${sealNumber} and done_at is not null
      order by first_seal, first_position, export_id limit ${limit}
    ) f
    join systemlog_seals s on s.tenant_id = ${tenantId} and s.seal_number = f.last_seal
    order by f."firstSeal", f."firstPosition", f."exportId"`
  return rows.map(({ endsLink, ...row }) => ({ ...fileOf(row), endsLink }))
}
