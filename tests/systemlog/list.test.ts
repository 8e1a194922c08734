import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Tx, transact } from '#kernel/sql.ts'
import { sealTenant } from '#rooms/foundation/systemlog/chain/seal.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { listEvents } from '#rooms/foundation/systemlog/store.ts'
import { ask, fieldsOf, reasonOf } from '../fixture/access.ts'
import { until as waitUntil } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { type Event, listAll, listPage, prepare, runEach, uidOf, verify } from './support.ts'

const setting = prepare()
const path = '/api/v1/systemlog/events'
const descending = { sortDirection: 'SORT_DIRECTION_DESC' }

/** Writes events as if they had occurred at these times. */
async function recordAt(times: readonly number[], name: string): Promise<void> {
  const { world, tenant } = setting.access
  const cause = operatorCause(tenant, 'test')
  await transact(world.db, async (tx) => {
    for (const time of times)
      await record(tx, { ...world, now: () => new Date(time) }, cause, change(cause, 'read', name, []))
  })
}
const inChain = (name: string): Promise<{ time: number; id: string }[]> =>
  setting.server.db`
    select (extract(epoch from occurred_at) * 1000)::bigint as time, event_id as id from systemlog_events
    where tenant_id = ${setting.access.tenant.id} and event like ${`%"message":"${name}"%`}
    order by seal_number, seal_position`
const iso = (time: number): string => new Date(time).toISOString()

test('pages go both ways through the same events, each once', async () => {
  await recordAt(
    Array.from({ length: 57 }, () => Date.now()),
    'paged',
  )
  const { server, token } = setting
  for (const pageSize of [10, 23, 100]) {
    const up = await listAll(server, token, { pageSize })
    const down = await listAll(server, token, { pageSize, ...descending })
    expect(new Set(up.map(uidOf)).size).toBe(up.length)
    expect(down.map(uidOf)).toEqual(up.map(uidOf).toReversed())
    expect(up.length).toBeGreaterThan(57)
    expect(up[0]?.message).toMatch(/^Created the tenant/)
  }
  const unspecified = await listAll(server, token, { sortDirection: 'SORT_DIRECTION_UNSPECIFIED' })
  expect(unspecified.map(uidOf)).toEqual((await listAll(server, token)).map(uidOf))
})

test('since includes its instant and until does not, to the millisecond', async () => {
  const { server, token } = setting
  const begin = Date.UTC(2024, 1, 29, 12)
  await recordAt([begin, begin + 1, begin + 2, begin + 1000], 'leap day')
  const between = async (since: string | undefined, until: string | undefined): Promise<number[]> =>
    (await listAll(server, token, { since, until })).filter((e) => e.message === 'leap day').map((e) => e.time - begin)
  expect(await between(iso(begin), iso(begin + 2))).toEqual([0, 1])
  expect(await between(iso(begin + 1), undefined)).toEqual([1, 2, 1000])
  expect(await between(undefined, iso(begin + 1))).toEqual([0])
  expect(await between(iso(begin + 1), iso(begin + 1))).toEqual([])
  expect(await between(iso(begin + 1001), iso(begin))).toEqual([])
  expect(await between('2024-02-29T13:00:00.001+01:00', iso(begin + 2))).toEqual([1])
  expect(await listAll(server, token, { since: '2999-01-01T00:00:00Z' })).toEqual([])
  expect(await between('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z')).toEqual([0, 1, 2, 1000])
  expect(await listAll(server, token, { until: '1999-01-01T00:00:00Z', ...descending })).toEqual([])
})

test('by time no event is missed, however the clocks of servers differ and however late events come', async () => {
  const { server, token, access } = setting
  const begin = Date.UTC(2030, 0, 1)
  let seed = 7
  const dice = (sides: number): number => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % sides
  }
  // Each round is a link: mostly in order, some an hour ahead, some half an hour late.
  for (let round = 0; round < 40; round++) {
    const astray = () => (dice(8) === 0 ? 3_600_000 : dice(8) === 0 ? -1_800_000 : 0)
    await recordAt(
      Array.from({ length: 1 + dice(4) }, () => begin + round * 60_000 + dice(60_000) + astray()),
      'astray',
    )
    await sealTenant(access.world, access.tenant.id)
  }
  const events = await inChain('astray')
  const late =
    await server.db`select 1 from systemlog_seals where comes_late and sealed_at > now() - interval '1 minute'`
  expect(late.length).toBeGreaterThan(3)
  for (let n = 0; n < fewOrMany(10, 40); n++) {
    const since = begin + (dice(50) - 5) * 60_000
    const until = since + dice(40) * 60_000
    const expected = events.filter(({ time }) => time >= since && time < until).map(({ id }) => id)
    const order = n % 2 ? descending : {}
    const found = await listAll(server, token, { since: iso(since), until: iso(until), pageSize: 10, ...order })
    const uids = found.filter((event) => event.message === 'astray').map(uidOf)
    expect(n % 2 ? uids.toReversed() : uids).toEqual(expected)
  }
  expect((await verify(setting)).findings).toEqual([])
})

