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
  // Nothing more happens until somebody decides.
  held: 'SYNC_STATUS_ERROR',
  failed: 'SYNC_STATUS_ERROR',
  unknown: 'SYNC_STATUS_ERROR',
  cancelled: 'SYNC_STATUS_ERROR',
}

/** The status of a connector's last sync; a paused connector has its own. */
export function statusOf(
  { syncDisabledAt }: Pick<Connector, 'syncDisabledAt'>,
  last: ConnectorTask | null,
): SyncStatus {
  if (syncDisabledAt) return 'SYNC_STATUS_DISABLED'
  return last ? byState[last.state] : 'SYNC_STATUS_UNSPECIFIED'
}
