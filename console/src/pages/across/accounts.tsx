import { IconId } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { appUserSearch } from '#client/api/operations.ts'
import type { App, AppUser, User } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { AppFilter } from '../../parts/app-filter.tsx'
import { readAll } from '../../parts/bulk/all-matching.ts'
import { ChoiceFilter } from '../../parts/choice-filter.tsx'
import { type Asked, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import type { Column } from '../../parts/table.tsx'
import { accountName, accountTraces, accountTypes } from '../accounts/account-columns.tsx'
import { AddOwner } from './add-owner.tsx'
import { useBulk } from './bulk.tsx'
import { appColumn, keyInApp, labelInApp } from './in-app.tsx'

type Row = { account: AppUser; app?: App | undefined; user?: User | undefined }

const bodyOf = ({
  query,
  filter,
  orderBy = '',
  pageSize,
  pageToken,
}: Pick<Asked, 'query' | 'filter' | 'pageSize' | 'pageToken'> & { orderBy?: string }) => ({
  query,
  appIds: filter('app') ? [filter('app')] : [],
  appUserStatuses: filter('status') ? [filter('status') as NonNullable<AppUser['status']>['status']] : [],
  appUserTypes: filter('type') ? [filter('type') as AppUser['appUserType']] : [],
  withoutResponsibleParty: filter('owner') === 'none',
  expandMask: { paths: ['appId', 'identityUserId'] },
  orderBy,
  pageSize,
  pageToken,
})

const rowsOf = (
  reply: Parameters<typeof neighbourAt>[0] & {
    list: { appUser: AppUser | null; appPath: string; identityUserPath: string }[]
  },
) =>
  reply.list.flatMap(({ appUser: account, appPath, identityUserPath }): Row[] =>
    account
      ? [{ account, app: neighbourAt(reply, appPath, 'App'), user: neighbourAt(reply, identityUserPath, 'User') }]
      : [],
  )

const labelOf = ({ account, app }: Row): string => labelInApp(accountName(account), app)

/** The accounts of all apps. */
export function Accounts(): ReactNode {
  const { may } = useSession()
  const { query, filter } = useListState()
  const { selection, bulk } = useBulk<Row, 'owner'>({
    labelOf,
    actions: may('owners.write')
      ? [{ what: 'owner', label: 'Add owner…', labelOfAll: 'Add an owner to all results…' }]
      : [],
    readAll: () => readAll(appUserSearch, (page) => ({ body: bodyOf({ query, filter, ...page }) }), rowsOf),
  })
  return (
    <Page about="Accounts in all apps. Nobody is responsible for an account without a user or an owner.">
      <DataList
        caption="Accounts of all apps"
        operation={appUserSearch}
        kind="accounts"
        input={(asked) => ({ body: bodyOf(asked) })}
        rows={rowsOf}
        keyOf={({ account }) => keyInApp(account)}
        search="Search accounts"
        filters={<Filters />}
        columns={columns}
        {...selection}
        empty={{
          icon: IconId,
          title: 'No accounts',
          children: 'Accounts come from connectors and imports. Granting an entitlement manually creates one too.',
        }}
      />
      {bulk && (
        <AddOwner
          bulk={bulk}
          noun="account"
          about="Makes a person responsible for each account, in addition to its owners."
          itemOf={({ account }) => account}
          labelOf={labelOf}
          changes={[appUserSearch]}
        />
      )}
    </Page>
  )
}

const columns: readonly Column<Row>[] = [
  {
    header: 'Account',
    sort: 'name',
    cell: ({ account }) => (
      <Named
        label={accountName(account)}
        to={`/apps/${account.appId}/accounts/${account.id}`}
        about={accountTraces(account)}
      />
    ),
  },
  appColumn(({ account }) => account.appId, { width: '18%' }),
  {
    header: 'User',
    sort: 'owner',
    width: '20%',
    cell: ({ account, user }) =>
      user ? (
        <Named isQuiet label={user.displayName || user.email} to={`/users/${user.id}`} />
      ) : account.identityUserId ? (
        account.identityUserId
      ) : (
        'None'
      ),
  },
  { header: 'Type', sort: 'type', width: '7rem', cell: ({ account }) => accountTypes[account.appUserType] ?? '–' },
  {
    header: 'Status',
    sort: 'status',
    width: '8rem',
    cell: ({ account }) => <StatusBadge status={account.status?.status} />,
  },
  {
    header: 'Created',
    sort: 'created',
    width: '9rem',
    cell: ({ account }) => <Moment at={account.createdAt} show="day" />,
  },
]

function Filters(): ReactNode {
  const { may } = useSession()
  return (
    <>
      {may('apps.read') && <AppFilter />}
      <ChoiceFilter name="owner" label="Owner" any="Any user or owner" words={{ none: 'No user and no owner' }} />
      <ChoiceFilter
        name="status"
        label="Status"
        any="Any status"
        words={{ STATUS_ENABLED: 'Enabled', STATUS_DISABLED: 'Disabled' }}
      />
      <ChoiceFilter name="type" label="Type" any="Any type" words={accountTypes} />
    </>
  )
}
