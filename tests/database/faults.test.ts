import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { EmbeddedEvent } from '#database/embedded/embed.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { dataFolder, later, postmastersOf, until } from '../fixture/later.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { makeDatabase } from '../fixture/server.ts'
import { startOwner, watchersOf } from './support.ts'

/** One may find it by chance; the next finds what the first has left. */
const rounds = fewOrMany(1, 6)

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

longTest('what was acknowledged is there after several kill -9 of the server at random moments', async () => {
  const dataDir = dataFolder()
  const first = startOwner({ dataDir, purpose: 'serve', write: true })
  await first.hears('wrote')
  const owners = [first]
  for (let round = 0; round < 20; round++) {
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

longTest('a PostgreSQL whose server and watcher were both killed -9 does not stop the next start', async () => {
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
  // There is time to load the program while it stops, and while its successor starts.
  expect(events).toEqual(['orphan', 'waiting', 'waiting', 'started'])
})

/** Keeps queries and transactions going, and answers which failed otherwise than by the database being away. */
function keepBusy({ db }: Database): { isUnderWay(): Promise<void>; stop(): Promise<unknown[]> } {
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
        // All of them at once, time and again, would leave no time for its return.
        await sleep(20)
      }
    }
  }
  const works = Promise.all(Array.from({ length: 6 }, (_, line) => work(line)))
  return {
    async isUnderWay() {
      const soFar = done
      await until(() => done > soFar + 50)
    },
    async stop() {
      isOver = true
      await works
      return wrong
    },
  }
}

const isBack = ({ db }: Database): Promise<void> =>
  until(() =>
    db`select 1`.then(
      () => true,
      () => false,
    ),
  )

test('service resumes by itself after kill -9 of the postmaster, also in the middle of transactions', async () => {
  const events: string[] = []
  const database = await open(dataFolder(), ({ what }) => events.push(what))
  const { db, embedded } = database
  await db`create table lines (line int, n int)`
  const busy = keepBusy(database)
  for (let round = 0; round < rounds; round++) {
    await busy.isUnderWay()
    const killed = embedded?.pid() ?? 0
    process.kill(killed, 'SIGKILL')
    await until(() => embedded?.pid() !== killed)
    await isBack(database)
  }
  await busy.isUnderWay()
  expect(await busy.stop()).toEqual([])
  // A transaction is there whole, or not at all.
  expect(await db`select line, n from lines group by line, n having count(*) % 2 = 1`).toEqual([])
  expect(events.filter((what) => what === 'exited')).toHaveLength(rounds)
  expect(events.filter((what) => what === 'resumed')).toHaveLength(rounds)
})

longTest('service resumes by itself after kill -9 of a backend, and the folder is still ours', async () => {
  const dataDir = dataFolder()
  const events: string[] = []
  const database = await open(dataDir, ({ what }) => events.push(what))
  const { db, embedded } = database
  await db`create table lines (line int, n int)`
  const postmaster = embedded?.pid()
  const busy = keepBusy(database)
  for (let round = 1; round <= rounds; round++) {
    await busy.isUnderWay()
    const [backend] = await db<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = 'bailiwick' and pid <> pg_backend_pid() limit 1`
    process.kill(backend?.pid ?? 0, 'SIGKILL')
    await until(() => events.filter((what) => what === 'resumed').length === round)
    await isBack(database)
  }
  expect(await busy.stop()).toEqual([])
  expect(await db`select line, n from lines group by line, n having count(*) % 2 = 1`).toEqual([])
  expect(embedded?.pid()).toBe(postmaster)
  const { refused } = await startOwner({ dataDir, purpose: 'serve' }).hears('refused')
  expect(refused?.message).toContain(`(process ${process.pid})`)
})

/** A database of the tests' own PostgreSQL. */
async function openShared(): Promise<Database> {
  const { url, drop } = await makeDatabase()
  later(drop)
  const database = await openDatabase({ from: { url } })
  later(database.close)
  return database
}

/** Ends a backend, and waits until it has gone. */
async function terminate(db: Database['db'], pid: number): Promise<void> {
  await db`select pg_terminate_backend(${pid}::int)`
  await until(async () => (await db`select 1 from pg_stat_activity where pid = ${pid}::int`).length === 0)
}

test('a transaction whose connection is lost is refused what it is still given, and no one else gets it', async () => {
  const { db } = await openShared()
  await db`create table notes (text text)`
  const lost = db.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await terminate(db, row?.pid ?? 0)
    // Every connection of the pool is made again meanwhile, that of this transaction among them.
    await Promise.all(Array.from({ length: 40 }, () => db`select pg_sleep(0.01)`))
    await tx`insert into notes (text) values ('stray')`
  })
  await expect(lost).rejects.toSatisfy(isAway)
  expect(await db`select text from notes`).toEqual([])
  expect(await Promise.all(Array.from({ length: 40 }, () => db`select 1 as one`))).toHaveLength(40)
})

test('a reserved connection that is lost refuses, and is not given back', async () => {
  const { db } = await openShared()
  const reserved = await db.reserve()
  const [row] = await reserved<{ pid: number }[]>`select pg_backend_pid() as pid`
  const waiting = [reserved`select pg_sleep(10)`, reserved`select 1`].map((query) =>
    query.catch((error: unknown) => error),
  )
  await terminate(db, row?.pid ?? 0)
  expect((await Promise.all(waiting)).every(isAway)).toBe(true)
  await expect(reserved`select 1`).rejects.toSatisfy(isAway)
  reserved.release()
  expect(await Promise.all(Array.from({ length: 40 }, () => db`select 1 as one`))).toHaveLength(40)
})
