import { expect, test } from 'vitest'
import { csvLine } from '#kernel/csv.ts'
import { transact } from '#kernel/sql.ts'
import { sealTenant } from '#rooms/foundation/systemlog/chain/seal.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { fileEventsMax } from '#rooms/foundation/systemlog/search/file.ts'
import { ask, fieldsOf, getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { type Event, listAll, prepare, uidOf } from './support.ts'

const setting = prepare()
const path = '/api/v1/search/systemlog/events'
type Named = { id: string; type: string; displayName: string; appName: string; isDeleted: boolean }
type Found = { list: Event[]; names: Named[]; nextPageToken: string; searchedUntil: string | null }

async function search(body: object, token = setting.token): Promise<Found> {
  const reply = await ask(setting.server, path, { token, body })
  expect(reply.status, reply.text).toBe(200)
  return reply.json as unknown as Found
}
async function searchAll(body: object): Promise<Event[]> {
  const events: Event[] = []
  for (let pageToken = ''; ; ) {
    const page = await search({ pageSize: 10, ...body, pageToken })
    events.push(...page.list)
    if (page.nextPageToken === '') return events
    pageToken = page.nextPageToken
  }
}
const create = async (displayName: string, token = setting.token): Promise<string> => {
  const reply = await ask(setting.server, '/api/v1/apps', { token, body: { displayName } })
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['app'] as Json)['id'] as string
}

test('events are found by person, object, type, kind, outcome, words and time, alone and together', async () => {
  const { server, access } = setting
  const other = await access.makeCaller(['system:owner'])
  const theirs = await getToken(server, other)
  const wiki = await create('Sales Wiki')
  const board = await create('Board', theirs)
  await ask(server, `/api/v1/apps/${board}`, {
    token: theirs,
    body: { app: { description: 'x' }, updateMask: 'description' },
  })
  await ask(server, `/api/v1/apps/${wiki}`, { token: theirs, method: 'DELETE', body: {} })
  const basic = await getToken(server, await access.makeCaller(['system:user']))
  expect((await ask(server, '/api/v1/apps', { token: basic, body: { displayName: 'no' } })).status).toBe(403)

  const all = await listAll(server, setting.token)
  const actorOf = (event: Event): string | undefined => (event.actor.user ?? event.user)?.uid
  const expectSame = async (body: object, fits: (event: Event) => boolean): Promise<Event[]> => {
    const expected = all.filter(fits).map(uidOf).toReversed()
    const found = await searchAll({ ...body, until: new Date((all.at(-1) as Event).time + 1).toISOString() })
    expect(found.map(uidOf)).toEqual(expected)
    expect(expected.length, JSON.stringify(body)).toBeGreaterThan(0)
    return found
  }
  await expectSame({}, () => true)
  await expectSame({ actorId: other.userId }, (event) => actorOf(event) === other.userId)
  await expectSame({ objectId: wiki }, (event) => JSON.stringify(event.resources ?? []).includes(wiki))
  await expectSame({ objectType: 'app' }, (event) => event.resources?.some(({ type }) => type === 'app') === true)
  await expectSame({ kind: 'EVENT_KIND_CREATE' }, (e) => e.class_uid === 6003 && e.activity_id === 1)
  await expectSame({ kind: 'EVENT_KIND_UPDATE' }, (e) => e.class_uid === 6003 && e.activity_id === 3)
  await expectSame({ kind: 'EVENT_KIND_DELETE' }, (e) => e.class_uid === 6003 && e.activity_id === 4)
  await expectSame({ kind: 'EVENT_KIND_TOKEN' }, (e) => e.class_uid === 3002)
  await expectSame({ kind: 'EVENT_KIND_DENIAL' }, (e) => e.api?.response !== undefined)
  await expectSame({ outcome: 'EVENT_OUTCOME_FAILURE' }, (e) => e.status === 'Failure')
  await expectSame({ outcome: 'EVENT_OUTCOME_SUCCESS' }, (e) => e.status === 'Success')
  // Words in any order, of any part of a name, in any case.
  await expectSame({ query: 'WIKI sal' }, (e) => /wiki/i.test(e.message) && /sal/i.test(e.message))
  await expectSame(
    { actorId: other.userId, objectId: board, kind: 'EVENT_KIND_UPDATE', outcome: 'EVENT_OUTCOME_SUCCESS' },
    (e) => e.message.startsWith('Changed') && JSON.stringify(e.resources).includes(board),
  )
  const up = await searchAll({ objectId: board, sortDirection: 'SORT_DIRECTION_ASC' })
  expect(up.map(uidOf)).toEqual((await searchAll({ objectId: board })).map(uidOf).toReversed())
  const [first] = up as [Event]
  const since = new Date(first.time + 1).toISOString()
  expect((await searchAll({ objectId: board, since })).map(uidOf)).not.toContain(uidOf(first))
  expect(await searchAll({ query: 'nothing-is-called-this' })).toEqual([])
  expect(await searchAll({ actorId: `x' or '1'='1` })).toEqual([])
})

