import type { Page } from '#kernel/pages.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { Sync } from '../connector.ts'

export type Upload = { taskId: string; uploadId: string }

export async function insertPiece(
  db: Reads,
  tenantId: number,
  { taskId, uploadId }: Upload,
  place: number,
  bytes: Buffer,
): Promise<void> {
  await db`
    insert into connector_files (tenant_id, task_id, upload_id, place, bytes)
    values (${tenantId}, ${taskId}, ${uploadId}, ${place}, ${bytes})`
}

export async function findPiece(
  db: Reads,
  tenantId: number,
  { taskId, uploadId }: Upload,
  place: number,
): Promise<Buffer | null> {
  const [row] = await db<{ bytes: Buffer }[]>`
    select bytes from connector_files
    where tenant_id = ${tenantId} and task_id = ${taskId} and upload_id = ${uploadId} and place = ${place}`
  return row?.bytes ?? null
}

export async function hasPiece(
  db: Reads,
  tenantId: number,
  { taskId, uploadId }: Upload,
  place: number,
): Promise<boolean> {
  const [row] = await db`
    select 1 from connector_files
    where tenant_id = ${tenantId} and task_id = ${taskId} and upload_id = ${uploadId} and place = ${place}`
  return row !== undefined
}

type Leased = { connectorId: string; taskId: string; hostId: string; at: Date }

/** The task, if its host has it, locked until the transaction ends; with its complete upload. */
export async function lockLeased(
  tx: Tx,
  tenantId: number,
  { connectorId, taskId, hostId, at }: Leased,
): Promise<{ uploadId: string } | null> {
  const [row] = await tx<{ uploadId: string }[]>`
    select upload_id as "uploadId" from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${taskId} and host_id = ${hostId}
      and state = 'leased' and lease_until > ${at}
    for no key update`
  return row ?? null
}

/** Assigns a complete upload to its task. */
export async function keepUpload(
  tx: Tx,
  tenantId: number,
  { taskId, uploadId }: Upload,
  { connectorId, byteCount }: { connectorId: string; byteCount: number },
): Promise<void> {
  await tx`
    update connector_tasks set upload_id = ${uploadId}, byte_count = ${byteCount}
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${taskId}`
}

export async function deleteUpload(db: Reads, tenantId: number, { taskId, uploadId }: Upload): Promise<void> {
  await db`
    delete from connector_files where tenant_id = ${tenantId} and task_id = ${taskId} and upload_id = ${uploadId}`
}

/** Deletes all uploads of a task, except one. */
export async function deleteOtherUploads(db: Reads, tenantId: number, { taskId, uploadId }: Upload): Promise<void> {
  await db`
    delete from connector_files where tenant_id = ${tenantId} and task_id = ${taskId} and upload_id <> ${uploadId}`
}

/** Notes that the records now include which objects this connector reports. */
export async function setReported(tx: Tx, tenantId: number, connectorId: string): Promise<void> {
  await tx`
    update connectors set has_reported = true
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and not has_reported`
}

const syncColumns = (db: Reads) => db`
  task_id as id, connector_id as "connectorId", state, host_id as "hostId", attempts, error, byte_count as "byteCount",
  is_confirmed as "isConfirmed", import_id as "importId", asked_by as "askedBy", created_at as "createdAt",
  begun_at as "begunAt", ended_at as "endedAt"`

/** The newest first: ids are in the order of creation. */
export async function listSyncRows(
  db: Reads,
  tenantId: number,
  connectorId: string,
  { after, limit }: Pick<Page, 'after' | 'limit'>,
): Promise<Sync[]> {
  return db<Sync[]>`
    select ${syncColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and kind = 'sync'
      ${after ? db`and task_id < ${after[0] as string}` : db``}
    order by task_id desc limit ${limit}`
}

export async function findSyncRow(db: Reads, tenantId: number, connectorId: string, id: string): Promise<Sync | null> {
  const [row] = await db<Sync[]>`
    select ${syncColumns(db)} from connector_tasks
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${id} and kind = 'sync'`
  return row ?? null
}
