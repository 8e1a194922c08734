import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { User } from '#client/api/types.ts'
import { useSession } from '../../client/session.ts'
import { PageLink } from '../../parts/page-link.tsx'

/** Leads to what can be requested, for this person. */
export function RequestFor({ user }: { user: User }): ReactNode {
  const { may } = useSession()
  if (!may('tasks.others') || user.status !== 'ENABLED' || user.type === 'USER_TYPE_SERVICE') return null
  return (
    <Button variant="default" component={PageLink} to={`/request?for=${user.id}`}>
      Request access
    </Button>
  )
}
