import { createHash } from 'node:crypto'
import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { FileRefused, isConnectorFile, magicBytes, refuseFormat } from '#rooms/records/baton/index.ts'
import { keepTasks } from '../work/actions.ts'
import { findTask } from '../work/store.ts'
import { deleteOtherUploads, deleteUpload, insertPiece, keepUpload } from './store.ts'

/** As an upload comes in. */
export type Part =
  | { is: 'begin'; hostId: string; taskId: string }
  | { is: 'data'; bytes: Uint8Array }
  | { is: 'end'; sha256: Uint8Array }

const pieceBytes = 1024 * 1024
const fileBytesMax = 1024 ** 3
const keepEveryMs = 30_000

const malformed = (why: string): Refusal => new Refusal('BODY_MALFORMED', why)
export const notYours = (): Refusal =>
  new Refusal(
    'CONNECTOR_TASK_NOT_FOUND',
    'This host does not have this task: it was given to another host, or has ended.',
  )

/**
 * Takes in the file of a sync. It counts once all of it has come, with the right checksum, from the host that has the task;
 * what broke off is deleted. Logs, which connectors send in the same way, are read over.
 */
export async function receiveUpload(
  world: World,
  tenantId: number,
  connectorId: string,
  parts: AsyncIterable<Part>,
): Promise<void> {
  let upload: { taskId: string; uploadId: string; hostId: string } | null = null
  let isKept = false
  try {
    let pending: Uint8Array[] = []
    let pendingBytes = 0
    let bytes = 0
    let place = 0
    let isFile: boolean | null = null
    let isEnded = false
    let keptAt = performance.now()
    const hash = createHash('sha256')
    const flush = async (): Promise<void> => {
      if (!upload || pendingBytes === 0 || !isFile) return
      await insertPiece(world.db, tenantId, upload, place++, Buffer.concat(pending))
      pending = []
      pendingBytes = 0
    }
    for await (const part of parts) {
      if (isEnded) throw malformed('The upload continues after the end of the file.')
      if (part.is === 'begin') {
        if (upload) throw malformed('The file begins twice.')
        const task = await findTask(world.db, tenantId, connectorId, part.taskId)
        const isOwn = task?.kind === 'sync' && task.state === 'leased' && task.hostId === part.hostId
        if (!isOwn) throw notYours()
        upload = { taskId: task.id, uploadId: world.newId(), hostId: part.hostId }
        continue
      }
      if (!upload) throw malformed('The file does not begin with its task.')
      if (part.is === 'data') {
        hash.update(part.bytes)
        bytes += part.bytes.length
        if (bytes > fileBytesMax) throw new Refusal('BODY_TOO_LARGE', 'The file is larger than 1 GiB.')
        if (isFile === false) continue
        pending.push(part.bytes)
        pendingBytes += part.bytes.length
        if (isFile === null && pendingBytes >= magicBytes) {
          isFile = isSync(Buffer.concat(pending))
          if (!isFile) pending = []
        }
        if (pendingBytes >= pieceBytes) await flush()
        if (performance.now() - keptAt > keepEveryMs) {
          keptAt = performance.now()
          const lost = await keepTasks(world, tenantId, connectorId, {
            hostId: upload.hostId,
            taskIds: [upload.taskId],
          })
          if (lost.length > 0) throw notYours()
        }
        continue
      }
      isEnded = true
      if (!hash.digest().equals(part.sha256)) throw malformed('The checksum of the file is wrong.')
      await flush()
    }
    if (!upload || !isEnded) throw malformed('The upload ended before the end of the file.')
    if (!isFile) return
    const whole = upload
    isKept = await transact(world.db, async (tx) => {
      const { hostId } = whole
      if (!(await keepUpload(tx, tenantId, whole, { connectorId, hostId, byteCount: bytes, at: world.now() })))
        return false
      await deleteOtherUploads(tx, tenantId, whole)
      return true
    })
    if (!isKept) throw notYours()
  } finally {
    if (upload && !isKept) await deleteUpload(world.db, tenantId, upload).catch(() => {})
  }
}

/** Whether it is the file of a sync; refuses one that cannot be read at once, with what to do about it. */
function isSync(first: Buffer): boolean {
  if (!isConnectorFile(first)) return false
  try {
    refuseFormat(first)
  } catch (error) {
    if (error instanceof FileRefused) throw new Refusal('IMPORT_FILE_REFUSED', error.message)
    throw error
  }
  return true
}
