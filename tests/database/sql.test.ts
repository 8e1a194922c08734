import { once } from 'node:events'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { toDate } from '#database/driver/types.ts'
import { openDatabase } from '#database/open.ts'
import { DatabaseUnusable, readDatabaseUrl } from '#database/url.ts'
import { type Db, type Tx, transact } from '#kernel/sql.ts'
import { until } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'

const urlHere = (): string => `postgres://bailiwick@localhost/postgres?host=${inject('socketDir')}`
/** Whoever waits for it hears of it after others do whose statements were answered at the same time. */
const toldLater = async (answer: PromiseLike<unknown>): Promise<void> => {
  try {
    await answer
  } finally {
    await setImmediate()
  }
}

let db: Db
let close: () => Promise<void>
beforeAll(async () => {
  ;({ db, close } = await openDatabase({ from: { url: urlHere() }, connectionsMax: 5 }))
})
afterAll(() => close())

test('values travel as parameters and come back as they were', async () => {
  const at = new Date('2026-11-15T01:02:03.004Z')
  const text = `it's "quoted" \\ and {braced}, 中\n`
  const [row] = await db`
    select ${text}::text as text, ${7}::int as number, ${true} as yes, ${at} as at, ${Buffer.from([0, 255])} as bytes,
      ${[text, '', 'NULL']}::text[] as texts, ${[1, 2]}::int[] as numbers, ${[at]}::timestamptz[] as times,
      ${[Buffer.from([1]), Buffer.from([])]}::bytea[] as blobs, ${db.json([{ a: [1] }, null])}::jsonb as json,
      ${null}::text as nothing, 9007199254740991::bigint as large, 1.5::numeric as exact, interval '1 day' as span`
  expect(row).toEqual({
    text,
    number: 7,
    yes: true,
    at,
    bytes: Buffer.from([0, 255]),
    texts: [text, '', 'NULL'],
    numbers: [1, 2],
    times: [at],
    blobs: [Buffer.from([1]), Buffer.from([])],
    json: [{ a: [1] }, null],
    nothing: null,
    large: Number.MAX_SAFE_INTEGER,
    exact: 1.5,
    span: '1 day',
  })
})

test('arrays travel in the binary format too, whatever is in them', async () => {
  const times = [new Date('2026-11-15T01:02:03.004Z'), new Date('1969-12-31T23:59:59.999Z'), null]
  const texts = [`it's "quoted" \\ and {braced}, 中\n`, '', 'NULL', null, '\u{1f511}']
  const blobs = [Buffer.from([0, 255]), Buffer.from([]), null]
  const [row] = await db`
    select ${db.array('text', texts)} as texts, ${db.array('int4', [1, -2, 2147483647, null])} as numbers,
      ${db.array('timestamptz', times)} as times, ${db.array('bytea', blobs)} as blobs, ${db.array('text', [])} as none,
      (select count(*) from unnest(${db.array('text', texts)}, ${db.array('bytea', blobs)})) as count`
  expect(row).toEqual({ texts, numbers: [1, -2, 2147483647, null], times, blobs, none: [], count: 5 })
  await expect(db`select ${db.array('text', ['a\0b'])} as texts`).rejects.toThrow('invalid byte sequence')
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
})

test('a number that JavaScript cannot hold exactly is an error, and the connection is still good', async () => {
  await expect(db`select 9007199254740993::bigint as large`).rejects.toThrow('beyond what a number holds exactly')
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
})

test('fragments, lists of fragments, names and rows become part of the statement, with their parameters in order', async () => {
  const rows = [
    { id: 1, 'a "name"': 'x' },
    { id: 2, 'a "name"': "y'" },
  ]
  const found = await db.begin(async (tx) => {
    await tx`create temp table things (id int, "a ""name""" text) on commit drop`
    const { count } = await tx`insert into things ${tx(rows)}`
    expect(count).toBe(2)
    const parts = [tx`id > ${0}`, tx`and id < ${3}`]
    return tx`select t.id, ${tx('t.a "name"')} as name from things t where ${parts} order by ${tx(['id'])}`
  })
  expect(found).toEqual([
    { id: 1, name: 'x' },
    { id: 2, name: "y'" },
  ])
})

