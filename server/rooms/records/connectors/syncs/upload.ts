import { createHash } from 'node:crypto'
import { Refusal } from '#kernel/refusals.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { FileRefused, isConnectorFile, magicBytes, refuseFormat } from '#rooms/records/baton/index.ts'
import { keepTasks } from '../tasks/leases.ts'
import { findTask } from '../tasks/store.ts'
import { deleteOtherUploads, deleteUpload, hasPiece, insertPiece, keepUpload, lockLeased } from './store.ts'

/** An upload, in parts. */
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
    'This host does not have this task: it was assigned to another host, or has ended.',
  )

const replaced = (): Refusal =>
  new Refusal('CONNECTOR_TASK_NOT_FOUND', 'Another upload for the same task has replaced this one.')

export type Uploader = {
  connectorId: string
  /** Refuses a connector that may no longer upload. */
  assertMay(): Promise<unknown>
}

type Uploading = { taskId: string; uploadId: string; hostId: string }

/**
 * Receives the file of a sync. It counts once all of it has arrived, with the right checksum, from the host that has the
 * task; an incomplete upload is deleted. Logs, which connectors send in the same way, are ignored.
 */
export async function receiveUpload(
  world: World,
  tenantId: number,
  { connectorId, assertMay }: Uploader,
  parts: AsyncIterable<Part>,
): Promise<void> {
  let upload: Uploading | null = null
  let isKept = false
  try {
    // Messages are copied into it: a million of one byte each, kept separately, would take a hundred times their size.
    const piece = Buffer.allocUnsafe(pieceBytes)
    let filled = 0
    let bytes = 0
    let place = 0
    let isFile: boolean | null = null
    let isEnded = false
    let keptAt = performance.now()
    const hash = createHash('sha256')
    const flush = async (to: Uploading): Promise<void> => {
      if (filled === 0 || !isFile) return
      // An upload takes minutes: a connector that loses its permission meanwhile is refused.
      await assertMay()
      await keepPiece(world, tenantId, { ...to, connectorId }, place++, piece.subarray(0, filled))
      filled = 0
    }
    const take = async (to: Uploading, data: Uint8Array): Promise<void> => {
      for (let at = 0; at < data.length && isFile !== false; ) {
        const part = data.subarray(at, at + pieceBytes - filled)
        piece.set(part, filled)
        filled += part.length
        at += part.length
        if (isFile === null && filled >= magicBytes) isFile = isSync(piece.subarray(0, filled))
        if (filled === pieceBytes) await flush(to)
      }
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
        await take(upload, part.bytes)
        if (performance.now() - keptAt > keepEveryMs) {
          keptAt = performance.now()
          await assertMay()
          const { hostId, taskId } = upload
          const lost = await keepTasks(world, tenantId, connectorId, { hostId, taskIds: [taskId] })
          if (lost.length > 0) throw notYours()
        }
        continue
      }
      isEnded = true
      if (!hash.digest().equals(part.sha256)) throw malformed('The checksum of the file is wrong.')
      await flush(upload)
    }
    if (!upload || !isEnded) throw malformed('The upload ended before the end of the file.')
    if (!isFile) return
    await assertMay()
    const whole = upload
    isKept = await transact(world.db, async (tx) => {
      if (!(await lockLeased(tx, tenantId, { ...whole, connectorId, at: world.now() }))) return false
      if (!(await hasPiece(tx, tenantId, whole, place - 1))) throw replaced()
      await keepUpload(tx, tenantId, whole, { connectorId, byteCount: bytes })
      await deleteOtherUploads(tx, tenantId, whole)
      return true
    })
    if (!isKept) throw notYours()
  } finally {
    if (upload && !isKept) await deleteUpload(world.db, tenantId, upload).catch(() => {})
  }
}

/**
 * Keeps a piece while the host has the task, and of one upload at a time: the one that began last ends the others, so that
 * repeated uploads that do not end cannot fill the disk. The task is locked: whatever ends it deletes all of its pieces.
 */
const keepPiece = (
  world: World,
  tenantId: number,
  upload: Uploading & { connectorId: string },
  place: number,
  bytes: Buffer,
): Promise<void> =>
  transact(world.db, async (tx) => {
    const { taskId } = upload
    const task = await lockLeased(tx, tenantId, { ...upload, at: world.now() })
    if (!task) throw notYours()
    if (place === 0) await deleteOtherUploads(tx, tenantId, { taskId, uploadId: task.uploadId })
    else if (!(await hasPiece(tx, tenantId, upload, place - 1))) throw replaced()
    await insertPiece(tx, tenantId, upload, place, bytes)
  })

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
