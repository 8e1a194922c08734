import type { ReactNode } from 'react'
import { accountName } from '../accounts/account-columns.tsx'
import { AccountPage, useAccount } from '../accounts/account-page.tsx'
import { useApp } from '../apps/app-page.tsx'
import { accountOwners } from './kinds.ts'
import { OwnersEditor } from './owners-editor.tsx'

/** Who owns an account: who answers for it, which matters most where it is a service's. */
export function AccountOwners(): ReactNode {
  const { appId, accountId, account } = useAccount()
  const { mayHere } = useApp()
  return (
    <AccountPage>
      <OwnersEditor
        owned={{ of: 'account', operations: accountOwners, path: { app_id: appId, user_id: accountId } }}
        name={account ? accountName(account) : 'this account'}
        mayChange={mayHere('owners.write')}
      />
    </AccountPage>
  )
}