test('an undefined value is refused rather than taken for null', async () => {
  await expect(db`select ${undefined as never}::text`).rejects.toThrow('undefined value')
})

test('a transaction in which a statement failed is not committed, also where the error was caught', async () => {
  await db`create table kept (n int primary key)`
  const work = db.begin(async (tx) => {
    await tx`insert into kept values (1)`
    await tx`insert into kept values (1)`.catch(() => {})
  })
  await expect(work).rejects.toMatchObject({ code: '23505' })
  expect(await db`select n from kept`).toEqual([])
})

test('a statement that is given to a transaction after its end is refused', async () => {
  let late: (() => Promise<unknown>) | undefined
  await db.begin(async (tx) => {
    late = () => tx`insert into kept values (2)`
  })
  await expect(late?.()).rejects.toThrow('transaction is over')
  expect(await db`select n from kept where n = 2`).toEqual([])
})

test('what was to be written is not, where the work is given up before BEGIN is answered', async () => {
  const refused = new Error('refused')
  const work = db.begin((tx) =>
    Promise.all([tx`insert into kept values (3)`, tx`select 1 as one`, Promise.reject(refused)]),
  )
  await expect(work).rejects.toBe(refused)
  await db.begin((tx) => tx`select 1 as one`.then(() => {}))
  expect(await db`select n from kept where n = 3`).toEqual([])
})

test('of statements that were sent together each tells what failed first, whoever is heard first', async () => {
  const failing = (tx: Tx, code: string) => tx`select 1 / (case when ${code}::text = '22012' then 0 else 1 end) as one`
  await expect(
    db.begin((tx) => Promise.all([toldLater(failing(tx, '22012')), tx`select 2 as two`])),
  ).rejects.toMatchObject({
    code: '22012',
  })
  // The same within a savepoint, after which the transaction goes on; and nothing of it is told of the next one that fails.
  await db.begin(async (tx) => {
    const inner = tx.savepoint((point) => Promise.all([toldLater(failing(point, '22012')), point`select 2 as two`]))
    await expect(inner).rejects.toMatchObject({ code: '22012' })
    await expect(tx.savepoint((point) => point`select 'x'::text::int as n`.then(() => {}))).rejects.toMatchObject({
      code: '22P02',
    })
    expect(await tx`select 3 as three`).toEqual([{ three: 3 }])
  })
})

/** Prepared and described on the connection: such statements of a transaction are sent as one group. */
async function familiar(
  tx: Tx,
): Promise<{ one: (n: unknown) => PromiseLike<unknown>; many: (n: number) => PromiseLike<unknown> }> {
  const one = (n: unknown) => tx`select ${n as number}::int as one, 7::bigint as other`
  const many = (n: number) => tx`select g.n as many from generate_series(1, ${n}::int) as g (n)`
  for (let i = 0; i < 3; i++) await Promise.all([one(1), many(1)])
  return { one, many }
}
const oneOf = (n: number) => [{ one: n, other: 7 }]
const manyOf = (n: number) => Array.from({ length: n }, (_, i) => ({ many: i + 1 }))

test('statements of a transaction that are sent together each get their own rows, and other statements between them too', async () => {
  await db.begin(async (tx) => {
    const { one, many } = await familiar(tx)
    const answers = await Promise.all([
      ...[one(1), many(3), many(0), one(2)],
      ...[tx.unsafe('select 5 as plain'), many(2), tx`select ${1}::int + 8 as fresh`, one(3), many(2_000)],
    ])
    expect(answers).toEqual([
      ...[oneOf(1), manyOf(3), [], oneOf(2)],
      ...[[{ plain: 5 }], manyOf(2), [{ fresh: 9 }], oneOf(3), manyOf(2_000)],
    ])
  })
})

