import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import type { Call } from '#kernel/routes.ts'
import { described, flag, list, listOf, message, nested, oneOf, text } from '#kernel/wire.ts'
import { EntitlementRef } from '../../naming.ts'
import { presentEntitlements } from '../../neighbours.ts'
import { PolicyRef } from '../../policy-fields.ts'
import { purposes } from '../../records.ts'
import { idInQuery, positionOf, same } from '../../search.ts'
import { placesSearched, refuseFilters } from '../../seen.ts'
import { idsMax, queryLength } from '../../shapes.ts'
import { EntitlementView } from '../view.ts'
import { membershipTypes } from './conditions.ts'
import { Facets, presentFacets } from './facets.ts'
import { countEntitlements, entitlementOrders, searchEntitlements } from './store.ts'

const ids = () => list(text(), idsMax)

const membershipPrefix = 'APP_ENTITLEMENT_MEMBERSHIP_TYPE_'
const membershipNames = [
  `${membershipPrefix}UNSPECIFIED`,
  `${membershipPrefix}MEMBER`,
  `${membershipPrefix}OWNER`,
  `${membershipPrefix}EXCLUSION`,
  `${membershipPrefix}ADMIN`,
] as const

const SearchRequest = message('app.v1.AppEntitlementSearchServiceSearchRequest', {
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
  appUserIds: described(ids(), 'Only entitlements that any of these accounts has.'),
  excludeAppUserIds: described(ids(), 'Only entitlements that none of these accounts has.'),
  onlyGetExpiring: described(flag(), 'Only entitlements with a grant that expires.'),
  includeDeleted: described(flag(), 'Include deleted ones.'),
  isAutomated: described(flag(), 'Granted by an automation rule.'),
  policyRefs: described(listOf(PolicyRef, idsMax), 'Only entitlements with any of these policies.'),
  requestSchemaIds: described(ids(), 'Only entitlements with any of these request schemas.'),
  sourceConnectorId: described(text({ maxLength: 64 }), 'Only entitlements that this connector reports.'),
  purposes: described(list(oneOf(purposes), purposes.length), 'Only entitlements of one of these purposes.'),
  membershipType: described(
    list(oneOf(membershipNames), membershipNames.length),
    'Only entitlements of one of these kinds of membership: by their slug (member, owner, exclusion, admin); otherwise, those with the purpose assignment are of members, and those with the purpose ownership of owners.',
  ),
  ownerIds: described(
    ids(),
    'Only entitlements that one of these users owns. The owners of an app own its entitlements that have no owners.',
  ),
  owner: presenceField(
    'Only entitlements with an owner, or only those without. The owners of an app own its entitlements that have no owners.',
  ),
  rule: presenceField('Only entitlements with an automation rule, or only those without.'),
  requestable: presenceField('Only entitlements in a published access profile, or only those in none.'),
  orderBy: orderByField(entitlementOrders),
  expandMask: nested(ExpandMask),
})
type Search = ReturnType<typeof SearchRequest.read>

/** The requested search, as far as the caller is allowed, and where they may look. */
async function askedIn(call: Call, body: Search) {
  refuseFilters(call, 'grants.read', {
    appUserIds: body.appUserIds.length > 0,
    excludeAppUserIds: body.excludeAppUserIds.length > 0,
    onlyGetExpiring: body.onlyGetExpiring,
  })
  refuseFilters(call, 'entitlements.read', {
    sourceConnectorId: body.sourceConnectorId !== '',
    ownerIds: body.ownerIds.length > 0,
    owner: body.owner !== 'PRESENCE_UNSPECIFIED',
    rule: body.rule !== 'PRESENCE_UNSPECIFIED',
    requestable: body.requestable !== 'PRESENCE_UNSPECIFIED',
  })
  const order = orderIn(entitlementOrders, body.orderBy)
  refuseFilters(call, 'grants.read', { orderBy: order?.key === 'members' })
  const places = await placesSearched(call, 'entitlements.read')
  const { query, ids: wantedIds } = idInQuery(body.query, [])
  const policyIds = body.policyRefs.map(({ id }) => id)
  const filter = {
    ...body,
    policyIds,
    query,
    purposes: body.purposes.filter((purpose) => !purpose.endsWith('_UNSPECIFIED')),
    membershipTypes: membershipTypes.filter((type) =>
      body.membershipType.some((name) => name === `${membershipPrefix}${type.toUpperCase()}`),
    ),
    ids: wantedIds,
    displayName: body.displayName.trim(),
    alias: body.alias.trim(),
    hasOwner: presenceOf(body.owner),
    hasRule: presenceOf(body.rule),
    isRequestable: presenceOf(body.requestable),
  }
  return { filter, places, order }
}

export const entitlementSearchRoutes = [
  route({
    id: 'app.v1.AppEntitlementSearchService.Search',
    at: 'POST /api/v1/search/entitlements',
    summary:
      'Search entitlements by the beginnings of words of their name, in any order, of their alias and slug, and of the names of their app and resource; and by filters. Names that begin with the query come first.',
    rule: 'entitlements.list',
    paged: true,
    body: SearchRequest,
    reply: message('app.v1.AppEntitlementSearchServiceSearchResponse', {
      list: listOf(EntitlementView),
      expanded: expandedField,
      facets: described(nested(Facets), 'With the first page only.'),
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      const { filter, places, order } = await askedIn(call, body)
      const rows = await readApart(call.db, order !== null, (db) =>
        searchEntitlements(db, call.tenant.id, { filter, places, order }, page),
      )
      const placeOf = positionOf(['appId', 'id'])
      const cut = page.cut(rows, (row) => (order ? [row.key ?? '', row.appId, row.id] : placeOf(row)), same)
      const { views, expanded } = await presentEntitlements(call, cut.list, body.expandMask)
      // They are the same for every page.
      const facets = page.after === null ? await presentFacets(call, filter, places) : null
      return { list: views, expanded, facets, nextPageToken: cut.nextPageToken }
    },
    async count(call, { body }, limit) {
      const { filter, places } = await askedIn(call, body)
      return countEntitlements(call.db, call.tenant.id, filter, places, limit)
    },
  }),
]
