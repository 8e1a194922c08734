import type { Config } from './catalog/config.ts'

/** A program that runs next to an app. */
export type Connector = {
  id: string
  appId: string
  displayName: string
  description: string
  catalogId: string
  agent: string
  hostId: string
  lastSeenAt: Date | null
  syncEverySeconds: number
  nextSyncAt: Date | null
  /** Syncs are due by this rather than every so many seconds, where it is not empty. */
  cronSpec: string
  cronTimeZone: string
  cronSince: Date | null
  /** What it is started with, without secrets. */
  config: Config | null
  configUpdatedAt: Date | null
  syncDisabledAt: Date | null
  syncDisabledReason: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

export type TaskKind = 'sync' | 'grant' | 'revoke'
export type TaskState = 'queued' | 'leased' | 'merging' | 'held' | 'done' | 'failed' | 'unknown' | 'cancelled'

/** Something that a connector is to do. */
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
}

/** A task to sync, with who asked for it. */
export type Sync = ConnectorTask & { askedBy: string }
