import type { Call } from '#kernel/routes.ts'
import { findUsers } from '#rooms/identity/users/index.ts'
import { findAccounts } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef, Holding } from '../grant.ts'
import { type Edge, type GraphLimits, type GraphNode, growGraph } from './decide.ts'
import { type Described, describeEntitlements, listProxiesFrom } from './store.ts'

const nodeOf = (node: Partial<GraphNode> & Pick<GraphNode, 'id' | 'type'>): GraphNode => ({
  displayName: '',
  secondaryText: '',
  appId: '',
  resourceTypeId: '',
  ...node,
})

export const resourceNode = (of: {
  appId: string
  id: string
  typeId: string
  displayName: string
  typeName: string
}) =>
  nodeOf({
    id: of.id,
    type: 'GRAPH_NODE_TYPE_RESOURCE',
    displayName: of.displayName,
    secondaryText: of.typeName,
    appId: of.appId,
    resourceTypeId: of.typeId,
  })

const entitlementNode = ({ id, appId, displayName, slug }: Described): GraphNode =>
  nodeOf({ id, type: 'GRAPH_NODE_TYPE_ENTITLEMENT', displayName, secondaryText: slug, appId })

/** User, accounts, entitlements, resources and proxies of some holdings, as far as they can be reached from the root. */
export async function graphOf(
  call: Call,
  rootId: string,
  holdings: readonly Holding[],
  { limits, isFromUser }: { limits: GraphLimits; isFromUser: boolean },
) {
  const { db, tenant } = call
  const heldRefs: EntitlementRef[] = holdings.map(({ appId, entitlementId }) => ({ appId, id: entitlementId }))
  // Proxies continue from the third level; who reaches a resource depends on grants alone.
  const proxies = isFromUser
    ? await listProxiesFrom(db, tenant.id, heldRefs, { depth: limits.depth - 2, limit: limits.nodes })
    : []
  const [accounts, entitlements] = await Promise.all([
    findAccounts(
      db,
      tenant.id,
      holdings.map(({ appId, accountId }) => ({ appId, id: accountId })),
    ),
    describeEntitlements(db, tenant.id, [...heldRefs, ...proxies.map(({ to }) => to)]),
  ])
  const owners = accounts.map(({ identityUserId }) => identityUserId).filter((id) => id !== '')
  const users = await findUsers(db, tenant.id, [...owners, ...(isFromUser ? [rootId] : [])], call.now())

  const nodes = [
    ...users.map(({ id, displayName, email }) =>
      nodeOf({ id, type: 'GRAPH_NODE_TYPE_USER', displayName, secondaryText: email }),
    ),
    ...accounts.map(({ id, appId, displayName, username, email }) =>
      nodeOf({ id, type: 'GRAPH_NODE_TYPE_APP_USER', displayName, secondaryText: username || email, appId }),
    ),
    ...entitlements.map(entitlementNode),
    ...entitlements.flatMap(({ resource }) => (resource ? [resourceNode(resource)] : [])),
  ]
  const edges: Edge[] = [
    ...accounts.map(({ id, identityUserId }) => edge(identityUserId, id, 'GRAPH_EDGE_TYPE_IDENTITY_LINK')),
    ...holdings.map((each) => edge(each.accountId, each.entitlementId, 'GRAPH_EDGE_TYPE_DIRECT_GRANT')),
    ...entitlements.flatMap(({ id, resource }) =>
      resource ? [edge(id, resource.id, 'GRAPH_EDGE_TYPE_RESOURCE_HIERARCHY')] : [],
    ),
    ...proxies.map(({ from, to }) => edge(from.id, to.id, 'GRAPH_EDGE_TYPE_PROXY_BINDING')),
  ]
  const all = new Map(nodes.map((node) => [node.id, node]))
  return growGraph(rootId, all, edges, isFromUser ? 'forward' : 'backward', limits)
}

const edge = (sourceId: string, targetId: string, type: Edge['type']): Edge => ({ sourceId, targetId, type })
