import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Tx, transact, within } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { dropJob, jobStore, retryJob } from '#rooms/foundation/jobs/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { jobsOf, put, testKind } from './support.ts'

/** Jobs of kinds that no runner knows: they are claimed by these tests alone, in the order that they want. */

let server: TestServer
let access: Access
let world: World
let tenant: Tenant
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  world = access.world
  tenant = access.tenant
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const wanted = { tenantMax: 10, countMax: 10, leaseMs: 60_000, holder: 'test', mayTakeOver: true }
const claim = (kind: ReturnType<typeof testKind>['kind'], db = world.db) =>
  jobStore.claim(world, db, tenant.id, { ...wanted, kinds: [kind] })
const finish = (job: { id: string; leaseId: string } | undefined) =>
  jobStore.finish(world.db, tenant.id, job ?? { id: '', leaseId: '' })

/** A lane whose first job is stuck, and so holds it. */
async function stuckLane(name: string, key?: string) {
  const { name: job, kind } = testKind<{ n: number }>(name, async () => {})
  await put(world, tenant, job, { payload: { n: 1 }, lane: 'l', ...(key !== undefined && { key }) })
  const [first] = await claim(kind)
  if (!first) throw new Error('nothing was claimed')
  await jobStore.putBack(world.db, tenant.id, first, { next: 'stuck', error: 'Stuck.' })
  return { job, kind, stuckId: first.id }
}

/** A transaction that has done its work, and commits when it is told to. */
async function opened(work: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const told = Promise.withResolvers<void>()
  const worked = Promise.withResolvers<void>()
  const over = transact(world.db, async (tx) => {
    await work(tx)
    worked.resolve()
    await told.promise
  })
  await Promise.race([worked.promise, over])
  return async () => {
    told.resolve()
    await over
  }
}
const drop = (id: string) => (tx: Tx) => dropJob(tx, world, operatorCause(tenant, 'test'), id)

test('the next of a lane can be claimed as soon as the one that held it is dropped, also where that was seen half way', async () => {
  const { job, kind, stuckId } = await stuckLane('test.dropped-half-way')
  await put(world, tenant, job, { payload: { n: 2 }, lane: 'l' })
  const commit = await opened(drop(stuckId))
  // It still sees the one that is being dropped.
  expect(await claim(kind)).toEqual([])
  await commit()
  const [next] = await claim(kind)
  expect(next?.payload).toEqual({ n: 2 })
  await finish(next)
})

test('so it can where the one that held it is dropped while the next is being postponed', async () => {
  const { job, kind, stuckId } = await stuckLane('test.dropped-meanwhile')
  await put(world, tenant, job, { payload: { n: 2 }, lane: 'l' })
  const held = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  // What claims, and has not committed yet.
  const claiming = transact(world.db, async (tx) => {
    const claimed = await claim(kind, within(tx))
    held.resolve()
    await told.promise
    return claimed
  })
  await Promise.race([held.promise, claiming])
  const dropped = transact(world.db, drop(stuckId))
  await until(async () => (await listWaiting(server.db)).length > 0)
  told.resolve()
  expect(await claiming).toEqual([])
  await dropped
  const [next] = await claim(kind)
  expect(next?.payload).toEqual({ n: 2 })
  await finish(next)
})

test('so it can where the one that held it is retried, and another with its key stands for it', async () => {
  const { job, kind, stuckId } = await stuckLane('test.retried', 'k')
  await put(world, tenant, job, { payload: { n: 2 }, lane: 'l' }, { payload: { n: 3 }, lane: 'l', key: 'k' })
  // Both are postponed.
  expect(await claim(kind)).toEqual([])
  const waiting = (await jobsOf(world, tenant, job.kind)).filter(({ state }) => state === 'waiting')
  expect(waiting.every(({ dueAt, createdAt }) => dueAt && dueAt > createdAt)).toBe(true)
  await transact(world.db, (tx) => retryJob(tx, world, operatorCause(tenant, 'test'), stuckId))
  for (const n of [2, 3]) {
    const [next] = await claim(kind)
    expect(next?.payload).toEqual({ n })
    await finish(next)
  }
})
