import type { Import } from '#rooms/records/imports/index.ts'
import type { Connector, Sync } from '../connector.ts'

/** What a connector reported about itself when it started; empty before. */
export type Reported = {
  name?: string
  package?: string
  version?: string
  os?: string
  hostname?: string
  capabilities?: string[]
  resourceTypes?: { id: string; capabilities: string[] }[]
}

export type OverviewRow = Pick<
  Connector,
  | 'id'
  | 'appId'
  | 'displayName'
  | 'description'
  | 'catalogId'
  | 'isBuiltIn'
  | 'agent'
  | 'hostId'
  | 'lastSeenAt'
  | 'nextSyncAt'
  | 'syncDisabledAt'
  | 'syncEverySeconds'
  | 'cronSpec'
  | 'cronTimeZone'
  | 'createdAt'
> & { appName: string; metadata: Reported }

/** A credential without its secret, which is not stored. */
export type ShownCredential = {
  id: string
  clientId: string
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** A sync, and its import. */
export type LastSync = { sync: Sync; done: Import | null }
