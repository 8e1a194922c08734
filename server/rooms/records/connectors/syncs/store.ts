import type { Reads, Tx } from '#kernel/sql.ts'

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

/** The upload that was whole is the task's, if it is still its host's; told is whether. */
export async function keepUpload(
  tx: Tx,
  tenantId: number,
  { taskId, uploadId }: Upload,
  { connectorId, hostId, byteCount, at }: { connectorId: string; hostId: string; byteCount: number; at: Date },
): Promise<boolean> {
  const { count } = await tx`
    update connector_tasks set upload_id = ${uploadId}, byte_count = ${byteCount}
    where tenant_id = ${tenantId} and connector_id = ${connectorId} and task_id = ${taskId} and host_id = ${hostId}
      and state = 'leased' and lease_until > ${at}`
  return count > 0
}

export async function deleteUpload(db: Reads, tenantId: number, { taskId, uploadId }: Upload): Promise<void> {
  await db`
    delete from connector_files where tenant_id = ${tenantId} and task_id = ${taskId} and upload_id = ${uploadId}`
}

/** All uploads of a task, but for one. */
export async function deleteOtherUploads(db: Reads, tenantId: number, { taskId, uploadId }: Upload): Promise<void> {
  await db`
    delete from connector_files where tenant_id = ${tenantId} and task_id = ${taskId} and upload_id <> ${uploadId}`
}
