import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { updateUserStatus } from '#rooms/identity/users/store.ts'
import { ask, newAddress, outcomeOf, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import {
  approve,
  authorize,
  authorized,
  begin,
  cone,
  deny,
  find,
  introspect,
  person,
  poll,
  prepare,
  scene,
  told,
} from './scene.ts'

prepare()
let beside: TestServer
beforeAll(async () => {
  beside = await startServer({ beside: scene.server, flags: { 'trusted-proxy': ['127.0.0.1'] } })
})
afterAll(() => beside?.stop())

const hostOfScene = (): string => new URL(scene.server.url).host.replace('127.0.0.1', 'localhost')

test('of two who approve at once one does, and of two who approve and deny one counts', async () => {
  const [one, two] = [await person(), await person()]
  const first = await begin()
  const outcomes = await Promise.all([approve(one, first.user_code), approve(two, first.user_code)])
  expect(outcomes.map(outcomeOf).toSorted()).toEqual(['200', '404/5 DEVICE_REQUEST_NOT_FOUND'])
  const second = await begin()
  const [approved, denied] = await Promise.all([approve(one, second.user_code), deny(two, second.user_code)])
  expect([approved, denied].map(outcomeOf).toSorted()).toEqual(['200', '404/5 DEVICE_REQUEST_NOT_FOUND'])
  expect(told(await poll(second.device_code))).toBe(approved.status === 200 ? '200' : '400 access_denied')
})

test('a code that is redeemed twice ends what it gave, with what was created with it, and tells operators', async () => {
  const device = await authorized()
  const made = await ask(scene.server, '/api/v1/iam/personal_clients', {
    token: device.token,
    body: { displayName: 'x' },
  })
  expect(made.status).toBe(200)
  expect(told(await poll(device.begun.device_code))).toBe('400 invalid_grant')
  expect(outcomeOf(await introspect(device.token))).toBe('401/16 CREDENTIAL_REVOKED')
  expect((await device.browser.ask('/api/v1/iam/personal_clients')).json['list']).toEqual([])
  // And stays so.
  expect(told(await poll(device.begun.device_code))).toBe('400 invalid_grant')
  const events = await scene.access.world.db<{ severity: string }[]>`
    select event::json->>'severity' as severity from systemlog_events
    where tenant_id = ${scene.access.tenant.id} and event like '%redeemed twice%' and event like ${`%${device.userId}%`}`
  expect(events).toEqual([{ severity: 'High' }])
})

test('redeemed at once by several, on two servers, it gives one token at most, and that ends', async () => {
  const who = await person()
  const begun = await begin()
  await approve(who, begun.user_code)
  const asked = await Promise.all(
    [scene.server, beside, scene.server, beside].map((server) =>
      poll(begun.device_code, {}, { server, host: hostOfScene() }),
    ),
  )
  const given = asked.filter(({ status }) => status === 200)
  expect(given.length).toBeLessThanOrEqual(1)
  expect(asked.filter((reply) => told(reply) === '400 invalid_grant').length).toBe(4 - given.length)
  const [row] = await scene.access.world.db<{ made: number; live: number }[]>`
    select count(*)::int as made, count(*) filter (where deleted_at is null)::int as live from credentials
    where tenant_id = ${scene.access.tenant.id} and user_id = ${who.userId}`
  expect(row).toEqual({ made: 1, live: 0 })
})

test('a program is bound to the server that approves it: codes of one tenant are nothing to another', async () => {
  const other = await scene.access.makeTenant('devices.example')
  const foreign = await begin({ client_id: cone }, { host: other.domain })
  expect(foreign.verification_uri).toBe('http://devices.example/device')
  const who = await person()
  expect(outcomeOf(await find(who, foreign.user_code))).toBe('404/5 DEVICE_REQUEST_NOT_FOUND')
  expect(outcomeOf(await approve(who, foreign.user_code))).toBe('404/5 DEVICE_REQUEST_NOT_FOUND')
  expect(told(await poll(foreign.device_code))).toBe('400 invalid_grant')
  expect(told(await poll(foreign.device_code, {}, { host: other.domain }))).toBe('400 authorization_pending')
  const { token } = await authorized()
  const elsewhere = await ask(scene.server, '/api/v1/auth/introspect', { host: other.domain, token })
  expect(outcomeOf(elsewhere)).toBe('401/16 TOKEN_INVALID')
})

test('whoever approved it must still be there and may still create credentials when it is redeemed', async () => {
  const { world, tenant } = scene.access
  const gone = await person()
  const one = await begin()
  await approve(gone, one.user_code)
  await transact(world.db, (tx) => updateUserStatus(tx, tenant.id, gone.userId, 'DISABLED', world.now()))
  expect(told(await poll(one.device_code))).toBe('400 access_denied')

  const less = await person()
  const two = await begin()
  await approve(less, two.user_code)
  const roleId = await scene.access.roleId('system:user')
  await world.db`delete from user_roles where user_id = ${less.userId} and role_id = ${roleId}`
  expect(told(await poll(two.device_code))).toBe('400 access_denied')

  // Disabled later, its token is refused at once.
  const device = await authorized()
  await transact(world.db, (tx) => updateUserStatus(tx, tenant.id, device.userId, 'DISABLED', world.now()))
  await expect.poll(async () => outcomeOf(await introspect(device.token))).toBe('401/16 USER_DISABLED')
})

test('a row that another hand wrote, or changed, gives nothing and is reported', async () => {
  const { db } = scene.access.world
  const who = await person()
  const forged = await begin()
  await db`
    update device_requests set state = 'approved', user_id = ${who.userId}
    where request_id = (select max(request_id) from device_requests)`
  expect(told(await poll(forged.device_code))).toBe('400 invalid_grant')
  const widened = await begin({ client_id: cone, scope: await scene.access.roleId('system:viewer') })
  await db`
    update device_requests set scoped_role_ids = '{}' where request_id = (select max(request_id) from device_requests)`
  expect(outcomeOf(await approve(who, widened.user_code))).toBe('404/5 DEVICE_REQUEST_NOT_FOUND')
  const rows = await db<{ count: number }[]>`
    select count(*)::int as count from systemlog_events
    where tenant_id = ${scene.access.tenant.id} and event like '%device request%' and event like '%"High"%'`
  expect(rows[0]?.count).toBeGreaterThanOrEqual(2)
})

test('codes cannot be guessed: callers who try many must wait, whether the codes exist or not', async () => {
  const who = await person()
  const { user_code: right } = await begin()
  // All at once: after a while one may try again.
  const tried = await Promise.all(Array.from({ length: 20 }, () => find(who, 'BBBB-BBBB')))
  expect(new Set(tried.map(outcomeOf))).toEqual(new Set(['404/5 DEVICE_REQUEST_NOT_FOUND']))
  const over = await find(who, right)
  expect(outcomeOf(over)).toBe('429/8 TOO_MANY_FAILURES')
  expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
  expect(outcomeOf(await approve(who, right))).toBe('429/8 TOO_MANY_FAILURES')
  // Nobody else is kept from theirs.
  expect(outcomeOf(await approve(await person(), right))).toBe('200')
  expect(outcomeOf(await find(await person(), ' '))).toBe('400/3 INPUT_INVALID')
})

test('requests are limited by network, and so are tries of device codes', async () => {
  const from = newAddress()
  const slowed = '429 temporarily_unavailable'
  /** Many at once, until one is refused: more are allowed with time. */
  const untilSlowed = async (asked: (count: number) => Promise<Reply>): Promise<string[]> => {
    const outcomes: string[] = []
    while (!outcomes.includes(slowed)) {
      const begun = outcomes.length
      outcomes.push(...(await Promise.all(Array.from({ length: 40 }, (_, n) => asked(begun + n)))).map(told))
    }
    return outcomes
  }
  const outcomes = await untilSlowed(() => authorize({ client_id: cone }, { from }))
  expect(outcomes.filter((each) => each === '200').length).toBeGreaterThanOrEqual(30)
  expect(told(await authorize())).toBe('200')

  const guesser = newAddress()
  const guessed = await untilSlowed((count) => poll(`guess-${count}`, {}, { from: guesser }))
  expect(guessed.filter((each) => each === '400 invalid_grant').length).toBeGreaterThanOrEqual(100)

  // A program that asks without a pause is slowed, whatever its network.
  const { device_code: code } = await begin()
  const polled: string[] = []
  for (let count = 0; count < 25; count++) polled.push(told(await poll(code)))
  expect(polled[0]).toBe('400 authorization_pending')
  expect(new Set(polled.slice(1))).toEqual(new Set(['400 slow_down']))
})

test('no more than 10,000 requests wait in a tenant; those that have expired or were decided do not count', async () => {
  const other = await scene.access.makeTenant('full.example')
  await scene.access.world.db`
    insert into device_requests (tenant_id, request_id, device_code_sha256, user_code_mac, client_id, source_address,
      user_agent, created_at, expires_at, state, interval_seconds, forget_at, mac)
    select ${other.id}, lpad(n::text, 27, '0'), n::text::bytea, n::text::bytea, 'x', '', '', now(),
      now() + interval '10 minutes', 'waiting', 5, now() + interval '1 hour', ''
    from generate_series(1, 10000) n`
  const full = await authorize({ client_id: cone }, { host: other.domain })
  expect(told(full)).toBe('429 temporarily_unavailable')
  expect(full.headers['retry-after']).toBe('60')
  expect(told(await authorize())).toBe('200')
  await scene.access.world.db`
    update device_requests set expires_at = now() where tenant_id = ${other.id} and request_id = ${'1'.padStart(27, '0')}`
  expect(told(await authorize({ client_id: cone }, { host: other.domain }))).toBe('200')
})

test('hostile names and agents are shown as text without control characters, and bounded', async () => {
  const who = await person()
  const client_id = `<script>alert(1)</script>${'x'.repeat(100)}`
  const agent = `Mozilla/5.0 ${'y'.repeat(1000)}`
  const begun = await begin({ client_id }, { headers: { 'user-agent': agent } })
  const { request } = (await find(who, begun.user_code)).json as { request: { clientName: string; userAgent: string } }
  expect(request.clientName).toBe(client_id)
  expect(request.userAgent).toHaveLength(300)
  await approve(who, begun.user_code)
  expect(told(await poll(begun.device_code, { client_id }))).toBe('200')
})
