import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JobFailed, type JobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { dropJob, enqueue, retryJob } from '#rooms/foundation/jobs/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import type { JobLimits } from '#server/engine/jobs/runner.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { later, patiently, until } from '../fixture/later.ts'
import { fewOrMany, longDescribe } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { endLeases, jobsOf, openRunner, put, type Runner, testKind } from './support.ts'

let server: TestServer
let access: Access
let world: World
let tenant: Tenant
let other: Tenant
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  world = access.world
  tenant = access.tenant
  other = await access.makeTenant('other.example.com')
  await world.db`create table test_effects (name text not null, server text not null default '')`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const run = async (kinds: JobKind[], limits?: Partial<JobLimits>): Promise<Runner> => {
  const runner = await openRunner(server, kinds, limits)
  later(() => runner.stop())
  return runner
}
const isEmpty = (kind: string, of = tenant) => patiently(async () => expect(await jobsOf(world, of, kind)).toEqual([]))
const comesTo = (kind: string, wanted: object) =>
  patiently(async () => expect((await jobsOf(world, tenant, kind))[0]).toMatchObject(wanted))

describe('a job', () => {
  test('is done once its transaction commits, with its payload, and is then gone', async () => {
    const seen: object[] = []
    const { name, kind } = testKind<{ n: number }>('test.simple', async ({ job, tenant: of }) => {
      seen.push({ payload: job.payload, subject: job.subject, attempt: job.attempt, domain: of.domain })
    })
    await run([kind])
    await put(world, tenant, name, { payload: { n: 1 }, subject: { type: 'app', id: 'a1' } })
    await isEmpty(name.kind)
    expect(seen).toEqual([{ payload: { n: 1 }, subject: { type: 'app', id: 'a1' }, attempt: 1, domain: tenant.domain }])
  })

  test('of a transaction that is rolled back was never there', async () => {
    const seen: string[] = []
    const { name, kind } = testKind('test.undone', async ({ job }) => void seen.push(job.id))
    const runner = await run([kind])
    const undone = transact(runner.world.db, async (tx) => {
      await enqueue(tx, runner.world, operatorCause(tenant, 'test'), name, { payload: {} })
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await sleep(200)
    expect(seen).toEqual([])
  })

  test('runs within a moment when its own server enqueued it, and at its time when it has one', async () => {
    const at: number[] = []
    const { name, kind } = testKind('test.prompt', async () => void at.push(Date.now()))
    const runner = await run([kind])
    await put(runner.world, tenant, name, { payload: {} })
    await patiently(() => expect(at).toHaveLength(1))
    const due = Date.now() + 1_000
    await put(runner.world, tenant, name, { payload: {}, runAt: new Date(due) })
    await patiently(() => expect(at).toHaveLength(2))
    expect(at[1]).toBeGreaterThanOrEqual(due - 50)
  })

  test('waits under a key at most once, and one that runs does not count', async () => {
    let runs = 0
    const gate = Promise.withResolvers<void>()
    const { name, kind } = testKind('test.keyed', async () => {
      runs += 1
      if (runs === 1) await gate.promise
    })
    const later_ = new Date(Date.now() + 3_600_000)
    await put(world, tenant, name, { payload: {}, key: 'k', runAt: later_ }, { payload: {}, key: 'k', runAt: later_ })
    await put(
      world,
      tenant,
      name,
      { payload: {}, key: 'k', runAt: later_ },
      { payload: {}, key: 'other', runAt: later_ },
    )
    expect(new Set((await jobsOf(world, tenant, name.kind)).map(({ key }) => key))).toEqual(new Set(['k', 'other']))
    expect(await jobsOf(world, tenant, name.kind)).toHaveLength(2)
    await world.db`delete from jobs where kind = ${name.kind} and key = 'other'`
    // Now rather than in an hour: the earlier of both counts.
    await put(world, tenant, name, { payload: {}, key: 'k' })
    expect(await jobsOf(world, tenant, name.kind)).toHaveLength(1)
    await run([kind])
    await patiently(() => expect(runs).toBe(1))
    await put(world, tenant, name, { payload: {}, key: 'k' })
    await put(world, tenant, name, { payload: {}, key: 'k' })
    expect(await jobsOf(world, tenant, name.kind)).toHaveLength(2)
    gate.resolve()
    await isEmpty(name.kind)
    expect(runs).toBe(2)
  })

  test('that fails while another waits under its key leaves its attempts and its delay to that one', async () => {
    const gate = Promise.withResolvers<void>()
    const { name, kind } = testKind(
      'test.handed-over',
      async () => {
        await gate.promise
        throw new JobFailed('Not today.')
      },
      { retry: { firstMs: 3_600_000, maxMs: 3_600_000, attemptsMax: 5 } },
    )
    const runner = await run([kind])
    await put(world, tenant, name, { payload: {}, key: 'k' })
    await comesTo(name.kind, { state: 'running' })
    // Not due yet: it would run beside the other.
    await put(world, tenant, name, { payload: {}, key: 'k', runAt: new Date(Date.now() + 60_000) })
    gate.resolve()
    await comesTo(name.kind, { state: 'waiting', attempts: 1, lastError: 'Not today.' })
    const [only, ...none] = await jobsOf(world, tenant, name.kind)
    expect(none).toEqual([])
    expect(only?.dueAt?.getTime()).toBeGreaterThan(Date.now() + 1_800_000)
    await runner.stop()
    await world.db`delete from jobs where kind = ${name.kind}`
  })

  test('that fails is tried again with growing delays, and is stuck after the last attempt', async () => {
    const at: number[] = []
    const { name, kind } = testKind('test.failing', async ({ job }) => {
      at.push(performance.now())
      throw job.attempt === 1 ? new Error('password=hunter2') : new JobFailed('The receiver answered 500.\n\u202e')
    })
    const runner = await run([kind])
    await put(world, tenant, name, { payload: {} })
    await comesTo(name.kind, { state: 'stuck', attempts: 5, lastError: 'Failed 5 times. The receiver answered 500.' })
    expect(at).toHaveLength(5)
    const notBefore = (attempt: number, ms: number): boolean =>
      (at[attempt] as number) >= (at[attempt - 1] as number) + ms
    expect([notBefore(1, 14), notBefore(4, 75)]).toEqual([true, true])
    expect(runner.logged.some(({ msg }) => msg === 'a job is stuck')).toBe(true)
    expect([...runner.jobs.counts().values()].map(({ outcome, count }) => [outcome, count])).toEqual([
      ['retried', 4],
      ['stuck', 1],
    ])
  })

  test('shows operators no more of an unexpected error than its kind', async () => {
    const { name, kind } = testKind(
      'test.secretive',
      async () => {
        throw Object.assign(new TypeError('https://user:hunter2@example.com'), { code: 'ECONNREFUSED' })
      },
      { retry: { firstMs: 3_600_000, maxMs: 3_600_000, attemptsMax: 5 } },
    )
    await run([kind])
    await put(world, tenant, name, { payload: {} })
    await comesTo(name.kind, { state: 'waiting', attempts: 1 })
    const [job] = await jobsOf(world, tenant, name.kind)
    expect(job?.lastError).toBe(
      `Unexpected error (TypeError ECONNREFUSED); the server log has the details under job ${job?.id}.`,
    )
  })

  test('that cannot succeed is stuck at once; retried it runs again, dropped it is gone, and both are recorded', async () => {
    let isMended = false
    const { name, kind } = testKind('test.hopeless', async () => {
      if (!isMended) throw new JobFailed('Gone.', { mayRetry: false })
    })
    const runner = await run([kind])
    await put(world, tenant, name, { payload: {} }, { payload: {} })
    await patiently(async () =>
      expect((await jobsOf(world, tenant, name.kind)).map(({ state }) => state)).toEqual(['stuck', 'stuck']),
    )
    isMended = true
    const [first, second] = await jobsOf(world, tenant, name.kind)
    const cause = operatorCause(tenant, 'test')
    await transact(runner.world.db, (tx) => retryJob(tx, runner.world, cause, first?.id ?? ''))
    await transact(runner.world.db, (tx) => dropJob(tx, runner.world, cause, second?.id ?? ''))
    await isEmpty(name.kind)
    const events = await world.db<{ message: string }[]>`
      select event::jsonb ->> 'message' as message from systemlog_events
      where event::jsonb #>> '{resources,0,type}' = 'job' order by event_id`
    expect(events.map(({ message }) => message)).toEqual([
      'Retried the job test.hopeless',
      'Deleted the job test.hopeless',
    ])
  })

  test('is not begun after its deadline, and an attempt that reaches it is told to stop', async () => {
    const { name, kind } = testKind(
      'test.late',
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    await put(world, tenant, name, { payload: {}, deadlineAt: new Date(Date.now() - 1) })
    await run([kind])
    await comesTo(name.kind, {
      state: 'stuck',
      attempts: 0,
      lastError: 'The deadline passed before the job could run.',
    })
    // A busy machine may need longer to begin it: then it is given more time.
    for (let ms = 700; ; ms *= 2) {
      await put(world, tenant, name, { payload: {}, deadlineAt: new Date(Date.now() + ms) })
      await comesTo(name.kind, { state: 'stuck' })
      const [job] = await jobsOf(world, tenant, name.kind)
      if (job?.attempts === 0) continue
      expect(job).toMatchObject({
        attempts: 1,
        lastError: 'The deadline allows no further attempt. The deadline passed.',
      })
      break
    }
  })

  test('that takes too long is told to stop, and frees its place even where it does not listen', async () => {
    let calls = 0
    const deaf = testKind('test.deaf', () => new Promise(() => void calls++), {
      attemptMs: 50,
      retry: { firstMs: 10, maxMs: 10, attemptsMax: 2 },
    })
    const quick = testKind('test.behind', async () => {})
    await run([deaf.kind, quick.kind], { concurrency: 1, leaseMs: 400 })
    await put(world, tenant, deaf.name, { payload: {} })
    await patiently(() => expect(calls).toBe(1))
    await put(world, tenant, quick.name, { payload: {} })
    await isEmpty(quick.name.kind)
    await comesTo(deaf.name.kind, { state: 'stuck', attempts: 2 })
    expect(calls).toBe(2)
  })
})

describe('a lane', () => {
  test('keeps its order, also while the first one fails; other lanes and other jobs go on', async () => {
    const done: string[] = []
    let isOpen = false
    const { name, kind } = testKind<{ n: string }>(
      'test.lane',
      async ({ job }) => {
        if (job.payload.n === 'a0' && !isOpen) throw new JobFailed('Not yet.')
        done.push(job.payload.n)
      },
      { retry: { firstMs: 100, maxMs: 100, attemptsMax: 1000 } },
    )
    await run([kind])
    await put(
      world,
      tenant,
      name,
      ...[0, 1, 2, 3, 4].flatMap((n) => [
        { payload: { n: `a${n}` }, lane: 'a' },
        { payload: { n: `b${n}` }, lane: 'b' },
      ]),
      { payload: { n: 'free' } },
    )
    await patiently(() => expect(done).toHaveLength(6))
    expect(done.filter((n) => n.startsWith('b'))).toEqual(['b0', 'b1', 'b2', 'b3', 'b4'])
    isOpen = true
    await isEmpty(name.kind)
    expect(done.filter((n) => n.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3', 'a4'])
  })

  test('is held by one that is stuck, until that is dropped', async () => {
    const done: string[] = []
    const { name, kind } = testKind<{ n: string }>('test.held-lane', async ({ job }) => {
      if (job.payload.n === 'bad') throw new JobFailed('Bad.', { mayRetry: false })
      done.push(job.payload.n)
    })
    const runner = await run([kind])
    await put(world, tenant, name, { payload: { n: 'bad' }, lane: 'l' }, { payload: { n: 'good' }, lane: 'l' })
    await patiently(async () =>
      expect((await jobsOf(world, tenant, name.kind)).map(({ state }) => state).toSorted()).toEqual([
        'stuck',
        'waiting',
      ]),
    )
    await sleep(200)
    expect(done).toEqual([])
    const bad = (await jobsOf(world, tenant, name.kind)).find(({ state }) => state === 'stuck')
    await transact(runner.world.db, (tx) => dropJob(tx, runner.world, operatorCause(tenant, 'test'), bad?.id ?? ''))
    await isEmpty(name.kind)
    expect(done).toEqual(['good'])
  })
})

describe('several servers', () => {
  test('keep the limits of a kind and of a tenant together, and do each job once', async () => {
    const now = { one: 0, all: 0 }
    const most = { one: 0, all: 0 }
    const done = new Map<string, number>()
    const counting = (kind: string, isOne: boolean) =>
      testKind<{ n: number }>(
        kind,
        async ({ job }) => {
          now.all += 1
          if (isOne) now.one += 1
          most.all = Math.max(most.all, now.all)
          most.one = Math.max(most.one, now.one)
          await sleep(15)
          now.all -= 1
          if (isOne) now.one -= 1
          done.set(job.id, (done.get(job.id) ?? 0) + 1)
        },
        { limitPerTenant: isOne ? 2 : 10 },
      )
    const one = counting('test.limited', true)
    const two = counting('test.unlimited', false)
    const all = Array.from({ length: 40 }, (_, n) => ({ payload: { n } }))
    await put(world, tenant, one.name, ...all)
    await put(world, tenant, two.name, ...all)
    for (let i = 0; i < 3; i++) await run([one.kind, two.kind], { tenantMax: 5, concurrency: 8 })
    await isEmpty(one.name.kind)
    await isEmpty(two.name.kind)
    expect(done.size).toBe(80)
    expect([...done.values()].every((count) => count === 1)).toBe(true)
    expect(most).toEqual({ one: 2, all: 5 })
  })

  test('take up what a dead one left, and what it still tries to commit is refused', async () => {
    const gates = { first: Promise.withResolvers<void>(), begun: Promise.withResolvers<void>() }
    let attempts = 0
    const { name, kind } = testKind<{ n: string }>('test.fenced', async ({ db, job, finishIn }) => {
      attempts += 1
      if (job.attempt === 1) {
        gates.begun.resolve()
        await gates.first.promise
      }
      await transact(db, async (tx) => {
        await tx`insert into test_effects (name) values (${job.payload.n})`
        await finishIn(tx)
      })
    })
    // Like a process that is stopped, and goes on later: it renews nothing meanwhile.
    const frozen = await openRunner(server, [kind])
    later(() => frozen.stop())
    await put(world, tenant, name, { payload: { n: 'fenced' } })
    await gates.begun.promise
    await endLeases(world, name.kind)
    await run([kind])
    await isEmpty(name.kind)
    gates.first.resolve()
    await patiently(() => expect(frozen.jobs.counts().get(`${name.kind} lost`)?.count).toBe(1))
    expect(attempts).toBe(2)
    expect(await world.db`select name from test_effects where name = 'fenced'`).toHaveLength(1)
  })

  test('leave what may not be repeated to an operator when its server dies', async () => {
    const begun = Promise.withResolvers<void>()
    const { name, kind } = testKind(
      'test.once',
      () => {
        begun.resolve()
        return new Promise(() => {})
      },
      { afterUnknown: 'stuck' },
    )
    const dying = await openRunner(server, [kind])
    await put(world, tenant, name, { payload: {} })
    await begun.promise
    await dying.cut()
    await endLeases(world, name.kind)
    await run([kind])
    await comesTo(name.kind, {
      state: 'stuck',
      attempts: 1,
      lastError: 'The outcome is unknown: the server that ran it stopped unexpectedly.',
    })
  })

  test('stop trying a job that ends its server each time', async () => {
    const { name, kind } = testKind('test.poison', () => new Promise(() => {}), {
      retry: { firstMs: 10, maxMs: 10, attemptsMax: 2 },
    })
    await put(world, tenant, name, { payload: {} })
    for (const attempts of [1, 2]) {
      const dying = await openRunner(server, [kind])
      await comesTo(name.kind, { state: 'running', attempts })
      await dying.cut()
      await endLeases(world, name.kind)
    }
    await run([kind])
    await comesTo(name.kind, { state: 'stuck', attempts: 2 })
  })

  test('hand on what a server that stops could not end, as if it had not been tried', async () => {
    const attempts: number[] = []
    const { name, kind } = testKind('test.handed-on', ({ job, signal }) => {
      attempts.push(job.attempt)
      if (attempts.length > 1) return Promise.resolve()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    const first = await openRunner(server, [kind])
    await put(world, tenant, name, { payload: {} })
    await patiently(() => expect(attempts).toEqual([1]))
    await first.stop(50)
    await run([kind])
    await isEmpty(name.kind)
    expect(attempts).toEqual([1, 1])
  })

  test('keep a job that takes longer than its lease', async () => {
    let calls = 0
    const gate = Promise.withResolvers<void>()
    const { name, kind } = testKind('test.long', async () => {
      calls += 1
      await gate.promise
    })
    // A busy machine may be late to renew it, but not by two thirds of this.
    for (let i = 0; i < 2; i++) await run([kind], { leaseMs: 5_000 })
    await put(world, tenant, name, { payload: {} })
    await comesTo(name.kind, { state: 'running' })
    const [begun] = await jobsOf(world, tenant, name.kind)
    await until(() => Date.now() > (begun?.dueAt?.getTime() ?? 0))
    await comesTo(name.kind, { state: 'running', attempts: 1 })
    gate.resolve()
    await isEmpty(name.kind)
    expect(calls).toBe(1)
  })
})

longDescribe('tenants', () => {
  test('take turns: one with thousands of jobs does not hold up the single job of another', async () => {
    const total = fewOrMany(2000, 10_000)
    // How many others were done before each of theirs.
    const waits: number[] = []
    let count = 0
    const { name, kind } = testKind<{ since?: number }>(
      'test.fair',
      async ({ job }) => {
        count += 1
        if (job.payload.since !== undefined) waits.push(count - job.payload.since)
        await sleep(10)
      },
      // No limit but the places of the process: it is the turns that count.
      { limitPerTenant: 1000 },
    )
    await put(world, tenant, name, ...Array.from({ length: total }, () => ({ payload: {} })))
    const runner = await run([kind], { concurrency: 4, tenantMax: 1000 })
    await patiently(() => expect(count).toBeGreaterThan(50))
    for (let n = 1; n <= 5; n++) {
      await put(world, other, name, { payload: { since: count } })
      await patiently(() => expect(waits).toHaveLength(n))
    }
    expect(Math.max(...waits)).toBeLessThan(total / 2)
    await runner.stop()
    await world.db`delete from jobs where kind = ${name.kind}`
  })
})
