import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { described, flag, listOf, message, nested, oneOf, text } from '#kernel/wire.ts'
import { EntitlementView } from '#rooms/records/apps/index.ts'
import { AppEntitlementUserBinding, presentEntitlementsOf, presentOwnBindings } from '#rooms/records/grants/index.ts'
import { searchRequestable } from './actions.ts'

const queryLength = 1000
const statuses = ['UNSPECIFIED', 'ALL', 'GRANTED', 'NOT_GRANTED'] as const
const grantedOf = { UNSPECIFIED: 'any', ALL: 'any', GRANTED: 'granted', NOT_GRANTED: 'not granted' } as const

export const requestingRoutes: readonly Route[] = [
  route({
    id: 'requestcatalog.v1.RequestCatalogSearchService.SearchEntitlements',
    at: 'POST /api/v1/search/request_catalog/entitlements',
    summary:
      'Search the entitlements that the caller can request: those in published access profiles that are visible to them.',
    rule: 'profiles.browse',
    paged: true,
    body: message('requestcatalog.v1.RequestCatalogSearchServiceSearchEntitlementsRequest', {
      query: described(
        text({ maxLength: queryLength }),
        'The beginnings of words of the name, in any order, of the alias or slug, or of the names of the app and the resource.',
      ),
      entitlementAlias: described(text({ maxLength: queryLength }), 'Exactly this alias.'),
      appDisplayName: described(text({ maxLength: queryLength }), 'Only apps with exactly this name, ignoring case.'),
      grantedStatus: described(
        oneOf(statuses),
        'Only entitlements that the caller has, or only those that the caller does not have; all by default.',
      ),
      includeDeleted: flag(),
      expandMask: nested(ExpandMask),
    }),
    reply: message('requestcatalog.v1.RequestCatalogSearchServiceSearchEntitlementsResponse', {
      list: listOf(
        message('app.v1.AppEntitlementWithUserBindings', {
          entitlement: nested(EntitlementView),
          appEntitlementUserBindings: described(
            listOf(AppEntitlementUserBinding),
            'The accounts of the caller that have it.',
          ),
        }),
      ),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      const asked = {
        query: body.query.trim(),
        alias: body.entitlementAlias.trim(),
        appDisplayName: body.appDisplayName.trim(),
        includeDeleted: body.includeDeleted,
        granted: grantedOf[body.grantedStatus],
      }
      const cut = page.cut(
        await searchRequestable(call, asked, page),
        ({ key, appId, id }) => (key === undefined ? [appId, id] : [key, id]),
        (row) => row,
      )
      const [{ views, expanded }, bindings] = await Promise.all([
        presentEntitlementsOf(call, cut.list, body.expandMask),
        presentOwnBindings(call, cut.list),
      ])
      const list = views.map((entitlement) => ({
        entitlement,
        appEntitlementUserBindings:
          bindings.get(`${entitlement.appEntitlement.appId} ${entitlement.appEntitlement.id}`) ?? [],
      }))
      return { list, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
]
