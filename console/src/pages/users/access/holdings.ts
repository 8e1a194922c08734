import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { appEntitlementSearchGrants, appUserSearch, ownersOfEntitlementsList } from '#client/api/operations.ts'
import type {
  App,
  AppEntitlement,
  AppEntitlementUserView,
  AppResource,
  AppUser,
  OwnerOfEntitlement,
} from '#client/api/types.ts'
import { call } from '../../../client/call.ts'
import { neighbourAt } from '../../../client/neighbours.ts'
import { read } from '../../../client/queries.ts'
import { useSession } from '../../../client/session.ts'

export type Row = {
  binding: AppEntitlementUserView
  entitlement: AppEntitlement
  app: App | undefined
  resource: AppResource | undefined
}
export type Section = { appId: string; name: string; rows: Row[]; accounts: AppUser[] }

const pageSize = 100

/** What the person holds at the time in the address: page after page, as many as were requested. */
export function useHoldings(userId: string, appId: string, asOf: string) {
  const body = {
    userId,
    appIds: appId ? [appId] : [],
    asOf: asOf || null,
    expandMask: { paths: ['appId', 'appResourceId'] },
  }
  const query = useInfiniteQuery({
    queryKey: [appEntitlementSearchGrants.id, 'by app', body],
    queryFn: ({ pageParam, signal }) =>
      call(appEntitlementSearchGrants, { body: { ...body, pageSize, pageToken: pageParam } }, signal),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
  })
  const rows = query.data?.pages.flatMap((reply) =>
    reply.list.flatMap(({ appEntitlementUserBinding: binding, entitlement: view }): Row[] =>
      binding && view?.appEntitlement
        ? [
            {
              binding,
              entitlement: view.appEntitlement,
              app: neighbourAt(reply, view.appPath, 'App'),
              resource: neighbourAt(reply, view.appResourcePath, 'AppResource'),
            },
          ]
        : [],
    ),
  )
  return { ...query, rows }
}

/** Their accounts, now: also those that hold nothing. */
export function useAccounts(userId: string): { account: AppUser; app: App | undefined }[] {
  const { may } = useSession()
  const { data } = useQuery({
    ...read(appUserSearch, { body: { userIds: [userId], expandMask: { paths: ['appId'] }, pageSize } }),
    enabled: may('accounts.own.read') || may('accounts.read'),
  })
  return (
    data?.list.flatMap(({ appUser: account, appPath }) =>
      account ? [{ account, app: neighbourAt(data, appPath, 'App') }] : [],
    ) ?? []
  )
}

const ownersAtOnce = 100

/** By `ownedKey`; without those that are not read yet, and null for those that could not be. */
export type OwnersByEntitlement = ReadonlyMap<string, readonly OwnerOfEntitlement[] | null>
export const ownedKey = ({ appId, id }: { appId: string; id: string }): string => `${appId} ${id}`

/** The owners of some entitlements, for callers who may see owners. */
export function useOwners(rows: readonly Row[]): OwnersByEntitlement {
  const { may } = useSession()
  const refs = [
    ...new Map(rows.map(({ entitlement: { appId, id } }) => [ownedKey({ appId, id }), { appId, id }])).values(),
  ]
  const parts = Array.from({ length: Math.ceil(refs.length / ownersAtOnce) }, (_, i) =>
    refs.slice(i * ownersAtOnce, (i + 1) * ownersAtOnce),
  )
  const replies = useQueries({
    queries: (may('owners.read') ? parts : []).map((part) => read(ownersOfEntitlementsList, { body: { refs: part } })),
  })
  const owners = new Map<string, OwnerOfEntitlement[] | null>()
  for (const [at, { data, isError }] of replies.entries()) {
    const of = Map.groupBy(data?.list ?? [], ({ appId, appEntitlementId: id }) => ownedKey({ appId, id }))
    for (const ref of parts[at] ?? [])
      if (data || isError) owners.set(ownedKey(ref), data ? (of.get(ownedKey(ref)) ?? []) : null)
  }
  return owners
}

/** By the names of the apps; what is held in each by its name. */
export function sectionsOf(
  rows: readonly Row[],
  accounts: readonly { account: AppUser; app: App | undefined }[],
): Section[] {
  const sections = new Map<string, Section>()
  const of = (appId: string, app: App | undefined): Section => {
    const section = sections.get(appId) ?? { appId, name: app?.displayName ?? appId, rows: [], accounts: [] }
    sections.set(appId, section)
    return section
  }
  for (const row of rows) of(row.entitlement.appId, row.app).rows.push(row)
  for (const { account, app } of accounts) of(account.appId, app).accounts.push(account)
  return [...sections.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}
