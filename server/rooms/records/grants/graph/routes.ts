import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'

import { flag, int32, int64, list, listOf, message, oneOf, required, text } from '#kernel/wire.ts'
import { accountsAsked, getHolder, seesOnlyOwn } from '../actions.ts'
import { momentOf } from '../as-of.ts'
import { countHeld } from '../store/count.ts'
import { placeOf, searchHeld } from '../store/search-held.ts'
import { AppUserRef, refsMax } from '../view.ts'
import { bandOf, bands, graphLimits } from './decide.ts'
import { graphOf, resourceNode } from './graph.ts'
import { listReachable } from './store.ts'

const GraphNode = message('app.v1.GraphNode', {
  id: text(),
  type: oneOf([
    'GRAPH_NODE_TYPE_UNSPECIFIED',
    'GRAPH_NODE_TYPE_USER',
    'GRAPH_NODE_TYPE_APP_USER',
    'GRAPH_NODE_TYPE_APP',
    'GRAPH_NODE_TYPE_RESOURCE_TYPE',
    'GRAPH_NODE_TYPE_RESOURCE',
    'GRAPH_NODE_TYPE_ENTITLEMENT',
    'GRAPH_NODE_TYPE_GRANT',
  ]),
  displayName: text(),
  secondaryText: text(),
  appId: text(),
  resourceTypeId: text(),
})
const GraphEdge = message('app.v1.GraphEdge', {
  sourceId: text(),
  targetId: text(),
  type: oneOf([
    'GRAPH_EDGE_TYPE_UNSPECIFIED',
    'GRAPH_EDGE_TYPE_IDENTITY_LINK',
    'GRAPH_EDGE_TYPE_DIRECT_GRANT',
    'GRAPH_EDGE_TYPE_APP_HIERARCHY',
    'GRAPH_EDGE_TYPE_RESOURCE_HIERARCHY',
    'GRAPH_EDGE_TYPE_PROXY_BINDING',
  ]),
  isTruncated: flag(),
  hiddenChildren: int32(),
})

const ids = () => list(text({ maxLength: 64 }), refsMax)
const id = () => text({ maxLength: 64 })
const name = () => text({ maxLength: 1000 })
const ofUser = (userId: string) => ({ userIds: [userId], accountIds: null, accounts: null })
// Proxies of proxies: as deep as a graph by default.
const reachDepth = 4

