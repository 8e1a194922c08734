import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { userGet } from '#client/api/operations.ts'
import { read } from '../client/queries.ts'

const knownMs = 300_000

/** A user, by id: only their name, where no link may be. */
export function UserLabel({ id }: { id: string }): ReactNode {
  const { data } = useQuery({ ...read(userGet, { path: { id } }), staleTime: knownMs })
  const user = data?.userView?.user
  return user?.displayName || user?.email || id
}
