import type { ReactNode } from 'react'
import { AccessByApp } from './access/access-by-app.tsx'
import { UserPage, useUser } from './user-page.tsx'

/** What a person holds, app by app, by whichever of their accounts, and why. */
export function UserAccess(): ReactNode {
  const { userId, user } = useUser()
  return (
    <UserPage>
      <AccessByApp userId={userId} name={user?.displayName || user?.email || 'This person'} />
    </UserPage>
  )
}
