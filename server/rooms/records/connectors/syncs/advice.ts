import { type Awaited, adviceOnWaiting } from '../connector/waiting.ts'
import type { ConnectorTask } from '../connector.ts'
import { adviceOnScim } from '../scim-connection/advice.ts'
import { isBuiltInHost } from '../scim-connection/connection.ts'

type Ended = Pick<ConnectorTask, 'state' | 'error' | 'hostId'>

const held =
  'Compare what it would remove with the app. If that is correct, confirm the sync. Otherwise correct the connector, and ' +
  'pause and resume it, which discards this sync.'
const cancelled = 'Resume the connector if it is paused, and request a sync.'

/**
 * Known reasons why syncs fail, from this server's errors to those of connectors. The advice for the first that matches is
 * shown.
 */
const causes: readonly [RegExp, string][] = [
  [
    /did not finish the sync in/i,
    'Check that the connector is running and can reach this server, and check its log. A sync that is stopped repeatedly ' +
      'often lacks memory or disk space.',
  ],
  [
    /without uploading a file/i,
    'Check the log of the connector. Update it if it is older than 2023: it may not know this kind of task.',
  ],
  [/C1Z3|Pebble/i, 'Start the connector with --storage-engine sqlite (BATON_STORAGE_ENGINE=sqlite).'],
  [/unsupported task type/i, 'Update the connector: this version cannot sync as a service.'],
  [/There is no app/i, 'The app was deleted. Delete the connector, or create it in another app.'],
  [/no longer complete/i, 'Request another sync.'],
  [
    /unauthenticated|unauthori[sz]ed|\b401\b|invalid[_ ](?:api[_ ]?)?(?:token|key|credential|grant)|password|access denied|\bbind\b/i,
    'The app refused the credentials of the connector. Check the token, key or password that it is started with, and start it again.',
  ],
  [
    /permission ?denied|forbidden|\b403\b|insufficient|not allowed|\bscopes?\b/i,
    'The credentials of the connector do not have sufficient permissions in the app. Grant them the permissions in its documentation.',
  ],
  [
    /no such host|connection refused|timed? ?out|deadline|unreachable|\bnetwork\b|\bEOF\b|certificate|x509|\btls\b/i,
    'The connector could not reach the app. Check the address that it is started with, the network, and certificates.',
  ],
  [/rate limit|too many requests|\b429\b/i, 'The app limits requests. Sync less often, at times when it is used less.'],
  [
    /Nothing was imported|cannot be read|The file|The table/i,
    'The file of the connector could not be imported. Update the connector; if it fails again, import its file manually ' +
      'to see all errors.',
  ],
]

const unknown = 'Check the log of the connector for details. The next sync starts automatically.'

/** What to do about a sync that waits, was held or has failed; empty if there is nothing to do. */
export function adviceOn({ state, error, hostId }: Ended, connector: Awaited, at: Date): string {
  if (state === 'queued' || state === 'leased') {
    const waiting = adviceOnWaiting(connector, at)
    return waiting === '' && error !== '' ? 'It is repeated automatically when the connector next polls.' : waiting
  }
  if (state === 'held') return held
  if (state === 'cancelled') return cancelled
  if (state !== 'failed' && state !== 'unknown') return ''
  if (isBuiltInHost(hostId)) return adviceOnScim(error)
  const advice = causes.find(([pattern]) => pattern.test(error))?.[1] ?? unknown
  return hostId === '' ? advice : `${advice} It ran on ${hostId}.`
}
