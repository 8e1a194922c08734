import { Anchor, Button, Group, NativeSelect, Skeleton, Text } from '@mantine/core'
import { IconKeyOff } from '@tabler/icons-react'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  appEntitlementSearchCountGrantsForUserByApp,
  appEntitlementSearchGrants,
  appUserSearch,
  ownersOfEntitlementsList,
} from '#client/api/operations.ts'
import type {
  App,
  AppEntitlement,
  AppEntitlementUserView,
  AppResource,
  AppUser,
  OwnerOfEntitlement,
} from '#client/api/types.ts'
import { call } from '../../../client/call.ts'
import { neighbourAt } from '../../../client/neighbours.ts'
import { read } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'
import { AsOfField } from '../../../parts/as-of.tsx'
import { type Column, Table } from '../../../parts/data-list.tsx'
import { EmptyNote } from '../../../parts/empty-note.tsx'
import { ErrorNote } from '../../../parts/error-note.tsx'
import { GrantReasons } from '../../../parts/grant-reasons.tsx'
import { useListState } from '../../../parts/list-state.ts'
import { Moment } from '../../../parts/moment.tsx'
import { Named } from '../../../parts/named.tsx'
import { PageLink } from '../../../parts/page-link.tsx'
import { Panel } from '../../../parts/panel.tsx'
import { StatusBadge } from '../../../parts/status-badge.tsx'
import { Until } from '../../../parts/until.tsx'
import { accountName } from '../../accounts/account-columns.tsx'
import { ExplainAction } from '../../automation/explain.tsx'
import type { Requestable } from '../../requests/catalog.ts'
import { useExtendable } from '../../requests/extendable.ts'
import { RequestDialog } from '../../requests/request-dialog.tsx'
import classes from './access-by-app.module.css'

type Row = {
  binding: AppEntitlementUserView
  entitlement: AppEntitlement
  app: App | undefined
  resource: AppResource | undefined
}
type Section = { appId: string; name: string; rows: Row[]; accounts: AppUser[] }

const pageSize = 100

