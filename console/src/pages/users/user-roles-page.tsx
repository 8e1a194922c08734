import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../../parts/panel.tsx'
import { UserPage, useUser } from './user-page.tsx'
import { UserRoles } from './user-roles.tsx'

/** What a person may do in the console and through the API. */
export function UserRolesPage(): ReactNode {
  const { user } = useUser()
  return (
    <UserPage>
      {user ? (
        <UserRoles user={user} />
      ) : (
        <Panel>
          <Skeleton height={160} />
        </Panel>
      )}
    </UserPage>
  )
}
