import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, ask, getToken, type Json, openAccess } from '../fixture/access.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { shortestOfThree, stretchMsMax } from '../fixture/stretch.ts'
import { insert } from '../fixture/write.ts'

let server: TestServer
let access: Access
let token: string
const people = fewOrMany(400, 20_000)
const isId = (name: string) => `3${name}`.padEnd(27, '0')
const unknown = Array.from({ length: 1000 }, (_, i) => isId(`Unknown${i}x`))

beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:viewer']))
  await insert(
    server.db,
    access.tenant.id,
    'users',
    server.db`(tenant_id, user_id, display_name, manager_ids, created_at, updated_at)
    select ${access.tenant.id}::int, rpad('3P' || i || 'x', 27, '0'), 'Person ' || i, array[rpad('3P' || i / 8 || 'x', 27, '0')],
      now(), now()
    from generate_series(1, ${people}) i`,
  )
  await insert(
    server.db,
    access.tenant.id,
    'apps',
    server.db`(tenant_id, app_id, display_name, created_at, updated_at)
    values (${access.tenant.id}::int, ${isId('App')}, 'App', now(), now())`,
  )
  await insert(
    server.db,
    access.tenant.id,
    'accounts',
    server.db`(tenant_id, app_id, account_id, display_name, status, created_at, updated_at)
    select ${access.tenant.id}::int, ${isId('App')}, rpad('3A' || i || 'x', 27, '0'), 'Account ' || i, 'STATUS_ENABLED', now(), now()
    from generate_series(1, ${people}) i`,
  )
  await server.db`analyze users, accounts, search_keys`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

/** What a search finds, and what it takes at best. */
async function search(path: string, body: Json): Promise<{ found: number; ms: number }> {
  let [found, ms] = [0, Number.POSITIVE_INFINITY]
  // The best of a few: others may keep the machine busy, and the first time is another.
  for (let tries = 0; tries < fewOrMany(1, 4); tries++) {
    const begin = performance.now()
    const reply = await ask(server, path, { token, body })
    expect(reply.status, reply.text).toBe(200)
    found = (reply.json['list'] as unknown[]).length
    ms = Math.min(ms, performance.now() - begin)
    if (tries > 0 && ms < 100) break
  }
  return { found, ms }
}

test('whom 1,000 managers manage is found without comparing everyone with each of them', async () => {
  const none = await search('/api/v1/search/users', { managerIds: unknown })
  expect(none.found).toBe(0)
  const some = await search('/api/v1/search/users', { managerIds: [...unknown.slice(1), isId('P20x')] })
  expect(some.found).toBe(8)
})

test('accounts are found by name in up to 1,000 apps', async () => {
  const none = await search('/api/v1/search/app_users', { query: 'account', appIds: unknown })
  expect(none.found).toBe(0)
  const some = await search('/api/v1/search/app_users', { query: 'account', appIds: [isId('App')], pageSize: 100 })
  expect(some.found).toBe(100)
})

longTest('both take milliseconds of 20,000', async () => {
  // It was 2 s of 20,000 people, and 12 s of 100,000, on an idle machine.
  expect((await search('/api/v1/search/users', { managerIds: unknown })).ms).toBeLessThan(10_000)
  const accounts = await search('/api/v1/search/app_users', { query: 'account', appIds: unknown })
  expect(accounts.ms).toBeLessThan(10_000)
})

longTest('10,000 people are given something at once without keeping others waiting', async () => {
  const admin = await getToken(server, await access.makeCaller(['system:owner']))
  const rows = await server.db<{ id: string }[]>`
    select user_id as id from users where user_id like '3P%' order by user_id desc limit 10000`
  const userIds = rows.map((row) => row.id)
  const giveAnother = async (): Promise<string> => {
    const entitlements = `/api/v1/apps/${isId('App')}/entitlements`
    const { json } = await ask(server, entitlements, { token: admin, body: { displayName: 'E' } })
    const { id } = (json['appEntitlementView'] as { appEntitlement: { id: string } }).appEntitlement
    const reply = await ask(server, `${entitlements}/${id}/add-manual-user`, { token: admin, body: { userIds } })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json['failedUsersErrorMap']).toEqual({})
    return id
  }
  const { result: id, ms } = await shortestOfThree(giveAnother)
  expect(ms).toBeLessThan(stretchMsMax * 10)
  const [held] = await server.db<{ count: number }[]>`
    select count(*)::int as count from grants where entitlement_id = ${id} and ended_at is null`
  expect(held?.count).toBe(10_000)
  // Something else for the same people, of whose accounts PostgreSQL has no statistics yet: that took 40 s.
  const begun = performance.now()
  await giveAnother()
  expect(performance.now() - begun).toBeLessThan(200_000)
})