test('words that JSON escapes, letters beyond ASCII and signs are found', async () => {
  await create('Büro "Süd" 100% \\ _x_')
  for (const query of ['BÜRO', '"süd"', '100%', '\\', '_x_', 'büro süd'])
    expect(
      (await search({ query, kind: 'EVENT_KIND_CREATE' })).list.map((e) => e.message),
      query,
    ).toContainEqual(expect.stringContaining('Büro'))
  expect((await search({ query: '1000%' })).list).toEqual([])
})

test('what an update changed is in its event with what it was before; what stayed is not', async () => {
  const id = await create('Before')
  const body = { app: { displayName: 'After', description: 'new' }, updateMask: 'displayName,description' }
  await ask(setting.server, `/api/v1/apps/${id}`, { token: setting.token, body })
  const { list } = await search({ objectId: id, kind: 'EVENT_KIND_UPDATE' })
  expect(list[0]?.resources?.[0]).toMatchObject({ name: 'After', data: { description: 'new' } })
  expect(list[0]?.resources?.[0]?.data?.['before']).toEqual({ displayName: 'Before', description: '' })
})

test('a page comes with the names of what its events mention, also of what was deleted', async () => {
  const { server, token } = setting
  const appId = await create('Named')
  const made = await ask(server, `/api/v1/apps/${appId}/entitlements`, { token, body: { displayName: 'Editor' } })
  const entitlement = ((made.json['appEntitlementView'] as Json)['appEntitlement'] as Json)['id'] as string
  const { names } = await search({ objectId: entitlement })
  expect(names).toContainEqual(
    expect.objectContaining({ id: entitlement, type: 'entitlement', displayName: 'Editor', appName: 'Named' }),
  )
  expect(names).toContainEqual(expect.objectContaining({ id: setting.owner.userId, type: 'user' }))
  await ask(server, `/api/v1/apps/${appId}`, { token, method: 'DELETE', body: {} })
  const after = await search({ objectId: appId, kind: 'EVENT_KIND_DELETE' })
  expect(after.names).toContainEqual(expect.objectContaining({ id: appId, displayName: 'Named', isDeleted: true }))
})

test('one event is read by its id; another tenant’s, and what is no id, is not found', async () => {
  const { server, token, access } = setting
  const [event] = (await search({})).list as [Event]
  const one = await ask(server, `/api/v1/systemlog/events/${uidOf(event)}`, { token })
  expect(one.json['event']).toEqual(event)
  expect(Number(one.json['link'])).toBeGreaterThan(0)
  const elsewhere = await access.makeTenant('log-search.example.com')
  const [foreign] = await server.db<{ id: string }[]>`
    select event_id as id from systemlog_events where tenant_id = ${elsewhere.id} limit 1`
  for (const id of [foreign?.id as string, access.world.newId(), 'x', `%27%3B--`])
    expect(outcomeOf(await ask(server, `/api/v1/systemlog/events/${id}`, { token }))).toBe('404/5 EVENT_NOT_FOUND')
})

test('only who may read the log searches, reads and downloads it', async () => {
  const { server, access } = setting
  const basic = await getToken(server, await access.makeCaller(['system:user']))
  const reader = await getToken(server, await access.makeCaller(['system:system-logs-reader']))
  const [event] = (await search({})).list as [Event]
  const asked: [string, object | undefined][] = [
    [path, {}],
    [`/api/v1/systemlog/events/${uidOf(event)}`, undefined],
    ['/api/v1/systemlog/download', undefined],
    ['/api/v1/systemlog/verification', undefined],
  ]
  for (const [address, body] of asked) {
    expect(outcomeOf(await ask(server, address, { token: basic, body }))).toBe('403/7 PERMISSION_DENIED')
    expect((await ask(server, address, { token: reader, body })).status).toBe(200)
  }
  expect(outcomeOf(await ask(server, '/api/v1/systemlog/verification', { token: reader, body: {} }))).toBe(
    '403/7 PERMISSION_DENIED',
  )
})

