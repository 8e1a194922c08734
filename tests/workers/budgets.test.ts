import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteFullBudgets } from '#kernel/budget-store.ts'
import { looseBudget, looseBudgets, sharedBudget } from '#kernel/shared-budget.ts'
import type { World } from '#kernel/world.ts'
import { type Access, ask, askToken, bySecret, getToken, newAddress, openAccess, outcomeOf } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, byLink, openBrowser } from '../sessions/support.ts'

let servers: [TestServer, TestServer]
let accesses: [Access, Access]
beforeAll(async () => {
  const flags = { 'trusted-proxy': ['127.0.0.1'] }
  const first = await startServer({ flags })
  servers = [first, await startServer({ beside: first, flags })]
  accesses = [await openAccess(first), await openAccess(first)]
})
afterAll(async () => {
  for (const access of accesses) await access.close()
  await servers[1].stop()
  await servers[0].stop()
})

const count = (statuses: readonly number[], status: number): number => statuses.filter((each) => each === status).length
/** One is given back each second while the requests are under way. */
const burstOf = (burst: number, sinceMs: number): number => burst + Math.ceil((performance.now() - sinceMs) / 1000)

test('guesses at a client, split over two servers, are slowed as if to one; its owner is not', async () => {
  const key = await accesses[0].makeCaller(['system:user'])
  const wrong = { ...bySecret(key), client_secret: 'secret-token:x:wrong' }
  const begin = performance.now()
  // From another address each, so that only the client counts.
  const guesses = Array.from({ length: 100 }, (_, n) =>
    askToken(servers[n % 2] as TestServer, wrong, { from: newAddress() }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(count(statuses, 401)).toBeGreaterThanOrEqual(50)
  expect(count(statuses, 401)).toBeLessThanOrEqual(burstOf(50, begin))
  // One was given back if a second has passed since; then the next is slowed.
  const again = await Promise.all([1, 2, 3].map(() => askToken(servers[1], wrong, { from: newAddress() })))
  expect(again.map(({ headers }) => Number(headers['retry-after']))).toContain(1)
  for (const server of servers) await getToken(server, key, { from: newAddress() })
})

test('wrong sign-in links from one address, split over two servers, are slowed as if to one', async () => {
  const from = newAddress()
  const begin = performance.now()
  const browsers = servers.map((server) => openBrowser(server, { from }))
  const guesses = Array.from({ length: 100 }, (_, n) =>
    (browsers[n % 2] as Browser).ask(byLink, { body: { token: 'wrong' } }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(count(statuses, 429)).toBeGreaterThanOrEqual(100 - burstOf(50, begin))
  expect(count(statuses, 429)).toBeLessThanOrEqual(50)
})

test('people who are looked up by address, on two servers, are counted together', async () => {
  const key = await accesses[0].makeCaller(['system:application-admin'])
  const token = await getToken(servers[0], key, { from: newAddress() })
  const tries = Array.from({ length: 110 }, (_, n) =>
    ask(servers[n % 2] as TestServer, '/api/v1/search/users', { token, body: { email: `try${n}@example.com` } }),
  )
  const outcomes = (await Promise.all(tries)).map(outcomeOf)
  expect(outcomes.filter((each) => each === '429/8 TOO_MANY_FAILURES').length).toBeGreaterThanOrEqual(8)
})

const worlds = (): [World, World] => [accesses[0].world, accesses[1].world]

longTest('a shared budget tells how many were refused on all servers, and refills with time', async () => {
  const [one, other] = worlds().map((world) => sharedBudget(world, 'a test', { burst: 2, perSecond: 0.1 }))
  expect([await one?.take('a'), await other?.take('a'), await one?.take('a'), await other?.take('a')]).toEqual([
    0,
    0,
    null,
    null,
  ])
  // Without asking: it is known to be empty.
  expect(await one?.take('a')).toBeNull()
  expect(await other?.take('b')).toBe(0)
  // Two that the database refused, the one that this process refused by itself, and those while it refills.
  let refused = 3
  let told: number | null | undefined
  await until(async () => {
    told = await one?.take('a')
    if (told === null) refused++
    return told !== null
  })
  expect(told).toBe(refused)
})

test('a stored budget reveals neither key nor address, and is deleted when it is full', async () => {
  const [world] = worlds()
  const of = sharedBudget(world, 'forgetting', { burst: 5, perSecond: 1 })
  await of.take('192.0.2.77')
  const rows = await world.db<Record<string, unknown>[]>`select * from budgets where name = 'forgetting'`
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('192.0.2.77')
  await until(async () => {
    await deleteFullBudgets(world.db)
    return (await world.db`select 1 from budgets where name = 'forgetting'`).length === 0
  })
})

test('however many keys there are, the rows are bounded', async () => {
  const [world] = worlds()
  const keys = Array.from({ length: 500 }, (_, n) => `key ${n}`)
  const of = sharedBudget(world, 'many', { burst: 5, perSecond: 1 / 3600 })
  await Promise.all(keys.map((key) => of.take(key)))
  const [row] = await world.db<{ most: number }[]>`select max(slot) as most from budgets where name = 'many'`
  expect(row?.most).toBeLessThan(65_536)
})

test('where the database refuses to count, each server counts for itself, and says so', async () => {
  const [{ db, log, now, seals }] = worlds()
  const told: unknown[] = []
  const refusing = { log: { ...log, error: (...said: unknown[]) => void told.push(said) }, now, seals }
  const failing = ((strings: TemplateStringsArray, ...values: never[]) =>
    strings[0]?.includes('insert into budgets') ? db`select 1 / 0` : db(strings, ...values)) as unknown as World['db']
  const of = sharedBudget({ ...refusing, db: failing }, 'refused', { burst: 2, perSecond: 1 / 3600 })
  expect([await of.take('a'), await of.take('a'), await of.take('a')]).toEqual([0, 0, null])
  expect(told).toHaveLength(1)
})

test('a budget for those who are in the right costs nothing at once, and is shared a moment later', async () => {
  const limit = { burst: 60, perSecond: 1 / 3600 }
  const all = worlds()
  const [one, other] = all.map((world) => looseBudget(world, 'loose', limit))
  for (let n = 0; n < 40; n++) expect(one?.take('a')).toBe(0)
  for (let n = 0; n < 10; n++) expect(other?.take('a')).toBe(0)
  for (const world of [...all, ...all]) await world.memory(looseBudgets).share()
  // 50 of 60 are gone: the one that had shared first learns of the other's when it shares again.
  const taken = Array.from({ length: 20 }, () => other?.take('a')).filter((each) => each !== null)
  expect(taken).toHaveLength(10)
  expect(other?.waitSeconds('a')).toBeGreaterThan(1)
})