test('PostgreSQL is asked once to send its answers to statements that were sent together, and outside a transaction to each', async () => {
  const sync = vi.spyOn(pg.Connection.prototype as unknown as { sync(): void }, 'sync')
  try {
    // On connections of their own: the program tells other processes of earlier changes by another one, at any time.
    const mine = new Set<unknown>()
    const count = (): number => sync.mock.contexts.filter((connection) => mine.has(connection)).length
    await db.begin(async (tx) => {
      sync.mockClear()
      const { one, many } = await familiar(tx)
      for (const connection of sync.mock.contexts) mine.add(connection)
      sync.mockClear()
      await Promise.all([one(1), many(2), one(3)])
      expect(count()).toBe(1)
    })
    const own = await db.reserve()
    const one = (n: number) => own`select ${n}::int as one, 7::bigint as other`
    sync.mockClear()
    for (let i = 0; i < 3; i++) await one(1)
    for (const connection of sync.mock.contexts) mine.add(connection)
    sync.mockClear()
    await Promise.all([one(1), one(2)])
    own.release()
    expect(count()).toBe(2)
  } finally {
    sync.mockRestore()
  }
})

test('of statements that are sent together, those before one that fails are answered, and it and those behind it fail', async () => {
  const heard: unknown[] = []
  const failing = db.begin(async (tx) => {
    const { one, many } = await familiar(tx)
    const told = [one(1), one('no number'), many(2), one(3)].map((each) =>
      Promise.resolve(each).then(
        (rows) => heard.push(rows),
        (error: { code?: string }) => heard.push(error.code),
      ),
    )
    await Promise.all(told)
  })
  await expect(failing).rejects.toMatchObject({ code: '22P02' })
  expect(heard).toEqual([oneOf(1), '22P02', '22P02', '22P02'])
  // The connection is as good as before, also after a savepoint that took the failure back.
  await db.begin(async (tx) => {
    const { one, many } = await familiar(tx)
    const inner = tx.savepoint(async (point) => {
      const within = await familiar(point)
      await Promise.all([within.one(1), within.one('no number'), within.many(1)])
    })
    await expect(inner).rejects.toMatchObject({ code: '22P02' })
    expect(await Promise.all([one(4), many(1)])).toEqual([oneOf(4), manyOf(1)])
  })
})

test('a value that cannot be sent fails its own statement of those that are sent together', async () => {
  const heard: unknown[] = []
  const unsendable = {
    toPostgres: () => {
      throw new Error('this cannot be sent')
    },
  }
  const failing = db.begin(async (tx) => {
    const { one, many } = await familiar(tx)
    const told = [one(1), one(unsendable), many(2)].map((each) =>
      Promise.resolve(each).then(
        (rows) => heard.push(rows),
        (error: Error) => heard.push(error.message),
      ),
    )
    await Promise.all(told)
  })
  await expect(failing).rejects.toThrow('this cannot be sent')
  expect(heard).toHaveLength(3)
  for (const each of [oneOf(1), 'this cannot be sent', manyOf(2)]) expect(heard).toContainEqual(each)
})

test('when the connection is lost, all statements that were sent together fail', async () => {
  const codes: unknown[] = []
  const failing = db.begin(async (tx) => {
    const { one, many } = await familiar(tx)
    const end = tx`select pg_terminate_backend(pg_backend_pid()), ${1}::int`
    const told = [one(1), end, many(2)].map((each) =>
      Promise.resolve(each).then(
        () => codes.push('answered'),
        () => codes.push('failed'),
      ),
    )
    await Promise.all(told)
  })
  await expect(failing).rejects.toMatchObject({ code: expect.stringMatching(/^(57P01|CONNECTION_CLOSED)$/) as unknown })
  expect(codes).toHaveLength(3)
  expect(codes).toContain('failed')
  expect(await db`select 1 as alive`).toEqual([{ alive: 1 }])
})

test('work that lost a race is done again, also where a statement behind the one that lost it is heard first', async () => {
  let attempts = 0
  await db`create or replace function lose_race() returns int language plpgsql as $$
    begin raise exception 'lost' using errcode = '40001'; end $$`
  const done = await transact(db, async (tx) => {
    attempts++
    const lost = attempts < 3 ? tx`select lose_race() as n` : tx`select 1 as n`
    await Promise.all([toldLater(lost), tx`select 2 as n`])
    return attempts
  })
  expect(done).toBe(3)
  await db`drop function lose_race`
})

