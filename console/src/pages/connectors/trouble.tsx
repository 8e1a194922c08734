import type { ConnectorOverview } from '#client/api/types.ts'
import { Moment } from '../../parts/moment.tsx'
import type { Trouble } from '../../parts/troubles.tsx'

/** What is wrong with a connector: whether it calls, and whether its last sync worked. */
export function troublesOf(connector: ConnectorOverview): Trouble[] {
  const { state, lastSeenAt, lastSync, pausedAt, credentials, isBuiltIn } = connector
  if (pausedAt) return []
  const said: Trouble[] = []
  if (!isBuiltIn && credentials.every(({ revokedAt }) => revokedAt))
    said.push({
      title: 'The connector has no credential',
      words: 'It cannot call this server.',
      advice: 'Rotate the credential below, and start the connector with the new one.',
    })
  else if (!isBuiltIn && state === 'CONNECTOR_LIVE_STATE_SILENT')
    said.push({
      title: 'The connector is silent',
      words: (
        <>
          It last called <Moment at={lastSeenAt} show="seconds" />.
        </>
      ),
      advice:
        'Check on its host that the program runs, that it reaches this server, and what it writes to its log. Records are not updated until it calls again.',
    })
  if (lastSync?.state === 'CONNECTOR_SYNC_STATE_FAILED')
    said.push({
      title: 'The last sync failed, and nothing was changed',
      words: lastSync.error,
      advice: lastSync.advice,
    })
  return said
}
