import { expect, test } from 'vitest'
import { type HistoryRow, spansOf } from '#rooms/records/grants/timeline/decide.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { update } from '../fixture/write.ts'
import { prepare, type Ref } from './scene.ts'

const scene = prepare()
const dayMs = 86_400_000
const base = Date.now() - 40 * dayMs
const dayOf = (day: number): Date => new Date(base + day * dayMs)

type Span = {
  source: string
  from: string
  to: string | null
  endedWhy: string
  grantedBy: Json | null
  endedBy: Json | null
}
type Track = { appId: string; appEntitlementId: string; appUserId: string; spans: Span[]; isCut: boolean } & Json
const historyOf = async (userId: string, query = '', by = scene.admin): Promise<Track[]> =>
  (await scene.all(`/api/v1/users/${userId}/access_history${query}`, null, by)) as unknown as Track[]

const endAt = (id: string, at: Date, why: 'revoked' | 'expired' | 'restated', by = '') =>
  update(scene.server.db, 'grants', { ended_at: at, ended_why: why, ended_by: by }, scene.server.db`x.grant_id = ${id}`)

/** A small generator with a seed, so that a failure is the same again. */
const randomOf = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

test('the spans of a random history are what the record says of each day, by API and by brute force', async () => {
  const random = randomOf(7)
  const userId = await scene.user()
  const raw: { key: string; from: number; to: number | null }[] = []
  for (let a = 0; a < 2; a++) {
    const appId = await scene.app()
    const account = await scene.account(appId, { userId })
    for (let e = 0; e < 4; e++) {
      const entitlement = await scene.entitlement(appId)
      for (const source of ['manual', 'import', 'rule'] as const) {
        for (let day = Math.floor(random() * 8); day < 30; ) {
          const end = day + 1 + Math.floor(random() * 8)
          const isOpen = end >= 30
          const id = await scene.grant(entitlement, account, { source, beganAt: dayOf(day), grantedAt: dayOf(day) })
          const isRestated = !isOpen && random() < 0.4
          if (!isOpen) await endAt(id, dayOf(end), isRestated ? 'restated' : 'revoked')
          raw.push({ key: `${entitlement.id} ${account.id} ${source}`, from: day, to: isOpen ? null : end })
          if (isOpen) break
          day = isRestated ? end : end + 1 + Math.floor(random() * 5)
        }
      }
    }
  }
  const tracks = await historyOf(userId)
  const spans = tracks.flatMap((track) =>
    track.spans.map((span) => ({ ...span, key: `${track.appEntitlementId} ${track.appUserId} ${span.source}` })),
  )
  const heldBy = (day: number): string[] => {
    const at = dayOf(day + 0.5).toISOString()
    return spans.filter(({ from, to }) => from <= at && (to === null || to > at)).map(({ key }) => key)
  }
  for (let day = 0; day < 35; day++) {
    const expected = raw.filter(({ from, to }) => from <= day && (to === null || to > day)).map(({ key }) => key)
    expect(heldBy(day).toSorted(), `day ${day}`).toEqual(expected.toSorted())
  }
  // A row that goes on in another is the same span: fewer spans than rows.
  expect(spans.length).toBeLessThan(raw.length)
  // As it was known then: what ended later was held.
  const at = dayOf(12.5).toISOString()
  const then = (await historyOf(userId, `?as_of=${at}`)).flatMap((track) =>
    track.spans
      .filter(({ to }) => to === null)
      .map(({ source }) => `${track.appEntitlementId} ${track.appUserId} ${source}`),
  )
  expect(then.toSorted()).toEqual(heldBy(12).toSorted())
  const seen = await scene.all('/api/v1/search/grants', { userId, asOf: at })
  expect(new Set(then.map((key) => key.split(' ').slice(0, 2).join(' '))).size).toBe(seen.length)
  // A range shows what was held in it, and no more.
  const [from, to] = [dayOf(5.25).toISOString(), dayOf(6.75).toISOString()]
  const within = (await historyOf(userId, `?from=${from}&to=${to}`)).flatMap(({ spans: of }) => of)
  const expected = spans.filter((span) => span.from <= to && (span.to === null || span.to > from))
  expect(within.length).toBe(expected.length)
})