const isRunning = async (query: string): Promise<boolean> =>
  (
    await db`
      select 1 from pg_stat_activity where query = ${query} and state = 'active' and datname = current_database()`
  ).length > 0

test('a slow statement does not hold up those that come after it', async () => {
  let isOver = false
  const slow = db`select pg_sleep(600)`
    .catch((error: { code: string }) => error.code)
    .finally(() => {
      isOver = true
    })
  await until(() => isRunning('select pg_sleep(600)'))
  // At least: until it counts as slow, others may still be sent behind it.
  await sleep(50)
  await Promise.all(Array.from({ length: 50 }, (_, n) => db`select ${n}::int as n`))
  expect(isOver).toBe(false)
  await db`
    select pg_cancel_backend(pid) from pg_stat_activity
    where query = 'select pg_sleep(600)' and datname = current_database()`
  expect(await slow).toBe('57014')
})

test('statements of many callers share connections, and each gets its own answer', async () => {
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      n % 7 === 0
        ? db`select ${n}::int / 0`.catch((error: { code: string }) => error.code)
        : db<{ n: number }[]>`select ${n}::int as n`.then(([row]) => row?.n),
    ),
  )
  expect(answers).toEqual(Array.from({ length: 500 }, (_, n) => (n % 7 === 0 ? '22012' : n)))
  const open = async (): Promise<number> => {
    const [row] = await db<{ count: number }[]>`
      select count(*) from pg_stat_activity
      where application_name = ${`bailiwick ${process.pid}`} and datname = current_database()`
    return row?.count ?? 0
  }
  // Five that are shared, five that transactions had for themselves, and one for statements in order.
  await expect.poll(open).toBeLessThanOrEqual(11)
})

test('statements in order are carried out in the order in which they were sent, without waiting for the answers', async () => {
  await db`create table if not exists in_order (n serial, what text)`
  try {
    const slow = db.inOrder`insert into in_order (what) select 'slow' from pg_sleep(0.2)`.execute()
    const others = Array.from({ length: 20 }, (_, n) =>
      db.inOrder`insert into in_order (what) values (${`after ${n}`})`.execute(),
    )
    const failing = db.inOrder`select 1 / ${0}::int`
    const after = db.inOrder`insert into in_order (what) values ('last')`.execute()
    await expect(failing).rejects.toThrow('division by zero')
    await Promise.all([slow, ...others, after])
    const rows = await db<{ what: string }[]>`select what from in_order order by n`
    expect(rows.map(({ what }) => what)).toEqual([
      'slow',
      ...Array.from({ length: 20 }, (_, n) => `after ${n}`),
      'last',
    ])
  } finally {
    await db`drop table in_order`
  }
})

