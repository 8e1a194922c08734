import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anyone, route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { message, text } from '#kernel/wire.ts'
import { ask, outcomeOf } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

const Row = message('TestRow', { name: text() })
const stray = message('TestStray', { kind: text() })
let slow = Promise.withResolvers<void>()
const extraRoutes = [
  route({
    id: 'test.v1.Rows.Write',
    at: 'POST /test/rows',
    summary: 'Writes a row.',
    allow: anyone,
    body: Row,
    reply: Row,
    handle: async ({ db }, { body }) => {
      await transact(db, async (tx) => void (await tx`insert into written values (${body.name})`))
      return body
    },
  }),
  route({
    id: 'test.v1.Rows.WriteAndRead',
    at: 'POST /test/rows-and-read',
    summary: 'Writes a row, and then reads.',
    allow: anyone,
    body: Row,
    reply: Row,
    handle: async ({ db }, { body }) => {
      await transact(db, async (tx) => void (await tx`insert into written values (${body.name})`))
      await db`select pg_sleep(60), 'after commit'`
      return body
    },
  }),
  route({
    id: 'test.v1.Rows.WriteSlowly',
    at: 'POST /test/rows-slowly',
    summary: 'Writes a row, and waits before it commits.',
    allow: anyone,
    body: Row,
    reply: Row,
    handle: async ({ db }, { body }) => {
      await transact(db, async (tx) => {
        await tx`insert into written values (${body.name})`
        await slow.promise
      })
      return body
    },
  }),
  route({
    id: 'test.v1.Rows.Stray',
    at: 'POST /test/stray',
    summary: 'Loses an error.',
    allow: anyone,
    body: stray,
    reply: Row,
    handle: async (_call, { body }) => {
      void Promise.reject(new Error(`lost: ${body.kind}`))
      await new Promise(() => {})
      return {}
    },
  }),
]

let server: TestServer
beforeAll(async () => {
  server = await startServer({ extraRoutes })
  await server.db`create table written (name text)`
  // Checked as part of COMMIT, which then takes as long as the test needs.
  await server.db.unsafe(`
    create function wait_at_commit() returns trigger language plpgsql as $$
    begin
      if new.name like 'slow %' then perform pg_sleep(60); end if;
      if new.name like 'refused %' then raise exception 'refused at commit'; end if;
      if new.name like 'doubt %' then raise warning 'failed to commit transaction on 10.0.0.7:5432'; end if;
      if new.name like 'node %' then raise exception 'connection to the remote node failed' using errcode = '08006'; end if;
      if new.name like 'shard %' then
        raise exception 'could not commit transaction for shard 102273 on at least one active node' using errcode = 'XX000';
      end if;
      if new.name like 'relayed %' then raise exception E'SSL SYSCALL error: EOF detected\ninvalid socket' using errcode = 'XX000'; end if;
      return null;
    end $$`)
  await server.db`
    create constraint trigger at_commit after insert on written
    deferrable initially deferred for each row execute function wait_at_commit()`
})
afterAll(() => server.stop())
beforeEach(() => {
  slow = Promise.withResolvers<void>()
})

const write = (name: string, path = '/test/rows') => ask(server, path, { body: { name } })
const isThere = async (name: string) => (await server.db`select 1 from written where name = ${name}`).length > 0
/** Ends what sleeps there, and not what the server itself does meanwhile. */
const terminate = (like: string) => server.db`
  select pg_terminate_backend(pid) from pg_stat_activity
  where query like ${like} and wait_event = 'PgSleep' and datname = current_database() and pid <> pg_backend_pid()`

test('a connection that is lost while COMMIT runs, and that was rolled back, is a 503, and nothing was changed', async () => {
  const asking = write('slow 1')
  await until(async () => (await terminate('commit%')).length === 1)
  const reply = await asking
  expect(outcomeOf(reply)).toBe('503/14 DATABASE_AWAY')
  expect(reply.json['message']).toContain('nothing was changed')
  expect(await isThere('slow 1')).toBe(false)
})

test('a constraint that refuses at COMMIT is no unknown outcome', async () => {
  expect((await write('refused 1')).status).toBe(500)
  expect(outcomeOf(await write('refused 1'))).toBe('500/13 INTERNAL')
  expect(await isThere('refused 1')).toBe(false)
})

test('a cluster that answers COMMIT but lost the node that was to commit leaves an unknown outcome', async () => {
  const reply = await write('doubt 1')
  expect(outcomeOf(reply)).toBe('504/4 OUTCOME_UNKNOWN')
  expect(reply.json['message']).toContain('Idempotency-Key')
  // A connection that was in doubt once is not so for ever.
  expect((await write('without 1')).status).toBe(200)
})

test('a cluster that loses a node at COMMIT, and says so as an error, leaves an unknown outcome', async () => {
  expect(outcomeOf(await write('node 1'))).toBe('504/4 OUTCOME_UNKNOWN')
  // Citus relays what its own connection said, as an internal error.
  expect(outcomeOf(await write('relayed 1'))).toBe('504/4 OUTCOME_UNKNOWN')
  expect(outcomeOf(await write('shard 1'))).toBe('504/4 OUTCOME_UNKNOWN')
})

test('a connection that is lost before COMMIT is a 503, and nothing was changed', async () => {
  const asking = write('before', '/test/rows-slowly')
  await until(
    async () =>
      (
        await server.db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where state = 'idle in transaction' and query like '%insert into written%' and datname = current_database()`
      ).length === 1,
  )
  // Once its session has gone, its connection has heard of it.
  await until(
    async () =>
      (
        await server.db`
    select 1 from pg_stat_activity where query like '%insert into written%' and datname = current_database()
      and pid <> pg_backend_pid()`
      ).length === 0,
  )
  slow.resolve()
  expect(outcomeOf(await asking)).toBe('503/14 DATABASE_AWAY')
  expect(await isThere('before')).toBe(false)
})

test('what fails after a change was committed is not answered as not done', async () => {
  const asking = write('kept', '/test/rows-and-read')
  await until(async () => (await terminate('%after commit%')).length === 1)
  const reply = await asking
  expect(outcomeOf(reply)).toBe('504/4 OUTCOME_UNKNOWN')
  expect(reply.headers['retry-after']).toBeUndefined()
  expect(reply.json['message']).toContain('Idempotency-Key')
  expect(await isThere('kept')).toBe(true)
})

test('an error that nobody handles is logged and counted, its request gets 500, and the server goes on', async () => {
  // The tests before lose connections on purpose.
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200)
  const unguard = server.serving.guard(() => {
    throw new Error('a rejection is no reason to give up')
  })
  // The test runner's own would fail the run.
  const others = process.listeners('unhandledRejection').slice(0, -1)
  for (const other of others) process.off('unhandledRejection', other)
  const reply = await ask(server, '/test/stray', { body: { kind: 'secret-token:x:abcdef' } })
  for (const other of others) process.on('unhandledRejection', other)
  unguard()
  expect(outcomeOf(reply)).toBe('500/13 INTERNAL')
  const told = server.logged.filter(({ msg }) => msg === 'unhandled rejection')
  expect(told).toHaveLength(1)
  expect(JSON.stringify(told)).not.toContain('abcdef')
  const metrics = await (await fetch(server.serving.metricsUrl as string)).text()
  expect(metrics).toContain('bailiwick_unhandled_errors_total{kind="rejection"} 1')
  expect((await write('goes on')).status).toBe(200)
})
