import { useQuery } from '@tanstack/react-query'
import { sessionCurrent } from '#client/api/operations.ts'
import type { ReplyOf } from '#client/operation.ts'
import { queryClient, read } from './queries.ts'

export type CurrentSession = ReplyOf<typeof sessionCurrent>

const asked = { ...read(sessionCurrent, {}), staleTime: 60_000 }

/** Who is signed in. Throws, and the router shows the sign-in page, where nobody is. */
export const ensureSession = (): Promise<CurrentSession> => queryClient.query({ ...asked, staleTime: 'static' })

/** Who is signed in and what they may do; for pages inside the shell, where somebody always is. */
export function useSession(): CurrentSession & {
  may(permission: string): boolean
  /** Whether they may do so with what they own; whether they own something is for the API to say. */
  mayOnOwned(permission: string): boolean
} {
  const { data } = useQuery(asked)
  const session = data as CurrentSession
  return {
    ...session,
    may: (permission) => session.permissions.includes(permission),
    mayOnOwned: (permission) => session.permissionsOnOwned.includes(permission),
  }
}
