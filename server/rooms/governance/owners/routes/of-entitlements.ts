import { route } from '#authority/route.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, listOf, message, text } from '#kernel/wire.ts'
import { listOwnersOf } from '../store/of-entitlements.ts'

const refsMax = 100
const id = () => text({ maxLength: 64 })

/** For lists of many entitlements: one request instead of one for each. */
export const ownersOfEntitlementsRoutes: readonly Route[] = [
  route({
    id: 'bailiwick.v1.OwnersOfEntitlements.List',
    at: 'POST /api/v1/owners/of_entitlements',
    summary: 'List some owners of each of several entitlements, or of their apps if the entitlements have no owners.',
    rule: 'owners.list-of-entitlements',
    body: message('bailiwick.v1.ListOwnersOfEntitlementsRequest', {
      refs: listOf(message('bailiwick.v1.OwnedEntitlementRef', { appId: id(), id: id() }), refsMax),
    }),
    reply: message('bailiwick.v1.ListOwnersOfEntitlementsResponse', {
      list: listOf(
        message('bailiwick.v1.OwnerOfEntitlement', {
          appId: text(),
          appEntitlementId: text(),
          isOfApp: described(flag(), 'Whether it is an owner of the app, because the entitlement has no owner.'),
          userId: described(text(), 'The user who owns it; empty if the owner is everyone with another entitlement.'),
          ownerAppId: text(),
          ownerEntitlementId: described(text(), 'The entitlement whose members own it.'),
          displayName: text(),
        }),
      ),
    }),
    async handle(call, { body }) {
      const found = await listOwnersOf(call.db, call.tenant.id, body.refs)
      const ofOwn = new Set(
        found.filter(({ isOfApp }) => !isOfApp).map((each) => `${each.appId} ${each.entitlementId}`),
      )
      return {
        list: found
          .filter((each) => !each.isOfApp || !ofOwn.has(`${each.appId} ${each.entitlementId}`))
          .map(({ entitlementId, name, ...each }) => ({ ...each, appEntitlementId: entitlementId, displayName: name })),
      }
    },
  }),
]
