import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { idsOf, prepare, type Ref } from './scene.ts'

const scene = prepare()
const search = async (body: object, by = scene.admin): Promise<string[]> =>
  (await scene.all('/api/v1/search/grants', body, by)).map(({ appEntitlementUserBinding: binding }) => {
    const { appEntitlementId, appUserId } = binding as Record<string, string>
    return `${appEntitlementId} ${appUserId}`
  })
const pair = (entitlement: Ref, account: Ref): string => `${entitlement.id} ${account.id}`

test('grants are searched by user, account, app, entitlement, slug, purpose and resource', async () => {
  const [appA, appB] = [await scene.app(), await scene.app()]
  const resource = await scene.resource(appA)
  const plain = await scene.entitlement(appA, 'Plain', { slug: 'plain' })
  const special = await scene.entitlement(appA, 'Special', { slug: 'special', resource })
  const other = await scene.entitlement(appB, 'Other', { slug: 'plain' })
  await scene.server.db`
    update entitlements set purpose = 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' where entitlement_id = ${special.id}`
  const user = await scene.user()
  const mine = await scene.account(appA, { userId: user })
  const mineToo = await scene.account(appB, { userId: user })
  const nobodys = await scene.account(appA)
  for (const [entitlement, account] of [
    [plain, mine],
    [special, mine],
    [other, mineToo],
    [plain, nobodys],
  ] as const)
    await scene.grant(entitlement, account)
  await scene.grant(plain, mine, { source: 'rule' })

  const all = [pair(plain, mine), pair(special, mine), pair(other, mineToo), pair(plain, nobodys)]
  const [a, b, c, d] = all as [string, string, string, string]
  const found: [object, string[]][] = [
    [{}, all],
    [{ userId: user }, [a, b, c]],
    [{ appUserIds: [mine.id, nobodys.id] }, [a, b, d]],
    [{ userId: user, appUserIds: [nobodys.id, mineToo.id] }, [c]],
    [{ entitlementRefs: [plain, other] }, [a, c, d]],
    [{ userId: user, entitlementRefs: [plain] }, [a]],
    [{ entitlementSlugs: ['plain'] }, [a, c, d]],
    [{ purpose: ['APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION', 'APP_ENTITLEMENT_PURPOSE_VALUE_UNSPECIFIED'] }, [b]],
    [{ resourceIds: [resource.id] }, [b]],
    [{ resourceTypeIds: [resource.typeId], userId: user }, [b]],
    [{ entitlementRefs: [{ appId: appB, id: plain.id }] }, []],
  ]
  for (const [filter, expected] of found)
    expect((await search({ appIds: [appA, appB], ...filter })).toSorted(), JSON.stringify(filter)).toEqual(
      expected.toSorted(),
    )
  expect(await search({ appIds: [appB] })).toEqual([c])
})

test('a grant is found with both of its ends, and their neighbours once', async () => {
  const appId = await scene.app('Ledger')
  const resource = await scene.resource(appId, 'Books')
  const entitlement = await scene.entitlement(appId, 'Write', { resource })
  const account = await scene.account(appId, { userId: scene.basic.userId })
  await scene.grant(entitlement, account)
  const reply = await scene.post('/api/v1/search/grants', { appIds: [appId], expandMask: { paths: ['*'] } })
  const [found] = reply.json['list'] as [{ entitlement: Json; appEntitlementUserBinding: Json }]
  const expanded = reply.json['expanded'] as Json[]
  const at = (path: unknown): unknown => expanded[Number(/^\$\.expanded\[(\d+)\]$/.exec(path as string)?.[1])]
  expect(found.entitlement['appEntitlement']).toMatchObject({ displayName: 'Write', grantCount: '1' })
  expect(at(found.entitlement['appPath'])).toMatchObject({ id: appId, displayName: 'Ledger' })
  expect(at(found.entitlement['appResourcePath'])).toMatchObject({ displayName: 'Books' })
  const appUser = found.appEntitlementUserBinding['appUser'] as Json
  expect(appUser['appPath']).toBe(found.entitlement['appPath'])
  expect(at(appUser['identityUserPath'])).toMatchObject({ id: scene.basic.userId })
  expect(expanded).toHaveLength(4)
})

test('a basic user finds what they hold themselves, whatever they ask for', async () => {
  const entitlement = await scene.entitlement(await scene.app())
  const own = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const other = await scene.account(entitlement.appId, { userId: scene.admin.userId })
  for (const account of [own, other]) await scene.grant(entitlement, account)
  const appIds = [entitlement.appId]
  expect(await search({ appIds }, scene.basic)).toEqual([pair(entitlement, own)])
  expect(await search({ appIds, appUserIds: [own.id, other.id] }, scene.basic)).toEqual([pair(entitlement, own)])
  const asked = { userId: scene.admin.userId }
  expect(outcomeOf(await scene.post('/api/v1/search/grants', asked, scene.basic))).toBe('404/5 USER_NOT_FOUND')
  expect(outcomeOf(await scene.post('/api/v1/search/grants', { userId: 'nobody' }))).toBe('404/5 USER_NOT_FOUND')

  await scene.remove(`/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}/remove-membership`, {
    appUserId: other.id,
  })
  const feed = await scene.all('/api/v1/grants/feed', { appRefs: appIds.map((id) => ({ id })) }, scene.basic)
  expect(feed.map((item) => (item['feed'] as Json)['appUserId'])).toEqual([own.id])
  expect(await scene.all('/api/v1/search/past-grants', { appIds }, scene.basic)).toEqual([])
  const [past] = await scene.all('/api/v1/search/past-grants', { appIds }, scene.viewer)
  expect(past).toMatchObject({ history: { appUserId: other.id } })
})

