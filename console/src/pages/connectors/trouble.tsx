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
      words: 'It cannot connect to this server.',
      advice: 'Rotate the credential below, and start the connector with the new one.',
    })
  else if (!isBuiltIn && state === 'CONNECTOR_LIVE_STATE_SILENT')
    said.push({
      title: 'The connector is silent',
      words: (
        <>
          It last connected <Moment at={lastSeenAt} show="exact" />.
        </>
      ),
      advice:
        'On its host, check that the program is running and can reach this server, and check its log. Records are not updated until it connects again.',
    })
  if (lastSync?.state === 'CONNECTOR_SYNC_STATE_FAILED')
    said.push({
      title: 'The last sync failed. Nothing was changed',
      words: lastSync.error,
      advice: lastSync.advice,
    })
  return said
}
