import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openDatabase } from '#database/open.ts'
import { isAbsence } from '#database/presence.ts'
import { dataFolder, later, until } from '../fixture/later.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { makeDatabase } from '../fixture/server.ts'
import { startChild } from './child.ts'

test('arrays of every kind come and go as they are, without the driver reading types', async () => {
  const { url, drop } = await makeDatabase()
  later(drop)
  const { db, close } = await openDatabase({ from: { url }, connectionsMax: 2 })
  later(close)
  const texts = ['a', 'b,c', '"', '\\', '{}', '', 'NULL', 'null', ' x ', 'ü€😀', "'"]
  const dates = [new Date('2026-11-15T01:02:03.004Z'), new Date(0)]
  const bytes = [Buffer.from([0, 92, 34, 255]), Buffer.alloc(0)]
  const [row] = await db`
    select ${texts}::text[] as texts, ${[1, -2]}::int[] as ints, ${[1.5, 2]}::float8[] as floats,
      ${dates}::timestamptz[] as dates, ${bytes}::bytea[] as bytes, ${[true, false]}::boolean[] as booleans,
      ${[]}::text[] as none, ${[9_007_199_254_740_991]}::int8[] as longs, array[null, 'x'] as nulls,
      array[[1, 2], [3, 4]] as nested, '[0:1]={a,b}'::text[] as bounds, '{}'::int[] as empty,
      array['{"a":[1,"\\"b"]}'::jsonb] as jsons, array['2NkD6bdvMHhTPTCWCkVJ2Qhb2GZ'::ksuid] as domains,
      'b,c' = any(${texts}::text[]) as "isIn"`
  expect(row).toEqual({
    texts,
    ints: [1, -2],
    floats: [1.5, 2],
    dates,
    bytes,
    booleans: [true, false],
    none: [],
    longs: [9_007_199_254_740_991],
    nulls: [null, 'x'],
    nested: [
      [1, 2],
      [3, 4],
    ],
    bounds: ['a', 'b'],
    empty: [],
    jsons: [{ a: [1, '"b'] }],
    domains: ['2NkD6bdvMHhTPTCWCkVJ2Qhb2GZ'],
    isIn: true,
  })
  // 22P02 and not a crash: what is not an array is refused by PostgreSQL.
  await expect(db`select ${'x'}::text::text[]`).rejects.toMatchObject({ code: '22P02' })
})

test('a connection is reserved also where none is open yet', async () => {
  const { url, drop } = await makeDatabase()
  later(drop)
  const { background, close } = await openDatabase({ from: { url } })
  later(close)
  const own = await background.reserve()
  expect(await own`select 1 as one`).toEqual([{ one: 1 }])
  own.release()
})

test('connections killed as they are made: each is refused as lost, and no error is left over', async () => {
  const { url, drop } = await makeDatabase()
  later(drop)
  const killer = await openDatabase({ from: { url }, connectionsMax: 1, applicationName: 'killer' })
  later(killer.close)
  const { db, close } = await openDatabase({ from: { url }, applicationName: 'victim' })
  later(close)
  const left: unknown[] = []
  const keep = (error: unknown): void => void left.push(error)
  process.on('unhandledRejection', keep)
  later(() => process.off('unhandledRejection', keep))
  let isOver = false
  const kills = fewOrMany(10, 300)
  let killed = 0
  const killing = (async () => {
    while (!isOver) {
      const rows = await killer.db`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'victim' and datname = current_database()`
      killed += rows.length
    }
  })()
  const wrong: unknown[] = []
  const work = async (line: number): Promise<void> => {
    while (killed < kills) {
      const asked =
        line % 3 === 0
          ? db`select ${[line]}::int[] as lines`
          : line % 3 === 1
            ? db.begin((tx) => tx`select pg_sleep(0.001)`)
            : db`select 1`
      await asked.catch((error: unknown) => {
        if (!isAbsence(error)) wrong.push(error)
      })
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, line) => work(line)))
  isOver = true
  await killing
  // A rejection that nobody handled is told of after a turn of the event loop.
  await setImmediate()
  await setImmediate()
  expect([wrong, left]).toEqual([[], []])
  await until(() =>
    db`select 1`.then(
      () => true,
      () => false,
    ),
  )
})

longTest(
  'a server whose backends are killed 100 times under load goes on; writes are 200, 503 or unknown, and 200 is kept',
  async () => {
    const dataDir = dataFolder()
    const { url, logged, process: child, exit } = await startChild(dataDir)
    await fetch(`${url}/test/sleep?ms=0`)
    const killer = await openDatabase({
      from: { dataDir, purpose: 'command' },
      connectionsMax: 1,
      applicationName: 'killer',
    })
    let isOver = false
    const outcomes = new Map<string, string>()
    const write = async (line: number): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const name = `${line}-${n}`
        const init = { method: 'POST', body: JSON.stringify({ name }), headers: { 'content-type': 'application/json' } }
        const reply = await fetch(`${url}/test/rows`, init)
        const body = (await reply.json()) as { details?: { reason: string }[] }
        outcomes.set(name, `${reply.status} ${body.details?.[0]?.reason ?? ''}`)
      }
    }
    const writing = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(write))
    let killed = 0
    while (killed < 100) {
      const rows = await killer.db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'bailiwick serve%' and backend_type = 'client backend' order by random() limit 3`
      killed += rows.length
      await sleep(20)
    }
    isOver = true
    await writing
    const there = new Set((await killer.db<{ name: string }[]>`select name from written`).map(({ name }) => name))
    await killer.close()
    const kinds = new Set(outcomes.values())
    for (const kind of kinds) expect(['200 ', '503 DATABASE_AWAY', '504 OUTCOME_UNKNOWN']).toContain(kind)
    expect(kinds).toContain('503 DATABASE_AWAY')
    const names = (kind: string) => [...outcomes].filter(([, outcome]) => outcome === kind).map(([name]) => name)
    expect(names('200 ').filter((name) => !there.has(name))).toEqual([])
    // The point of it all: what is answered as not done was not done.
    expect(names('503 DATABASE_AWAY').filter((name) => there.has(name))).toEqual([])
    expect(logged.filter((line) => /unhandled|uncaught|"a bug"/.test(line))).toEqual([])
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  },
)
