import type { CountDriftResponse } from '#client/api/types.ts'

/** What the comparison of apps with grants leaves out. */
type Uncompared = Pick<CountDriftResponse, 'unread' | 'appsWithoutConnector'>

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** `1 connector has not synced since Nov 15`. */
function unreadWords(unread: Uncompared['unread']): string {
  const count = unread.length
  const times = unread.flatMap(({ lastSyncedAt }) => lastSyncedAt ?? []).toSorted()
  const [oldest] = times
  const who = count === 1 ? '1 connector has' : `${count.toLocaleString()} connectors have`
  if (oldest === undefined) return `${who} not synced yet`
  const since = day.format(new Date(oldest))
  if (count === 1) return `${who} not synced since ${since}`
  return `${who} not synced, ${times.length < count ? 'some not yet' : `the longest since ${since}`}`
}

/** `1 connector has not synced since Nov 15; 10 apps have no connector.` Empty if nothing is left out. */
export function uncomparedWords({ unread, appsWithoutConnector: count }: Uncompared): string {
  const apps = `${count.toLocaleString()} ${count === 1 ? 'app has' : 'apps have'} no connector`
  const all = [...(unread.length > 0 ? [unreadWords(unread)] : []), ...(count > 0 ? [apps] : [])]
  return all.length === 0 ? '' : `${all.join('; ')}.`
}
