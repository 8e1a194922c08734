import { liveStateOf } from '../connector/live-state.ts'
import type { TaskState } from '../connector.ts'
import type { Provisioner } from '../provisioning/store/provisioners.ts'
import { canCreateAccounts, canRead, whyNotProvisioned } from '../provisioning/support.ts'

/** What became of the syncs of a connector: when the last one was imported, and the last that was done, failed or is held. */
export type Syncs = {
  lastSyncedAt: Date | null
  state: TaskState | null
  error: string
  begunAt: Date | null
  endedAt: Date | null
}
export const noSyncs: Syncs = { lastSyncedAt: null, state: null, error: '', begunAt: null, endedAt: null }

export type Health = 'synced' | 'failing' | 'held' | 'silent' | 'never synced' | 'disabled'

/** A day without a sync: what is known of the app is out of date by then, even if it syncs once a day. */
const outOfDateMs = 24 * 3_600_000

/** Whether what a connector says of its app can be relied on. */
function healthOf(connector: Provisioner, syncs: Syncs, at: Date): Health {
  const { lastSyncedAt, state, begunAt } = syncs
  if (connector.isPaused) return 'disabled'
  if (state === 'failed' || state === 'unknown') return 'failing'
  if (state === 'held') return 'held'
  if (!lastSyncedAt) return 'never synced'
  const isSilent = liveStateOf(connector, at, state && { state, begunAt }) === 'CONNECTOR_LIVE_STATE_SILENT'
  return isSilent && at.getTime() - lastSyncedAt.getTime() > outOfDateMs ? 'silent' : 'synced'
}

/** A connector of an app: what it can do there, and how far it can be relied on. */
export type AppConnector = Provisioner & {
  health: Health
  lastSyncedAt: Date | null
  /** The last sync, if it failed or is held. */
  lastFailure: { at: Date | null; error: string } | null
  reads: boolean
  provisions: boolean
  createsAccounts: boolean
  /** Why it does not grant and revoke; empty if it does. */
  whyNot: string
}

export function judgeConnector(connector: Provisioner, syncs: Syncs, at: Date): AppConnector {
  const { lastSyncedAt, state, error, begunAt, endedAt } = syncs
  const whyNot = whyNotProvisioned(connector, null) ?? ''
  const isFailed = state === 'failed' || state === 'unknown' || state === 'held'
  return {
    ...connector,
    health: healthOf(connector, syncs, at),
    lastSyncedAt,
    lastFailure: isFailed ? { at: endedAt ?? begunAt, error } : null,
    reads: canRead(connector),
    provisions: whyNot === '',
    createsAccounts: whyNot === '' && canCreateAccounts(connector),
    whyNot,
  }
}
