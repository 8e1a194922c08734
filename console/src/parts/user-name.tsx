import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { userGet, userSearch } from '#client/api/operations.ts'
import { call } from '../client/call.ts'
import { useSession } from '../client/session.ts'

const knownMs = 300_000

/**
 * A user, by id: their name, leading to their page for those who may open it. Asked for once, however often it is shown. Whoever sees only
 * some people gets the names of those; of others nobody is named, and no id is shown.
 */
export function UserName({ userId }: { userId: string }): ReactNode {
  const { may, user: caller } = useSession()
  const isKnown = userId === '' || userId === caller?.id
  const mayAsk = may('users.own.read') || may('users.names.read')
  const { data, isPending } = useQuery({
    queryKey: [userGet.id, 'name', userId],
    staleTime: knownMs,
    enabled: !isKnown && mayAsk,
    queryFn: ({ signal }) => findName(userId, may('users.own.read'), signal),
  })
  if (userId === '') return '–'
  if (!isKnown && isPending && mayAsk) return <Skeleton width="8rem" my={4} />
  const name = isKnown ? caller?.displayName || caller?.email : data
  // Whoever sees everyone is told by id of those who are gone.
  if (!name) return may('users.read') ? userId : 'Someone you cannot see'
  if (!may('users.read')) return name
  return (
    <Anchor component={Link} to={`/users/${userId}`} size="sm">
      {name}
    </Anchor>
  )
}

async function findName(userId: string, mayGet: boolean, signal: AbortSignal): Promise<string> {
  if (!mayGet) {
    const { list } = await call(userSearch, { body: { ids: [userId], pageSize: 10 } }, signal)
    return list[0]?.user?.displayName ?? ''
  }
  const { userView } = await call(userGet, { path: { id: userId } }, signal)
  return userView?.user?.displayName || userView?.user?.email || ''
}
