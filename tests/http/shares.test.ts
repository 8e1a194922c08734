import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Leave, openShares, type ShareLimits } from '#http/guards/shares.ts'
import { Refusal } from '#kernel/refusals.ts'
import { type Access, ask, getToken, openAccess } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

const limits: ShareLimits = {
  running: { all: 4, tenant: 3, user: 2 },
  waiting: { tenant: 4, user: 3 },
  waitMs: 100,
}

describe('shares', () => {
  test('are given at once up to the limits of a user, of a tenant and of all', async () => {
    const shares = openShares(limits)
    const left: Leave[] = []
    for (const [tenant, user] of [
      [1, 'a'],
      [1, 'a'],
      [1, 'b'],
      [2, 'c'],
    ] as const)
      left.push(await shares.enter(tenant, user))
    expect([shares.running, shares.waiting]).toEqual([4, 0])
    const waiting = shares.enter(2, 'd')
    expect([shares.running, shares.waiting]).toEqual([4, 1])
    left[0]?.()
    left[0]?.()
    ;(await waiting)()
    for (const leave of left) leave()
    expect([shares.running, shares.waiting]).toEqual([0, 0])
  })

  test('go by turns: whoever waits with many does not delay whoever waits with one', async () => {
    const shares = openShares({ ...limits, running: { all: 1, tenant: 1, user: 1 } })
    const first = await shares.enter(1, 'a')
    const order: string[] = []
    const wait = async (tenant: number, user: string): Promise<void> => {
      const leave = await shares.enter(tenant, user)
      order.push(`${tenant}${user}`)
      leave()
    }
    const all = [wait(1, 'a'), wait(1, 'a'), wait(1, 'a'), wait(1, 'b'), wait(2, 'c'), wait(2, 'c')]
    first()
    await Promise.all(all)
    expect(order.indexOf('2c')).toBeLessThan(2)
    expect(order.indexOf('1b')).toBeLessThan(4)
    expect(order).toHaveLength(6)
  })

  test('are refused where too many wait, and after a time', async () => {
    const refused: string[] = []
    const shares = openShares(limits, (of) => refused.push(of))
    const held = [await shares.enter(1, 'a'), await shares.enter(1, 'a')]
    const waiting = [1, 2, 3].map(() => shares.enter(1, 'a'))
    expect(() => shares.enter(1, 'a')).toThrow('Too many requests of this user')
    held.push(await shares.enter(1, 'b'))
    const fourth = shares.enter(1, 'b')
    expect(() => shares.enter(1, 'c')).toThrow('Too many requests of this tenant')
    const outcomes = await Promise.allSettled([...waiting, fourth])
    // Those whose turn does not come have done nothing wrong.
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { reason: 'SERVER_BUSY', status: 503 } })
    expect(refused).toEqual(['user', 'tenant', 'user', 'user', 'user', 'tenant'])
    for (const leave of held) leave()
    expect([shares.running, shares.waiting]).toEqual([0, 0])
  })

  test('that are waited for can all be refused', async () => {
    const shares = openShares(limits)
    const held = [await shares.enter(1, 'a'), await shares.enter(1, 'a')]
    const waiting = shares.enter(1, 'a')
    shares.refuseWaiting(() => new Refusal('DATABASE_AWAY', 'away'))
    await expect(waiting).rejects.toThrow('away')
    for (const leave of held) leave()
    expect(shares.running).toBe(0)
  })
})

describe('while a table is locked by someone else', () => {
  let server: TestServer
  let access: Access
  let tokens: { a: string; colleague: string; b: string }
  beforeAll(async () => {
    server = await startServer()
    access = await openAccess(server)
    const tenant = await access.makeTenant('b.example')
    tokens = {
      a: await getToken(server, await access.makeCaller(['system:owner'])),
      colleague: await getToken(server, await access.makeCaller(['system:owner'])),
      b: await getToken(server, await access.makeCaller(['system:owner'], {}, tenant)),
    }
  })
  afterAll(async () => {
    await access.close()
    await server.stop()
  })

  const whileLocked = (table: 'apps' | 'grants', work: () => Promise<void>): Promise<void> =>
    server.db.begin(async (tx) => {
      await tx`lock table ${tx(table)} in access exclusive mode`
      await work()
    })
  const isAnyWaiting = async (): Promise<boolean> => (await listWaiting(server.db)).length > 0

  test('60 waiting requests of one user leave colleagues, other tenants, health and regular work alone', async () => {
    let waiting: Promise<string[]> = Promise.resolve([])
    await whileLocked('apps', async () => {
      waiting = Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          // On connections of their own: those of `ask` are 32.
          fetch(`${server.url}/api/v1/apps`, {
            headers: { authorization: `Bearer ${tokens.a}`, 'content-type': 'application/json' },
            ...(n % 2 && { method: 'POST', body: JSON.stringify({ displayName: `Waiting ${n}` }) }),
          }).then(async (reply) => `${n % 2 ? 'POST' : 'GET'} ${reply.status} ${reply.ok ? '' : await reply.text()}`),
        ),
      )
      await until(isAnyWaiting)
      // All of these are answered while the table is locked: none of them waits for it.
      for (let round = 0; round < 5; round++) {
        const replies = await Promise.all([
          ask(server, '/api/v1/users/introspect', { token: tokens.b, host: 'b.example', method: 'POST' }),
          ask(server, '/api/v1/iam/personal_clients', {
            token: tokens.b,
            host: 'b.example',
            body: { displayName: 'x' },
          }),
          ask(server, '/api/v1/iam/personal_clients', { token: tokens.colleague, body: { displayName: 'x' } }),
          ask(server, '/readyz'),
        ])
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      }
    })
    // On a machine so busy that it took ten seconds, the server is at fault, and has done nothing.
    const replies = await waiting
    expect(replies.filter((reply) => !/^\w+ (?:200 $|503 .*SERVER_BUSY)/.test(reply))).toEqual([])
    const made = await server.db`select 1 from apps where display_name like 'Waiting %'`
    expect(made).toHaveLength(replies.filter((reply) => reply === 'POST 200 ').length)
    expect(server.logged.filter(({ msg }) => msg === 'the database is unavailable')).toEqual([])
  })

  test('20 comparisons of one user that take long leave their other requests alone', async () => {
    let waiting: Promise<number[]> = Promise.resolve([])
    await whileLocked('grants', async () => {
      const compare = () =>
        fetch(`${server.url}/api/v1/changes/summary`, { headers: { authorization: `Bearer ${tokens.a}` } })
      waiting = Promise.all(Array.from({ length: 20 }, async () => (await compare()).status))
      await until(isAnyWaiting)
      // All of them would hold the user's share until the table is free, which it is not before this is answered.
      const own = await ask(server, '/api/v1/users/introspect', { token: tokens.a, method: 'POST' })
      expect(own.status, own.text).toBe(200)
    })
    expect((await waiting).filter((status) => status !== 200 && status !== 503)).toEqual([])
  })
})
