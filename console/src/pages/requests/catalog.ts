import type { AppEntitlement, AppEntitlementUserBinding, AppEntitlementView, ExpandMask } from '../../api/types.ts'
import { neighbourAt } from '../../client/neighbours.ts'
import type { Operation, Sent } from '../../client/operation.ts'

// TODO(merge): the generated constant takes its place once the room of access profiles is merged.
type CatalogSearchRequest = {
  query: string
  grantedStatus: 'UNSPECIFIED' | 'ALL' | 'GRANTED' | 'NOT_GRANTED'
  expandMask: ExpandMask | null
  pageSize: number
  pageToken: string
}
type CatalogSearchReply = {
  list: { entitlement: AppEntitlementView | null; appEntitlementUserBindings: AppEntitlementUserBinding[] }[]
  expanded: (Record<string, unknown> | null)[]
  nextPageToken: string
}
export const catalogSearch: Operation<{ body?: Sent<CatalogSearchRequest> }, CatalogSearchReply> = {
  id: 'requestcatalog.v1.RequestCatalogSearchService.SearchEntitlements',
  method: 'POST',
  path: '/api/v1/search/request_catalog/entitlements',
}

/** Something that the caller can ask for. */
export type Requestable = {
  entitlement: AppEntitlement
  appName: string
  resourceName: string
  /** Whether the caller holds it already: asking again extends it. */
  isHeld: boolean
}

export const catalogMask = { paths: ['appId', 'appResourceId'] }

export const requestablesOf = (reply: CatalogSearchReply): Requestable[] =>
  reply.list.flatMap(({ entitlement: view, appEntitlementUserBindings: bindings }) =>
    view?.appEntitlement
      ? [
          {
            entitlement: view.appEntitlement,
            appName: neighbourAt(reply, view.appPath, 'App')?.displayName ?? '',
            resourceName: neighbourAt(reply, view.appResourcePath, 'AppResource')?.displayName ?? '',
            isHeld: (bindings ?? []).some(({ deletedAt }) => !deletedAt),
          },
        ]
      : [],
  )
