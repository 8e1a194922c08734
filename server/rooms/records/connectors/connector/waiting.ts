import type { Connector } from '../connector.ts'
import { liveStateOf } from './live-state.ts'

/** The fields of a connector that has to carry out something. */
export type Awaited = Pick<Connector, 'displayName' | 'lastSeenAt' | 'isBuiltIn' | 'syncDisabledAt'>

/** Why a connector does not fetch its tasks, and what to do; empty if it will. */
export function adviceOnWaiting(connector: Awaited, at: Date): string {
  if (connector.isBuiltIn) return ''
  const is = liveStateOf(connector, at)
  const { displayName: name, lastSeenAt } = connector
  if (is === 'CONNECTOR_LIVE_STATE_PAUSED') return `The connector ${name} is paused. Resume it.`
  if (is === 'CONNECTOR_LIVE_STATE_NEVER_SEEN')
    return `The connector ${name} has not connected yet. Start it with its credential.`
  if (is !== 'CONNECTOR_LIVE_STATE_SILENT') return ''
  return (
    `The connector ${name} has not connected since ${lastSeenAt?.toISOString()}. On its host, check that the program is ` +
    'running and can reach this server, and check its log. It continues when the connector connects again.'
  )
}
