import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { userGet } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'
import { useSession } from '../client/session.ts'

const knownMs = 300_000

/** A user, by id: their name, leading to their page. Asked for once, however often it is shown. */
export function UserName({ userId }: { userId: string }): ReactNode {
  const { may } = useSession()
  const { data, isPending } = useQuery({
    ...read(userGet, { path: { id: userId } }),
    staleTime: knownMs,
    enabled: userId !== '' && may('users.read'),
  })
  if (userId === '') return '–'
  if (isPending && may('users.read')) return <Skeleton width="8rem" my={4} />
  const user = data?.userView?.user
  if (!user) return userId
  return (
    <Anchor component={Link} to={`/users/${userId}`} size="sm">
      {user.displayName || user.email}
      {user.deletedAt && ' (deleted)'}
    </Anchor>
  )
}
