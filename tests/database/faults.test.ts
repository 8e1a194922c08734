import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { EmbeddedEvent } from '#database/embedded/embed.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { dataFolder, later, postmastersOf, until } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startOwner, watchersOf } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

/** One may find it by chance; the second finds what the first has left. */
const rounds = fewOrMany(2, 6)

async function open(dataDir: string, onEvent: (event: EmbeddedEvent) => void = () => {}): Promise<Database> {
  const database = await openDatabase({ from: { dataDir, purpose: 'serve' }, onEvent })
  later(database.close)
  return database
}

const isAway = (error: unknown): boolean =>
  [
    'CONNECTION_CLOSED',
    'CONNECTION_DESTROYED',
    'ECONNRESET',
    'ECONNREFUSED',
    'ENOENT',
    'EPIPE',
    'CONNECT_TIMEOUT',
  ].includes((error as { code: string }).code) || (error as { code: string }).code.startsWith('57P0')

test('what was acknowledged is there after several kill -9 of the server at random moments', async () => {
  const dataDir = dataFolder()
  const first = startOwner({ dataDir, purpose: 'serve', write: true })
  await first.hears('wrote')
  const owners = [first]
  for (let round = 0; round < fewOrMany(3, 20); round++) {
    await sleep(Math.random() * 500)
    owners.at(-1)?.process.kill('SIGKILL')
    owners.push(startOwner({ dataDir, purpose: 'serve', write: true }))
  }
  await owners.at(-1)?.hears('wrote')
  const wrote = (): string[] => owners.flatMap((owner) => owner.said.flatMap((said) => said.wrote ?? []))
  await until(() => wrote().length > 20)
  for (const owner of owners) owner.process.kill('SIGKILL')
  await Promise.all(owners.map((owner) => owner.exit))

  const acknowledged = wrote()
  const { db } = await open(dataDir)
  const found = new Set((await db<{ row: string }[]>`select row from written`).map(({ row }) => row))
  expect(acknowledged.length).toBeGreaterThan(20)
  expect(acknowledged.filter((row) => !found.has(row))).toEqual([])
})

test('PostgreSQL stops when its server is killed -9', async () => {
  const dataDir = dataFolder()
  const owner = startOwner({ dataDir, purpose: 'serve' })
  const { opened } = await owner.hears('opened')
  expect(watchersOf(opened?.postmaster ?? 0)).toHaveLength(1)
  owner.process.kill('SIGKILL')
  await until(() => postmastersOf(dataDir).length === 0)
  await until(() => watchersOf(opened?.postmaster ?? 0).length === 0)
})

test('a PostgreSQL whose server and watcher were both killed -9 does not stop the next start', async () => {
  const dataDir = dataFolder()
  const owner = startOwner({ dataDir, purpose: 'serve' })
  const { opened } = await owner.hears('opened')
  for (const watcher of watchersOf(opened?.postmaster ?? 0)) process.kill(watcher, 'SIGKILL')
  owner.process.kill('SIGKILL')
  await owner.exit
  expect(postmastersOf(dataDir)).toHaveLength(1)
  const events: string[] = []
  const { db } = await open(dataDir, ({ what }) => events.push(what))
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
  expect(events).toEqual(['orphan', 'waiting', 'started'])
})

/** Keeps queries and transactions going, and answers how many failed otherwise than by the database being away. */
function keepBusy({ db }: Database): () => Promise<{ wrong: unknown[]; done: number }> {
  const wrong: unknown[] = []
  let isOver = false
  let done = 0
  const work = async (line: number): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      try {
        if (line % 2) await db`select ${n}::int`
        else {
          await db.begin(async (tx) => {
            await tx`insert into lines (line, n) values (${line}, ${n})`
            await tx`select pg_sleep(0.001)`
            await tx`insert into lines (line, n) values (${line}, ${n})`
          })
        }
        done++
      } catch (error) {
        if (!isAway(error)) wrong.push(error)
      }
    }
  }
  const works = Promise.all(Array.from({ length: 16 }, (_, line) => work(line)))
  return async () => {
    isOver = true
    await works
    return { wrong, done }
  }
}

