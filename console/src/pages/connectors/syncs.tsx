import { Anchor } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { connectorSyncList } from '#client/api/operations.ts'
import type { ConnectorOverview, ConnectorSync } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { numberOf } from '../imports/counts.tsx'
import { outcomeOf, SyncBadge } from './state.tsx'

const minuteMs = 60_000

function durationWords(text: string): string {
  const ms = Number(text)
  if (ms < 1000) return `${ms} ms`
  if (ms < minuteMs) return `${Math.round(ms / 1000)} s`
  return `${Math.floor(ms / minuteMs)} min ${Math.round((ms % minuteMs) / 1000)} s`
}

/** Every sync of a connector, newest first. */
export function Syncs({ connector }: { connector: ConnectorOverview }): ReactNode {
  return (
    <Panel title="Syncs">
      <DataList
        caption="Syncs of the connector"
        operation={connectorSyncList}
        input={({ pageSize, pageToken }) => ({
          path: { app_id: connector.appId, connector_id: connector.id },
          query: { page_size: pageSize, page_token: pageToken },
        })}
        rows={({ list }) => list}
        keyOf={({ id }) => id}
        columns={[
          {
            header: 'Started',
            width: '12rem',
            cell: ({ startedAt, createdAt }) => <Moment at={startedAt ?? createdAt} show="seconds" />,
          },
          { header: 'State', width: '11rem', cell: ({ state }) => <SyncBadge state={state} /> },
          { header: 'Changes', cell: (sync) => <Outcome sync={sync} /> },
          {
            header: 'Duration',
            width: '7rem',
            cell: ({ startedAt, durationMs }) => (startedAt ? durationWords(durationMs) : '–'),
          },
          { header: 'File', width: '6.5rem', isNumber: true, cell: ({ fileBytes }) => bytesWords(fileBytes) },
          {
            header: 'Requested by',
            width: '10rem',
            cell: ({ requestedByUserId }) =>
              requestedByUserId ? <UserName userId={requestedByUserId} /> : 'The schedule',
          },
        ]}
        empty={{
          icon: IconRefresh,
          title: 'No syncs yet',
          children: 'The first sync starts as soon as the connector connects.',
        }}
      />
    </Panel>
  )
}

const bytesWords = (text: string): string => {
  const kib = Math.ceil(Number(text) / 1024)
  return kib === 0 ? '–' : kib < 10_240 ? `${numberOf(`${kib}`)} KiB` : `${numberOf(`${Math.round(kib / 1024)}`)} MiB`
}

function Outcome({ sync }: { sync: ConnectorSync }): ReactNode {
  const { may } = useSession()
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {sync.importId && may('imports.read') ? (
        <Anchor component={Link} to={`/imports/${sync.importId}`} size="sm">
          {outcomeOf(sync)}
        </Anchor>
      ) : (
        outcomeOf(sync) || '–'
      )}
      {sync.isConfirmed && <div>Confirmed after it was held.</div>}
      {sync.advice && <div>{sync.advice}</div>}
    </div>
  )
}
