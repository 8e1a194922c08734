import { expect, test } from 'vitest'
import { ask, getToken, type Json, type RoleName } from '../fixture/access.ts'
import { fewOrMany, isLong } from '../fixture/long.ts'
import { update } from '../fixture/write.ts'
import { type Caller, idsOf } from '../grants/scene.ts'
import { prepare } from '../owners/support.ts'

const scene = prepare()
const dayMs = 86_400_000
const inDays = (days: number): Date => new Date(Date.now() + days * dayMs)

const caller = async (roles: RoleName[]): Promise<Caller> => {
  const key = await scene.access.makeCaller(roles)
  return { userId: key.userId, token: await getToken(scene.server, key) }
}
const disable = (userId: string, status = 'DISABLED') =>
  update(scene.server.db, 'users', { status }, scene.server.db`x.user_id = ${userId}`)

/** Two apps with people, of whom two have left, and grants of each source with and without an end. */
async function company() {
  const apps = [await scene.app('Alpha'), await scene.app('Beta')]
  const people = await Promise.all(['Amy', 'Ben', 'Cat', 'Dov'].map((displayName) => scene.user({ displayName })))
  await disable(people[1] as string)
  await disable(people[3] as string, 'DELETED')
  const grants: { id: string; app: number; source: string; person: number; days: number | null }[] = []
  const sources = ['manual', 'import', 'rule', 'request', 'profile', 'directory'] as const
  const entitlements = await Promise.all(apps.map((app) => scene.entitlement(app, 'Reader')))
  for (const [app, entitlement] of entitlements.entries()) {
    for (const [person, userId] of people.entries()) {
      const account = await scene.account(entitlement.appId, { userId })
      for (const [i, source] of sources.entries()) {
        const days = (person + i) % 3 === 0 ? null : ((person + i) % 5) * 10 + 5
        const expiresAt = days === null ? {} : { expiresAt: inDays(days) }
        grants.push({
          id: await scene.grant(entitlement, account, { source, ...expiresAt }),
          app,
          source,
          person,
          days,
        })
      }
    }
    const orphan = await scene.account(entitlement.appId)
    grants.push({ id: await scene.grant(entitlement, orphan), app, source: 'import', person: -1, days: null })
  }
  return { apps, people, entitlements, grants }
}

const listed = async (query: string, by?: Caller): Promise<Json[]> => scene.all(`/api/v1/grants?${query}`, null, by)

test('grants of all apps are found by source, by their end, and of those who left, as if each were looked at', async () => {
  const { apps, grants } = await company()
  const sources = ['', 'manual', 'import', 'rule', 'request', 'profile', 'directory']
  const cases = [0, 1].flatMap((app) =>
    sources.flatMap((source) =>
      [0, 10, 30].flatMap((days) => [false, true].map((leavers) => ({ app, source, days, leavers }))),
    ),
  )
  // Every fifth has each value of each filter.
  for (const { app, source, days, leavers } of cases.filter((_, n) => n % fewOrMany(5, 1) === 0)) {
    const named = source === '' ? '' : `&source=GRANT_SOURCE_${source.toUpperCase()}`
    const ends = days === 0 ? '' : `&ends_within_days=${days}`
    const found = await listed(`app_id=${apps[app]}${named}${ends}${leavers ? '&is_of_leavers=true' : ''}`)
    const wanted = grants
      .filter((each) => each.app === app && (source === '' || each.source === source))
      .filter((each) => days === 0 || (each.days !== null && each.days <= days))
      .filter(({ person }) => !leavers || person === 1 || person === 3)
    expect(idsOf(found, 'id').toSorted(), `${app} ${source} ${days} ${leavers}`).toEqual(
      wanted.map(({ id }) => id).toSorted(),
    )
  }
  const soon = await listed(`app_id=${apps[0]}&ends_within_days=60`)
  const ends = soon.map(({ expiresAt }) => String(expiresAt))
  expect(ends).toEqual(ends.toSorted())
  const all = await listed('source=GRANT_SOURCE_MANUAL')
  expect(new Set(idsOf(all, 'appDisplayName'))).toEqual(new Set(['Alpha', 'Beta']))
  expect(all.find(({ userDisplayName }) => userDisplayName === 'Ben')).toMatchObject({
    source: 'GRANT_SOURCE_MANUAL',
    appEntitlementDisplayName: 'Reader',
    userStatus: 'DISABLED',
  })
})

