import type { Connector, ConnectorTask, TaskState } from '../connector.ts'

export const syncStatuses = [
  'SYNC_STATUS_UNSPECIFIED',
  'SYNC_STATUS_RUNNING',
  'SYNC_STATUS_DONE',
  'SYNC_STATUS_ERROR',
  'SYNC_STATUS_DISABLED',
] as const
export type SyncStatus = (typeof syncStatuses)[number]

const byState: Record<TaskState, SyncStatus> = {
  queued: 'SYNC_STATUS_UNSPECIFIED',
  leased: 'SYNC_STATUS_RUNNING',
  merging: 'SYNC_STATUS_RUNNING',
  done: 'SYNC_STATUS_DONE',
  // Nothing more happens before somebody looks.
  held: 'SYNC_STATUS_ERROR',
  failed: 'SYNC_STATUS_ERROR',
  unknown: 'SYNC_STATUS_ERROR',
  cancelled: 'SYNC_STATUS_ERROR',
}

/** How a connector's last sync is going. One that is paused does not go at all. */
export function statusOf(
  { syncDisabledAt }: Pick<Connector, 'syncDisabledAt'>,
  last: ConnectorTask | null,
): SyncStatus {
  if (syncDisabledAt) return 'SYNC_STATUS_DISABLED'
  return last ? byState[last.state] : 'SYNC_STATUS_UNSPECIFIED'
}
