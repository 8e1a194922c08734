import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { hostname } from 'node:os'
import { type JobCall, JobFailed, type JobKind, jobKind } from '#kernel/jobs.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { Refusal } from '#kernel/refusals.ts'
import { openTurns } from '#kernel/turns.ts'
import { connectorCause } from '../../cause.ts'
import { findAnyConnector } from '../../connector/store.ts'
import type { ConnectorTask } from '../../connector.ts'
import { builtInAgent, hostOf } from '../../scim-connection/connection.ts'
import { findConnection } from '../../scim-connection/store.ts'
import { type Part, receiveUpload } from '../../syncs/upload.ts'
import { keepTasks } from '../../tasks/leases.ts'
import { noteSeen, updateMetadata } from '../../tasks/store.ts'
import { finishTask, leaseTasks, releaseTask } from '../../work/actions.ts'
import { scimSyncDue } from '../names.ts'
import { metadataOf, type Service } from '../protocol/capabilities.ts'
import { ScimFailed } from '../protocol/failed.ts'
import { openAccess, unreadableToken } from '../seal.ts'
import { readInThread } from './run.ts'

// A thread, its heap and a file on disk each.
const turns = openTurns({ perKey: 1, inAll: 2, waitingMax: 20, waitMs: 60_000 })

const keepEveryMs = 30_000

/**
 * Reads apps that support SCIM. The task of the sync is leased as by any connector, and what was read is uploaded as its
 * file: it is checked, held and merged like theirs. It only reads, so an attempt of unknown outcome is repeated.
 */
export const readScimApps: JobKind = jobKind(scimSyncDue, {
  title: 'SCIM sync',
  retry: { firstMs: 2_000, maxMs: 60_000, attemptsMax: 50 },
  limitPerTenant: 2,
  afterUnknown: 'retry',
  attemptMs: 50 * 60_000,
  async handle(call) {
    try {
      await turns.take(String(call.tenant.id), call.signal, () => sync(call))
    } catch (error) {
      const isPassing = error instanceof Refusal && ['TOO_MANY_AT_ONCE', 'SERVER_BUSY'].includes(error.reason)
      if (isPassing) throw new JobFailed(error.message)
      throw error
    }
  },
})

async function sync(call: JobCall<{ connectorId: string }>): Promise<void> {
  const { connectorId } = call.job.payload
  const tenantId = call.tenant.id
  const hostId = hostOf(hostname(), call.job.id)
  const [task] = await leaseTasks(call, tenantId, connectorId, { hostId, countMax: 1, only: 'sync' })
  const connector = await findAnyConnector(call.db, tenantId, connectorId)
  if (!task || !connector) return
  const cause = connectorCause(call.tenant, connector, scimSyncDue.kind)
  const lease = keepLease(call, { connectorId, hostId, taskId: task.id })
  try {
    await read(call, task, hostId, AbortSignal.any([call.signal, lease.signal]))
    await finishTask(call, cause, connectorId, { hostId, taskId: task.id, error: null })
  } catch (error) {
    // Paused, deleted, or taken over by another server: nothing more to report.
    if (lease.signal.aborted || (error instanceof Refusal && error.reason === 'CONNECTOR_TASK_NOT_FOUND')) return
    if (call.signal.aborted && (call.signal.reason as Error).name === 'Stopping') {
      await releaseTask(call, cause, connectorId, { hostId, taskId: task.id })
      throw error
    }
    const isKnown = error instanceof ScimFailed || error instanceof Refusal
    if (!isKnown) call.log.error({ err: error, connectorId }, 'an app could not be read by SCIM')
    const words = isKnown
      ? error.message
      : 'The app could not be read: unexpected error. The server log has the details.'
    await finishTask(call, cause, connectorId, { hostId, taskId: task.id, error: words })
  } finally {
    lease.stop()
  }
}

async function read(call: JobCall, task: ConnectorTask, hostId: string, signal: AbortSignal): Promise<void> {
  const tenantId = call.tenant.id
  const { connectorId } = task
  const connection = await findConnection(call.db, tenantId, connectorId)
  const access = connection && openAccess(call, tenantId, connection)
  if (!access) throw new ScimFailed(unreadableToken)
  const seen = (): Promise<void> => {
    const at = call.now()
    return noteSeen(call.db, tenantId, connectorId, { agent: builtInAgent, hostId, at, notSince: at })
  }
  const wanted = {
    access,
    rules: call.settings.outgoing ?? strictRules,
    syncId: task.id,
    at: call.now(),
    signal,
    onAnswer: () =>
      void seen().catch((err: unknown) => call.log.warn({ err }, 'could not record that an app responded')),
  }
  await readInThread(wanted, async (file: string, service: Service) => {
    await seen()
    await updateMetadata(call.db, tenantId, connectorId, metadataOf(service))
    const assertMay = async (): Promise<void> => signal.throwIfAborted()
    await receiveUpload(call, tenantId, { connectorId, assertMay }, partsOf(file, { hostId, taskId: task.id }))
  })
}

async function* partsOf(file: string, of: { hostId: string; taskId: string }): AsyncGenerator<Part> {
  yield { is: 'begin', ...of }
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(bytes)
    yield { is: 'data', bytes }
  }
  yield { is: 'end', sha256: hash.digest() }
}

type Leased = { connectorId: string; hostId: string; taskId: string }

/** Renews the lease on the task; the signal is aborted when the lease is lost. */
function keepLease(call: JobCall, { connectorId, hostId, taskId }: Leased): { signal: AbortSignal; stop(): void } {
  const abort = new AbortController()
  const timer = setInterval(() => {
    keepTasks(call, call.tenant.id, connectorId, { hostId, taskIds: [taskId] }).then(
      (lost) => {
        if (lost.length > 0) abort.abort(new Error('the sync was cancelled'))
      },
      (err: unknown) => call.log.warn({ err, connectorId }, 'the lease of a sync could not be renewed'),
    )
  }, keepEveryMs)
  return { signal: abort.signal, stop: () => clearInterval(timer) }
}
