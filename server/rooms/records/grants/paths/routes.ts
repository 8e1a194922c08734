import { may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { seesEveryone, sightOf } from '#authority/sight/index.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { described, flag, int32, list, listOf, message, text, timestamp } from '#kernel/wire.ts'
import { entitlementNotFound, resourceNotFound } from '#rooms/records/apps/index.ts'
import { getHolder } from '../actions.ts'
import { asOfField, momentOf } from '../as-of.ts'
import { presentGivers } from '../givers/present.ts'
import { giverField } from '../givers/view.ts'
import { findPaths, pathsMax, type Target } from './find.ts'
import { findResource, nameEntitlements } from './store.ts'

const NodeMessage = message('bailiwick.v1.AccessPathNode', {
  key: described(text(), 'Identifies the node in edges and paths of this response.'),
  kind: described(text(), 'user, account, entitlement or resource.'),
  id: text(),
  appId: text(),
  appResourceTypeId: text(),
  displayName: text(),
  about: text(),
  layer: described(int32(), 'Its column in a graph from left to right: after everything that leads to it.'),
})

const EdgeMessage = message('bailiwick.v1.AccessPathEdge', {
  from: text(),
  to: text(),
  kind: described(
    text(),
    'account: the person has the account. grant: the account has the entitlement. nested: the app grants it to those who have the ' +
      'other, such as members of a group. rule: an automation rule does. binding: the one grants the other. resource: the ' +
      'entitlement is of the resource.',
  ),
  reasons: listOf(
    message('bailiwick.v1.AccessPathReason', {
      source: described(text(), 'manual, import, rule, request, profile or directory.'),
      since: timestamp(),
      expiresAt: timestamp(),
      grantedBy: giverField('Who or what granted it.'),
    }),
  ),
})

const id = () => text({ maxLength: 64 })

type Asked = { appId: string; appEntitlementId: string; appResourceTypeId: string; appResourceId: string }

/** The requested object, if it exists and the caller may know of it. */
async function targetOf(call: Call, asked: Asked): Promise<Target> {
  const { appId, appEntitlementId, appResourceTypeId: typeId, appResourceId } = asked
  const isOfEntitlement = appEntitlementId !== ''
  if (isOfEntitlement === (appResourceId !== ''))
    throw invalid({
      field: 'appEntitlementId',
      description: 'exactly one of appEntitlementId and appResourceId must be set',
    })
  const sight = sightOf(call, call.db)
  const seesAll = seesEveryone(call.actor) || may(call.actor, 'entitlements.read')
  if (isOfEntitlement) {
    const ref = { appId, id: appEntitlementId }
    const [found] = await nameEntitlements(call.db, call.tenant.id, [ref])
    const isSeen = found && (seesAll || (await sight.entitlements([ref])).has(`${appId}/${appEntitlementId}`))
    if (!isSeen) throw entitlementNotFound(appId, appEntitlementId)
    return { kind: 'entitlement', ref }
  }
  const ref = { appId, typeId, id: appResourceId }
  const resource = await findResource(call.db, call.tenant.id, ref)
  if (!resource || !(seesAll || (await sight.resources([ref])).has(`${appId}/${typeId}/${appResourceId}`)))
    throw resourceNotFound(appId, typeId, appResourceId)
  return { kind: 'resource', resource }
}

export const pathRoutes = [
  route({
    id: 'bailiwick.v1.AccessPaths.Find',
    at: 'GET /api/v1/users/{user_id}/access_paths',
    summary:
      'Find how a person reaches an entitlement or a resource: through which accounts, entitlements, rules and bindings.',
    rule: 'grants.list',
    query: message('bailiwick.v1.FindAccessPathsQuery', {
      appId: id(),
      appEntitlementId: id(),
      appResourceTypeId: id(),
      appResourceId: id(),
      asOf: asOfField,
    }),
    reply: message('bailiwick.v1.FindAccessPathsResponse', {
      nodes: listOf(NodeMessage),
      edges: listOf(EdgeMessage),
      paths: described(
        listOf(message('bailiwick.v1.AccessPath', { keys: list(text()) })),
        'Each path from the person to the target, as the keys of its nodes; the shortest first.',
      ),
      isCut: described(flag(), `Whether there are more paths than the ${pathsMax} that are shown, or longer ones.`),
      isDirectOnly: described(flag(), 'For the past, only direct grants and bindings are known.'),
    }),
    async handle(call, { path, query }) {
      const moment = momentOf(call, query.asOf)
      const user = await getHolder(call, path.user_id)
      const target = await targetOf(call, query)
      const { nodes, edges, paths, isCut } = await findPaths(call, user, target, moment)
      const giverOf = await presentGivers(
        call,
        user.id,
        edges.flatMap(({ reasons }) => reasons.map(({ grantedBy }) => grantedBy)),
      )
      return {
        nodes: nodes.map(({ name, typeId, ...node }) => ({ ...node, displayName: name, appResourceTypeId: typeId })),
        edges: edges.map(({ reasons, ...edge }) => ({
          ...edge,
          reasons: reasons.map(({ source, grantedAt, expiresAt, grantedBy }) => ({
            source,
            since: grantedAt,
            expiresAt,
            grantedBy: giverOf(grantedBy),
          })),
        })),
        paths: paths.map((keys) => ({ keys })),
        isCut,
        isDirectOnly: !moment.isNow,
      }
    },
  }),
]
