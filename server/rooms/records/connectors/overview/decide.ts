import type { Connector } from '../connector.ts'

export const liveStates = [
  'CONNECTOR_LIVE_STATE_UNSPECIFIED',
  'CONNECTOR_LIVE_STATE_NEVER_SEEN',
  'CONNECTOR_LIVE_STATE_CONNECTED',
  'CONNECTOR_LIVE_STATE_SILENT',
  'CONNECTOR_LIVE_STATE_PAUSED',
] as const
export type LiveState = (typeof liveStates)[number]

/** Four polls of 30 s: one that is lost on the way is not a connector that is gone. */
const silentAfterMs = 120_000

/** Whether a connector calls. One that is paused may do so, but nothing follows from it. */
export function liveStateOf(
  { lastSeenAt, syncDisabledAt }: Pick<Connector, 'lastSeenAt' | 'syncDisabledAt'>,
  at: Date,
): LiveState {
  if (syncDisabledAt) return 'CONNECTOR_LIVE_STATE_PAUSED'
  if (!lastSeenAt) return 'CONNECTOR_LIVE_STATE_NEVER_SEEN'
  return at.getTime() - lastSeenAt.getTime() <= silentAfterMs
    ? 'CONNECTOR_LIVE_STATE_CONNECTED'
    : 'CONNECTOR_LIVE_STATE_SILENT'
}
