import type { ReactNode } from 'react'
import { AccessList } from './access-list.tsx'
import { UserPage, useUser } from './user-page.tsx'

/** What a user holds, by whichever of their accounts, and why. */
export function UserAccess(): ReactNode {
  const { userId, user } = useUser()
  return (
    <UserPage>
      <AccessList
        caption={`Access of ${user?.displayName ?? 'the user'}`}
        of={{ userId }}
        nothing={`${user?.displayName ?? 'This user'} has no access`}
      />
    </UserPage>
  )
}
