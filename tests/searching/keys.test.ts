import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#kernel/sql.ts'
import { updateRecords } from '#rooms/foundation/writes/index.ts'
import { type Access, ask, getToken, type Json, openAccess } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { insert, update } from '../fixture/write.ts'

let server: TestServer
let access: Access
let token: string
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

type Named = { id?: string; name: string; email?: string; isDeleted?: boolean }

async function insertUsers(db: Db, tenantId: number, people: readonly Named[]): Promise<string[]> {
  const rows = people.map(({ id = access.world.newId(), name, email = '', isDeleted = false }) => ({
    tenant_id: tenantId,
    user_id: id,
    display_name: name,
    email,
    emails: email ? [email] : [],
    status: isDeleted ? 'DELETED' : 'ENABLED',
    created_at: new Date(),
    updated_at: new Date(),
    deleted_at: isDeleted ? new Date() : null,
  }))
  await insert(db, tenantId, 'users', db(rows))
  return rows.map((row) => row.user_id)
}

async function makeApp(name: string): Promise<string> {
  const reply = await ask(server, '/api/v1/apps', { token, body: { displayName: name } })
  return (reply.json['app'] as { id: string }).id
}

const insertAccount = async (appId: string, name: string, isDeleted = false): Promise<string> => {
  const id = access.world.newId()
  const status = isDeleted ? 'STATUS_DELETED' : 'STATUS_ENABLED'
  const times = { created_at: new Date(), updated_at: new Date(), deleted_at: isDeleted ? new Date() : null }
  const row = { tenant_id: access.tenant.id, app_id: appId, account_id: id, display_name: name, status, ...times }
  await insert(server.db, access.tenant.id, 'accounts', server.db([row]))
  return id
}

/** The keys of something, with which row each is and since which transaction. */
const rowsOf = (id: string) => server.db<{ kind: string; key: string; row: string }[]>`
  select kind, key, ctid::text || ' ' || xmin::text as row from search_keys where object_id = ${id} order by key`
const keysOf = async (id: string): Promise<string[]> => (await rowsOf(id)).map(({ kind, key }) => `${kind} ${key}`)

/** All that a search answers, page by page. */
async function searchAll(kind: string, body: object, idIn: (item: Json) => unknown): Promise<unknown[]> {
  const found: unknown[] = []
  for (let pageToken = ''; ; ) {
    const reply = await ask(server, `/api/v1/search/${kind}`, { token, body: { ...body, pageSize: 10, pageToken } })
    expect(reply.status, reply.text).toBe(200)
    found.push(...(reply.json['list'] as Json[]).map(idIn))
    pageToken = reply.json['nextPageToken'] as string
    if (pageToken === '') return found
  }
}
const userIn = (item: Json): unknown => (item['user'] as Json)['id']
const entitlementIn = (item: Json): unknown => (item['appEntitlement'] as Json)['id']
const accountIn = (item: Json): unknown => (item['appUser'] as Json)['id']

test('what changes neither a name nor an address of a user or an account leaves their keys alone', async () => {
  const [user] = (await insertUsers(server.db, access.tenant.id, [
    { name: 'Ivo Quill', email: 'ivo@example.com' },
  ])) as [string]
  const account = await insertAccount(await makeApp('Quills'), 'ivo-q')
  const before = [await rowsOf(user), await rowsOf(account)]
  expect(before.flat().map(({ key }) => key)).toEqual(['ivo quill', 'ivo@example.com', 'quill', 'ivo-q', 'q'])
  const { db } = server
  const plain = { department: 'Ink', status: 'DISABLED', profile: '{"a": 1}', updated_at: new Date() }
  await update(db, 'users', plain, db`x.user_id = ${user}`)
  // Also where the same name is written again, as imports do.
  await update(db, 'users', { ...plain, display_name: 'Ivo Quill', deleted_at: null }, db`x.user_id = ${user}`)
  await update(db, 'accounts', { user_id: user, status: 'STATUS_DISABLED' }, db`x.account_id = ${account}`)
  expect([await rowsOf(user), await rowsOf(account)]).toEqual(before)

  await update(db, 'users', { display_name: 'Ivo Inkwell', employee_ids: ['E7'] }, db`x.user_id = ${user}`)
  await update(db, 'accounts', { usernames: ['ivo2'] }, db`x.account_id = ${account}`)
  expect(await keysOf(user)).toEqual(['user e7', 'user inkwell', 'user ivo inkwell', 'user ivo@example.com'])
  expect(await keysOf(account)).toEqual(['account ivo-q', 'account ivo2', 'account q'])
})

test('of many records that one statement changes, only those with other search keys are written again', async () => {
  const ids = await insertUsers(
    server.db,
    access.tenant.id,
    Array.from({ length: 6 }, (_, i) => ({ name: `Umber ${i}` })),
  )
  const before = await Promise.all(ids.map((id) => rowsOf(id)))
  const name = server.db`case when x.user_id = ${ids[3] as string} then 'Ochre' else x.display_name end`
  const where = server.db`x.user_id = any(${ids})`
  await update(server.db, 'users', { department: 'Paint', display_name: name }, where)
  const after = await Promise.all(ids.map((id) => rowsOf(id)))
  expect(after.map((rows, i) => JSON.stringify(rows) === JSON.stringify(before[i]))).toEqual(ids.map((_, i) => i !== 3))
  expect(await keysOf(ids[3] as string)).toEqual(['user ochre'])
})

