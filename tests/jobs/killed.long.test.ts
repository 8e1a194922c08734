import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobName } from '#kernel/jobs.ts'
import { type Access, openAccess } from '../fixture/access.ts'
import { later, patiently } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { put } from './support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  await access.world.db.unsafe('create table test_effects (n int); create table test_onces (n int)')
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

/** Another server of the same database, in a process of its own. */
async function startChild(): Promise<{ kill(): Promise<void> }> {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url))
  const flags = { 'data-dir': server.config.dataDir, 'database-url': server.databaseUrl }
  const child = spawn(process.execPath, [script, JSON.stringify(flags)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = new Promise<null>((resolve) => child.once('close', () => resolve(null)))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exit
  }
  later(kill)
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  if ((await Promise.race([first, exit])) === null) throw new Error('did not serve')
  return { kill }
}

test('kill -9 of servers in the middle of jobs: what may be repeated takes effect once, what may not is never repeated', async () => {
  const { db } = access.world
  const all = Array.from({ length: 150 }, (_, n) => ({ payload: { n } }))
  await put(access.world, access.tenant, jobName<{ n: number }>('test.effect'), ...all)
  await put(access.world, access.tenant, jobName<{ n: number }>('test.once'), ...all)
  for (let round = 0; round < fewOrMany(1, 4); round++) {
    const [one, two] = await Promise.all([startChild(), startChild()])
    await sleep(150 + Math.random() * 300)
    await one.kill()
    await two.kill()
  }
  await startChild()
  await patiently(async () => {
    const [left] = await db<{ count: number }[]>`
        select count(*)::int as count from jobs where kind in ('test.effect', 'test.once') and state <> 'stuck'`
    expect(left?.count).toBe(0)
  })
  const effects = await db<{ n: number }[]>`select n from test_effects order by n`
  expect(effects.map(({ n }) => n)).toEqual(all.map((_, n) => n))
  const onces = await db<{ n: number }[]>`select n from test_onces order by n`
  const numbers = onces.map(({ n }) => n)
  expect(new Set(numbers).size).toBe(numbers.length)
  // Nothing is lost: what was not done, or nobody knows whether it was, waits for an operator.
  const stuck = await db<{ n: number; kind: string; error: string }[]>`
    select (payload ->> 'n')::int as n, kind, last_error as error from jobs where state = 'stuck'`
  expect(stuck.every(({ kind, error }) => kind === 'test.once' && error.startsWith('The outcome is unknown'))).toBe(
    true,
  )
  expect(new Set([...numbers, ...stuck.map(({ n }) => n)]).size).toBe(all.length)
})
