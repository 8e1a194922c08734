import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { enforcementGetApp } from '#client/api/operations.ts'
import type { AppEnforcement, EnforcementCounts, EnforcingConnector } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useAsOf } from '../../parts/as-of.tsx'
import { AppEnforcementLine } from '../../parts/enforcement.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Table } from '../../parts/table.tsx'
import { WithoutConnector } from './without-connector.tsx'

/** Whether decisions about an app are carried out in it, as it is now. */
const useAppEnforcement = (appId: string) =>
  useQuery({ ...read(enforcementGetApp, { path: { app_id: appId } }), enabled: appId !== '' })

const latest = (connectors: readonly EnforcingConnector[]): EnforcingConnector | undefined =>
  connectors.toSorted((a, b) => (b.lastSyncedAt ?? '').localeCompare(a.lastSyncedAt ?? ''))[0]

const lineOf = ({ state, withoutConnector, connectors }: AppEnforcement): ReactNode => (
  <AppEnforcementLine
    state={state}
    asksOwners={withoutConnector === 'WITHOUT_CONNECTOR_MANUAL'}
    connectorDisplayName={latest(connectors)?.displayName ?? ''}
    lastSyncedAt={latest(connectors)?.lastSyncedAt ?? null}
  />
)

/** The state of an app as one line; nothing until it is known, and of the past, of which it is not known. */
export function AppEnforced({ appId }: { appId: string }): ReactNode {
  const asOf = useAsOf()
  const found = useAppEnforcement(appId).data?.enforcement
  return found && !asOf ? lineOf(found) : null
}

/** What makes changes in an app: its connectors and what they can do, and how many entitlements are left to people or to nobody. */
export function AppEnforcementPanel({ appId, mayEdit }: { appId: string; mayEdit: boolean }): ReactNode {
  const { data, error, refetch } = useAppEnforcement(appId)
  const found = data?.enforcement
  if (error) return <ErrorNote error={error} title="Enforcement could not be loaded" retry={() => void refetch()} />
  if (!found) return null
  return (
    <Panel title="Enforcement" about="Whether decisions in Bailiwick are carried out in this app, and by whom.">
      <Stack gap="md" fz="sm">
        {lineOf(found)}
        {found.connectors.length > 0 && <Connectors appId={appId} connectors={found.connectors} />}
        {found.entitlementCounts && <Facts facts={countFacts(found.entitlementCounts)} />}
        {mayEdit && found.state !== 'ENFORCEMENT_STATE_BUILT_IN' && <WithoutConnector of={found} />}
      </Stack>
    </Panel>
  )
}

const counted = (count: number): string | false =>
  count > 0 && `${count.toLocaleString()} ${count === 1 ? 'entitlement' : 'entitlements'}`

const countFacts = ({ connector, webhook, people, anotherEntitlement, nobody }: EnforcementCounts) =>
  [
    ['Changed by a connector', counted(connector)],
    ['Changed by a webhook', counted(webhook)],
    ['Changed by people, who get tasks', counted(people)],
    ['Changed through another entitlement', counted(anotherEntitlement)],
    ['Only recorded: nobody is asked', counted(nobody)],
  ] as const

const healths: Readonly<Record<EnforcingConnector['health'], string>> = {
  CONNECTOR_HEALTH_UNSPECIFIED: 'Unknown',
  CONNECTOR_HEALTH_SYNCED: 'Synced',
  CONNECTOR_HEALTH_FAILING: 'The last sync failed',
  CONNECTOR_HEALTH_HELD: 'The last sync is held',
  CONNECTOR_HEALTH_SILENT: 'Silent: it no longer calls',
  CONNECTOR_HEALTH_NEVER_SYNCED: 'Has not synced yet',
  CONNECTOR_HEALTH_DISABLED: 'Paused',
}

/** What a connector does in its app, as `Reads, grants and revokes, creates accounts`. */
const abilitiesOf = ({ reads, grants, revokes, createsAccounts }: EnforcingConnector): string => {
  const changes = grants && revokes ? 'grants and revokes' : grants ? 'grants' : revokes ? 'revokes' : ''
  const all = [reads && 'reads', changes, createsAccounts && 'creates accounts'].filter(Boolean).join(', ')
  return all === '' ? 'Nothing yet' : `${all.charAt(0).toUpperCase()}${all.slice(1)}`
}

/** What is known, and the reason, which is read in full. */
const Cell = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <>
    {label}
    <Text component="div" size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  </>
)

const Connectors = ({ appId, connectors }: { appId: string; connectors: readonly EnforcingConnector[] }): ReactNode => (
  <Table
    caption="What connectors do in this app"
    rows={connectors}
    keyOf={({ id }) => id}
    isPending={false}
    isStale={false}
    columns={[
      {
        header: 'Connector',
        width: '28%',
        cell: ({ id, displayName }) => <Named label={displayName} to={`/apps/${appId}/connectors/${id}`} />,
      },
      {
        header: 'State',
        width: '28%',
        cell: ({ health, lastSyncedAt, lastFailure }) => (
          <Cell label={healths[health]}>
            {health !== 'CONNECTOR_HEALTH_SYNCED' && lastSyncedAt && 'Last synced '}
            {lastSyncedAt && <Moment at={lastSyncedAt} />}
            {lastFailure && <div>{lastFailure}</div>}
          </Cell>
        ),
      },
      { header: 'What it does', cell: (each) => <Cell label={abilitiesOf(each)}>{each.whyNot}</Cell> },
    ]}
  />
)
