import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { enforcementListOfApps, enforcementListOfEntitlements } from '#client/api/operations.ts'
import type { AppEnforcementState, EntitlementEnforcement } from '#client/api/types.ts'
import { read } from './queries.ts'
import { useSession } from './session.ts'

export type EnforcedBy = EntitlementEnforcement['by']

/** An entitlement, as the API names it. */
export type EntitlementRef = { appId: string; id: string }

const freshMs = 60_000
/** Of one request. */
const atOnceMax = 100

const keyOf = ({ appId, id }: EntitlementRef): string => `${appId} ${id}`

/** The parts of a list that one request each can ask for. */
const parts = <Item>(all: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(all.length / atOnceMax) }, (_, at) => all.slice(at * atOnceMax, (at + 1) * atOnceMax))

export type Enforcements = {
  isKnown: boolean
  of: (ref: EntitlementRef) => EntitlementEnforcement | undefined
}

/**
 * Who makes changes of some entitlements in their apps, as it is now, and whether all of it is known. Those that the caller
 * does not see are missing.
 */
export function useEnforcements(refs: readonly EntitlementRef[]): Enforcements {
  const { may } = useSession()
  const all = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()].filter(({ id }) => id !== '')
  return useQueries({
    queries: parts(all).map((part) => ({
      ...read(enforcementListOfEntitlements, { body: { refs: part } }),
      enabled: may('entitlements.own.read'),
      staleTime: freshMs,
    })),
    combine: (results) => {
      const found = new Map(
        results.flatMap(({ data }) => (data?.list ?? []).map((each) => [keyOf(each), each] as const)),
      )
      return {
        isKnown: results.every(({ isSuccess }) => isSuccess),
        of: (ref) => found.get(keyOf(ref)),
      }
    },
  })
}

/** Who makes changes of one entitlement in its app. */
export const useEnforcement = (ref: EntitlementRef): EntitlementEnforcement | undefined =>
  useEnforcements([ref]).of(ref)

/** Who makes a change of an entitlement in its app: granting it, unless it is revoked. */
export function useEnforcedBy(ref: EntitlementRef, kind = 'grant'): EnforcedBy | undefined {
  const found = useEnforcement(ref)
  return (kind === 'revoke' ? found?.revocation : null)?.by ?? found?.by
}

/** Whether changes reach each of the apps of one page of a list. */
export function useAppEnforcements(appIds: readonly string[]): ReadonlyMap<string, AppEnforcementState> {
  const { data } = useQuery({
    ...read(enforcementListOfApps, { body: { appIds: appIds.slice(0, atOnceMax) } }),
    enabled: appIds.length > 0,
    staleTime: freshMs,
    placeholderData: keepPreviousData,
  })
  return new Map((data?.list ?? []).map((each) => [each.appId, each]))
}
