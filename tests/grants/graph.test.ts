import { expect, test } from 'vitest'
import { growGraph } from '#rooms/records/grants/graph/decide.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { idsOf, prepare, type Ref } from './scene.ts'

const scene = prepare()
type Graph = {
  nodes: Json[]
  edges: Json[]
  pageToken: string
  hasMore: boolean
  nodeCeilingHit: boolean
  pathsReturned: number
  truncatedNodeIds: string[]
}
const graphOf = async (body: object, by = scene.admin): Promise<Graph> => {
  const reply = await scene.post('/api/v1/search/graph', body, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as Graph
}
const proxy = (from: Ref, to: Ref) => scene.server.db`
  insert into entitlement_proxies (tenant_id, src_app_id, src_entitlement_id, dst_app_id, dst_entitlement_id, created_at, updated_at)
  values (${scene.access.tenant.id}, ${from.appId}, ${from.id}, ${to.appId}, ${to.id}, now(), now())`

async function make() {
  const appId = await scene.app()
  const [books, shelf] = [await scene.resource(appId, 'Books'), await scene.resource(appId, 'Top shelf')]
  const read = await scene.entitlement(appId, 'Read', { slug: 'read', resource: books })
  const reach = await scene.entitlement(appId, 'Reach', { resource: shelf })
  const user = await scene.user({ displayName: 'Gina Graph' })
  const account = await scene.account(appId, { userId: user, username: 'gina' })
  await scene.grant(read, account)
  await proxy(read, reach)
  await proxy(reach, read)
  return { appId, books, shelf, read, reach, user, account }
}

test('the way leads from a user by account, entitlement and proxy to resources', async () => {
  const { user, account, read, reach, books, shelf, appId } = await make()
  const graph = await graphOf({ userId: user })
  expect(idsOf(graph.nodes, 'id').toSorted()).toEqual(
    [user, account.id, read.id, reach.id, books.id, shelf.id].toSorted(),
  )
  expect(graph.nodes.find(({ id }) => id === account.id)).toEqual({
    id: account.id,
    type: 'GRAPH_NODE_TYPE_APP_USER',
    displayName: expect.any(String) as unknown,
    secondaryText: 'gina',
    appId,
    resourceTypeId: '',
  })
  const edges = graph.edges.map(({ sourceId, targetId, type }) => [sourceId, targetId, (type as string).slice(16)])
  expect(edges).toEqual(
    expect.arrayContaining([
      [user, account.id, 'IDENTITY_LINK'],
      [account.id, read.id, 'DIRECT_GRANT'],
      [read.id, books.id, 'RESOURCE_HIERARCHY'],
      [read.id, reach.id, 'PROXY_BINDING'],
      [reach.id, shelf.id, 'RESOURCE_HIERARCHY'],
      [reach.id, read.id, 'PROXY_BINDING'],
    ]),
  )
  expect(edges).toHaveLength(6)
  expect(graph).toMatchObject({
    hasMore: false,
    pageToken: '',
    nodeCeilingHit: false,
    pathsReturned: 1,
    truncatedNodeIds: [],
  })
})

test('it goes no further than is asked, and says what it left out', async () => {
  const { user, account, read } = await make()
  const shallow = await graphOf({ userId: user, maxDepth: 2 })
  expect(idsOf(shallow.nodes, 'id')).toEqual([user, account.id, read.id])
  expect(shallow.truncatedNodeIds).toEqual([read.id])
  expect(shallow.edges.at(-1)).toMatchObject({ targetId: read.id, isTruncated: true, hiddenChildren: 1 })
  const small = await graphOf({ userId: user, maxNodes: 2 })
  expect(small.nodes).toHaveLength(2)
  expect(small.nodeCeilingHit).toBe(true)
  const narrow = await graphOf({ userId: user, maxFanOut: 1 })
  expect(narrow.truncatedNodeIds).toContain(read.id)
})

test('filters by entitlement and resource leave the paths that fit', async () => {
  const { user, appId, account, books, read } = await make()
  const other = await scene.entitlement(appId, 'Scribble')
  await scene.grant(other, account)
  const held = async (filter: object) =>
    (await graphOf({ userId: user, maxDepth: 2, ...filter })).nodes
      .slice(2)
      .map(({ displayName }) => displayName as string)
  expect((await held({})).toSorted()).toEqual(['Read', 'Scribble'])
  expect(await held({ entitlementNameQuery: 'scrib' })).toEqual(['Scribble'])
  expect(await held({ entitlementIds: [other.id] })).toEqual(['Scribble'])
  expect(await held({ resourceNameQuery: 'boo' })).toEqual(['Read'])
  expect(await held({ resourceIds: [books.id], appId })).toEqual(['Read'])
  expect(await held({ resourceTypeIds: [books.typeId] })).toEqual(['Read'])
  expect(await held({ appIds: [await scene.app()] })).toEqual([])
  const back = await graphOf({ resourceId: books.id, appId })
  expect(idsOf(back.nodes, 'id')).toEqual([books.id, read.id, account.id, user])
})

test('many paths come in pages', async () => {
  const appId = await scene.app()
  const user = await scene.user()
  const account = await scene.account(appId, { userId: user })
  for (let i = 0; i < 12; i++) await scene.grant(await scene.entitlement(appId), account)
  const first = await graphOf({ userId: user, pageSize: 10 })
  expect([first.pathsReturned, first.hasMore]).toEqual([10, true])
  const second = await graphOf({ userId: user, pageSize: 10, pageToken: first.pageToken })
  expect([second.pathsReturned, second.hasMore]).toEqual([2, false])
})

test('what a user holds is counted by app', async () => {
  const { user, appId, account } = await make()
  const otherApp = await scene.app()
  const other = await scene.account(otherApp, { userId: user })
  const more = [await scene.entitlement(otherApp), await scene.entitlement(otherApp)]
  for (const entitlement of more) await scene.grant(entitlement, other)
  await scene.grant(more[0] as Ref, other, { source: 'rule' })
  const counts = (await scene.post('/api/v1/search/graph/counts', { userId: user })).json
  expect(counts).toEqual({
    appCount: 2,
    appGrantCounts: [
      { appId, grantCount: '1' },
      { appId: otherApp, grantCount: '2' },
    ],
    appUsers: [
      { appId, id: account.id },
      { appId: otherApp, id: other.id },
    ],
    band: 'GRAPH_SIZE_BAND_NORMAL',
    totalGrants: '3',
  })
  const one = await scene.post('/api/v1/search/graph/counts', { userId: user, appIds: [otherApp] })
  expect(one.json).toMatchObject({ appCount: 1, totalGrants: '2' })
})

test('the resources that a user reaches are listed, by name and by app, also through proxies', async () => {
  const { user, appId, books, shelf } = await make()
  const reached = async (body: object) =>
    idsOf(await scene.all('/api/v1/search/graph/resources', { userId: user, ...body }), 'id')
  expect((await reached({})).toSorted()).toEqual([books.id, shelf.id].toSorted())
  expect(await reached({ query: 'shelf' })).toEqual([shelf.id])
  expect(await reached({ appIds: [appId], query: 'nothing' })).toEqual([])
  expect(await reached({ appIds: [await scene.app()] })).toEqual([])
})

test('one sees the graph of oneself, and of others only with the permission', async () => {
  const { user, books, appId } = await make()
  for (const path of ['/api/v1/search/graph', '/api/v1/search/graph/counts', '/api/v1/search/graph/resources']) {
    expect((await scene.post(path, { userId: scene.basic.userId }, scene.basic)).status).toBe(200)
    expect((await scene.post(path, { userId: user }, scene.viewer)).status).toBe(200)
    expect(outcomeOf(await scene.post(path, { userId: user }, scene.basic))).toBe('404/5 USER_NOT_FOUND')
    expect(outcomeOf(await scene.post(path, {}))).toBe('400/3 INPUT_INVALID')
  }
  const back = await scene.post('/api/v1/search/graph', { resourceId: books.id, appId }, scene.basic)
  expect(outcomeOf(back)).toBe('400/3 INPUT_INVALID')
})

test('a graph that runs in circles has an end', () => {
  const node = (id: string) =>
    ({
      id,
      type: 'GRAPH_NODE_TYPE_ENTITLEMENT',
      displayName: '',
      secondaryText: '',
      appId: '',
      resourceTypeId: '',
    }) as const
  const edge = (sourceId: string, targetId: string) =>
    ({ sourceId, targetId, type: 'GRAPH_EDGE_TYPE_PROXY_BINDING' }) as const
  const all = new Map(['a', 'b', 'c'].map((id) => [id, node(id)]))
  const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'gone')]
  const graph = growGraph('a', all, edges, 'forward', { depth: 100, nodes: 100, fanOut: 100 })
  expect(graph.nodes).toHaveLength(3)
  expect(graph.edges).toHaveLength(3)
  expect(graph.truncatedNodeIds).toEqual([])
})