const ordered = <T extends string | number>(keys: T[], isDescending: boolean): T[] => {
  const up = keys.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return isDescending ? up.toReversed() : up
}

test('grants are sorted by time, by expiry and by the names of people, entitlements and apps, page by page, with each filter', async () => {
  const { entitlements } = await company()
  const [alpha] = entitlements
  // Names in other cases, and entitlements with the same name.
  for (const name of ['admin', 'Admin', 'zebra']) {
    const of = await scene.entitlement(alpha?.appId as string, name)
    await scene.grant(of, await scene.account(of.appId, { userId: await scene.user({ displayName: 'amy' }) }))
    await scene.grant(of, await scene.account(of.appId), { grantedAt: inDays(-9), beganAt: inDays(-9) })
  }
  const keys: Record<string, (row: Json) => string> = {
    granted: ({ grantedAt }) => String(grantedAt),
    expires: ({ expiresAt }) => (typeof expiresAt === 'string' ? expiresAt : ''),
    entitlement: ({ appEntitlementDisplayName: name }) => String(name).toLowerCase(),
    app: ({ appDisplayName: name }) => String(name).toLowerCase(),
    user: ({ userId, userDisplayName: name }) => (userId ? String(name).toLowerCase() : ''),
  }
  const filters = [
    '',
    '&ends_within_days=30',
    '&is_of_leavers=true',
    '&source=GRANT_SOURCE_MANUAL',
    `&app_id=${alpha?.appId}`,
  ]
  for (const [n, query] of filters.entries()) {
    const all = idsOf(await listed(`x=1${query}`), 'id').toSorted()
    // Each filter with one of the keys; `npm run test:long` has each with each.
    for (const [key, keyOf] of Object.entries(keys).filter((_, k) => isLong || k === n))
      for (const isDescending of [false, true]) {
        const found = await listed(`order_by=${key}${isDescending ? '%20desc' : ''}${query}`)
        const about = `${key} ${isDescending} ${query}`
        expect(idsOf(found, 'id').toSorted(), about).toEqual(all)
        // Those without an expiry or a user come last, in both directions.
        const values = found.map(keyOf)
        const [some, none] = [values.filter((value) => value !== ''), values.filter((value) => value === '')]
        expect(values, about).toEqual([...ordered(some, isDescending), ...none])
      }
  }
  expect((await scene.get('/api/v1/grants?order_by=source')).status).toBe(400)
})

test('rules are sorted by each of their columns', async () => {
  const appId = await scene.app('Sorted rules')
  const { db } = scene.server
  const tenantId = scene.access.tenant.id
  for (const n of Array.from({ length: 12 }, (_, each) => each)) {
    const { id } = await scene.entitlement(appId, `Entitlement ${(n * 5) % 12}`)
    const runId = scene.access.world.newId()
    await db`
      insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, display_name, paused_why, last_run_id,
        created_at, updated_at)
      values (${tenantId}, ${appId}, ${id}, 1, 'cel', 'true', ${n % 2 ? `Rule ${n % 5}` : ''}, ${n % 3 ? null : 'held'},
        ${n % 4 ? runId : null}, now(), ${new Date(1e12 + ((n * 7) % 12) * 1e9)})`
    await db`
      insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, gained, lost,
        started_at, stepped_at)
      values (${tenantId}, ${runId}, ${appId}, ${id}, 1, 'hand', 'over', ${n % 5 ? 'done' : 'failed'}, ${(n * 3) % 11}, ${n % 3},
        ${new Date(1e12 + ((n * 5) % 12) * 1e9)}, now())`
  }
  const text = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '')
  const keys: Record<string, (row: Json) => string | number> = {
    name: (row) => text(row['displayName'] || row['appEntitlementDisplayName']),
    entitlement: (row) => text(row['appEntitlementDisplayName']),
    app: (row) => text(row['appDisplayName']),
    state: (row) => text(row['state']),
    run: (row) => text(row['lastRunAt']),
    added: (row) => Number(row['lastGainedCount']),
    removed: (row) => Number(row['lastLostCount']),
    updated: (row) => text(row['updatedAt']),
  }
  for (const [key, keyOf] of Object.entries(keys))
    for (const isDescending of [false, true]) {
      const found = await scene.all(`/api/v1/rules?app_id=${appId}&order_by=${key}${isDescending ? '%20desc' : ''}`)
      expect(new Set(idsOf(found, 'appEntitlementId')).size, key).toBe(12)
      const values = found.map(keyOf)
      expect(values, `${key} ${isDescending}`).toEqual(ordered(values, isDescending))
    }
  expect((await scene.get('/api/v1/rules?order_by=kind')).status).toBe(400)
})

