import type { requestCatalogSearchEntitlements } from '#client/api/operations.ts'
import type { AppEntitlement } from '#client/api/types.ts'
import type { ReplyOf } from '#client/operation.ts'
import { neighbourAt } from '../../client/neighbours.ts'

/** Something that the caller can request. */
export type Requestable = {
  entitlement: AppEntitlement
  appName: string
  resourceName: string
  /** Whether the caller holds it already: asking again extends it. */
  isHeld: boolean
  /** Whether it never ends, so that there is nothing to extend. */
  isForGood: boolean
}

export const catalogMask = { paths: ['appId', 'appResourceId'] }

export const requestablesOf = (reply: ReplyOf<typeof requestCatalogSearchEntitlements>): Requestable[] =>
  reply.list.flatMap(({ entitlement: view, appEntitlementUserBindings: bindings }) => {
    const held = bindings.filter(({ deletedAt }) => !deletedAt)
    return view?.appEntitlement
      ? [
          {
            entitlement: view.appEntitlement,
            appName: neighbourAt(reply, view.appPath, 'App')?.displayName ?? '',
            resourceName: neighbourAt(reply, view.appResourcePath, 'AppResource')?.displayName ?? '',
            isHeld: held.length > 0,
            isForGood: held.some(({ deprovisionAt }) => !deprovisionAt),
          },
        ]
      : []
  })
