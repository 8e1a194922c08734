import type { Connector, Sync } from '../connector.ts'

export const liveStates = [
  'CONNECTOR_LIVE_STATE_UNSPECIFIED',
  'CONNECTOR_LIVE_STATE_NEVER_SEEN',
  'CONNECTOR_LIVE_STATE_CONNECTED',
  'CONNECTOR_LIVE_STATE_SILENT',
  'CONNECTOR_LIVE_STATE_PAUSED',
] as const
export type LiveState = (typeof liveStates)[number]

/** Four polls of 30 s each: a single lost poll does not mean that the connector is gone. */
const silentAfterMs = 120_000

/**
 * Whether a connector is calling. A paused one may do so, without any effect. One that this server runs is silent if its app
 * did not respond to the last sync.
 */
export function liveStateOf(
  { lastSeenAt, syncDisabledAt, isBuiltIn }: Pick<Connector, 'lastSeenAt' | 'syncDisabledAt' | 'isBuiltIn'>,
  at: Date,
  last: Pick<Sync, 'state' | 'begunAt'> | null = null,
): LiveState {
  if (syncDisabledAt) return 'CONNECTOR_LIVE_STATE_PAUSED'
  if (isBuiltIn && last?.state === 'failed' && last.begunAt && (!lastSeenAt || lastSeenAt < last.begunAt))
    return 'CONNECTOR_LIVE_STATE_SILENT'
  if (!lastSeenAt) return 'CONNECTOR_LIVE_STATE_NEVER_SEEN'
  if (isBuiltIn) return 'CONNECTOR_LIVE_STATE_CONNECTED'
  return at.getTime() - lastSeenAt.getTime() <= silentAfterMs
    ? 'CONNECTOR_LIVE_STATE_CONNECTED'
    : 'CONNECTOR_LIVE_STATE_SILENT'
}