test('each span says who or what granted and ended it', async () => {
  const userId = await scene.user()
  const appId = await scene.app('Ledger')
  const account = await scene.account(appId, { userId, username: 'led' })
  const resource = await scene.resource(appId, 'Books')
  const entitlement = await scene.entitlement(appId, 'Post', { resource })
  const id = await scene.grant(entitlement, account, {
    ...{ source: 'manual', grantedBy: scene.admin.userId, beganAt: dayOf(1), expiresAt: dayOf(30) },
  })
  await endAt(id, dayOf(3), 'revoked', scene.viewer.userId)
  const over = await scene.grant(entitlement, account, { source: 'request', beganAt: dayOf(4), expiresAt: dayOf(6) })
  const [track] = await historyOf(userId)
  expect(track).toMatchObject({
    ...{
      appDisplayName: 'Ledger',
      entitlementDisplayName: 'Post',
      resourceDisplayName: 'Books',
      appUserDisplayName: 'led',
    },
    ...{ appResourceId: resource.id, isCut: false },
  })
  expect(track?.spans).toMatchObject([
    {
      ...{ source: 'manual', from: dayOf(1).toISOString(), to: dayOf(3).toISOString(), endedWhy: 'revoked' },
      grantedBy: { kind: 'user', id: scene.admin.userId },
      endedBy: { kind: 'user', id: scene.viewer.userId },
    },
    // Nothing ended the row yet: nothing is held beyond its time all the same.
    { source: 'request', to: dayOf(6).toISOString(), endedWhy: 'expired', endedBy: null },
  ])
  expect(over).not.toBe('')
})

test('one sees the own history and nobody else’s, and names only as far as one sees people', async () => {
  const appId = await scene.app()
  const account = await scene.account(appId, { userId: scene.basic.userId })
  const entitlement = await scene.entitlement(appId, 'Own')
  await scene.grant(entitlement, account, { source: 'manual', grantedBy: scene.admin.userId })
  const [track] = await historyOf(scene.basic.userId, '', scene.basic)
  expect(track).toMatchObject({ entitlementDisplayName: 'Own', spans: [{ source: 'manual', grantedBy: null }] })
  const path = (id: string): string => `/api/v1/users/${id}/access_history`
  const paths = (id: string): string =>
    `/api/v1/users/${id}/access_paths?app_id=${appId}&app_entitlement_id=${entitlement.id}`
  for (const [place, address] of [path, paths].entries()) {
    expect(outcomeOf(await scene.get(address(scene.admin.userId), scene.basic))).toBe('404/5 USER_NOT_FOUND')
    expect((await scene.get(address(scene.basic.userId), scene.viewer)).status).toBe(200)
    const other = await scene.access.makeUser({ tenant: await scene.access.makeTenant(`history${place}.example`) })
    expect(outcomeOf(await scene.get(address(other)))).toBe('404/5 USER_NOT_FOUND')
  }
  const bad = `${path(scene.basic.userId)}?from=2030-01-01T00:00:00Z`
  expect(outcomeOf(await scene.get(bad))).toBe('400/3 INPUT_INVALID')
})

test('a row that began and ended at the same moment was never held', () => {
  const at = dayOf(1)
  const row: HistoryRow = {
    ...{ id: 'a', appId: '', entitlementId: '', accountId: '', source: 'rule', grantedBy: '' },
    ...{ grantedAt: at, beganAt: at, expiresAt: null, endedAt: at, endedBy: '', endedWhy: 'revoked' },
  }
  expect(spansOf([row], dayOf(5))).toEqual([])
})