test('sinceEventUid and untilEventUid bound the list on either side, and leave the events themselves out', async () => {
  const { server, token } = setting
  const all = await listAll(server, token)
  const [from, to] = [all[5] as Event, all[40] as Event]
  const bounds = { sinceEventUid: uidOf(from), untilEventUid: uidOf(to) }
  const expected = all.slice(6, 40).map(uidOf)
  expect((await listAll(server, token, { ...bounds, pageSize: 10 })).map(uidOf)).toEqual(expected)
  const down = await listAll(server, token, { ...bounds, ...descending, pageSize: 10 })
  expect(down.map(uidOf)).toEqual(expected.toReversed())
  const snake = { since_event_uid: bounds.sinceEventUid, until_event_uid: bounds.untilEventUid }
  expect((await listAll(server, token, snake)).map(uidOf)).toEqual(expected)
  expect(await listAll(server, token, { sinceEventUid: uidOf(to), untilEventUid: uidOf(from) })).toEqual([])
  expect(await listAll(server, token, { sinceEventUid: uidOf(from), untilEventUid: uidOf(from) })).toEqual([])
  const past = all.slice(0, 6).map((event) => event.time)
  const since = iso(Math.max(...past))
  const both = await listAll(server, token, { ...bounds, since })
  expect(both.map(uidOf)).toEqual(
    all
      .slice(6, 40)
      .filter((event) => event.time >= Date.parse(since))
      .map(uidOf),
  )
})

test('an event uid that is not of this log, and what is no time, is refused by name', async () => {
  const { server, token, access } = setting
  await access.makeTenant('elsewhere.example.com')
  const [foreign] = await server.db<{ id: string }[]>`
    select event_id as id from systemlog_events where tenant_id <> ${access.tenant.id} limit 1`
  for (const field of ['sinceEventUid', 'untilEventUid'])
    for (const uid of ['x', access.world.newId(), foreign?.id, `'; drop table x`, 'ü'.repeat(5000)]) {
      const reply = await ask(server, path, { token, body: { [field]: uid } })
      expect([reply.status, reasonOf(reply), fieldsOf(reply)]).toEqual([400, 'INPUT_INVALID', [field]])
    }
  for (const since of ['yesterday', 12, '2024-13-01T00:00:00Z', {}]) {
    const reply = await ask(server, path, { token, body: { since } })
    expect([reply.status, fieldsOf(reply)]).toEqual([400, ['since']])
  }
  const reply = await ask(server, path, { token, body: { sortDirection: 'UP' } })
  expect([reply.status, fieldsOf(reply)]).toEqual([400, ['sortDirection']])
})

test('a page token goes with its filter and its order only, and with another page size', async () => {
  const { server, token } = setting
  const first = await listPage(server, token, { pageSize: 10, ...descending })
  const { nextPageToken: pageToken } = first
  for (const body of [
    {},
    { ...descending, since: iso(1) },
    { ...descending, untilEventUid: uidOf(first.list[0] as Event) },
  ]) {
    const reply = await ask(server, path, { token, body: { ...body, pageToken } })
    expect([reply.status, reasonOf(reply)]).toEqual([400, 'PAGE_TOKEN_INVALID'])
  }
  const second = await listPage(server, token, { pageSize: 17, ...descending, pageToken })
  const both = await listPage(server, token, { pageSize: 27, ...descending })
  expect([...first.list, ...second.list].map(uidOf)).toEqual(both.list.map(uidOf))
})

test('what was answered is in the list that is asked for next, also by another server', async () => {
  const { server, token } = setting
  const other = await startServer({ beside: server })
  try {
    for (let n = 0; n < fewOrMany(6, 20); n++) {
      const at = n % 2 ? server : other
      const reply = await ask(at, '/api/v1/iam/personal_clients', { token, body: { displayName: `at once ${n}` } })
      const page = await listPage(n % 3 ? server : other, token, { pageSize: 10, ...descending })
      expect(page.list[0]?.api?.request?.uid).toBe(reply.headers['x-request-id'])
    }
  } finally {
    await other.stop()
  }
})

