import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { connectorCatalogList } from '#client/api/operations.ts'
import type { ConnectorCatalogEntry, ConnectorOverview } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Troubles } from '../../parts/troubles.tsx'
import { ConnectorPage, useConnectorHere } from './connector-page.tsx'
import { Credentials } from './credentials.tsx'
import { Held } from './held.tsx'
import { Provisioning } from './provisioning.tsx'
import { Schedule } from './schedule.tsx'
import { ScimSettings } from './scim-settings.tsx'
import { SyncChart } from './sync-chart.tsx'
import { Syncs } from './syncs.tsx'
import { troublesOf } from './trouble.tsx'
import { Waiting } from './waiting.tsx'

/** What the catalog knows of a connector's program. */
function useCatalogEntry(catalogId: string): ConnectorCatalogEntry | null {
  const { may } = useSession()
  const { data } = useQuery({
    ...read(connectorCatalogList, { query: { page_size: 100 } }),
    enabled: catalogId !== '' && may('apps.read'),
  })
  return data?.list.find(({ id }) => id === catalogId) ?? null
}

/** One connector: whether it works, what it brought, what it is run with. */
export function OneConnector(): ReactNode {
  const { certificate, mayHere } = useConnectorHere()
  return (
    <ConnectorPage>
      {(connector) => <Overview connector={connector} certificate={certificate} mayOperate={mayHere('apps.write')} />}
    </ConnectorPage>
  )
}

type OverviewProps = { connector: ConnectorOverview; certificate: string; mayOperate: boolean }

function Overview({ connector, certificate, mayOperate }: OverviewProps): ReactNode {
  const entry = useCatalogEntry(connector.catalogId)
  const isNew = connector.state === 'CONNECTOR_LIVE_STATE_NEVER_SEEN'
  return (
    <>
      <Held connector={connector} />
      <Troubles troubles={troublesOf(connector)} />
      {isNew && <Waiting connector={connector} />}
      <SyncChart connector={connector} />
      <About connector={connector} entry={entry} />
      <Schedule connector={connector} mayChange={mayOperate} />
      <Provisioning connector={connector} />
      {connector.isBuiltIn ? (
        <ScimSettings connector={connector} mayOperate={mayOperate} />
      ) : (
        <Credentials connector={connector} certificate={certificate} entry={entry} />
      )}
      <Syncs connector={connector} />
    </>
  )
}

const capabilityNames: Readonly<Record<string, string>> = {
  sync: 'Reads access',
  provision: 'Grants and revokes access',
  account_provisioning: 'Creates accounts',
  resource_create: 'Creates resources',
  resource_delete: 'Deletes resources',
  credential_rotation: 'Rotates credentials',
  event_feed: 'Sends events',
  event_feed_v2: 'Sends events',
  ticketing: 'Creates tickets',
  actions: 'Runs actions',
  sync_secrets: 'Reads secrets',
  targeted_sync: 'Reads single resources',
  service_mode_targeted_sync: 'Reads single resources',
}
const plainName = (name: string): string => name.replace(/^capability_/, '')
const wordsOf = (names: readonly string[]): string =>
  [...new Set(names.map((name) => capabilityNames[plainName(name)] ?? plainName(name).replaceAll('_', ' ')))].join(', ')

type AboutProps = { connector: ConnectorOverview; entry: ConnectorCatalogEntry | null }

function About({ connector, entry }: AboutProps): ReactNode {
  const { program, appId, appName, catalogId } = connector
  const types = program?.resourceTypes ?? []
  return (
    <Panel title="Connector">
      <Facts
        facts={[
          [
            'App',
            <Anchor key="app" component={Link} to={`/apps/${appId}`} size="sm">
              {appName}
            </Anchor>,
          ],
          ['Kind', connector.isBuiltIn ? 'SCIM 2.0 app' : (entry?.displayName ?? catalogId)],
          ['Program', connector.isBuiltIn ? 'Part of this server' : program?.name || program?.package],
          ['Version', program?.version],
          ['SDK', /baton-sdk\/(\S+)/.exec(program?.agent ?? '')?.[1]],
          ['Host', connector.isBuiltIn ? '' : program?.hostname],
          ['Operating system', program?.os],
          ['Last seen', <Moment key="seen" at={connector.lastSeenAt} none="Never" show="exact" />],
          ['Added', <Moment key="added" at={connector.createdAt} />],
          ['Can do', wordsOf(program?.capabilities ?? [])],
          [
            'By resource type',
            types.length > 0 && (
              <>
                {types.map(({ resourceType, capabilities }) => (
                  <Text key={resourceType} size="sm">
                    <code>{resourceType}</code>: {wordsOf(capabilities).toLowerCase()}
                  </Text>
                ))}
              </>
            ),
          ],
        ]}
      />
    </Panel>
  )
}
