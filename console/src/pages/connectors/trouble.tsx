import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ConnectorOverview } from '#client/api/types.ts'
import { Moment } from '../../parts/moment.tsx'

type Said = { title: string; words: ReactNode; advice: string }

/** What is wrong with a connector: whether it calls, and whether its last sync worked. */
function troublesOf({ state, lastSeenAt, lastSync, pausedAt, credentials }: ConnectorOverview): Said[] {
  if (pausedAt) return []
  const said: Said[] = []
  if (credentials.every(({ revokedAt }) => revokedAt))
    said.push({
      title: 'The connector has no credential',
      words: 'It cannot call this server.',
      advice: 'Rotate the credential below, and start the connector with the new one.',
    })
  else if (state === 'CONNECTOR_LIVE_STATE_SILENT')
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

/** Errors, in words that say what to do. */
export const Troubles = ({ connector }: { connector: ConnectorOverview }): ReactNode =>
  troublesOf(connector).map(({ title, words, advice }) => (
    <Alert
      key={title}
      color="orange"
      variant="light"
      mb="md"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={title}
      style={{ overflowWrap: 'anywhere' }}
    >
      <Text size="sm">{words}</Text>
      {advice && (
        <Text size="sm" mt="xs">
          {advice}
        </Text>
      )}
    </Alert>
  ))
