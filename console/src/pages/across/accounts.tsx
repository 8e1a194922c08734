import { Button, NativeSelect } from '@mantine/core'
import { IconId } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { appUserSearch, bulkOwnersAdd, bulkOwnersPlan } from '#client/api/operations.ts'
import type { App, AppUser, BulkItem, User } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { AppFilter } from '../../parts/app-filter.tsx'
import { itemsMax, readAll, useAllMatching } from '../../parts/bulk/all-matching.ts'
import { BulkDialog } from '../../parts/bulk/bulk-dialog.tsx'
import { MatchingButton } from '../../parts/bulk/matching-button.tsx'
import { type Asked, type Column, DataList } from '../../parts/data-list.tsx'
import { useListState } from '../../parts/list-state.ts'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { UserPicker } from '../../parts/user-picker.tsx'
import { accountName, accountTraces, accountTypes } from '../accounts/account-columns.tsx'

type Row = { account: AppUser; app?: App | undefined; user?: User | undefined }
type Doing = { rows: readonly Row[]; isMore: boolean; clear: () => void } | null

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

const keyOf = ({ appId, id }: { appId: string; id: string }): string => `${appId} ${id}`
const labelOf = ({ account, app }: Row): string =>
  app ? `${accountName(account)} (${app.displayName})` : accountName(account)

/** The accounts of all apps. */
export function Accounts(): ReactNode {
  const { may } = useSession()
  const { query, filter } = useListState()
  const [doing, setDoing] = useState<Doing>(null)
  const matching = useAllMatching<Row>(() =>
    readAll(appUserSearch, (page) => ({ body: bodyOf({ query, filter, ...page }) }), rowsOf),
  )
  return (
    <Page
      title="Accounts"
      about="Accounts in all apps. Nobody is responsible for an account without a user or an owner."
    >
      <DataList
        caption="Accounts of all apps"
        operation={appUserSearch}
        kind="accounts"
        input={(asked) => ({ body: bodyOf(asked) })}
        rows={rowsOf}
        keyOf={({ account }) => keyOf(account)}
        search="Search accounts"
        filters={<Filters />}
        columns={columns}
        {...(may('owners.write') && {
          selection: {
            labelOf,
            actions: (chosen: readonly Row[], clear: () => void) => (
              <>
                <Button size="xs" variant="default" onClick={() => setDoing({ rows: chosen, isMore: false, clear })}>
                  Add owner…
                </Button>
                <MatchingButton
                  matching={matching}
                  actions={[{ label: 'Add an owner to all results…', value: 'owner' }]}
                  onRead={(_, rows, isMore) => setDoing({ rows, isMore, clear })}
                />
              </>
            ),
          },
        })}
        empty={{
          icon: IconId,
          title: 'No accounts',
          children: 'Accounts come from connectors and imports. Granting an entitlement manually creates one too.',
        }}
      />
      {doing && <AddOwner doing={doing} onClose={() => setDoing(null)} />}
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
  {
    header: 'App',
    width: '18%',
    cell: ({ account, app }) => (
      <Named isQuiet label={app?.displayName ?? account.appId} to={`/apps/${account.appId}`} />
    ),
  },
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
  const { filter, set } = useListState()
  return (
    <>
      {may('apps.read') && <AppFilter />}
      <NativeSelect
        aria-label="Owner"
        value={filter('owner')}
        onChange={({ currentTarget: { value } }) => set({ owner: value })}
        data={[
          { value: '', label: 'Any user or owner' },
          { value: 'none', label: 'No user and no owner' },
        ]}
      />
      <NativeSelect
        aria-label="Status"
        value={filter('status')}
        onChange={({ currentTarget: { value } }) => set({ status: value })}
        data={[
          { value: '', label: 'Any status' },
          { value: 'STATUS_ENABLED', label: 'Enabled' },
          { value: 'STATUS_DISABLED', label: 'Disabled' },
        ]}
      />
      <NativeSelect
        aria-label="Type"
        value={filter('type')}
        onChange={({ currentTarget: { value } }) => set({ type: value })}
        data={[
          { value: '', label: 'Any type' },
          ...Object.entries(accountTypes).map(([value, label]) => ({ value, label })),
        ]}
      />
    </>
  )
}

function AddOwner({ doing, onClose }: { doing: NonNullable<Doing>; onClose: () => void }): ReactNode {
  const { rows, isMore, clear } = doing
  const [user, setUser] = useState<User | null>(null)
  const names = new Map(rows.map((row) => [keyOf(row.account), labelOf(row)]))
  const appUsers = rows.map(({ account: { appId, id } }) => ({ appId, id }))
  return (
    <BulkDialog
      title="Add an owner"
      about={`Makes a person responsible for each account, in addition to its owners.${isMore ? ` More accounts match: these are the first ${itemsMax.toLocaleString()}.` : ''}`}
      verb="Add owner to"
      noun="account"
      plan={bulkOwnersPlan}
      apply={bulkOwnersAdd}
      body={user ? { appUsers, userId: user.id } : null}
      nameOf={(item: BulkItem) => names.get(keyOf(item)) ?? item.id}
      changes={[appUserSearch]}
      onClose={onClose}
      onDone={() => {
        clear()
        onClose()
      }}
    >
      <UserPicker label="Owner" isRequired chosen={user} onPick={setUser} isAutoFocused />
    </BulkDialog>
  )
}
