import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { openMemory } from '#kernel/memory.ts'
import { anyone } from '#kernel/routes.ts'
import type { ArrayValue } from '#kernel/statements.ts'
import type { World } from '#kernel/world.ts'
import { change, grouped, operatorCause, verifyLog } from '#rooms/foundation/systemlog/index.ts'
import { routes } from '#server/registry/routes.ts'
import { serve } from '../cli/command.ts'
import { ask, askToken, bySecret, eventually, getToken, newAddress } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { openBrowser } from '../sessions/support.ts'
import { type Event, listAll, prepare } from './support.ts'

const setting = prepare()
const rounds = fewOrMany(2, 10)
const credentials = '/api/v1/iam/personal_clients'

const jtiOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as { jti: string }).jti

test('events that come together are written in few statements, none of them larger than it may be', async () => {
  const { access, server } = setting
  const sizes: number[] = []
  const db = new Proxy(access.world.db, {
    apply(target, self, args: [TemplateStringsArray, ArrayValue]) {
      if (args[0][0]?.includes('insert into')) sizes.push(args[1].values.length)
      const result: unknown = Reflect.apply(target, self, args)
      return result
    },
  })
  const world: World = { ...access.world, db, memory: openMemory(() => world) }
  const cause = operatorCause(access.tenant, 'test')
  const { record } = world.memory(grouped)
  const count = fewOrMany(1000, 3000)
  await Promise.all(Array.from({ length: count }, () => record(access.tenant.id, change(cause, 'read', 'grouped', []))))
  expect(sizes.length).toBeLessThanOrEqual(count / 500 + 2)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
  const [row] = await server.db<{ count: number }[]>`
    select count(*) from systemlog_events where event like '%"message":"grouped"%'`
  expect(row?.count).toBe(count)
})

test('many tokens at once are each answered with their event in the log', async () => {
  const { server, owner, token } = setting
  const begun = new Date().toISOString()
  const tokens = await Promise.all(Array.from({ length: fewOrMany(100, 300) }, () => getToken(server, owner)))
  const events = await listAll(server, token, { since: begun })
  const issued = new Set(events.map((event) => event.session?.uid))
  expect(tokens.filter((each) => !issued.has(jtiOf(each)))).toEqual([])
})

longTest(
  'kill -9 of the server in the middle of tokens, time and again: the event of every token that was answered is there',
  async () => {
    const { server, access, owner } = setting
    const answered: string[] = []
    for (let round = 0; round < rounds; round++) {
      const child = await serve([
        '--data-dir',
        server.config.dataDir,
        '--database-url',
        server.databaseUrl,
        '--log-level',
        'error',
      ])
      const take = async (): Promise<void> => {
        for (;;) answered.push(await getToken(child, owner))
      }
      // Enough for two groups at once that are written with their link, and for some that are not.
      const taking = Promise.allSettled(Array.from({ length: round % 2 ? 8 : 128 }, take))
      const soFar = answered.length
      await until(() => answered.length >= soFar + 10)
      await sleep(Math.random() * 100)
      await child.stop('SIGKILL')
      await taking
    }
    const rows = await server.db<{ id: string }[]>`
    select event::json -> 'session' ->> 'uid' as id from systemlog_events where event like '%"class_uid":3002%'`
    const written = new Set(rows.map((row) => row.id))
    expect(answered.filter((token) => !written.has(jtiOf(token)))).toEqual([])
    console.log(`${answered.length} tokens were answered, in ${rounds} rounds`)
    expect((await verifyLog(access.world, access.tenant.id, null)).findings).toEqual([])
  },
)

/** The events since the test began: to list the whole log each time is what these tests would cost most. */
let since: string
beforeEach(() => {
  since = new Date().toISOString()
})
const listRecent = (): Promise<Event[]> => listAll(setting.server, setting.token, { since })

/** The denials of strangers from an address, oldest first. */
const denialsFrom = async (address: string): Promise<Event[]> =>
  (await listRecent()).filter((event) => event.src_endpoint.ip === address && event.status === 'Failure')
