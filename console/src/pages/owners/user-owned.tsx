import type { ReactNode } from 'react'
import { UserPage, useUser } from '../users/user-page.tsx'
import { OwnedList } from './owned-list.tsx'

/** What a user owns. */
export function UserOwned(): ReactNode {
  const { userId, user } = useUser()
  const name = user?.displayName || user?.email || 'This user'
  return (
    <UserPage>
      <OwnedList userId={userId} caption={`What ${name} owns`} nothing={`${name} owns nothing`} />
    </UserPage>
  )
}
