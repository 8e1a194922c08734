import { Anchor, Button, Group, NativeSelect, Skeleton, Text } from '@mantine/core'
import { IconKeyOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appEntitlementSearchCountGrantsForUserByApp } from '#client/api/operations.ts'
import type { AppEntitlementSearchServiceCountGrantsForUserByAppResponse, AppUser } from '#client/api/types.ts'
import { read } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { AsOfField } from '../../../parts/as-of.tsx'
import { EmptyNote } from '../../../parts/empty-note.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { useListState } from '../../../parts/list-state.ts'
import { Panel } from '../../../parts/panel.tsx'
import { StatusBadge } from '../../../parts/status-badge.tsx'
import { Table } from '../../../parts/table.tsx'
import { accountName } from '../../accounts/account-columns.tsx'
import type { Requestable } from '../../requests/catalog.ts'
import { useExtendable } from '../../requests/extendable.ts'
import { RequestDialog } from '../../requests/request-dialog.tsx'
import classes from './access-by-app.module.css'
import { columnsOf, type Extend } from './access-columns.tsx'
import { type OwnersByEntitlement, type Section, sectionsOf, useAccounts, useHoldings, useOwners } from './holdings.ts'

/** What a person holds, app by app: by which account, why, since when, until when, and who owns it. */
export function AccessByApp({ userId, name }: { userId: string; name: string }): ReactNode {
  const { filter } = useListState()
  const { may, user: self } = useSession()
  const asOf = filter('as_of')
  const isOwn = self?.id === userId && asOf === ''
  const isExtendable = useExtendable(isOwn)
  const [asking, setAsking] = useState<Requestable | null>(null)
  const { rows, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useHoldings(
    userId,
    filter('app'),
    asOf,
  )
  const accounts = useAccounts(userId)
  const owners = useOwners(rows ?? [])
  const counts = useQuery(read(appEntitlementSearchCountGrantsForUserByApp, { body: { userId } })).data
  // The grants of an account may be on a page that was not read yet: its app is not shown as having none.
  const held = new Set(counts?.appGrantCounts.map(({ appId }) => appId))
  const shown = new Set(rows?.map(({ entitlement }) => entitlement.appId))
  const isRead = ({ account: { appId } }: { account: AppUser }): boolean =>
    !hasNextPage || shown.has(appId) || (counts !== undefined && !held.has(appId))
  const sections = sectionsOf(rows ?? [], asOf || filter('app') ? [] : accounts.filter(isRead))
  const known = new Map([
    ...accounts.flatMap(({ app }) => (app ? [[app.id, app.displayName] as const] : [])),
    ...(rows ?? []).flatMap(({ app }) => (app ? [[app.id, app.displayName] as const] : [])),
  ])
  return (
    <>
      <Tools apps={known} counts={counts} />
      <ErrorNote error={error} title="The access could not be loaded" retry={() => void refetch()} />
      {!rows && !error && (
        <Panel>
          <Skeleton height={200} />
        </Panel>
      )}
      {rows && sections.length === 0 && <NoAccess name={name} isOwn={isOwn} asOf={asOf} />}
      {sections.map((section) => (
        <AppSection
          key={section.appId}
          section={section}
          owners={owners}
          userId={userId}
          mayFollow={may('apps.read')}
          asOf={asOf}
          extend={{ isPossible: isExtendable, onAsk: setAsking }}
        />
      ))}
      {hasNextPage && (
        <Group>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      {asking && <RequestDialog item={asking} onClose={() => setAsking(null)} />}
    </>
  )
}

type ToolsProps = {
  /** Their names, by id. */
  apps: ReadonlyMap<string, string>
  counts: AppEntitlementSearchServiceCountGrantsForUserByAppResponse | undefined
}

function Tools({ apps, counts }: ToolsProps): ReactNode {
  const { filter, set } = useListState()
  const asOf = filter('as_of')
  return (
    <div className={classes.tools} role="search">
      <NativeSelect
        label="App"
        value={filter('app')}
        onChange={({ currentTarget: { value } }) => set({ app: value })}
        data={[
          { value: '', label: 'All apps' },
          ...[...apps].toSorted(([, a], [, b]) => a.localeCompare(b)).map(([value, label]) => ({ value, label })),
        ]}
      />
      <AsOfField />
      {counts && !asOf && (
        <Text size="sm" c="dimmed" className={classes.count}>
          {Number(counts.totalGrants).toLocaleString()} {counts.totalGrants === '1' ? 'entitlement' : 'entitlements'} in{' '}
          {counts.appCount.toLocaleString()} {counts.appCount === 1 ? 'app' : 'apps'}
        </Text>
      )}
    </div>
  )
}

const NoAccess = ({ name, isOwn, asOf }: { name: string; isOwn: boolean; asOf: string }): ReactNode => (
  <Panel>
    <EmptyNote
      icon={IconKeyOff}
      title={isOwn ? 'You have no access yet' : `${name} has no access`}
      {...(isOwn && {
        action: (
          <Button component={Link} to="/request">
            Request access
          </Button>
        ),
      })}
    >
      {asOf
        ? 'There was no access at that time.'
        : isOwn
          ? 'Request what you need. Rules and imports may grant you more.'
          : 'Access is granted on the page of an entitlement, by its rule, by a request or by an import.'}
    </EmptyNote>
  </Panel>
)

type AppSectionProps = {
  section: Section
  owners: OwnersByEntitlement
  userId: string
  mayFollow: boolean
  asOf: string
  extend: Extend
}

function AppSection({
  section: { appId, name, rows, accounts },
  owners,
  userId,
  mayFollow,
  asOf,
  extend,
}: AppSectionProps): ReactNode {
  const { may } = useSession()
  return (
    <Panel
      title={name}
      about={
        accounts.length > 0 && (
          <span className={classes.accounts}>
            {accounts.map((account) => (
              <span key={account.id}>
                <Anchor component={Link} to={`/apps/${appId}/accounts/${account.id}`} size="sm" underline="always">
                  {account.username || accountName(account)}
                </Anchor>{' '}
                <StatusBadge status={account.status?.status} />
              </span>
            ))}
          </span>
        )
      }
      actions={
        mayFollow && (
          <Anchor component={Link} to={`/apps/${appId}`} size="sm" aria-label={`Open app ${name}`}>
            Open app
          </Anchor>
        )
      }
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          No entitlements.
        </Text>
      ) : (
        <div className={classes.table}>
          <Table
            caption={`Access in ${name}`}
            rows={rows}
            keyOf={({ binding }) => `${binding.appEntitlementId} ${binding.appUserId}`}
            isPending={false}
            isStale={false}
            columns={columnsOf({
              userId,
              owners: may('owners.read') && !asOf ? owners : null,
              mayFollow: may('entitlements.read'),
              mayExplain: may('automations.read') && !asOf,
              extend,
              hasAccounts: new Set(rows.map(({ binding }) => binding.appUserId)).size > 1 || accounts.length === 0,
            })}
          />
        </div>
      )}
    </Panel>
  )
}
