import { useQuery } from '@tanstack/react-query'
import { requestCatalogSearchEntitlements } from '#client/api/operations.ts'
import type { AppEntitlement } from '#client/api/types.ts'
import { call } from '../../client/call.ts'
import { useSession } from '../../client/session.ts'

const pagesMax = 5
const keyOf = ({ appId, id }: Pick<AppEntitlement, 'appId' | 'id'>): string => `${appId} ${id}`

async function listExtendable(signal: AbortSignal): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  let pageToken = ''
  for (let page = 0; page < pagesMax; page++) {
    const body = { grantedStatus: 'GRANTED' as const, pageSize: 100, pageToken }
    const reply = await call(requestCatalogSearchEntitlements, { body }, signal)
    for (const { entitlement } of reply.list)
      if (entitlement?.appEntitlement) keys.add(keyOf(entitlement.appEntitlement))
    pageToken = reply.nextPageToken
    if (pageToken === '') break
  }
  return keys
}

/** Which of the entitlements that the caller holds they may request again: others cannot be extended by them. */
export function useExtendable(isAsked = true): (entitlement: Pick<AppEntitlement, 'appId' | 'id'>) => boolean {
  const { may } = useSession()
  const { data } = useQuery({
    queryKey: [requestCatalogSearchEntitlements.id, 'granted'],
    queryFn: ({ signal }) => listExtendable(signal),
    enabled: isAsked && may('tasks.own') && may('profiles.own.read'),
  })
  return (entitlement) => data?.has(keyOf(entitlement)) ?? false
}
