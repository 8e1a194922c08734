import { nextPageToken } from '#kernel/pages.ts'
import { described, flag, int32, int64, list, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import { type Import, ImportCounts, viewImport } from '#rooms/records/imports/index.ts'
import type { Awaited } from '../connector/waiting.ts'
import type { Sync, TaskState } from '../connector.ts'
import { adviceOn } from './advice.ts'

const states = [
  'CONNECTOR_SYNC_STATE_UNSPECIFIED',
  'CONNECTOR_SYNC_STATE_QUEUED',
  'CONNECTOR_SYNC_STATE_RUNNING',
  'CONNECTOR_SYNC_STATE_IMPORTING',
  'CONNECTOR_SYNC_STATE_HELD',
  'CONNECTOR_SYNC_STATE_DONE',
  'CONNECTOR_SYNC_STATE_FAILED',
  'CONNECTOR_SYNC_STATE_CANCELLED',
] as const
const stateOf: Record<TaskState, (typeof states)[number]> = {
  queued: 'CONNECTOR_SYNC_STATE_QUEUED',
  leased: 'CONNECTOR_SYNC_STATE_RUNNING',
  merging: 'CONNECTOR_SYNC_STATE_IMPORTING',
  held: 'CONNECTOR_SYNC_STATE_HELD',
  done: 'CONNECTOR_SYNC_STATE_DONE',
  failed: 'CONNECTOR_SYNC_STATE_FAILED',
  unknown: 'CONNECTOR_SYNC_STATE_FAILED',
  cancelled: 'CONNECTOR_SYNC_STATE_CANCELLED',
}

export const SyncMessage = message(
  'connector.v1.ConnectorSync',
  {
    id: text(),
    appId: text(),
    connectorId: text(),
    state: oneOf(states),
    requestedByUserId: described(text(), 'Who requested it; empty if it was due.'),
    hostId: described(text(), 'The host of the connector that works or worked on it.'),
    attempts: int32(),
    createdAt: timestamp(),
    startedAt: timestamp(),
    endedAt: timestamp(),
    durationMs: described(int64(), 'From startedAt to endedAt, or until now.'),
    fileBytes: described(int64(), 'The size of the uploaded file.'),
    isConfirmed: described(flag(), 'Whether someone confirmed it after it was held.'),
    importId: described(text(), 'The import of this sync.'),
    counts: described(listOf(ImportCounts), 'What the import added, changed and removed, by kind.'),
    notes: described(list(text()), 'What was skipped in the file.'),
    heldReason: described(text(), 'Why it is held.'),
    error: described(text(), 'Why it failed, or is repeated.'),
    advice: described(text(), 'What to do about it.'),
  },
  'One reading of an app by its connector.',
)

export const syncReply = message('connector.v1.ConnectorSyncServiceGetResponse', { sync: nested(SyncMessage) })
export const syncsReply = message('connector.v1.ConnectorSyncServiceListResponse', {
  list: listOf(SyncMessage),
  nextPageToken,
})

export function viewSync(sync: Sync, connector: Awaited & { appId: string }, done: Import | null, now: Date) {
  const { state, error, begunAt, endedAt } = sync
  const isHeld = state === 'held'
  return {
    id: sync.id,
    appId: connector.appId,
    connectorId: sync.connectorId,
    state: stateOf[state],
    requestedByUserId: sync.askedBy,
    hostId: sync.hostId,
    attempts: sync.attempts,
    createdAt: sync.createdAt,
    startedAt: begunAt,
    endedAt,
    durationMs: begunAt ? Math.max(0, (endedAt ?? now).getTime() - begunAt.getTime()) : 0,
    fileBytes: sync.byteCount,
    isConfirmed: sync.isConfirmed,
    importId: sync.importId,
    counts: done ? viewImport(done).counts : [],
    notes: done?.notes ?? [],
    heldReason: isHeld ? error : '',
    error: isHeld ? '' : error,
    advice: adviceOn(sync, connector, now),
  }
}
