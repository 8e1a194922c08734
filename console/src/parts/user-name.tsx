import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { userGet, userSearch } from '#client/api/operations.ts'
import { call } from '../client/call.ts'
import { useSession } from '../client/session.ts'

const knownMs = 300_000

/**
 * A user, by id: their name, as a link to their page for callers who may open it. Read once, however often it is shown.
 * Callers who see only some people see only their names; for others, neither a name nor an id is shown.
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
  // Callers who see everyone see the ids of deleted users.
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
  const name = userView?.user?.displayName || userView?.user?.email || ''
  return name && userView?.user?.deletedAt ? `${name} (deleted)` : name
}
