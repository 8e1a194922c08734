import type { ConnectorOverview } from '#client/api/types.ts'

/** What the comparison of apps with grants leaves out. */
export type Uncompared = {
  /** Connectors whose last sync was not imported, each with when its app last was, if ever. */
  notSynced: readonly (string | null)[]
  /** Apps without a connector, as `10` or `100+`. */
  unconnected: { count: number; isMore: boolean }
}

/** Whether what a connector last read of its app is out of date. */
export const isNotSynced = ({ state, lastSync }: Pick<ConnectorOverview, 'state' | 'lastSync'>): boolean =>
  state === 'CONNECTOR_LIVE_STATE_PAUSED' ||
  lastSync === null ||
  lastSync.state === 'CONNECTOR_SYNC_STATE_FAILED' ||
  lastSync.state === 'CONNECTOR_SYNC_STATE_HELD'

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** `1 connector has not synced since Nov 15`. */
function notSyncedWords(notSynced: Uncompared['notSynced']): string {
  const count = notSynced.length
  const times = notSynced.filter((at) => at !== null).toSorted()
  const [oldest] = times
  const who = count === 1 ? '1 connector has' : `${count.toLocaleString()} connectors have`
  if (oldest === undefined) return `${who} not synced yet`
  const since = day.format(new Date(oldest))
  if (count === 1) return `${who} not synced since ${since}`
  return `${who} not synced, ${times.length < count ? 'some not yet' : `the longest since ${since}`}`
}

/** `1 connector has not synced since Nov 15; 10 apps have no connector.` Empty if nothing is left out. */
export function uncomparedWords({ notSynced, unconnected: { count, isMore } }: Uncompared): string {
  const apps = `${count.toLocaleString()}${isMore ? '+' : ''} ${count === 1 && !isMore ? 'app has' : 'apps have'} no connector`
  const all = [...(notSynced.length > 0 ? [notSyncedWords(notSynced)] : []), ...(count > 0 ? [apps] : [])]
  return all.length === 0 ? '' : `${all.join('; ')}.`
}
