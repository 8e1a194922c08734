import { IconUserOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { appUserSearch } from '#client/api/operations.ts'
import type { App, AppUser } from '#client/api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import { useSession } from '../../client/session.ts'
import { DataList } from '../../parts/data-list.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Named } from '../../parts/named.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { accountName, accountTraces, accountTypes } from '../accounts/account-columns.tsx'
import { UserPage, useUser } from './user-page.tsx'

type Row = { account: AppUser; app?: App | undefined }

/** The accounts of a user, in whatever apps. */
export function UserAccounts(): ReactNode {
  const { userId, user } = useUser()
  const { may } = useSession()
  return (
    <UserPage>
      <DataList
        caption={`Accounts of ${user?.displayName ?? 'the user'}`}
        operation={appUserSearch}
        input={({ pageSize, pageToken }) => ({
          body: { userIds: [userId], expandMask: { paths: ['appId'] }, pageSize, pageToken },
        })}
        rows={(reply) =>
          reply.list.flatMap(({ appUser: account, appPath }): Row[] =>
            account ? [{ account, app: neighbourAt(reply, appPath, 'App') }] : [],
          )
        }
        keyOf={({ account }) => `${account.appId} ${account.id}`}
        columns={[
          {
            header: 'Account',
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
            width: '28%',
            cell: ({ account: { appId }, app }) => (
              <Named isQuiet label={app?.displayName ?? appId} to={may('apps.read') ? `/apps/${appId}` : undefined} />
            ),
          },
          { header: 'Type', width: '7rem', cell: ({ account }) => accountTypes[account.appUserType] ?? '–' },
          { header: 'Status', width: '8rem', cell: ({ account }) => <StatusBadge status={account.status?.status} /> },
          { header: 'Created', width: '9rem', cell: ({ account }) => <Moment at={account.createdAt} show="day" /> },
        ]}
        empty={{
          icon: IconUserOff,
          title: `${user?.displayName ?? 'This user'} has no accounts`,
          children:
            'Accounts come from imports and connectors. A person who is granted an entitlement without having an account gets one, too.',
        }}
      />
    </UserPage>
  )
}