test('what has ended, and what was revoked, is not listed', async () => {
  const held = await scene.entitlement(await scene.app())
  const [ended, over] = [await scene.account(held.appId), await scene.account(held.appId)]
  await scene.grant(held, ended)
  await scene.remove(`/api/v1/apps/${held.appId}/entitlements/${held.id}/remove-membership`, { appUserId: ended.id })
  await scene.grant(held, over, { beganAt: inDays(-3), grantedAt: inDays(-3), expiresAt: inDays(-1) })
  expect(await listed(`app_id=${held.appId}`)).toEqual([])
  expect((await scene.get('/api/v1/grants?ends_within_days=-1')).status).toBe(400)
  expect((await scene.get('/api/v1/grants?source=NOTHING')).status).toBe(400)
})

test('owners see the grants and rules of what they own, readers all, basic users and other tenants none', async () => {
  const { apps, entitlements, people } = await company()
  const [own, other] = entitlements
  const owner = await caller(['system:application-admin', 'system:user'])
  await scene.set(`apps/${apps[0]}/entitlements/${own?.id}`, 'primary', { users: [owner.userId] })
  // Paused: a rule that runs would end the grants of rules between two lists.
  for (const each of entitlements)
    await scene.server.db`
      insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, paused_why, created_at, updated_at)
      values (${scene.access.tenant.id}, ${each.appId}, ${each.id}, 1, 'cel', 'false', 'held', now(), now())`
  for (const query of ['', '&ends_within_days=60', '&is_of_leavers=true', '&source=GRANT_SOURCE_MANUAL']) {
    const found = await listed(`x=1${query}`, owner)
    expect(found.length, query).toBeGreaterThan(0)
    expect(new Set(idsOf(found, 'appEntitlementId')), query).toEqual(new Set([own?.id]))
    const seen = idsOf(await listed(`app_id=${apps[0]}${query}`, scene.viewer), 'id').toSorted()
    expect(idsOf(found, 'id').toSorted(), query).toEqual(seen)
  }
  expect(JSON.stringify(await listed('is_of_leavers=true', owner))).toContain('Ben')
  const rules = await scene.all('/api/v1/rules', null, owner)
  expect(idsOf(rules, 'appEntitlementId')).toEqual([own?.id])
  expect(idsOf(await scene.all(`/api/v1/rules?app_id=${apps[1]}`, null, scene.viewer), 'appEntitlementId')).toEqual([
    other?.id,
  ])
  for (const path of ['/api/v1/grants', '/api/v1/rules']) {
    const account = await scene.account(apps[1] as string, { userId: scene.basic.userId })
    await scene.grant(other as never, account)
    const { status, json } = await scene.get(path, scene.basic)
    expect([status, json['list']]).toEqual([200, []])
    const tenant = await scene.access.makeTenant(`${path.slice(8)}.other.example`)
    const key = await scene.access.makeCaller(['system:owner'], {}, tenant)
    const token = await getToken(scene.server, key)
    const reply = await ask(scene.server, path, { token, host: `${path.slice(8)}.other.example` })
    expect([reply.status, reply.json['list']]).toEqual([200, []])
  }
  // Who may read grants, and nobody, is told no names of people, apps or entitlements.
  const role = await scene.access.makeRole('grants-only', ['grants.read', 'grants.own.read'])
  const narrow = await scene.access.makeUser()
  await scene.post(`/api/v1/users/${narrow}/roles/${role}`, {})
  const token = await getToken(scene.server, await scene.access.makeKey(narrow))
  const told = await scene.get(`/api/v1/grants?app_id=${apps[0]}`, { userId: narrow, token })
  expect(told.status, told.text).toBe(200)
  expect((told.json['list'] as Json[]).length).toBeGreaterThan(0)
  for (const name of ['Amy', 'Reader', 'Alpha', people[0] as string]) expect(told.text).not.toContain(name)
  // Nor by the order in which they stand.
  for (const key of ['user', 'entitlement', 'app'])
    expect((await scene.get(`/api/v1/grants?order_by=${key}`, { userId: narrow, token })).status, key).toBe(400)
  expect((await scene.get('/api/v1/grants?order_by=granted', { userId: narrow, token })).status).toBe(200)
  expect(idsOf(await listed('order_by=entitlement', owner), 'id').toSorted()).toEqual(
    idsOf(await listed('', owner), 'id').toSorted(),
  )
})