test('when the connection of statements in order is lost, all that were not answered fail, and the next have another', async () => {
  const [first] = await db.inOrder<{ pid: number }[]>`select pg_backend_pid() as pid`
  const under = Promise.allSettled([db.inOrder`select pg_sleep(10)`, db.inOrder`select 1`, db.inOrder`select 2`])
  await until(() => isRunning('select pg_sleep(10)'))
  await db`select pg_terminate_backend(${first?.pid ?? 0}::int)`
  expect((await under).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  const [second] = await db.inOrder<{ pid: number }[]>`select pg_backend_pid() as pid`
  expect(second?.pid).not.toBe(first?.pid)
})

test('rows are copied in and out in the middle of a transaction', async () => {
  const text = await db.begin(async (tx) => {
    await tx`create temp table copied (n int) on commit drop`
    const into = await tx`copy copied from stdin`.writable()
    const counted = tx<{ count: number }[]>`select count(*) from copied`.then(([row]) => row?.count)
    into.end('1\n2\n3\n')
    await once(into, 'finish')
    expect(await counted).toBe(3)
    const out = await tx`copy copied to stdout`.readable()
    return (await out.toArray()).join('')
  })
  expect(text).toBe('1\n2\n3\n')
})

test('a statement whose columns another program changed is prepared again', async () => {
  await db`create table changing (a int)`
  for (let n = 0; n < 20; n++) await db`select * from changing`
  await db`alter table changing add column b int`
  for (let n = 0; n < 20; n++) expect(await db`select * from changing`).toEqual([])
  const read = () => transact(db, (tx) => tx`select a, * from changing`)
  for (let n = 0; n < 5; n++) await read()
  await db`alter table changing add column c int`
  for (let n = 0; n < 5; n++) expect(await read()).toEqual([])
})

test('a URL is read as libpq reads it', () => {
  expect(
    readDatabaseUrl('postgresql://me:p%40ss@a.example:6000,b.example,[::1]:7000/db?target_session_attrs=primary'),
  ).toEqual({
    hosts: [
      { user: 'me', password: 'p@ss', database: 'db', host: 'a.example', port: 6000, ssl: false },
      { user: 'me', password: 'p@ss', database: 'db', host: 'b.example', port: 5432, ssl: false },
      { user: 'me', password: 'p@ss', database: 'db', host: '::1', port: 7000, ssl: false },
    ],
    isWritable: true,
  })
  expect(readDatabaseUrl('postgres://me@/db?host=/run/postgresql&port=5433').hosts).toEqual([
    { user: 'me', database: 'db', host: '/run/postgresql', port: 5433, ssl: false },
  ])
  expect(readDatabaseUrl('postgres://h/db?sslmode=verify-full').hosts[0]?.ssl).toEqual({})
  expect(readDatabaseUrl('postgres://h/db?sslmode=require').hosts[0]?.ssl).toEqual({ rejectUnauthorized: false })
})

test.each([
  [
    'postgres://h/db?sslmode=prefer',
    'sslmode=prefer is not supported: use verify-full, verify-ca, require or disable.',
  ],
  ['postgres://h/db?surprise=1', 'The database URL has a parameter that is not supported: surprise.'],
  ['postgres://h:99999/db', 'The database URL is not valid: the form is postgresql://user:password@host:5432/name.'],
  ['postgres://u:%zz@h/db', 'The database URL is not valid: the form is postgresql://user:password@host:5432/name.'],
  ['postgres://h/db?sslmode=verify-ca&sslrootcert=/nowhere.pem', 'sslrootcert: there is no file /nowhere.pem.'],
])('%s is refused, without its password', (url, message) => {
  expect(() => readDatabaseUrl(url)).toThrow(new DatabaseUnusable(message))
})

test('whoever waits for a connection when all are closed is refused, rather than left waiting', async () => {
  const url = `postgres://bailiwick@localhost/postgres?host=${inject('socketDir')}`
  const { db: small } = await openDatabase({ from: { url }, connectionsMax: 1 })
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const holding = small.begin(() => mayEnd)
  const waiting = small.begin((tx) => tx`select 1`)
  const ending = small.end(100)
  await expect(waiting).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
  end()
  await expect(holding).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await ending
})

test('a statement that comes again is described once per connection, and reads the same', async () => {
  const asked = vi.spyOn(pg.Connection.prototype as unknown as { describe(): void }, 'describe')
  const { db: alone, close: closeAlone } = await openDatabase({ from: { url: urlHere() }, connectionsMax: 1 })
  const run = (n: number) =>
    alone.begin(
      (tx) =>
        tx`select ${n}::int as number, array['a', ${null}, 'b']::text[] as texts, '{}'::text[] as none, now() as "at"`,
    )
  const write = () => alone.begin((tx) => tx`create temp table if not exists nothing_here (a int)`)
  for (let n = 0; n < 6; n++) {
    // It came first without a name, and was prepared under one when it came again.
    if (n === 2) asked.mockClear()
    const [row] = await run(n)
    expect(row).toEqual({ number: n, texts: ['a', null, 'b'], none: [], at: expect.any(Date) as Date })
    await write()
  }
  expect(asked).not.toHaveBeenCalled()
  asked.mockRestore()
  await closeAlone()
})

test('a statement whose table changes is prepared again, with the new columns', async () => {
  await db`create table if not exists changing_here (a int)`
  const read = () => db`select * from changing_here`
  try {
    await db`insert into changing_here values (1)`
    for (let n = 0; n < 4; n++) expect(await read()).toEqual([{ a: 1 }])
    await db`alter table changing_here add column b text default 'x'`
    for (let n = 0; n < 4; n++) expect(await read()).toEqual([{ a: 1, b: 'x' }])
    await db`alter table changing_here alter column a type text using a::text`
    for (let n = 0; n < 4; n++) expect(await read()).toEqual([{ a: '1', b: 'x' }])
  } finally {
    await db`drop table changing_here`
  }
})

test.each([
  '2026-11-15 22:06:17.123+00',
  '2026-11-15 22:06:17.12+00',
  '2026-11-15 22:06:17.1+00',
  '2026-11-15 22:06:17+00',
  '2026-02-29 00:00:00.000001+00',
  '1999-12-31 23:59:59.999999+00',
  '2026-11-15 22:06:17.123+05:30',
  '2026-11-15 22:06:17-03',
  '10000-01-01 00:00:00+00',
  '2026-11-15',
  'infinity',
])('a time as PostgreSQL writes it, %s, is read as Date reads it', (text) => {
  const expected = text === '2026-02-29 00:00:00.000001+00' ? new Date('2026-03-01T00:00:00Z') : new Date(text)
  expect(toDate(text).getTime()).toBe(expected.getTime())
})

test.each([
  ['0099-01-01 00:00:00+00', '0099-01-01T00:00:00.000Z'],
  ['0001-12-31 23:59:59.5+00', '0001-12-31T23:59:59.500Z'],
  ['0050-06-01 12:00:00-03', '0050-06-01T15:00:00.000Z'],
])('a year before 100, %s, is not taken for one of the last century', (text, expected) => {
  expect(toDate(text).toISOString()).toBe(expected)
})

test('lists of any text come back as they were', async () => {
  const item = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'NULL', 'null', '{}', '"', '\\', ',', 'a,b', null),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(item.filter((text) => !text?.includes('\0') && (text?.isWellFormed() ?? true))),
      async (texts) => {
        const [row] = await db<{ texts: (string | null)[] }[]>`select ${texts}::text[] as texts`
        expect(row?.texts).toEqual(texts)
      },
    ),
    { numRuns: 100 },
  )
})