const unrecordedIn = (events: readonly Event[]): number =>
  events.reduce((sum, event) => sum + (event.unmapped?.unrecorded_denials ?? 0), 0)

/** How many denials these events tell of. */
const denialsIn = (events: readonly Event[]): number => events.reduce((sum, event) => sum + (event.count ?? 1), 0)

test('a flood of the same denial is two events: the first at once, and one with the count of the others', async () => {
  const server = await startServer({ beside: setting.server, flags: { 'trusted-proxy': '127.0.0.1' } })
  const from = newAddress()
  const total = fewOrMany(300, 1500)
  const begun = Date.now()
  const replies = await Promise.all(Array.from({ length: total }, () => ask(server, credentials, { from })))
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]))
  const ended = Date.now()
  await server.stop()
  const denials = await denialsFrom(from)
  expect(denialsIn(denials)).toBe(total)
  // On a machine so busy that it takes longer, there is another pair for each window.
  expect(denials.length).toBeLessThanOrEqual(2 * Math.ceil((ended - begun) / 10_000))
  const [first, rest] = denials
  expect(first).toMatchObject({ status_code: 'TOKEN_MISSING' })
  expect(first?.count).toBeUndefined()
  expect(rest).toMatchObject({ status_code: 'TOKEN_MISSING', api: { response: { code: 401 } } })
  expect(rest?.message).toMatch(/\d+ more times/)
  expect(rest?.start_time).toBeGreaterThanOrEqual(begun)
  expect(rest?.end_time).toBeLessThanOrEqual(ended)
})

longTest('what was repeated is written when ten seconds are over, with nobody asking', async () => {
  const { server } = setting
  const from = newAddress()
  for (let n = 0; n < 3; n++) await ask(server, credentials, { from })
  expect(await denialsFrom(from)).toHaveLength(1)
  // By the table: to list the whole log all the time for ten seconds takes a core for itself.
  const isWritten = async (): Promise<boolean> =>
    (await server.db`select 1 from systemlog_events where event like ${`%"ip":"${from}"%`}`).length === 2
  expect(await eventually(isWritten)).toBe(true)
  expect((await denialsFrom(from))[1]?.count).toBe(2)
})

test('who varies what is denied, from all over an IPv6 network, has a bounded number of events, and none is left out', async () => {
  const server = await startServer({ beside: setting.server, flags: { 'trusted-proxy': '127.0.0.1' } })
  const paths = routes
    .filter(({ method, path, allow }) => method === 'GET' && path.startsWith('/api') && allow !== anyone)
    // Whoever asks that without a token asks whether they are signed in, and is not denied anything.
    .filter(({ asksWhoIsThere }) => !asksWhoIsThere)
    .map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x'))
  const total = fewOrMany(200, 400)
  const network = '2001:db8:1:2:'
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: total }, (_, n) =>
      ask(server, paths[n % paths.length] as string, {
        from: `${network}${(n + 1).toString(16)}::${n + 1}`,
        ...(n % 3 && { token: 'x' }),
      }),
    ),
  )
  const seconds = (performance.now() - begun) / 1000
  await server.stop()
  const ofNetwork = async () => (await listRecent()).filter((event) => event.src_endpoint.ip?.startsWith(network))
  expect(denialsIn(await ofNetwork())).toBe(total)
  // Sixty kinds and two a second, each with one more for what it was repeated, and one for all the rest.
  expect((await ofNetwork()).length).toBeLessThanOrEqual(2 * (60 + 2 * seconds) + 2)
  for (const from of ['2001:db8:1:3::1', '2001:db8:1::1', newAddress()]) {
    await ask(setting.server, credentials, { from })
    expect(await denialsFrom(from)).toHaveLength(1)
  }
})

test('an IPv4 address counts as itself, also where it is written as IPv6', async () => {
  const { server } = setting
  const from = newAddress()
  await ask(server, credentials, { from })
  await ask(server, credentials, { from: `::ffff:${from}` })
  expect((await denialsFrom(from)).length + (await denialsFrom(`::ffff:${from}`)).length).toBe(1)
})