type Paths = {
  nodes: Json[]
  edges: { from: string; to: string; kind: string; reasons: Json[] }[]
  paths: { keys: string[] }[]
  isCut: boolean
}
const pathsOf = async (userId: string, query: string): Promise<Paths> => {
  const reply = await scene.get(`/api/v1/users/${userId}/access_paths?${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as unknown as Paths
}
const toEntitlement = ({ appId, id }: Ref): string => `app_id=${appId}&app_entitlement_id=${id}`
const proxy = (from: Ref, to: Ref) => scene.server.db`
  insert into entitlement_proxies (tenant_id, src_app_id, src_entitlement_id, dst_app_id, dst_entitlement_id, created_at, updated_at)
  values (${scene.access.tenant.id}, ${from.appId}, ${from.id}, ${to.appId}, ${to.id}, now(), now()) on conflict do nothing`
const told = (entitlement: Ref, account: Ref, source: Ref) => scene.server.db`
  insert into grant_sources (tenant_id, app_id, entitlement_id, account_id, source_entitlement_id)
  values (${scene.access.tenant.id}, ${entitlement.appId}, ${entitlement.id}, ${account.id}, ${source.id}) on conflict do nothing`

test('the paths through random bindings and nested groups are those that brute force finds', async () => {
  const random = randomOf(11)
  const userId = await scene.user()
  const edges: [from: string, to: string][] = []
  const key = (kind: string, { appId, id }: Ref): string => `${kind} ${appId} ${id}`
  const all: Ref[] = []
  for (let a = 0; a < 2; a++) {
    const appId = await scene.app()
    const account = await scene.account(appId, { userId })
    edges.push(['user', key('account', account)])
    const own: Ref[] = []
    for (let e = 0; e < 4; e++) {
      const entitlement = await scene.entitlement(appId)
      const isHeld = random() < 0.7
      const groups = isHeld ? own.filter(() => random() < 0.4) : []
      if (isHeld) await scene.grant(entitlement, account, { source: 'import' })
      for (const group of groups) {
        await told(entitlement, account, group)
        edges.push([key('entitlement', group), key('entitlement', entitlement)])
      }
      const isDirectToo = groups.length > 0 && random() < 0.5
      if (isDirectToo) await told(entitlement, account, entitlement)
      if (isHeld && (groups.length === 0 || isDirectToo))
        edges.push([key('account', account), key('entitlement', entitlement)])
      own.push(entitlement)
      all.push(entitlement)
    }
  }
  for (const from of all)
    for (const to of all)
      if (from !== to && random() < 0.2) {
        await proxy(from, to)
        edges.push([key('entitlement', from), key('entitlement', to)])
      }
  const brute = (goal: string): string[] => {
    const found = new Set<string>()
    const walk = (path: string[]): void => {
      const at = path.at(-1) as string
      if (at === goal) found.add(path.join(' > '))
      else for (const [from, to] of edges) if (from === at && !path.includes(to)) walk([...path, to])
    }
    walk(['user'])
    return [...found].toSorted()
  }
  let count = 0
  for (const goal of all) {
    const expected = brute(key('entitlement', goal))
    const { paths, edges: drawn, nodes, isCut } = await pathsOf(userId, toEntitlement(goal))
    expect(isCut).toBe(false)
    expect(paths.map(({ keys }) => keys.join(' > ')).toSorted()).toEqual(expected)
    count += paths.length
    // Every node and edge that is drawn is on a path, and the other way round.
    const used = new Set(paths.flatMap(({ keys }) => keys))
    const shown = paths.length > 0 ? new Set(nodes.map((node) => node['key'])) : new Set()
    expect(shown).toEqual(used)
    expect(drawn.every(({ from, to }) => used.has(from) && used.has(to))).toBe(true)
  }
  expect(count).toBeGreaterThan(20)
})

test('a path names the account, the rule or import of each step, and the resource', async () => {
  const userId = await scene.user({ displayName: 'Petra Path' })
  const appId = await scene.app('Store')
  const account = await scene.account(appId, { userId, username: 'petra' })
  const resource = await scene.resource(appId, 'Till')
  const group = await scene.entitlement(appId, 'Cashiers')
  const open = await scene.entitlement(appId, 'Open', { resource })
  await scene.grant(group, account, { source: 'manual', grantedBy: scene.admin.userId })
  await scene.grant(open, account, { source: 'import' })
  await told(open, account, group)
  const { nodes, edges, paths } = await pathsOf(
    userId,
    `app_id=${appId}&app_resource_type_id=${resource.typeId}&app_resource_id=${resource.id}`,
  )
  expect(paths).toHaveLength(1)
  expect(nodes.map(({ kind, displayName, layer }) => [kind, displayName, layer])).toEqual(
    expect.arrayContaining([
      ['user', 'Petra Path', 0],
      ['account', 'petra', 1],
      ['entitlement', 'Cashiers', 2],
      ['entitlement', 'Open', 3],
      ['resource', 'Till', 4],
    ]),
  )
  const edge = (kind: string) => edges.find((each) => each.kind === kind)
  expect(edge('grant')?.reasons).toMatchObject([
    { source: 'manual', grantedBy: { kind: 'user', id: scene.admin.userId } },
  ])
  expect(edge('nested')?.reasons).toMatchObject([{ source: 'import' }])
  const past = await pathsOf(userId, `${toEntitlement(open)}&as_of=${dayOf(1).toISOString()}`)
  expect(past).toMatchObject({ paths: [], isDirectOnly: true })
  const both = `/api/v1/users/${userId}/access_paths?${toEntitlement(open)}&app_resource_id=${resource.id}`
  expect(outcomeOf(await scene.get(both))).toBe('400/3 INPUT_INVALID')
  const nothing = toEntitlement({ appId, id: scene.access.world.newId() })
  expect(outcomeOf(await scene.get(`/api/v1/users/${userId}/access_paths?${nothing}`))).toBe(
    '404/5 ENTITLEMENT_NOT_FOUND',
  )
})

test('more paths than are shown are cut, and said to be', async () => {
  const userId = await scene.user()
  const appId = await scene.app()
  const account = await scene.account(appId, { userId })
  const goal = await scene.entitlement(appId, 'Goal')
  // Three rows of seven, each bound to all of the next: 343 ways.
  let level: Ref[] = []
  for (let row = 0; row < 3; row++) {
    const next: Ref[] = []
    for (let i = 0; i < 7; i++) next.push(await scene.entitlement(appId))
    if (row === 0) for (const each of next) await scene.grant(each, account)
    for (const from of level) for (const to of next) await proxy(from, to)
    level = next
  }
  for (const from of level) await proxy(from, goal)
  const { paths, isCut } = await pathsOf(userId, toEntitlement(goal))
  expect(paths).toHaveLength(200)
  expect(isCut).toBe(true)
})