test('who follows with sinceEventUid while others write sees every event once, also those that commit late', async () => {
  const { server, token, access } = setting
  const { world, tenant } = access
  const cause = operatorCause(tenant, 'test')
  const begun = await listAll(server, token)
  let isOver = false
  let written = 0
  const write = async (line: number): Promise<void> => {
    while (!isOver)
      await transact(world.db, async (tx) => {
        await record(tx, world, cause, change(cause, 'read', `following ${++written}`, []))
        // Every second writer records early and commits late.
        if (line % 2) await sleep(30 * line)
      })
  }
  const seen: Event[] = []
  const follow = async (): Promise<void> => {
    let last = uidOf(begun.at(-1) as Event)
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const news = await listAll(server, token, { sinceEventUid: last, pageSize: 10 })
      seen.push(...news)
      last = news.length > 0 ? uidOf(news.at(-1) as Event) : last
    }
  }
  const writing = Promise.all([0, 1, 2, 3, 4, 5, 6].map(write))
  const following = follow()
  await waitUntil(() => seen.length > fewOrMany(50, 500))
  isOver = true
  await writing
  await following
  const rest = await listAll(server, token, { sinceEventUid: uidOf((seen.at(-1) ?? begun.at(-1)) as Event) })
  const all = [...seen, ...rest].filter((event) => event.message.startsWith('following '))
  expect(all.map(uidOf)).toEqual((await inFollowing()).map(({ id }) => id))
  expect(new Set(all.map((event) => event.message)).size).toBe(written)
  // They did commit out of order of their ids.
  expect(all.map(uidOf)).not.toEqual(all.map(uidOf).toSorted())
})
const inFollowing = (): Promise<{ id: string }[]> => setting.server.db`
  select event_id as id from systemlog_events
  where event like '%"message":"following %' order by seal_number, seal_position`

test('a page costs the same at either end and in the middle of a long log, by time as by event', async () => {
  const { server, access } = setting
  const { world } = access
  const tenant = await access.makeTenant('long.example.com')
  const last = fewOrMany(10_000, 50_000)
  const middle = last / 2
  await runEach(
    world.db,
    `
    alter table systemlog_events disable trigger all;
    insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac, seal_number, seal_position)
      select ${tenant.id}, lpad(n::text, 27, '0'), timestamptz '2040-01-01' + n * interval '1 minute', '{}', '', 
        1000 + n / 5, 1 + n % 5 from generate_series(1, ${last}) n;
    alter table systemlog_events enable trigger all;
    insert into systemlog_seals (tenant_id, seal_number, event_count, sealed_at, earliest_at, latest_at, comes_late, mac)
      select tenant_id, seal_number, count(*), max(occurred_at), min(occurred_at), max(occurred_at), false, ''
      from systemlog_events where tenant_id = ${tenant.id} and seal_number >= 1000 group by 1, 2;
    analyze systemlog_events; analyze systemlog_seals;`,
  )
  const minute = (n: number): Date => new Date(Date.UTC(2040, 0, 1) + n * 60_000)
  const none = { since: null, until: null, after: null, before: null, isDescending: false }
  const filters = [
    none,
    { ...none, isDescending: true },
    { ...none, since: minute(middle) },
    { ...none, since: minute(middle), isDescending: true },
    { ...none, since: minute(10), until: minute(20) },
    { ...none, until: minute(3), after: [1000, 1] as const },
    { ...none, until: minute(middle), isDescending: true },
    { ...none, since: minute(middle - 10), until: minute(middle), isDescending: true },
    { ...none, since: minute(last + 10_000) },
    { ...none, after: [1000 + last / 10, 1] as const },
    { ...none, before: [1000 + last / 10, 1] as const, isDescending: true },
  ]
  // PostgreSQL counts by session until it has time to add them up: what the session read before is not of this page.
  const fetchedBy = async (tx: Tx) => {
    const [row] = await tx<{ events: number; seals: number }[]>`
      select pg_stat_get_xact_tuples_fetched('systemlog_events'::regclass) + pg_stat_get_xact_tuples_returned('systemlog_events'::regclass) as events,
        pg_stat_get_xact_tuples_fetched('systemlog_seals'::regclass) + pg_stat_get_xact_tuples_returned('systemlog_seals'::regclass) as seals`
    return row as { events: number; seals: number }
  }
  for (const filter of filters) {
    const [before, after] = await transact(server.db, async (tx) => {
      const first = await fetchedBy(tx)
      await listEvents(tx, tenant.id, filter, 26)
      return [first, await fetchedBy(tx)]
    })
    expect(after.events - before.events, JSON.stringify(filter)).toBeLessThan(400)
    expect(after.seals - before.seals, JSON.stringify(filter)).toBeLessThan(100)
  }
})