test('grants are paged to the end by either order, none twice and none missed', async () => {
  const appId = await scene.app()
  const user = await scene.user()
  const accounts = [await scene.account(appId, { userId: user }), await scene.account(appId, { userId: user })]
  const expected: string[] = []
  for (let i = 0; i < 13; i++) {
    const entitlement = await scene.entitlement(appId)
    for (const account of accounts) {
      await scene.grant(entitlement, account)
      await scene.grant(entitlement, account, { source: 'rule' })
      expected.push(pair(entitlement, account))
    }
  }
  for (const body of [{ appIds: [appId] }, { userId: user }, { userId: user, asOf: new Date().toISOString() }]) {
    const found = await search(body)
    expect(found).toHaveLength(expected.length)
    expect(found.toSorted()).toEqual(expected.toSorted())
  }
})

test('the feed tells what came and went, the latest first, within a span, with neighbours', async () => {
  const entitlement = await scene.entitlement(await scene.app('Feeder'), 'Feed')
  const account = await scene.account(entitlement.appId, { userId: scene.basic.userId })
  const at = (day: number) => new Date(Date.UTC(2026, 1, day))
  await scene.grant(entitlement, account, { beganAt: at(1), grantedAt: at(1), expiresAt: at(3) })
  await scene.grant(entitlement, account, { source: 'rule', beganAt: at(2), grantedAt: at(2), expiresAt: at(5) })
  await scene.grant(entitlement, account, { source: 'manual', beganAt: at(7), grantedAt: at(7) })
  const { db } = scene.server
  for (let open = 1; open > 0; )
    open = (
      await db`select 1 from grants where entitlement_id = ${entitlement.id} and ended_at is null and expires_at < now()`
    ).length
  const told = async (body: object) =>
    (await scene.all('/api/v1/grants/feed', body)).map(({ feed }) => {
      const { eventType, date } = feed as Record<string, string>
      return `${eventType?.slice('GRANT_EVENT_TYPE_'.length)} ${date?.slice(8, 10)}`
    })
  const ours = { appEntitlementRefs: [entitlement] }
  expect(await told(ours)).toEqual(['ADDED 07', 'REMOVED 05', 'ADDED 01'])
  expect(await told({ ...ours, after: at(1).toISOString(), before: at(7).toISOString() })).toEqual(['REMOVED 05'])
  expect(await told({ appUserRefs: [account] })).toHaveLength(3)
  expect(await told({ userRefs: [{ id: scene.basic.userId }], appRefs: [{ id: entitlement.appId }] })).toHaveLength(3)
  expect(await told({ ...ours, userRefs: [{ id: scene.viewer.userId }] })).toEqual([])
  const reply = await scene.post('/api/v1/grants/feed', {
    ...ours,
    expandMask: { paths: ['app_id', 'app_user_id', 'app_entitlement_id'] },
  })
  const paths = (reply.json['list'] as Json[])[0] as Record<string, string>
  expect([`${paths['appPath']}`, `${paths['appUserPath']}`, `${paths['entitlementPath']}`].toSorted()).toEqual([
    '$.expanded[0]',
    '$.expanded[1]',
    '$.expanded[2]',
  ])
  expect((reply.json['expanded'] as Json[]).map((each) => each['displayName'])).toContain('Feeder')
  const past = await scene.all('/api/v1/search/past-grants', { appUserRefs: [account] })
  expect(idsOf(past, 'history', 'revokedAt')).toEqual([at(5).toISOString(), at(3).toISOString()])
})

test('the feed names the cause of each change: who granted it and why, and what ended it', async () => {
  const entitlement = await scene.entitlement(await scene.app('Causes'), 'Caused')
  const by = (name: string) => `/api/v1/apps/${entitlement.appId}/entitlements/${entitlement.id}/${name}`
  const person = await scene.user()
  const added = await scene.post(by('add-manual-user'), { userIds: [person], reason: 'OPS-12' })
  expect(added.status, added.text).toBe(200)
  const importId = scene.access.world.newId()
  const imported = await scene.account(entitlement.appId)
  await scene.server.db`
    insert into imports (tenant_id, import_id, format, is_full, is_forced, line_count, byte_count, counts, started_at, finished_at)
    values (${scene.access.tenant.id}, ${importId}, 'jsonl', false, false, 1, 1, '[]', now(), now())`
  await scene.grant(entitlement, imported, { grantedBy: importId })
  expect((await scene.remove(by('remove-membership'), { appUserId: imported.id })).status).toBe(200)
  const feed = await scene.all('/api/v1/grants/feed', { appEntitlementRefs: [entitlement] })
  const told = feed.map(({ feed: event, source, endedWhy, reason, causedBy }) => ({
    type: String((event as Json)['eventType']).slice('GRANT_EVENT_TYPE_'.length),
    ...{ source, endedWhy, reason, kind: (causedBy as Json)['kind'], id: (causedBy as Json)['id'] },
  }))
  const admin = { kind: 'user', id: scene.admin.userId }
  expect(told).toEqual([
    { type: 'REMOVED', source: 'import', endedWhy: 'revoked', reason: '', ...admin },
    { type: 'ADDED', source: 'import', endedWhy: '', reason: '', kind: 'import', id: importId },
    { type: 'ADDED', source: 'manual', endedWhy: '', reason: 'OPS-12', ...admin },
  ])
})

test("nothing of another tenant's is found by its ids", async () => {
  const other = await scene.access.makeTenant('search.other.example')
  const stranger = await scene.access.makeUser({ tenant: other })
  for (const path of ['/api/v1/search/grants', '/api/v1/search/graph', '/api/v1/search/graph/counts'])
    expect(outcomeOf(await scene.post(path, { userId: stranger }))).toBe('404/5 USER_NOT_FOUND')
})
