import type { Config } from './catalog/config.ts'

/** A program that runs next to an app, or a part of this server in its place. */
export type Connector = {
  id: string
  appId: string
  displayName: string
  description: string
  catalogId: string
  /** Whether this server runs it. */
  isBuiltIn: boolean
  agent: string
  hostId: string
  lastSeenAt: Date | null
  syncEverySeconds: number
  nextSyncAt: Date | null
  /** If not empty, syncs follow this schedule rather than an interval in seconds. */
  cronSpec: string
  cronTimeZone: string
  cronSince: Date | null
  /** Its settings, without secrets. */
  config: Config | null
  configUpdatedAt: Date | null
  syncDisabledAt: Date | null
  syncDisabledReason: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

export const provisioningKinds = ['grant', 'revoke', 'create_account', 'delete_account'] as const
export type ProvisioningKind = (typeof provisioningKinds)[number]
export type TaskKind = 'sync' | ProvisioningKind
export type TaskState = 'queued' | 'leased' | 'merging' | 'held' | 'done' | 'failed' | 'unknown' | 'cancelled'

export const shownState = (state: TaskState): string => (state === 'leased' ? 'with the connector' : state)

/** A task for a connector. */
export type ConnectorTask = {
  id: string
  connectorId: string
  kind: TaskKind
  state: TaskState
  hostId: string
  leaseUntil: Date | null
  attempts: number
  error: string
  uploadId: string
  byteCount: number
  isConfirmed: boolean
  importId: string
  createdAt: Date
  begunAt: Date | null
  endedAt: Date | null
  /** The objects that it is about; empty for a sync. Creating or deleting an account has no entitlement. */
  appId: string
  entitlementId: string
  accountId: string
  /** Whether a request waits for it to end. */
  isAwaited: boolean
  retryOf: string
  /** How often it was retried automatically. */
  retries: number
  /** The sync that showed its outcome. */
  settledBy: string
}

/** A sync task, as it is shown, with who requested it. */
export type Sync = Pick<
  ConnectorTask,
  'id' | 'connectorId' | 'state' | 'hostId' | 'attempts' | 'error' | 'byteCount' | 'isConfirmed' | 'importId'
> &
  Pick<ConnectorTask, 'createdAt' | 'begunAt' | 'endedAt'> & { askedBy: string }

/** A task to carry out in the app. */
export type ProvisioningTask = ConnectorTask & { kind: ProvisioningKind }

export const isProvisioning = (task: ConnectorTask): task is ProvisioningTask => task.kind !== 'sync'
