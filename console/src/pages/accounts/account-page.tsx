import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { appUserSearch } from '#client/api/operations.ts'
import type { AppUser } from '#client/api/types.ts'
import { read } from '../../client/queries.ts'
import { useSession } from '../../client/session.ts'
import { EmptyNote } from '../../parts/empty-note.tsx'
import { ErrorNote } from '../../parts/error-note.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Summary } from '../../parts/summary.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { UserName } from '../../parts/user-name.tsx'
import { useWayUp } from '../../parts/way-up.ts'
import { accountName, accountTraces, accountTypes } from './account-columns.tsx'
import { ChangeStatus, isEnabled } from './change-status.tsx'

/** The account of the address. The API gets one account by its search. */
export function useAccount() {
  const { appId = '', accountId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(
    read(appUserSearch, { body: { refs: [{ appId, id: accountId }], pageSize: 10 } }),
  )
  const account = data?.list[0]?.appUser ?? undefined
  return {
    appId,
    accountId,
    account,
    isMissing: data !== undefined && !account,
    error,
    retry: () => void refetch(),
  }
}

/** The frame of an account's pages: whose it is, its tabs, then one of them. */
export function AccountPage({ children }: { children: ReactNode }): ReactNode {
  const { appId, accountId, account, isMissing, error, retry } = useAccount()
  const { may } = useSession()
  const above = useWayUp(appId, { label: 'Accounts', to: `/apps/${appId}/accounts` })
  if (error || isMissing)
    return (
      <Page title="Account" above={above}>
        {error ? (
          <ErrorNote error={error} title="This account cannot be shown" retry={retry} />
        ) : (
          <EmptyNote title="Account not found">It was deleted, or you do not have permission to see it.</EmptyNote>
        )}
      </Page>
    )
  const base = `/apps/${appId}/accounts/${accountId}`
  return (
    <Page
      title={account ? accountName(account) : null}
      above={above}
      about={account && accountTraces(account)}
      actions={account && <AccountActions account={account} />}
    >
      <Summary
        facts={
          account
            ? [
                ['Status', <StatusBadge key="status" status={account.status?.status} />],
                ['Type', accountTypes[account.appUserType]],
                ['User', account.identityUserId ? <UserName key="of" userId={account.identityUserId} /> : 'None'],
                ['Created', <Moment key="since" at={account.createdAt} show="day" />],
              ]
            : []
        }
      />
      <Tabs
        label="The account"
        tabs={[
          { label: 'Access', to: base, isExact: true },
          ...(may('owners.read') || !may('accounts.read') ? [{ label: 'Owners', to: `${base}/owners` }] : []),
        ]}
      />
      {children}
    </Page>
  )
}

function AccountActions({ account }: { account: AppUser }): ReactNode {
  const { may } = useSession()
  const [toChange, setToChange] = useState<AppUser | null>(null)
  if (!may('accounts.write')) return null
  return (
    <>
      <Button variant="default" onClick={() => setToChange(account)}>
        {isEnabled(account) ? 'Disable' : 'Enable'}
      </Button>
      <ChangeStatus account={toChange} onClose={() => setToChange(null)} />
    </>
  )
}