export const graphRoutes = [
  route({
    id: 'app.v1.AppEntitlementSearchService.SearchGraph',
    at: 'POST /api/v1/search/graph',
    summary: 'The paths from a user through accounts and entitlements to resources, or from a resource to its users.',
    rule: 'grants.list',
    paged: true,
    body: message('app.v1.AppEntitlementSearchServiceSearchGraphRequest', {
      userId: id(),
      resourceId: id(),
      appId: id(),
      appIds: ids(),
      entitlementIds: ids(),
      entitlementNameQuery: name(),
      resourceIds: ids(),
      resourceNameQuery: name(),
      resourceTypeIds: ids(),
      maxDepth: int32(),
      maxFanOut: int32(),
      maxNodes: int32(),
    }),
    reply: message('app.v1.AppEntitlementSearchServiceSearchGraphResponse', {
      nodes: listOf(GraphNode),
      edges: listOf(GraphEdge),
      truncatedNodeIds: list(text()),
      nodeCeilingHit: flag(),
      pathsReturned: int32(),
      hasMore: flag(),
      pageToken: text(),
    }),
    async handle(call, { body, page }) {
      const isFromUser = body.userId !== ''
      if (!isFromUser && (body.resourceId === '' || seesOnlyOwn(call)))
        throw invalid({ field: 'userId', description: 'is required, or resourceId for callers who can see everyone' })
      if (isFromUser) await getHolder(call, body.userId)
      const isAmong = body.resourceIds.length === 0 || body.resourceIds.includes(body.resourceId)
      const filter = {
        accounts: isFromUser ? await accountsAsked(call, ofUser(body.userId)) : null,
        appIds: [...body.appIds, ...(body.appId === '' ? [] : [body.appId])],
        entitlements: [],
        entitlementIds: body.entitlementIds,
        entitlementName: body.entitlementNameQuery,
        slugs: [],
        purposes: [],
        // Both conditions apply: the one resource, and the list of resources.
        resourceIds: body.resourceId === '' ? body.resourceIds : [isAmong ? body.resourceId : ''],
        resourceTypeIds: body.resourceTypeIds,
        resourceName: body.resourceNameQuery,
      }
      const rows = await searchHeld(call.db, call.tenant.id, filter, momentOf(call, null), page)
      const cut = page.cut(
        rows,
        (row) => placeOf(filter, row),
        (row) => row,
      )
      const rootId = isFromUser ? body.userId : body.resourceId
      const graph = await graphOf(call, rootId, cut.list, { limits: graphLimits(body), isFromUser })
      return {
        ...graph,
        pathsReturned: cut.list.length,
        hasMore: cut.nextPageToken !== '',
        pageToken: cut.nextPageToken,
      }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementSearchService.CountGrantsForUserByApp',
    at: 'POST /api/v1/search/graph/counts',
    summary: 'The number of entitlements that a user has in each app.',
    rule: 'grants.list',
    body: message('app.v1.AppEntitlementSearchServiceCountGrantsForUserByAppRequest', {
      userId: required(id(), 'must be given'),
      appIds: ids(),
    }),
    reply: message('app.v1.AppEntitlementSearchServiceCountGrantsForUserByAppResponse', {
      appCount: int32(),
      appGrantCounts: listOf(message('app.v1.GraphAppGrantCount', { appId: text(), grantCount: int64() })),
      appUsers: listOf(AppUserRef),
      band: oneOf(bands),
      totalGrants: int64(),
    }),
    async handle(call, { body }) {
      await getHolder(call, body.userId)
      const all = (await accountsAsked(call, ofUser(body.userId))) ?? []
      const accounts = all.filter(
        ({ appId, deletedAt }) => !deletedAt && (body.appIds.length === 0 || body.appIds.includes(appId)),
      )
      const counts = await countHeld(call.db, call.tenant.id, accounts, call.now())
      const total = counts.reduce((sum, { count }) => sum + count, 0)
      return {
        appCount: counts.length,
        appGrantCounts: counts.map(({ appId, count }) => ({ appId, grantCount: count })),
        appUsers: accounts.map(({ appId, id: accountId }) => ({ appId, id: accountId })),
        band: bandOf(total),
        totalGrants: total,
      }
    },
  }),
  route({
    id: 'app.v1.AppEntitlementSearchService.SearchReachableResourcesForUser',
    at: 'POST /api/v1/search/graph/resources',
    summary: 'List the resources that a user reaches through their entitlements, directly or indirectly.',
    rule: 'grants.list',
    paged: true,
    body: message('app.v1.AppEntitlementSearchServiceSearchReachableResourcesForUserRequest', {
      userId: required(id(), 'must be given'),
      appIds: ids(),
      query: name(),
    }),
    reply: message('app.v1.AppEntitlementSearchServiceSearchReachableResourcesForUserResponse', {
      list: listOf(GraphNode),
      nextPageToken,
    }),
    async handle(call, { body, page }) {
      await getHolder(call, body.userId)
      const accounts = (await accountsAsked(call, ofUser(body.userId))) ?? []
      const rows = await listReachable(
        call.db,
        call.tenant.id,
        { accounts, appIds: body.appIds, query: body.query },
        { at: call.now(), depth: reachDepth },
        page,
      )
      return page.cut(rows, ({ appId, typeId, id: resourceId }) => [appId, typeId, resourceId], resourceNode)
    },
  }),
]