/** What the person holds at the moment of the address: a page after another, as many as were asked for. */
function useHoldings(userId: string, appId: string, asOf: string) {
  const body = {
    userId,
    appIds: appId ? [appId] : [],
    asOf: asOf || null,
    expandMask: { paths: ['appId', 'appResourceId'] },
  }
  const query = useInfiniteQuery({
    queryKey: [appEntitlementSearchGrants.id, 'by app', body],
    queryFn: ({ pageParam, signal }) =>
      call(appEntitlementSearchGrants, { body: { ...body, pageSize, pageToken: pageParam } }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })
  const rows = query.data?.pages.flatMap((reply) =>
    reply.list.flatMap(({ appEntitlementUserBinding: binding, entitlement: view }): Row[] =>
      binding && view?.appEntitlement
        ? [
            {
              binding,
              entitlement: view.appEntitlement,
              app: neighbourAt(reply, view.appPath, 'App'),
              resource: neighbourAt(reply, view.appResourcePath, 'AppResource'),
            },
          ]
        : [],
    ),
  )
  return { ...query, rows }
}

/** Their accounts, now: also those that hold nothing. */
function useAccounts(userId: string): { account: AppUser; app: App | undefined }[] {
  const { may } = useSession()
  const { data } = useQuery({
    ...read(appUserSearch, { body: { userIds: [userId], expandMask: { paths: ['appId'] }, pageSize } }),
    enabled: may('accounts.own.read') || may('accounts.read'),
  })
  return (
    data?.list.flatMap(({ appUser: account, appPath }) =>
      account ? [{ account, app: neighbourAt(data, appPath, 'App') }] : [],
    ) ?? []
  )
}

const ownersAtOnce = 100

/** Who owns each of some entitlements, by `appId id`, for those who may see owners. */
function useOwners(rows: readonly Row[]): Map<string, OwnerOfEntitlement[]> {
  const { may } = useSession()
  const refs = [...new Map(rows.map(({ entitlement: { appId, id } }) => [`${appId} ${id}`, { appId, id }])).values()]
  const parts = Array.from({ length: Math.ceil(refs.length / ownersAtOnce) }, (_, i) =>
    refs.slice(i * ownersAtOnce, (i + 1) * ownersAtOnce),
  )
  const replies = useQueries({
    queries: (may('owners.read') ? parts : []).map((part) => read(ownersOfEntitlementsList, { body: { refs: part } })),
  })
  const all = replies.flatMap(({ data }) => data?.list ?? [])
  return Map.groupBy(all, ({ appId, appEntitlementId }) => `${appId} ${appEntitlementId}`)
}

/** What a person holds, app by app: by which account, why, since when, until when, and who owns it. */
export function AccessByApp({ userId, name }: { userId: string; name: string }): ReactNode {
  const { filter, set } = useListState()
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
  // What an account holds may be on a page that was not read yet: it is not said of its app that nothing is held there.
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
      <div className={classes.tools} role="search">
        <NativeSelect
          label="App"
          value={filter('app')}
          onChange={({ currentTarget: { value } }) => set({ app: value })}
          data={[
            { value: '', label: 'All apps' },
            ...[...known].toSorted(([, a], [, b]) => a.localeCompare(b)).map(([value, label]) => ({ value, label })),
          ]}
        />
        <AsOfField />
        {counts && !asOf && (
          <Text size="sm" c="dimmed" className={classes.count}>
            {Number(counts.totalGrants).toLocaleString()} {counts.totalGrants === '1' ? 'entitlement' : 'entitlements'}{' '}
            in {counts.appCount.toLocaleString()} {counts.appCount === 1 ? 'app' : 'apps'}
          </Text>
        )}
      </div>
      <ErrorNote error={error} title="The access could not be loaded" retry={() => void refetch()} />
      {!rows && !error && (
        <Panel>
          <Skeleton height={200} />
        </Panel>
      )}
      {rows && sections.length === 0 && (
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
      )}
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

/** By the names of the apps; what is held in each by its name. */
function sectionsOf(rows: readonly Row[], accounts: readonly { account: AppUser; app: App | undefined }[]): Section[] {
  const sections = new Map<string, Section>()
  const of = (appId: string, app: App | undefined): Section => {
    const section = sections.get(appId) ?? { appId, name: app?.displayName ?? appId, rows: [], accounts: [] }
    sections.set(appId, section)
    return section
  }
  for (const row of rows) of(row.entitlement.appId, row.app).rows.push(row)
  for (const { account, app } of accounts) of(account.appId, app).accounts.push(account)
  return [...sections.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

type AppSectionProps = {
  section: Section
  owners: ReadonlyMap<string, OwnerOfEntitlement[]>
  userId: string
  mayFollow: boolean
  asOf: string
  extend: Extend
}

/** How the caller asks for more time, of what they may request again. */
type Extend = { isPossible: (entitlement: AppEntitlement) => boolean; onAsk: (item: Requestable) => void }

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

type ColumnOptions = {
  userId: string
  owners: ReadonlyMap<string, OwnerOfEntitlement[]> | null
  mayFollow: boolean
  mayExplain: boolean
  extend: Extend
  hasAccounts: boolean
}

const pathOf = (userId: string, { appId, id }: AppEntitlement): string =>
  `/users/${userId}/paths?app=${appId}&entitlement=${id}`

const columnsOf = ({
  userId,
  owners,
  mayFollow,
  mayExplain,
  extend,
  hasAccounts,
}: ColumnOptions): readonly Column<Row>[] => [
  {
    header: 'Entitlement',
    cell: ({ entitlement, resource }) => (
      <Named
        label={entitlement.displayName}
        to={mayFollow ? `/apps/${entitlement.appId}/entitlements/${entitlement.id}` : undefined}
        about={resource?.displayName}
      />
    ),
  },
  ...(hasAccounts
    ? [
        {
          header: 'Account',
          width: '16%',
          cell: ({ binding: { appUser, appUserId } }: Row) =>
            appUser?.appUser ? appUser.appUser.username || accountName(appUser.appUser) : appUserId,
        },
      ]
    : []),
  { header: 'Why', width: '22%', cell: ({ binding }) => <GrantReasons reasons={binding.grantReasons} /> },
  {
    header: 'Since',
    width: '8rem',
    cell: ({ binding }) => <Moment at={binding.appEntitlementUserBindingCreatedAt} show="day" />,
  },
  {
    header: 'Expires',
    width: '8rem',
    cell: ({ binding: { appEntitlementUserBindingDeprovisionAt: at }, entitlement, app, resource }) => (
      <Group gap="xs">
        <Until at={at} />
        {at && extend.isPossible(entitlement) && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Extend ${entitlement.displayName}`}
            onClick={() =>
              extend.onAsk({
                entitlement,
                appName: app?.displayName ?? '',
                resourceName: resource?.displayName ?? '',
                isHeld: true,
                isForGood: false,
              })
            }
          >
            Extend
          </Button>
        )}
      </Group>
    ),
  },
  ...(owners
    ? [
        {
          header: 'Owner',
          width: '14%',
          cell: ({ entitlement: { appId, id } }: Row) => <Owners owners={owners.get(`${appId} ${id}`) ?? []} />,
        },
      ]
    : []),
  {
    header: 'Path and explanation',
    isHidden: true,
    width: '6.5rem',
    cell: ({ entitlement }) => (
      <Group gap={4} wrap="nowrap" justify="flex-end">
        <Anchor
          component={PageLink}
          to={pathOf(userId, entitlement)}
          size="sm"
          aria-label={`Path to ${entitlement.displayName}`}
        >
          Path
        </Anchor>
        {mayExplain && (
          <ExplainAction
            of={{ appId: entitlement.appId, entitlementId: entitlement.id }}
            userId={userId}
            which={`to ${entitlement.displayName}`}
          />
        )}
      </Group>
    ),
  },
]

/** The first of them, and how many more. */
const Owners = ({ owners }: { owners: readonly OwnerOfEntitlement[] }): ReactNode => {
  const [first, ...others] = owners
  if (!first) return <span className={classes.quiet}>None</span>
  return (
    <Named
      isQuiet
      label={first.displayName || first.userId || first.ownerEntitlementId}
      to={
        first.userId ? `/users/${first.userId}` : `/apps/${first.ownerAppId}/entitlements/${first.ownerEntitlementId}`
      }
      about={[first.isOfApp && 'owns the app', others.length > 0 && `and ${others.length} more`]
        .filter(Boolean)
        .join(', ')}
    />
  )
}