test('rules are listed with their state and what their last run did', async () => {
  const appId = await scene.app('Ruled')
  const { db } = scene.server
  const tenantId = scene.access.tenant.id
  const made: Record<string, string> = {}
  for (const [name, paused, status] of [
    ['active', null, 'done'],
    ['paused', 'held', 'held'],
    ['failing', null, 'failed'],
  ] as const) {
    const { id } = await scene.entitlement(appId, name)
    const runId = scene.access.world.newId()
    made[name] = id
    await db`
      insert into automations (tenant_id, app_id, entitlement_id, version, kind, expression, paused_why, last_run_id,
        created_at, updated_at)
      values (${tenantId}, ${appId}, ${id}, 1, 'cel', ${`name == "${name}"`}, ${paused}, ${runId}, now(), now())`
    await db`
      insert into automation_runs (tenant_id, run_id, app_id, entitlement_id, version, cause, phase, status, gained, lost,
        started_at, stepped_at)
      values (${tenantId}, ${runId}, ${appId}, ${id}, 1, 'hand', 'over', ${status}, 3, 1, now(), now())`
  }
  const rules = await scene.all(`/api/v1/rules?app_id=${appId}`)
  expect(rules).toHaveLength(3)
  expect(rules.find(({ appEntitlementId }) => appEntitlementId === made['paused'])).toMatchObject({
    appDisplayName: 'Ruled',
    appEntitlementDisplayName: 'paused',
    expression: 'name == "paused"',
    state: 'RULE_STATE_PAUSED',
    pausedReason: 'held',
    lastRunStatus: 'held',
    lastGainedCount: 3,
    lastLostCount: 1,
  })
  for (const [name, id] of Object.entries(made)) {
    const found = await scene.all(`/api/v1/rules?app_id=${appId}&state=RULE_STATE_${name.toUpperCase()}`)
    expect(idsOf(found, 'appEntitlementId'), name).toEqual([id])
  }
})

test('apps and entitlements without an owner are found, by those who may see all of them', async () => {
  const [owned, lone] = [await scene.app('Owned'), await scene.app('Lone')]
  const [mine, nobodys] = [await scene.entitlement(owned, 'Mine'), await scene.entitlement(owned, 'Nobodys')]
  const person = await scene.user()
  await scene.set(`apps/${owned}`, 'primary', { users: [person] })
  await scene.set(`apps/${owned}/entitlements/${mine.id}`, 'auditor', { users: [person] })
  const apps = idsOf(await scene.all('/api/v1/search/apps', { owner: 'PRESENCE_NONE' }), 'id')
  expect(apps).toContain(lone)
  expect(apps).not.toContain(owned)
  const search = async (filter: object) =>
    idsOf(
      await scene.all('/api/v1/search/entitlements', { appIds: [owned], ...filter }),
      'appEntitlement',
      'id',
    ).toSorted()
  const found = (owner: string) => search({ owner })
  // The owners of an app own its entitlements that have no owners.
  const both = [mine.id, nobodys.id].toSorted()
  expect([await found('PRESENCE_NONE'), await found('PRESENCE_SOME')]).toEqual([[], both])
  const other = await scene.user()
  await scene.set(`apps/${owned}/entitlements/${mine.id}`, 'auditor', { users: [other] })
  expect([await search({ ownerIds: [person] }), await search({ ownerIds: [other] })]).toEqual([[nobodys.id], [mine.id]])
  await scene.set(`apps/${owned}`, 'primary', { users: [] })
  expect([await found('PRESENCE_NONE'), await found('PRESENCE_SOME')]).toEqual([[nobodys.id], [mine.id]])
  await scene.set(`apps/${owned}/entitlements/${mine.id}`, 'auditor', { users: [] })
  expect(await found('PRESENCE_NONE')).toEqual(both)
  for (const path of ['/api/v1/search/apps', '/api/v1/search/entitlements'])
    expect((await scene.post(path, { owner: 'PRESENCE_NONE' }, scene.basic)).status, path).toBe(400)
})
