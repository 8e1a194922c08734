import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { connectorOverviewList, connectorOverviewListOfApp } from '#client/api/operations.ts'
import type { ConnectorOverview, ConnectorSync } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { PageLink } from '../../parts/page-link.tsx'
import { RelativeTime } from '../../parts/relative-time.tsx'
import type { Column } from '../../parts/table.tsx'
import { LiveBadge, outcomeOf, SyncBadge } from './state.tsx'

export const connectorAddress = ({ appId, id }: Pick<ConnectorOverview, 'appId' | 'id'>): string =>
  `/apps/${appId}/connectors/${id}`

const LastSync = ({ sync }: { sync: ConnectorSync | null }): ReactNode =>
  sync ? (
    <div>
      <SyncBadge state={sync.state} /> <Moment at={sync.endedAt ?? sync.startedAt ?? sync.createdAt} />
      <div>{outcomeOf(sync)}</div>
    </div>
  ) : (
    'None yet'
  )

const columnsOf = (hasApp: boolean): readonly Column<ConnectorOverview>[] => [
  {
    header: 'Connector',
    width: '24%',
    cell: (connector) => (
      <Named label={connector.displayName} to={connectorAddress(connector)} about={connector.catalogId} />
    ),
  },
  ...(hasApp
    ? [
        {
          header: 'App',
          width: '18%',
          cell: ({ appId, appName }: ConnectorOverview) => <Named isQuiet label={appName} to={`/apps/${appId}`} />,
        },
      ]
    : []),
  { header: 'State', width: '8rem', cell: ({ state }) => <LiveBadge state={state} /> },
  {
    header: 'Last seen',
    width: '10rem',
    cell: ({ lastSeenAt }) => (lastSeenAt ? <RelativeTime at={lastSeenAt} /> : 'Never'),
  },
  { header: 'Last sync', cell: ({ lastSync }) => <LastSync sync={lastSync} /> },
]

/** The link to the wizard, for those who may add connectors. */
export function AddLink({ appId = '' }: { appId?: string }): ReactNode {
  const { may } = useSession()
  if (!may('imports.write') || !may('apps.read')) return null
  return (
    <Button
      component={PageLink}
      to={appId ? `/connectors/new?app=${appId}` : '/connectors/new'}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      Add connector
    </Button>
  )
}

const empty = (appId?: string) => ({
  icon: IconPlugConnected,
  title: 'No connectors',
  children:
    'A connector reads who has access to what in an app. It is a program that you run next to the app, or, for apps that support SCIM, this server itself.',
  action: <AddLink {...(appId && { appId })} />,
})

export const AllConnectors = (): ReactNode => (
  <DataList
    caption="Connectors"
    search="Search connectors"
    operation={connectorOverviewList}
    input={({ query, pageSize, pageToken }) => ({ query: { query, page_size: pageSize, page_token: pageToken } })}
    rows={({ list }) => list}
    keyOf={({ id }) => id}
    columns={columnsOf(true)}
    empty={empty()}
  />
)

export const ConnectorsOf = ({ appId }: { appId: string }): ReactNode => (
  <DataList
    caption="Connectors of the app"
    operation={connectorOverviewListOfApp}
    input={({ pageSize, pageToken }) => ({
      path: { app_id: appId },
      query: { page_size: pageSize, page_token: pageToken },
    })}
    rows={({ list }) => list}
    keyOf={({ id }) => id}
    columns={columnsOf(false)}
    empty={empty(appId)}
  />
)
