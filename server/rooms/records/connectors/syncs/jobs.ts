import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JobCall, JobFailed, type JobKind, jobKind } from '#kernel/jobs.ts'
import { Refusal } from '#kernel/refusals.ts'
import { type Reads, transact } from '#kernel/sql.ts'
import { enqueue } from '#rooms/foundation/jobs/index.ts'
import { importFile } from '#rooms/records/imports/index.ts'
import { connectorCause } from '../cause.ts'
import type { ConnectorTask } from '../connector.ts'
import { settleUnknown } from '../provisioning/settle.ts'
import { listCreated, listInDoubt } from '../provisioning/store/tasks.ts'
import { retrySyncMs } from '../schedule/decide.ts'
import { findTask, lockConnector, setNextSync, type TaskChange, updateTask } from '../tasks/store.ts'
import { appSynced, syncUploaded } from './names.ts'
import { deleteOtherUploads, findPiece, setReported } from './store.ts'

/** Temporary: others were using the same records, or the server could not do it at the moment. */
const passing: readonly string[] = [
  'IMPORT_UNDER_WAY',
  'LOST_RACE',
  'TOO_MANY_AT_ONCE',
  'DATABASE_AWAY',
  'SERVER_BUSY',
  'OUTCOME_UNKNOWN',
]

const attemptsMax = 50

/** Merges uploaded syncs. The same file twice changes nothing, so an attempt of unknown outcome is repeated. */
export const mergeSyncs: JobKind = jobKind(syncUploaded, {
  title: 'Import of a sync',
  retry: { firstMs: 2_000, maxMs: 300_000, attemptsMax },
  limitPerTenant: 1,
  afterUnknown: 'retry',
  attemptMs: 3_600_000,
  async handle(call) {
    const { connectorId, taskId } = call.job.payload
    const task = await findTask(call.db, call.tenant.id, connectorId, taskId)
    if (task?.state !== 'merging') return
    const change = await merge(call, task)
    await transact(call.db, (tx) => settle(call, task, change, tx))
  },
})

async function settle(call: JobCall, task: ConnectorTask, found: TaskChange, tx: Parameters<JobCall['finishIn']>[0]) {
  const connector = await lockConnector(tx, call.tenant.id, task.connectorId)
  // Nobody can confirm it any more.
  const change = !connector && found.state === 'held' ? deleted(call) : found
  await updateTask(tx, call.tenant.id, task, change)
  // A file that is held is kept until a person has decided.
  if (change.state !== 'held') await deleteOtherUploads(tx, call.tenant.id, { taskId: task.id, uploadId: '' })
  if (connector && change.state === 'done') await setReported(tx, call.tenant.id, connector.id)
  if (connector && change.state === 'done')
    await settleUnknown(tx, call, connectorCause(call.tenant, connector, syncUploaded.kind), connector, task)
  if (connector && change.state === 'failed')
    await setNextSync(
      tx,
      call.tenant.id,
      connector.id,
      new Date(call.now().getTime() + retrySyncMs(connector.syncEverySeconds)),
    )
  if (connector && change.state === 'done') {
    const [begunAt, importedAt] = [task.begunAt ?? task.createdAt, change.endedAt ?? call.now()]
    await enqueue(tx, call, connectorCause(call.tenant, connector, syncUploaded.kind), appSynced, {
      payload: {
        appId: connector.appId,
        begunAt: begunAt.toISOString(),
        importedAt: importedAt.toISOString(),
      },
      subject: { type: 'app', id: connector.appId },
      key: task.id,
    })
  }
  await call.finishIn(tx)
}

const deleted = (call: JobCall): TaskChange => ({
  state: 'cancelled',
  error: 'The connector was deleted.',
  endedAt: call.now(),
})

async function merge(call: JobCall, task: ConnectorTask): Promise<TaskChange> {
  const connector = await transact(call.db, (tx) => lockConnector(tx, call.tenant.id, task.connectorId))
  if (!connector) return deleted(call)
  const file = await openNameless()
  try {
    if ((await writePieces(call, task, file)) !== task.byteCount)
      throw new Refusal('IMPORT_FILE_REFUSED', 'The uploaded file is no longer complete.')
    const done = await importFile(call, connectorCause(call.tenant, connector, syncUploaded.kind), {
      source: file.createReadStream({ start: 0, highWaterMark: 256 * 1024 }),
      format: 'c1z',
      kind: null,
      app: connector.appId,
      isAppRequired: true,
      connectorId: connector.id,
      isFull: true,
      isDryRun: false,
      isForced: task.isConfirmed,
      findInDoubt: (tx) => inDoubt(tx, call.tenant.id, connector.appId, task),
      findCreated: (tx) => listCreated(tx, call.tenant.id, connector.appId),
    })
    return { state: 'done', error: '', importId: done.id, endedAt: call.now() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // After the last attempt nothing else would end the task, and the connector would never sync again.
    if (passing.includes(error.reason) && call.job.attempt < attemptsMax) throw new JobFailed(error.message)
    if (error.reason === 'IMPORT_REMOVES_TOO_MUCH') return { state: 'held', error: wouldRemove(error) }
    return { state: 'failed', error: error.message, endedAt: call.now() }
  } finally {
    await file.close()
  }
}

/**
 * Describes what the circuit breaker held, for people who decide about a sync: the import's own message is about files and
 * `force`.
 */
function wouldRemove({ detail: { metadata = {} } }: Refusal): string {
  const told = Object.entries(metadata).map(([kind, gone]) => `${gone.replace('/', ' of ')} ${kind.replace('_', ' ')}s`)
  return `This sync would remove ${told.join(', ')}. That is more than 20%.`
}

/** What was changed through the connector while it read the app, or since: the file may show an earlier state. */
async function inDoubt(tx: Reads, tenantId: number, appId: string, { begunAt, createdAt }: ConnectorTask) {
  const tasks = await listInDoubt(tx, tenantId, appId, begunAt ?? createdAt)
  const accountsOf = (kind: string) => tasks.filter((task) => task.kind === kind).map(({ accountId }) => accountId)
  return {
    grants: tasks.filter(({ entitlementId }) => entitlementId !== ''),
    created: accountsOf('create_account'),
    deleted: accountsOf('delete_account'),
  }
}

/** A file that has no name any more: regardless of what happens to the server, none is left behind. */
async function openNameless(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-connector-file-'))
  try {
    return await open(join(folder, 'upload'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * To this machine's disk first: no connection is held for the file while another holds the transaction. Returns its size.
 */
async function writePieces(call: JobCall, { id: taskId, uploadId }: ConnectorTask, file: FileHandle): Promise<number> {
  let bytes = 0
  for (let place = 0; ; place++) {
    call.signal.throwIfAborted()
    const piece = await findPiece(call.db, call.tenant.id, { taskId, uploadId }, place)
    if (!piece) return bytes
    await file.appendFile(piece)
    bytes += piece.length
  }
}
