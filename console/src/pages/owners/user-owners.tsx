import type { ReactNode } from 'react'
import { useSession } from '../../client/session.ts'
import { UserPage, useUser } from '../users/user-page.tsx'
import { userOwners } from './kinds.ts'
import { OwnersEditor } from './owners-editor.tsx'

/** Who owns a user: who answers for them, as for a service or an agent. */
export function UserOwners(): ReactNode {
  const { userId, user } = useUser()
  const { may } = useSession()
  return (
    <UserPage>
      <OwnersEditor
        owned={{ of: 'user', operations: userOwners, path: { user_id: userId } }}
        name={user?.displayName || user?.email || 'this user'}
        mayChange={may('owners.write')}
      />
    </UserPage>
  )
}
