import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import { route } from '#kernel/routes.ts'
import { described, flag, list, listOf, message, nested, text } from '#kernel/wire.ts'
import { EntitlementRef } from '../../naming.ts'
import { presentEntitlements } from '../../neighbours.ts'
import { PolicyRef } from '../../policy-fields.ts'
import { idInQuery, positionOf, same } from '../../search.ts'
import { byHolding, placesSearched, refuseFilters } from '../../seen.ts'
import { idsMax, queryLength } from '../../shapes.ts'
import { EntitlementView } from '../view.ts'
import { searchEntitlements } from './store.ts'

const ids = () => list(text(), idsMax)

export const entitlementSearchRoutes = [
  route({
    id: 'app.v1.AppEntitlementSearchService.Search',
    at: 'POST /api/v1/search/entitlements',
    summary:
      'Search entitlements by the beginnings of words of their name, in any order, of their alias and slug, and of the names of their app and resource; and by filters. Names that begin with the query come first.',
    allow: byHolding,
    paged: true,
    body: message('app.v1.AppEntitlementSearchServiceSearchRequest', {
      query: text({ maxLength: queryLength }),
      displayName: text({ maxLength: queryLength }),
      alias: text({ maxLength: queryLength }),
      appIds: ids(),
      excludeAppIds: ids(),
      refs: listOf(EntitlementRef, idsMax),
      excludedEntitlementRefs: listOf(EntitlementRef, idsMax),
      resourceIds: ids(),
      resourceTypeIds: ids(),
      excludeResourceTypeIds: ids(),
      resourceTraitIds: ids(),
      riskLevelIds: ids(),
      complianceFrameworkIds: ids(),
      appUserIds: described(ids(), 'Held by any of these accounts.'),
      excludeAppUserIds: described(ids(), 'Held by none of these accounts.'),
      onlyGetExpiring: described(flag(), 'Held by someone for a time only.'),
      includeDeleted: described(flag(), 'Deleted ones too.'),
      isAutomated: described(flag(), 'Given by an automation rule.'),
      policyRefs: described(listOf(PolicyRef, idsMax), 'Those that name any of these policies.'),
      requestSchemaIds: described(ids(), 'Those that any of these request schemas is bound to.'),
      owner: presenceField('Only entitlements with an owner, or only those without.'),
      expandMask: nested(ExpandMask),
    }),
    reply: message('app.v1.AppEntitlementSearchServiceSearchResponse', {
      list: listOf(EntitlementView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      refuseFilters(call, 'grants.read', {
        appUserIds: body.appUserIds.length > 0,
        excludeAppUserIds: body.excludeAppUserIds.length > 0,
        onlyGetExpiring: body.onlyGetExpiring,
      })
      refuseFilters(call, 'entitlements.read', { owner: body.owner !== 'PRESENCE_UNSPECIFIED' })
      const places = await placesSearched(call, 'entitlements.read')
      const { query, ids: wantedIds } = idInQuery(body.query, [])
      const policyIds = body.policyRefs.map(({ id }) => id)
      const filter = {
        ...body,
        policyIds,
        hasOwner: presenceOf(body.owner),
        query,
        ids: wantedIds,
        displayName: body.displayName.trim(),
        alias: body.alias.trim(),
      }
      const rows = await searchEntitlements(call.db, call.tenant.id, filter, page, places)
      const cut = page.cut(rows, positionOf(['appId', 'id']), same)
      const { views, expanded } = await presentEntitlements(call, cut.list, body.expandMask)
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
]
