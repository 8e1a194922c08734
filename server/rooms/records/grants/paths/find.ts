import type { Call } from '#kernel/routes.ts'
import { findAccounts } from '#rooms/records/accounts/index.ts'
import type { EntitlementRef, HoldingRef, Moment, Reason } from '../grant.ts'
import { listHoldingsOf, listReasons } from '../store/held.ts'
import { keyOf as holdingKey, listRuleSources, listToldSources } from '../store/sources.ts'
import { edgesBetween, layersOf, type PathEdge, pathsBetween } from './decide.ts'
import {
  listBindingsInto,
  listEntitlementsOf,
  listToldDirect,
  type NamedEntitlement,
  type NamedResource,
  nameEntitlements,
} from './store.ts'

/** The most paths that are shown, the most entitlements in a row, and the most that are looked at. */
export const pathsMax = 200
const depthMax = 8
const entitlementsMax = 2_000

export type PathNode = {
  key: string
  kind: 'user' | 'account' | 'entitlement' | 'resource'
  id: string
  appId: string
  typeId: string
  name: string
  about: string
  layer: number
}
type FoundEdge = PathEdge & { reasons: readonly Reason[] }
export type Found = { nodes: PathNode[]; edges: FoundEdge[]; paths: string[][]; isCut: boolean }

export type Target = { kind: 'entitlement'; ref: EntitlementRef } | { kind: 'resource'; resource: NamedResource }

const userKey = 'user'
const accountKey = ({ appId, accountId }: Pick<HoldingRef, 'appId' | 'accountId'>): string =>
  `account ${appId} ${accountId}`
const entitlementKey = ({ appId, id }: EntitlementRef): string => `entitlement ${appId} ${id}`
const resourceKey = (appId: string, typeId: string, id: string): string => `resource ${appId} ${typeId} ${id}`

/**
 * How a person reaches an entitlement or a resource: through accounts, and through entitlements that lead to others, because
 * a rule grants those to their holders, because the app reports nested groups, or through a binding. From the goal
 * backwards, level by level: a few statements for each level, by keys.
 */
export async function findPaths(
  call: Call,
  user: { id: string; displayName: string; email: string },
  target: Target,
  moment: Moment,
): Promise<Found> {
  const { db, tenant } = call
  const targets =
    target.kind === 'entitlement'
      ? [target.ref]
      : await listEntitlementsOf(db, tenant.id, target.resource, entitlementsMax)
  const edges: FoundEdge[] = []
  const looked = new Map<string, EntitlementRef>()
  let isCut = targets.length === entitlementsMax
  let level = targets
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === depthMax || looked.size + level.length > entitlementsMax) {
      isCut = true
      break
    }
    for (const ref of level) looked.set(entitlementKey(ref), ref)
    const found = await edgesInto(call, user.id, level, moment)
    edges.push(...found.edges)
    level = [...new Map(found.from.map((ref) => [entitlementKey(ref), ref])).values()].filter(
      (ref) => !looked.has(entitlementKey(ref)),
    )
  }
  const goal =
    target.kind === 'entitlement'
      ? entitlementKey(target.ref)
      : resourceKey(target.resource.appId, target.resource.typeId, target.resource.id)
  if (target.kind === 'resource')
    for (const ref of targets) edges.push({ from: entitlementKey(ref), to: goal, kind: 'resource', reasons: [] })
  const between = edgesBetween(edges, userKey, goal)
  const ways = pathsBetween(between, userKey, goal, pathsMax)
  const shown = new Set(ways.paths.flatMap((path) => path.slice(1).map((to, i) => `${path[i]} > ${to}`)))
  const drawn = between.filter(({ from, to }) => shown.has(`${from} > ${to}`))
  return {
    nodes: await nodesOf(call, user, target, drawn, looked),
    edges: drawn,
    paths: ways.paths,
    isCut: isCut || ways.isCut,
  }
}

