import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, inject, test } from 'vitest'
import { openPool } from '#database/driver/pool.ts'
import { memorySettings } from '#database/embedded/memory.ts'
import { readDatabaseUrl } from '#database/url.ts'
import type { Db } from '#kernel/sql.ts'

const gibibyte = 2 ** 30

test.each([
  ['a large machine', 24 * gibibyte, undefined, '512MB', '12288MB'],
  ['a machine of 4 GiB', 4 * gibibyte, undefined, '256MB', '2048MB'],
  ['a small machine', gibibyte / 2, undefined, '64MB', '256MB'],
  ['a container with 2 GiB of a large machine', 24 * gibibyte, 2 * gibibyte, '128MB', '1024MB'],
  ['a container without a limit, which says 0', 4 * gibibyte, 0, '256MB', '2048MB'],
  ['a container without a limit, which says more than there is', 4 * gibibyte, 2 ** 64, '256MB', '2048MB'],
])('the embedded PostgreSQL caches what suits %s', (_, machineBytes, containerBytes, buffers, cache) => {
  const settings = memorySettings(machineBytes, containerBytes)
  expect(settings['shared_buffers']).toBe(buffers)
  expect(settings['effective_cache_size']).toBe(cache)
})

test('a small machine vacuums with one worker and less memory', () => {
  expect(memorySettings(gibibyte, undefined)).toMatchObject({
    maintenance_work_mem: '32MB',
    autovacuum_work_mem: '16MB',
    autovacuum_max_workers: '1',
  })
})

const pools: Db[] = []
afterAll(async () => {
  for (const pool of pools) await pool.end()
})
const poolWith = (lives: { idleMs: number; ageMaxMs: number; sweepMs: number }): Db => {
  const target = readDatabaseUrl(`postgres://bailiwick@localhost/postgres?host=${inject('socketDir')}`)
  const pool = openPool({ target, sharedMax: 4, ownMax: 4, lives })
  pools.push(pool)
  return pool
}
const pidBy = async (run: (text: TemplateStringsArray) => PromiseLike<{ pid: number }[]>): Promise<number> =>
  (await run`select pg_backend_pid() as pid, pg_sleep(0.02)`)[0]?.pid as number
const isThere = async (db: Db, pids: readonly number[]): Promise<number> => {
  const [row] = await db<
    { count: number }[]
  >`select count(*) from pg_stat_activity where pid = any(${[...pids]}::int[])`
  return row?.count as number
}

test('connections that a burst needed are closed when it is over, all but one of each kind', async () => {
  const db = poolWith({ idleMs: 300, ageMaxMs: 60_000, sweepMs: 50 })
  const [single, own] = await Promise.all([
    Promise.all(Array.from({ length: 8 }, () => pidBy((text) => db<{ pid: number }[]>(text)))),
    Promise.all(Array.from({ length: 4 }, () => db.begin((tx) => pidBy((text) => tx<{ pid: number }[]>(text))))),
  ])
  const pids = [...new Set([...single, ...own])]
  expect(pids.length).toBe(8)
  await expect.poll(() => isThere(db, pids)).toBe(2)
})

test('connections that grow old are replaced while statements run on them without a pause, and none fails', async () => {
  const db = poolWith({ idleMs: 60_000, ageMaxMs: 300, sweepMs: 50 })
  const seen = new Set<number>()
  // Each has been replaced, and again.
  const isOver = (): boolean => seen.size > 16
  const single = async (): Promise<void> => {
    while (!isOver()) seen.add(await pidBy((text) => db<{ pid: number }[]>(text)))
  }
  const inTransactions = async (): Promise<void> => {
    while (!isOver()) seen.add(await db.begin((tx) => pidBy((text) => tx<{ pid: number }[]>(text))))
  }
  // More at once than there are connections: none is ever without a statement.
  await Promise.all([...Array.from({ length: 12 }, single), ...Array.from({ length: 4 }, inTransactions)])
  await expect.poll(() => isThere(db, [...seen])).toBeLessThanOrEqual(2)
})

test('a connection keeps nothing of what its transactions answered, however long it lives', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const db = poolWith({ idleMs: 60_000, ageMaxMs: 60_000, sweepMs: 1_000 })
  const answered = async (): Promise<WeakRef<object>> =>
    new WeakRef(await db.begin(async (tx) => ({ rows: await tx`select repeat('x', 100000) as text` })))
  const refs: WeakRef<object>[] = []
  for (let n = 0; n < 20; n++) refs.push(await answered())
  // The last may still be on the stack of the one that asked.
  await expect
    .poll(async () => {
      await sleep(10)
      collect()
      return refs.filter((ref) => ref.deref() !== undefined).length
    })
    .toBeLessThanOrEqual(1)
})
