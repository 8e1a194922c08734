import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { sessionCurrent } from '#client/api/operations.ts'
import type { ReplyOf } from '#client/operation.ts'
import { queryClient, read } from './queries.ts'

export type CurrentSession = ReplyOf<typeof sessionCurrent>

const asked = { ...read(sessionCurrent, {}), staleTime: 60_000 }

/** Who is signed in. If nobody is, it throws, and the router shows the sign-in page. */
export const ensureSession = (): Promise<CurrentSession> => queryClient.query({ ...asked, staleTime: 'static' })

const changes = /\.(?:write|assign|others|manage|delegate)$/

/**
 * Who is signed in and what they may do; for pages inside the shell, where somebody always is. The past cannot be changed: whoever
 * looks at it may only read.
 */
export function useSession(): CurrentSession & {
  may(permission: string): boolean
  /** Whether they may do so with what they own; only the API knows what they own. */
  mayOnOwned(permission: string): boolean
} {
  const { data } = useQuery(asked)
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const isPast = Boolean(search['as_of'])
  const session = data as CurrentSession
  const isOver = (permission: string): boolean => isPast && changes.test(permission)
  return {
    ...session,
    may: (permission) => session.permissions.includes(permission) && !isOver(permission),
    mayOnOwned: (permission) => session.permissionsOnOwned.includes(permission) && !isOver(permission),
  }
}