test('where BEGIN fails, nothing of the transaction is written, though it was sent along', async () => {
  await db`create table if not exists begun (n int)`
  const work = db.begin('isolation level imaginary', async (tx) => {
    // Sent in one go: what reads goes along with BEGIN, what writes waits for its answer.
    await Promise.all([tx`select 1 as one`, tx`insert into begun values (1)`, tx`select 2 as two`])
  })
  await expect(work).rejects.toThrow('imaginary')
  await expect(
    db.begin('isolation level imaginary', (tx) => tx`insert into begun values (2)`.then(() => {})),
  ).rejects.toThrow('imaginary')
  expect(await db`select n from begun`).toEqual([])
  await db`drop table begun`
})

longTest(
  'statements behind one that could not be prepared, because a table was locked, fail for the same reason',
  async () => {
    const { db: one, close: closeOne } = await openDatabase({ from: { url: urlHere() }, connectionsMax: 1 })
    await one.unsafe('create table held_table (id int); set lock_timeout = 100')
    try {
      await db.begin(async (tx) => {
        await tx`lock table held_table in access exclusive mode`
        // The first has no name; the second is prepared, and the others are sent before it is known that this failed.
        const all = await Promise.allSettled(Array.from({ length: 6 }, () => one`select id from held_table`))
        expect(all.map((each) => (each as { reason?: { code: string } }).reason?.code)).toEqual(Array(6).fill('55P03'))
      })
      expect(await one`select id from held_table`).toEqual([])
      // Also where one between them is answered: the one behind it is prepared anew, and gets the lock or the same refusal.
      const counted = () => one`select count(*)::int as count from held_table`
      await db.begin(async (tx) => {
        await tx`lock table held_table in access exclusive mode`
        const all = await Promise.allSettled([counted(), counted(), one`select 1 as free`, counted()])
        expect(all.map((each) => (each as { reason?: { code: string } }).reason?.code)).toEqual([
          ...['55P03', '55P03', undefined, '55P03'],
        ])
      })
    } finally {
      await one.unsafe('drop table held_table')
      await closeOne()
    }
  },
)
