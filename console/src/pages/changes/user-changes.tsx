import type { ReactNode } from 'react'
import { changesListOfUser, changesSummarizeOfUser } from '#client/api/operations.ts'
import { UserPage, useUser } from '../users/user-page.tsx'
import { Compare } from './compare.tsx'

/** What changed in a person's access between two moments. */
export function UserChanges(): ReactNode {
  const { userId, user } = useUser()
  const path = { user_id: userId }
  return (
    <UserPage>
      <Compare
        of={user?.displayName ?? 'this person'}
        summary={(query) => [changesSummarizeOfUser, { path, query }]}
        list={[changesListOfUser, (query) => ({ path, query })]}
      />
    </UserPage>
  )
}
