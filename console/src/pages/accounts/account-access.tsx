import type { ReactNode } from 'react'
import { AccessList } from './access-list.tsx'
import { AccountPage, useAccount } from './account-page.tsx'

/** What an account holds. */
export function AccountAccess(): ReactNode {
  const { accountId } = useAccount()
  return (
    <AccountPage>
      <AccessList
        caption="Access of this account"
        of={{ appUserIds: [accountId] }}
        nothing="This account has no access"
      />
    </AccountPage>
  )
}