test('the denials of someone who is known are folded too, by what was denied, and counted when the server stops', async () => {
  const { access, server: beside } = setting
  const server = await startServer({ beside, flags: { 'trusted-proxy': '127.0.0.1' } })
  const from = newAddress()
  const key = await access.makeCaller(['system:user'])
  const token = await getToken(server, key, { from })
  const total = fewOrMany(100, 300)
  const begun = performance.now()
  const asked = Array.from({ length: total }, () => ask(server, '/api/v1/systemlog/events', { token, from, body: {} }))
  await Promise.all([...asked, ask(server, '/api/v1/iam/roles', { token, from })])
  const during = await denialsFrom(from)
  // On a machine so busy that it takes longer, there is another pair for each window.
  const windows = (): number => Math.ceil((performance.now() - begun) / 10_000)
  expect(during.length).toBeLessThanOrEqual(2 * windows() - 1)
  await server.stop()
  const after = await denialsFrom(from)
  expect(after[0]?.count).toBeUndefined()
  expect(denialsIn(after)).toBe(total)
  expect(after.length).toBeLessThanOrEqual(2 * windows())
  expect(new Set(after.map((event) => event.actor.user?.uid))).toEqual(new Set([key.userId]))
  expect(new Set(after.map((event) => event.api?.operation)).size).toBe(1)
})

longTest('one IPv6 network is one address to the token endpoint and to signing in', async () => {
  const { server } = setting
  const wrong = { grant_type: 'client_credentials', client_secret: 'x' }
  const from = (n: number): string => `2001:db8:7:7:${(n + 1).toString(16)}::1`
  let n = 0
  // From another address of it each: of one that counted for itself, none would ever be slowed.
  const isSlowed = async (guess: () => Promise<{ status: number }>): Promise<boolean> =>
    (await Promise.all(Array.from({ length: 50 }, guess))).some(({ status }) => status === 429)
  await until(() => isSlowed(() => askToken(server, { ...wrong, client_id: `c${n}` }, { from: from(n++) })))
  await until(() =>
    isSlowed(() => openBrowser(server, { from: from(n++) }).ask('/auth/v1/sign_in/link', { body: { token: 'x' } })),
  )
})

test('a credential that asks for ever more tokens is slowed, and no other with it', async () => {
  const { access, server: beside, owner } = setting
  const server = await startServer({ beside, flags: { 'tokens-per-minute': '6' } })
  const key = await access.makeCaller(['system:user'])
  const replies = await Promise.all(Array.from({ length: 100 }, () => askToken(server, bySecret(key))))
  const issued = replies.filter(({ status }) => status === 200).length
  expect(issued).toBeGreaterThanOrEqual(60)
  expect(issued).toBeLessThan(65)
  const slowed = replies.find(({ status }) => status === 429)
  expect(slowed?.headers['retry-after']).toMatch(/^\d+$/)
  expect((await askToken(server, bySecret(owner))).status).toBe(200)
  await server.stop()
})

test('refused tokens are rate-limited, and those that were not recorded are counted by the next event', async () => {
  const { server, access } = setting
  const from = newAddress()
  const key = await access.makeCaller(['system:user'])
  const wrong = bySecret({ ...key, clientSecret: setting.owner.clientSecret })
  let total = 120
  const begun = performance.now()
  const replies = await Promise.all(Array.from({ length: total }, () => askToken(server, wrong, { from })))
  const statuses = new Set(replies.map((reply) => reply.status))
  expect(statuses).toEqual(new Set([401, 429]))
  // One more is recorded each second.
  const seconds = Math.ceil((performance.now() - begun) / 1000)
  expect((await denialsFrom(from)).length).toBeLessThanOrEqual(50 + seconds)
  await until(async () => {
    total++
    return (await askToken(server, wrong, { from })).status === 401
  })
  const after = await denialsFrom(from)
  expect(after.length + unrecordedIn(after)).toBe(total)
})
