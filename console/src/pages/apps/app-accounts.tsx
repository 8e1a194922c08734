import { IconBan, IconCircleCheck, IconUsers } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { appUserList, appUserSearch } from '#client/api/operations.ts'
import type { AppUser, User } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { byPresence, bySome, daysOf, type FilterBy } from '../../parts/list-filters.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { actionsColumn } from '../../parts/row-actions.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import type { Column } from '../../parts/table.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { accountName, accountTraces, accountTypes } from '../accounts/account-columns.tsx'
import { ChangeStatus, isEnabled } from '../accounts/change-status.tsx'
import { AppPage, useApp } from './app-page.tsx'

type Row = { account: AppUser; user?: User | undefined }

/** Who has an account in an app. */
export function AppAccounts(): ReactNode {
  const { appId, mayHere } = useApp()
  const { may } = useSession()
  const [toChange, setToChange] = useState<AppUser | null>(null)
  const list = {
    caption: 'Accounts in the app',
    keyOf: ({ account }: Row) => account.id,
    columns: columnsOf(mayHere('accounts.write') ? setToChange : null, may('accounts.read')),
    empty: {
      icon: IconUsers,
      title: 'This app has no accounts',
      children:
        'Accounts come from imports and connectors. A person who is granted an entitlement without having an account gets one, too.',
    },
  }
  return (
    <AppPage>
      {may('accounts.read') ? (
        <DataList
          {...list}
          operation={appUserSearch}
          kind="accounts"
          input={({ query, filter, values, orderBy, pageSize, pageToken }) => ({
            body: {
              query,
              appId,
              appUserStatuses: values<Status>('status'),
              appUserTypes: values<AppUser['appUserType']>('type'),
              ...(filter('owner') && { owner: filter('owner') as 'PRESENCE_SOME' }),
              userIds: values('user'),
              emailDomains: values('domain'),
              createdAfter: daysOf(filter, 'created').from,
              createdBefore: daysOf(filter, 'created').until,
              orderBy,
              expandMask: { paths: ['identityUserId'] },
              pageSize,
              pageToken,
            },
          })}
          rows={(reply) =>
            reply.list.flatMap(({ appUser: account, identityUserPath }): Row[] =>
              account ? [{ account, user: neighbourAt(reply, identityUserPath, 'User') }] : [],
            )
          }
          search="Search accounts"
          filterBy={filterBy}
        />
      ) : (
        // The search covers all apps; owners of this one alone get its list.
        <DataList
          {...list}
          operation={appUserList}
          input={({ pageSize, pageToken }) => ({
            path: { app_id: appId },
            query: { page_size: pageSize, page_token: pageToken },
          })}
          rows={(reply) => reply.list.flatMap(({ appUser: account }): Row[] => (account ? [{ account }] : []))}
        />
      )}
      <ChangeStatus account={toChange} onClose={() => setToChange(null)} />
    </AppPage>
  )
}

type Status = NonNullable<AppUser['status']>['status']

const columnsOf = (onChange: ((account: AppUser) => void) | null, isSortable: boolean): readonly Column<Row>[] => [
  {
    header: 'Account',
    ...(isSortable && { sort: 'name' }),
    cell: ({ account }) => (
      <Named
        label={accountName(account)}
        to={`/apps/${account.appId}/accounts/${account.id}`}
        about={accountTraces(account)}
      />
    ),
  },
  {
    header: 'User',
    ...(isSortable && { sort: 'owner' }),
    width: '24%',
    cell: ({ account, user }) =>
      user ? (
        <Named isQuiet label={user.displayName || user.email} to={`/users/${user.id}`} />
      ) : account.identityUserId ? (
        <UserName userId={account.identityUserId} />
      ) : (
        'None'
      ),
  },
  {
    header: 'Type',
    ...(isSortable && { sort: 'type' }),
    width: '7rem',
    cell: ({ account }) => accountTypes[account.appUserType] ?? '–',
  },
  {
    header: 'Status',
    ...(isSortable && { sort: 'status' }),
    width: '8rem',
    cell: ({ account }) => <StatusBadge status={account.status?.status} />,
  },
  {
    header: 'Created',
    ...(isSortable && { sort: 'created' }),
    width: '9rem',
    cell: ({ account }) => <Moment at={account.createdAt} show="day" />,
  },
  ...(onChange
    ? [
        actionsColumn<Row>('3.5rem', ({ account }) => [
          isEnabled(account)
            ? {
                label: 'Disable',
                name: `Disable ${accountName(account)}`,
                icon: IconBan,
                onClick: () => onChange(account),
              }
            : {
                label: 'Enable',
                name: `Enable ${accountName(account)}`,
                icon: IconCircleCheck,
                onClick: () => onChange(account),
              },
        ]),
      ]
    : []),
]

const filterBy: readonly FilterBy[] = [
  bySome('status', 'Status', { STATUS_ENABLED: 'Enabled', STATUS_DISABLED: 'Disabled', STATUS_DELETED: 'Deleted' }),
  bySome('type', 'Type', accountTypes),
  byPresence('owner', 'Owner', 'Belongs to a user', 'Has no user'),
  { name: 'user', label: 'User', kind: 'user' },
  { name: 'domain', label: 'Email domain', kind: 'text', hint: 'For example example.com' },
  { name: 'created', label: 'Created', kind: 'days' },
]
