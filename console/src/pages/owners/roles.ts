import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../client/call.ts'
import type { Operation } from '../../client/operation.ts'
import type { EntitlementOwner, Owned, UserOwner } from './kinds.ts'

/** Everyone who is named in one role. */
export type Role = { slug: string; users: readonly UserOwner[]; entitlements: readonly EntitlementOwner[] }

export type Roles = {
  roles: readonly Role[]
  isPending: boolean
  /** There are more than are shown. */
  hasMore: boolean
  showMore: () => void
  error: unknown
  retry: () => void
}

const pageSize = 100
/** Read at once, for the roles come in order and each must be whole; beyond that, when asked. */
const pagesAtOnce = 10

type Input<Path> = { path: Path; query?: { as_of?: string | null; page_size?: number; page_token?: string } }
type Listed<Row> = { list: Row[]; nextPageToken: string }

/** All pages of a list, one after another, up to a thousand rows. */
function useAll<Path, Row>(operation: Operation<Input<Path>, Listed<Row>>, path: Path, asOf: string) {
  const asked = useInfiniteQuery({
    queryKey: [operation.id, path, asOf],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call(operation, { path, query: { as_of: asOf, page_size: pageSize, page_token: pageParam } }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })
  const { hasNextPage, isFetching, isError, fetchNextPage } = asked
  const pages = asked.data?.pages ?? []
  const goesOn = hasNextPage && !isFetching && !isError && pages.length < pagesAtOnce
  useEffect(() => {
    if (goesOn) void fetchNextPage()
  }, [goesOn, fetchNextPage])
  return { ...asked, rows: pages.flatMap(({ list }) => list) }
}

/** The owners of a thing by their roles, now or at an earlier moment. */
export function useRoles<Path>({ operations, path }: Owned<Path>, asOf: string): Roles {
  const users = useAll(operations.users, path, asOf)
  const entitlements = useAll(operations.entitlements, path, asOf)
  const slugs = [...new Set([...users.rows, ...entitlements.rows].map(({ roleSlug }) => roleSlug))]
  return {
    roles: slugs.toSorted(primaryFirst).map((slug) => ({
      slug,
      users: users.rows.filter(({ roleSlug }) => roleSlug === slug),
      entitlements: entitlements.rows.filter(({ roleSlug }) => roleSlug === slug),
    })),
    isPending: users.isPending || entitlements.isPending,
    hasMore: users.hasNextPage || entitlements.hasNextPage,
    showMore() {
      if (users.hasNextPage) void users.fetchNextPage()
      if (entitlements.hasNextPage) void entitlements.fetchNextPage()
    },
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