/** The edges that lead to some entitlements: from accounts of the person, and from other entitlements. */
async function edgesInto(call: Call, userId: string, level: readonly EntitlementRef[], moment: Moment) {
  const { db, tenant } = call
  const holdings = await listHoldingsOf(db, tenant.id, level, userId, moment)
  const [reasons, bindings, byRule, told, direct] = await Promise.all([
    listReasons(db, tenant.id, holdings, moment),
    listBindingsInto(db, tenant.id, level, entitlementsMax),
    // For a moment in the past, the conditions of rules then, and nested groups in the app, are unknown.
    moment.isNow ? listRuleSources(db, tenant.id, holdings, moment.at) : [],
    moment.isNow ? listToldSources(db, tenant.id, holdings) : [],
    moment.isNow ? listToldDirect(db, tenant.id, holdings) : [],
  ])
  const reasonsOf = Map.groupBy(reasons, holdingKey)
  const isByRule = new Set(byRule.map(holdingKey))
  const isTold = new Set(told.map(holdingKey))
  const isDirect = new Set(direct.map(holdingKey))
  const edges: FoundEdge[] = []
  for (const holding of holdings) {
    const key = holdingKey(holding)
    const to = entitlementKey({ appId: holding.appId, id: holding.entitlementId })
    // A grant that other access explains is shown as coming from there, not from the account.
    const own = (reasonsOf.get(key) ?? []).filter(
      ({ source }) =>
        !(source === 'rule' && isByRule.has(key)) && !(source === 'import' && isTold.has(key) && !isDirect.has(key)),
    )
    if (own.length === 0) continue
    edges.push({ from: userKey, to: accountKey(holding), kind: 'account', reasons: [] })
    edges.push({ from: accountKey(holding), to, kind: 'grant', reasons: own })
  }
  const led = (kind: 'rule' | 'nested', all: typeof told): void => {
    for (const each of all)
      edges.push({
        from: entitlementKey({ appId: each.sourceAppId, id: each.sourceId }),
        to: entitlementKey({ appId: each.appId, id: each.entitlementId }),
        kind,
        reasons: (reasonsOf.get(holdingKey(each)) ?? []).filter(
          ({ source }) => source === (kind === 'rule' ? 'rule' : 'import'),
        ),
      })
  }
  led('rule', byRule)
  led('nested', told)
  for (const { from, to } of bindings)
    edges.push({ from: entitlementKey(from), to: entitlementKey(to), kind: 'binding', reasons: [] })
  const from = [
    ...[...byRule, ...told].map(({ sourceAppId: appId, sourceId: id }) => ({ appId, id })),
    ...bindings.map((each) => each.from),
  ]
  return { edges: [...new Map(edges.map((edge) => [`${edge.from} > ${edge.to} ${edge.kind}`, edge])).values()], from }
}

async function nodesOf(
  call: Call,
  user: { id: string; displayName: string; email: string },
  target: Target,
  edges: readonly PathEdge[],
  looked: ReadonlyMap<string, EntitlementRef>,
): Promise<PathNode[]> {
  const keys = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const refs = [...looked].filter(([key]) => keys.has(key)).map(([, ref]) => ref)
  if (target.kind === 'entitlement') refs.push(target.ref)
  const accountRefs = [...keys].flatMap((key) => {
    const [kind, appId = '', id = ''] = key.split(' ')
    return kind === 'account' ? [{ appId, id }] : []
  })
  const [entitlements, accounts] = await Promise.all([
    nameEntitlements(call.db, call.tenant.id, refs),
    findAccounts(call.db, call.tenant.id, accountRefs),
  ])
  const layers = layersOf(edges, userKey)
  const last = Math.max(1, ...layers.values())
  const node = (of: Omit<PathNode, 'layer'>): PathNode => ({ ...of, layer: layers.get(of.key) ?? last })
  return [
    node({ key: userKey, kind: 'user', id: user.id, appId: '', typeId: '', name: user.displayName, about: user.email }),
    ...accounts.map(({ appId, id, displayName, username, email }) =>
      node({
        key: accountKey({ appId, accountId: id }),
        kind: 'account',
        id,
        appId,
        typeId: '',
        name: username || email || displayName,
        about: '',
      }),
    ),
    ...entitlements.map((each) => node(entitlementNode(each))),
    ...(target.kind === 'resource' ? [node(resourceNode(target.resource))] : []),
  ]
}

const entitlementNode = ({ appId, id, name, appName, resource }: NamedEntitlement): Omit<PathNode, 'layer'> => ({
  key: entitlementKey({ appId, id }),
  kind: 'entitlement',
  id,
  appId,
  typeId: '',
  name,
  about: resource ? `${appName}, ${resource.name}` : appName,
})
const resourceNode = ({ appId, typeId, id, name, typeName, appName }: NamedResource): Omit<PathNode, 'layer'> => ({
  key: resourceKey(appId, typeId, id),
  kind: 'resource',
  id,
  appId,
  typeId,
  name,
  about: typeName ? `${appName}, ${typeName}` : appName,
})