test('what is no filter is refused by name, and a page token goes with its filter only', async () => {
  const { server, token } = setting
  for (const [field, value] of [
    ['kind', 'UPDATE'],
    ['outcome', 1],
    ['query', 'x'.repeat(201)],
    ['actorId', 'x'.repeat(65)],
    ['since', 'yesterday'],
  ] as const) {
    const reply = await ask(server, path, { token, body: { [field]: value } })
    expect([reply.status, fieldsOf(reply)]).toEqual([400, [field]])
  }
  const { nextPageToken: pageToken } = await search({ pageSize: 10 })
  const reply = await ask(server, path, { token, body: { pageToken, query: 'app' } })
  expect(outcomeOf(reply)).toBe('400/3 PAGE_TOKEN_INVALID')
})

longTest(
  'a search through many events looks at a limited part of them at a time, and finds all in the end',
  async () => {
    const { access, server } = setting
    const { world, tenant } = access
    const cause = operatorCause(tenant, 'test')
    const needle = change(cause, 'read', 'the needle', [])
    await transact(world.db, (tx) => record(tx, world, cause, needle))
    await sealTenant(world, tenant.id)
    // Many more in that link than it holds: nothing checks it here.
    await server.db.unsafe('alter table systemlog_events disable trigger all')
    await server.db`
    insert into systemlog_events (tenant_id, event_id, occurred_at, event, mac, seal_number, seal_position)
    select ${tenant.id}, lpad(n::text, 27, '0'), now(), '{"severity_id":1,"message":"haystack","status_id":1,"time":1}', ''::bytea,
      (select max(seal_number) from systemlog_events where tenant_id = ${tenant.id}), 1000 + n
    from generate_series(1, 45000) n`
    await server.db.unsafe('alter table systemlog_events enable trigger all')
    await transact(world.db, (tx) => record(tx, world, cause, needle))
    try {
      expect((await searchAll({ query: 'needle' })).map((e) => e.message)).toEqual(['the needle', 'the needle'])
      // Two places in a row of the same words, in both orders, over the borders of what is looked at at once.
      expect(await searchAll({ query: 'needle', sortDirection: 'SORT_DIRECTION_ASC' })).toHaveLength(2)
      const page = await search({ query: 'haystack', pageSize: 100 })
      expect(page.list).toHaveLength(100)
      const file = await ask(server, '/api/v1/systemlog/download?query=haystack', { token: setting.token })
      expect(file.text.trim().split('\r\n')).toHaveLength(45_001)
    } finally {
      await server.db.unsafe('alter table systemlog_events disable trigger all')
      await server.db`delete from systemlog_events where tenant_id = ${tenant.id} and event_id like '0000%'`
      await server.db.unsafe('alter table systemlog_events enable trigger all')
    }
  },
)

test('a download holds what the filters select, as CSV that no spreadsheet calculates, and as JSON as it was recorded', async () => {
  const { server, token } = setting
  const name = '=HYPERLINK("http://evil.example";"x"), 1'
  const id = await create(name)
  const query = `object_id=${id}&kind=EVENT_KIND_CREATE`
  const csv = await ask(server, `/api/v1/systemlog/download?format=csv&${query}`, { token })
  expect(csv.status, csv.text).toBe(200)
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="system-log-\d{4}-\d\d-\d\d\.csv"$/)
  const lines = csv.text.trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^\ufefftime,event_id,message,outcome,/)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(setting.owner.userId)
  const json = await ask(server, `/api/v1/systemlog/download?format=json&${query}`, { token })
  expect(json.headers['content-type']).toBe('application/json')
  const { events, truncated } = JSON.parse(json.text) as { events: Event[]; truncated: boolean }
  expect(truncated).toBe(false)
  expect(events).toEqual((await search({ objectId: id, kind: 'EVENT_KIND_CREATE' })).list)
  expect(fileEventsMax).toBe(100_000)
  const empty = await ask(server, '/api/v1/systemlog/download?format=json&query=nothing-like-it', { token })
  expect(JSON.parse(empty.text)).toEqual({ events: [], truncated: false })
  const refused = await ask(server, '/api/v1/systemlog/download?format=xml', { token })
  expect([refused.status, fieldsOf(refused)]).toEqual([400, ['format']])
})

test('a cell that begins like a formula begins with an apostrophe', () => {
  for (const sign of ['=', '+', '-', '@', '\t', '\r']) expect(csvLine([`${sign}1+1`]).replace(/^"/, '')).toMatch(/^'/)
  expect(csvLine(['a "b", c'])).toBe('"a ""b"", c"\r\n')
  expect(csvLine(['plain'])).toBe('plain\r\n')
})
