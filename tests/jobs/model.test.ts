import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JobFailed, type JobKind } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { patiently } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { openRunner, put, type Runner, testKind } from './support.ts'

/**
 * Random jobs of two tenants on two servers that fail and die at random: before the work, in the middle of its transaction,
 * and while that is committed. Each job takes effect exactly once, none is lost, lanes keep their order, limits hold.
 */

let server: TestServer
let access: Access
const tenants: Tenant[] = []
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  tenants.push(access.tenant, await access.makeTenant('other.example.com'))
  await access.world.db`create table test_effects (number serial, run int, job int)`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const behaviours = ['ok', 'ok', 'fails', 'dies before', 'dies within', 'dies committing', 'loses its lease'] as const
type Behaviour = (typeof behaviours)[number]
type Planned = { tenant: number; lane: string | null; attempts: Behaviour[] }
type Payload = { run: number; job: number }

const planned: fc.Arbitrary<Planned> = fc.record({
  tenant: fc.nat(1),
  lane: fc.option(fc.constantFrom('x', 'y'), { nil: null }),
  // What the first attempts do; those that follow succeed.
  attempts: fc.array(fc.constantFrom(...behaviours), { maxLength: 3 }),
})

const perTenant = 3
let runs = 0

async function play(plan: readonly Planned[]): Promise<void> {
  const run = ++runs
  const kindName = `model.run-${run}`
  const tried = new Map<number, number>()
  const live = new Set<Runner>()
  const opening: Promise<void>[] = []
  const most = [0, 0]
  let isOver = false

  const open = async (): Promise<void> => {
    const busy = [new Set<string>(), new Set<string>()]
    const die = async (): Promise<never> => {
      live.delete(runner)
      all.delete(busy)
      opening.push(
        runner.cut().then(async () => {
          // Sooner than they end by themselves: what it had is taken up by others.
          const had = busy.flatMap((ids) => [...ids])
          await access.world.db`update jobs set due_at = now() where job_id = any(${had}::text[]) and state = 'running'`
          if (!isOver) await open()
        }),
      )
      return new Promise<never>(() => {})
    }
    all.add(busy)
    const handled = kindOf(async ({ db, job, tenant, finishIn }) => {
      const of = tenants.findIndex(({ id }) => id === tenant.id)
      busy[of]?.add(job.id)
      most[of] = Math.max(
        most[of] ?? 0,
        [...all].reduce((sum, each) => sum + (each[of]?.size ?? 0), 0),
      )
      try {
        const n = tried.get(job.payload.job) ?? 0
        tried.set(job.payload.job, n + 1)
        const behaviour = plan[job.payload.job]?.attempts[n] ?? 'ok'
        await sleep(5)
        if (behaviour === 'fails') throw new JobFailed('Planned.')
        if (behaviour === 'dies before') return await die()
        if (behaviour === 'loses its lease')
          await access.world.db`update jobs set due_at = now() where job_id = ${job.id}`
        await transact(db, async (tx) => {
          await tx`insert into test_effects (run, job) values (${run}, ${job.payload.job})`
          if (behaviour === 'dies within') await die()
          if (behaviour === 'loses its lease') await sleep(100)
          await finishIn(tx)
          if (behaviour === 'dies committing') void die()
        })
      } finally {
        busy[of]?.delete(job.id)
      }
    })
    // Long enough that none is lost on a busy machine but by plan; what was claimed in the moment of a death waits for its end.
    const runner = await openRunner(server, [handled], { leaseMs: 5_000, tenantMax: 10, concurrency: 6 })
    live.add(runner)
  }
  const all = new Set<readonly Set<string>[]>()
  const kindOf = (handle: Parameters<typeof testKind<Payload>>[1]): JobKind =>
    testKind<Payload>(kindName, handle, {
      limitPerTenant: perTenant,
      retry: { firstMs: 5, maxMs: 20, attemptsMax: 100 },
    }).kind

  const name = testKind<Payload>(kindName, async () => {}).name
  for (const [job, { tenant, lane }] of plan.entries())
    await put(access.world, tenants[tenant] as Tenant, name, {
      payload: { run, job },
      ...(lane !== null && { lane }),
    })
  await open()
  await open()
  try {
    await patiently(async () =>
      expect(await access.world.db`select 1 from jobs where kind = ${kindName} limit 1`).toHaveLength(0),
    )
  } finally {
    isOver = true
    for (let i = 0; i < opening.length; i++) await opening[i]
    for (const runner of live) await runner.stop()
  }
  const effects = await access.world.db<{ job: number }[]>`
    select job from test_effects where run = ${run} order by number`
  expect(effects.map(({ job }) => job).toSorted((a, b) => a - b)).toEqual(plan.map((_, job) => job))
  for (const tenant of [0, 1])
    for (const lane of ['x', 'y']) {
      const inLane = ({ job }: { job: number }) => plan[job]?.tenant === tenant && plan[job]?.lane === lane
      const order = effects.filter(inLane).map(({ job }) => job)
      expect(order).toEqual(order.toSorted((a, b) => a - b))
    }
  // A lease that is taken away leaves two at it for a moment; what is limited is who holds one.
  const takenAway = plan.filter(({ attempts }) => attempts.includes('loses its lease')).length
  expect(Math.max(...most)).toBeLessThanOrEqual(perTenant + takenAway)
}

test('each job takes effect exactly once, whatever fails and whoever dies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { minLength: 1, maxLength: 12 }), (plan) => play(plan)),
    { numRuns: Number(process.env['BAILIWICK_MODEL_RUNS'] ?? fewOrMany(1, 8)), endOnFailure: true },
  )
})
