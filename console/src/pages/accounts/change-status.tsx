import { type ReactNode, useRef } from 'react'
import { appUserList, appUserListAppUsersForUser, appUserSearch, appUserUpdate } from '#client/api/operations.ts'
import type { AppUser } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { accountName } from './account-columns.tsx'

export const isEnabled = ({ status }: AppUser): boolean => status?.status === 'STATUS_ENABLED'

/** Asks, then disables an account that is enabled, or enables one that is not. */
export function ChangeStatus({ account, onClose }: { account: AppUser | null; onClose: () => void }): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(account)
  if (account) last.current = account
  const shown = last.current
  const disables = shown !== null && isEnabled(shown)
  const change = useChange(appUserUpdate, {
    changes: [appUserSearch, appUserList, appUserListAppUsersForUser],
    done: disables ? 'Disabled the account' : 'Enabled the account',
    onDone: onClose,
  })
  const name = shown ? accountName(shown) : ''
  return (
    <Confirm
      opened={account !== null}
      onClose={() => {
        change.reset()
        onClose()
      }}
      title={disables ? `Disable the account ${name}?` : `Enable the account ${name}?`}
      verb={disables ? 'Disable account' : 'Enable account'}
      isPending={change.isPending}
      error={change.error}
      onConfirm={() =>
        account &&
        change.mutate({
          path: { app_user_app_id: account.appId, app_user_id: account.id },
          body: {
            appUser: { status: { status: disables ? 'STATUS_DISABLED' : 'STATUS_ENABLED' } },
            updateMask: 'status',
          },
        })
      }
    >
      {disables
        ? 'The account keeps its access and is marked as disabled. New access is granted to another enabled account of the same person, if there is one.'
        : 'The account is marked as enabled, and access can be granted to it again.'}
    </Confirm>
  )
}
