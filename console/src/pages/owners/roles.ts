import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { read } from '../../client/queries.ts'
import type { EntitlementOwner, Owned, UserOwner } from './kinds.ts'

/** Everyone who is named in one role. */
export type Role = { slug: string; users: readonly UserOwner[]; entitlements: readonly EntitlementOwner[] }

export type Roles = {
  roles: readonly Role[]
  /** There are more than these: too many to be listed by role. */
  isMany: boolean
  isPending: boolean
  error: unknown
  retry: () => void
}

const few = 100

/** The owners of a thing by their roles, now or at an earlier moment, where they are few. */
export function useRoles<Path>({ operations, path }: Owned<Path>, asOf: string): Roles {
  const input = { path, query: { as_of: asOf, page_size: few } }
  // Until they are read, the previous data decides whether there are many, so that fields in use stay.
  const users = useQuery({ ...read(operations.users, input), placeholderData: keepPreviousData })
  const entitlements = useQuery({ ...read(operations.entitlements, input), placeholderData: keepPreviousData })
  const [ofUsers, ofEntitlements] = [users.data?.list ?? [], entitlements.data?.list ?? []]
  const slugs = [...new Set([...ofUsers, ...ofEntitlements].map(({ roleSlug }) => roleSlug))]
  return {
    roles: slugs.toSorted(primaryFirst).map((slug) => ({
      slug,
      users: ofUsers.filter(({ roleSlug }) => roleSlug === slug),
      entitlements: ofEntitlements.filter(({ roleSlug }) => roleSlug === slug),
    })),
    isMany: Boolean(users.data?.nextPageToken || entitlements.data?.nextPageToken),
    isPending: [users, entitlements].some((asked) => asked.isPending || asked.isPlaceholderData),
    error: users.error ?? entitlements.error,
    retry() {
      void users.refetch()
      void entitlements.refetch()
    },
  }
}

export const primary = 'primary'
const primaryFirst = (a: string, b: string): number =>
  Number(b === primary) - Number(a === primary) || (a < b ? -1 : a > b ? 1 : 0)
