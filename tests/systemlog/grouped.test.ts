import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMemory } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { change, grouped, operatorCause, verifyLog } from '#rooms/systemlog/index.ts'
import { serve } from '../cli/command.ts'
import { ask, askToken, bySecret, getToken, newAddress } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { type Event, listAll, prepare } from './support.ts'

const setting = prepare()
const credentials = '/api/v1/iam/personal_clients'

const jtiOf = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as { jti: string }).jti

test('events that come together are written in few statements, none of them larger than it may be', async () => {
  const { access, server } = setting
  const sizes: number[] = []
  const db = new Proxy(access.world.db, {
    apply(target, self, args: [TemplateStringsArray, unknown[]]) {
      sizes.push(args[1].length)
      const result: unknown = Reflect.apply(target, self, args)
      return result
    },
  })
  const world: World = { ...access.world, db, memory: openMemory(() => world) }
  const cause = operatorCause(access.tenant, 'test')
  const { record } = world.memory(grouped)
  await Promise.all(Array.from({ length: 3000 }, () => record(access.tenant.id, change(cause, 'read', 'grouped', []))))
  expect(sizes.length).toBeLessThanOrEqual(8)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
  const [row] = await server.db<{ count: number }[]>`
    select count(*) from systemlog_events where event like '%"message":"grouped"%'`
  expect(row?.count).toBe(3000)
})

test('many tokens at once are each answered with their event in the log', async () => {
  const { server, owner, token } = setting
  const begun = new Date().toISOString()
  const tokens = await Promise.all(Array.from({ length: 300 }, () => getToken(server, owner)))
  const events = await listAll(server, token, { since: begun })
  const issued = new Set(events.map((event) => event.session?.uid))
  expect(tokens.filter((each) => !issued.has(jtiOf(each)))).toEqual([])
})

test('kill -9 of the server in the middle of tokens, ten times: the event of every token that was answered is there', async () => {
  const { server, access, owner } = setting
  const answered: string[] = []
  for (let round = 0; round < 10; round++) {
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
    const taking = Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map(take))
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
  console.log(`${answered.length} tokens were answered, in ten rounds`)
  expect((await verifyLog(access.world, access.tenant.id, null)).findings).toEqual([])
}, 120_000)

/** The denials of strangers from an address, oldest first. */
const denialsFrom = async (address: string): Promise<Event[]> =>
  (await listAll(setting.server, setting.token)).filter(
    (event) => event.src_endpoint.ip === address && event.status === 'Failure',
  )
const unrecordedIn = (events: readonly Event[]): number =>
  events.reduce((sum, event) => sum + (event.unmapped?.unrecorded_denials ?? 0), 0)

test('a flood of denials writes a bounded number of events, and the next one tells how many it left out', async () => {
  const { server } = setting
  const from = newAddress()
  const begun = performance.now()
  const total = 1500
  const replies = await Promise.all(Array.from({ length: total }, () => ask(server, credentials, { from })))
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401]))
  const seconds = (performance.now() - begun) / 1000
  const during = await denialsFrom(from)
  expect(during.length).toBeGreaterThanOrEqual(200)
  expect(during.length).toBeLessThanOrEqual(201 + seconds * 10)
  await sleep(150)
  expect((await ask(server, credentials, { from, token: 'x' })).status).toBe(401)
  const after = await denialsFrom(from)
  expect(after.length).toBe(during.length + 1)
  expect(unrecordedIn(after)).toBeGreaterThan(1000)
  expect(after.length + unrecordedIn(after)).toBe(total + 1)
}, 60_000)

test('another address is not held to it, but for those of the same IPv6 network', async () => {
  const { server } = setting
  const flood = (from: (n: number) => string) =>
    Promise.all(Array.from({ length: 400 }, (_, n) => ask(server, credentials, { from: from(n) })))
  await flood((n) => `2001:db8:1:2:${(n + 1).toString(16)}::${n + 1}`)
  const all = await listAll(server, setting.token)
  const ofNetwork = all.filter((event) => event.src_endpoint.ip?.startsWith('2001:db8:1:2:'))
  expect(ofNetwork.length).toBeGreaterThanOrEqual(200)
  expect(ofNetwork.length).toBeLessThan(300)
  for (const from of ['2001:db8:1:3::1', '2001:db8:1::1', newAddress()]) {
    await ask(server, credentials, { from })
    expect(await denialsFrom(from)).toHaveLength(1)
  }
}, 60_000)

test('the denials of someone who is known are all written', async () => {
  const { server, access } = setting
  const from = newAddress()
  const key = await access.makeCaller(['system:user'])
  const token = await getToken(server, key, { from })
  const asked = Array.from({ length: 300 }, () => ask(server, '/api/v1/systemlog/events', { token, from, body: {} }))
  await Promise.all(asked)
  const denials = await denialsFrom(from)
  expect(denials).toHaveLength(300)
  expect(new Set(denials.map((event) => event.actor.user?.uid))).toEqual(new Set([key.userId]))
})

test('refused tokens are slowed, and those that were not written down are told of by the next', async () => {
  const { server, access } = setting
  const from = newAddress()
  const key = await access.makeCaller(['system:user'])
  const wrong = bySecret({ ...key, clientSecret: setting.owner.clientSecret })
  const total = 120
  const replies = await Promise.all(Array.from({ length: total }, () => askToken(server, wrong, { from })))
  const statuses = new Set(replies.map((reply) => reply.status))
  expect(statuses).toEqual(new Set([401, 429]))
  expect((await denialsFrom(from)).length).toBeLessThan(60)
  await sleep(1100)
  expect((await askToken(server, wrong, { from })).status).toBe(401)
  const after = await denialsFrom(from)
  expect(after.length + unrecordedIn(after)).toBe(total + 1)
})