const timeToBeBack = async ({ db }: Database): Promise<number> => {
  const begin = performance.now()
  await until(() =>
    db`select 1`.then(
      () => true,
      () => false,
    ),
  )
  return performance.now() - begin
}

test('service resumes by itself after kill -9 of the postmaster, also in the middle of transactions', async () => {
  const events: string[] = []
  const database = await open(dataFolder(), ({ what }) => events.push(what))
  const { db, embedded } = database
  await db`create table lines (line int, n int)`
  const stopBusy = keepBusy(database)
  for (let round = 0; round < rounds; round++) {
    await sleep(200 + Math.random() * 200)
    const killed = embedded?.pid() ?? 0
    process.kill(killed, 'SIGKILL')
    await until(() => embedded?.pid() !== killed)
    expect(await timeToBeBack(database)).toBeLessThan(5000)
  }
  await sleep(200)
  const { wrong, done } = await stopBusy()
  expect(wrong).toEqual([])
  expect(done).toBeGreaterThan(100)
  // A transaction is there whole, or not at all.
  expect(await db`select line, n from lines group by line, n having count(*) % 2 = 1`).toEqual([])
  expect(events.filter((what) => what === 'exited')).toHaveLength(rounds)
  expect(events.filter((what) => what === 'resumed')).toHaveLength(rounds)
})

test('service resumes by itself after kill -9 of a backend, and the folder is still ours', async () => {
  const dataDir = dataFolder()
  const events: string[] = []
  const database = await open(dataDir, ({ what }) => events.push(what))
  const { db, embedded } = database
  await db`create table lines (line int, n int)`
  const postmaster = embedded?.pid()
  const stopBusy = keepBusy(database)
  for (let round = 1; round <= rounds; round++) {
    await sleep(100)
    const [backend] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = 'bailiwick' and pid <> pg_backend_pid()`
    process.kill(backend?.pid ?? 0, 'SIGKILL')
    await until(() => events.filter((what) => what === 'resumed').length === round)
    expect(await timeToBeBack(database)).toBeLessThan(5000)
  }
  expect((await stopBusy()).wrong).toEqual([])
  expect(await db`select line, n from lines group by line, n having count(*) % 2 = 1`).toEqual([])
  expect(embedded?.pid()).toBe(postmaster)
  const { refused } = await startOwner({ dataDir, purpose: 'serve' }).hears('refused')
  expect(refused?.message).toContain(`(process ${process.pid})`)
})

test('a transaction whose connection is lost is refused what it is still given, and no one else gets it', async () => {
  const { db } = await open(dataFolder())
  await db`create table notes (text text)`
  const lost = db.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await db`select pg_terminate_backend(${row?.pid ?? 0}::int)`
    await sleep(100)
    // Every connection of the pool is made again meanwhile, that of this transaction among them.
    await Promise.all(Array.from({ length: 40 }, () => db`select pg_sleep(0.01)`))
    await tx`insert into notes (text) values ('stray')`
  })
  await expect(lost).rejects.toSatisfy(isAway)
  await sleep(100)
  expect(await db`select text from notes`).toEqual([])
  expect(await Promise.all(Array.from({ length: 40 }, () => db`select 1 as one`))).toHaveLength(40)
})

test('a reserved connection that is lost refuses, and is not given back', async () => {
  const { db } = await open(dataFolder())
  const reserved = await db.reserve()
  const [row] = await reserved<{ pid: number }[]>`select pg_backend_pid() as pid`
  const waiting = [reserved`select pg_sleep(10)`, reserved`select 1`].map((query) =>
    query.catch((error: unknown) => error),
  )
  await sleep(50)
  await db`select pg_terminate_backend(${row?.pid ?? 0}::int)`
  expect((await Promise.all(waiting)).every(isAway)).toBe(true)
  await expect(reserved`select 1`).rejects.toSatisfy(isAway)
  reserved.release()
  expect(await Promise.all(Array.from({ length: 40 }, () => db`select 1 as one`))).toHaveLength(40)
})