longTest('a change of many is quick also where changes of few came before it', async () => {
  const people = Array.from({ length: 4000 }, (_, i) => ({ name: `Sepia ${i}` }))
  const ids: string[] = []
  for (let from = 0; from < people.length; from += 2000)
    ids.push(...(await insertUsers(server.db, access.tenant.id, people.slice(from, from + 2000))))
  // In one session: what was found good for one row is not kept for thousands. Row by row that would be minutes.
  await server.db.begin(async (tx) => {
    const set = { display_name: tx`x.display_name || ' X'` }
    for (const id of ids.slice(0, 7))
      await updateRecords(tx, access.tenant.id, 'users', { set, where: tx`x.user_id = any(${[id]})` })
    await tx`set local statement_timeout = '20s'`
    await updateRecords(tx, access.tenant.id, 'users', { set, where: tx`x.user_id = any(${ids})` })
  })
  expect(await keysOf(ids[0] as string)).toEqual(['user 0 x x', 'user sepia 0 x x', 'user x', 'user x x'])
})

test('someone whom several of their names fit is found once, at the first of them, on whatever page', async () => {
  const people = Array.from({ length: 25 }, (_, i) => {
    const end = String.fromCharCode(97 + i)
    return { name: `Zim${end} Zimz${end} Aa`, email: `zim${String.fromCharCode(122 - i)}@example.com` }
  })
  const ids = await insertUsers(server.db, access.tenant.id, people)
  const found = await searchAll('users', { query: 'zim' }, userIn)
  expect((found as string[]).toSorted()).toEqual(ids.toSorted())
  expect(await searchAll('users', { query: 'zim', excludeIds: [ids[0]] }, userIn)).toEqual(
    found.filter((id) => id !== ids[0]),
  )
  expect(await searchAll('users', { query: 'zimza' }, userIn)).toEqual([ids[0]])
  const [wrong] = await server.db<{ count: number }[]>`
    select count(*) from (
      select previous_key, lag(key) over (partition by tenant_id, kind, object_id order by key) as before from search_keys
    ) k where previous_key <> coalesce(before, '')`
  expect(wrong?.count).toBe(0)
})

test('deleted users are found by a beginning where a search asks for them, among the others, in one order', async () => {
  const people = Array.from({ length: 24 }, (_, i) => ({
    name: `Vex ${String(i).padStart(2, '0')}`,
    isDeleted: i % 3 === 0,
  }))
  const ids = await insertUsers(server.db, access.tenant.id, people)
  const gone = ids.filter((_, i) => i % 3 === 0)
  const living = ids.filter((_, i) => i % 3 !== 0)
  expect(await searchAll('users', { query: 'vex' }, userIn)).toEqual(living)
  expect(await searchAll('users', { query: 'vex', userStatuses: ['DELETED'] }, userIn)).toEqual(gone)
  expect(await searchAll('users', { query: 'vex', userStatuses: ['ENABLED', 'DELETED'] }, userIn)).toEqual(ids)
  expect(await searchAll('users', { query: 'vex', userStatuses: ['DISABLED'] }, userIn)).toEqual([])
  const { db } = server
  await update(db, 'users', { deleted_at: new Date(), status: 'DELETED' }, db`x.user_id = ${living[0] as string}`)
  await update(db, 'users', { deleted_at: null, status: 'ENABLED' }, db`x.user_id = ${gone[0] as string}`)
  expect(await searchAll('users', { query: 'vex' }, userIn)).toEqual([gone[0], ...living.slice(1)])
})

test('so are deleted entitlements by query and by name, and deleted accounts', async () => {
  const app = await makeApp('Wicks')
  const entitlements: string[] = []
  for (const name of ['Wick one', 'Wick two', 'Wick three']) {
    const reply = await ask(server, `/api/v1/apps/${app}/entitlements`, { token, body: { displayName: name } })
    entitlements.push(((reply.json['appEntitlementView'] as Json)['appEntitlement'] as { id: string }).id)
  }
  const [one, two, three] = entitlements
  await ask(server, `/api/v1/apps/${app}/entitlements/${two}`, { method: 'DELETE', token, body: {} })
  const search = (body: object) => searchAll('entitlements', body, entitlementIn)
  expect(await search({ query: 'wick' })).toEqual([one, three])
  expect(await search({ query: 'wick', includeDeleted: true })).toEqual([one, three, two])
  expect(await search({ query: 'two', includeDeleted: true })).toEqual([two])
  expect(await search({ displayName: 'wick TWO' })).toEqual([])
  expect(await search({ displayName: 'wick TWO', includeDeleted: true })).toEqual([two])

  const accounts = [await insertAccount(app, 'Wicker a'), await insertAccount(app, 'Wicker b', true)]
  const find = (body: object) => searchAll('app_users', { query: 'wicker', ...body }, accountIn)
  expect(await find({})).toEqual([accounts[0]])
  expect(await find({ appUserStatuses: ['STATUS_DELETED'] })).toEqual([accounts[1]])
  expect(await find({ appUserStatuses: ['STATUS_ENABLED', 'STATUS_DELETED'] })).toEqual(accounts)
  // An app takes all of it along, and it is still found.
  await ask(server, `/api/v1/apps/${app}`, { method: 'DELETE', token, body: {} })
  expect(await search({ query: 'wick' })).toEqual([])
  expect(await search({ query: 'wick', includeDeleted: true })).toEqual([one, three, two])
  expect(await find({ appUserStatuses: ['STATUS_DELETED'] })).toEqual(accounts)
})
