import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextPageToken } from '#kernel/pages.ts'
import { anyone, type Call, type Input, route } from '#kernel/routes.ts'
import { listOf, message, text } from '#kernel/wire.ts'
import { openAccess } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ask, askJson, expectRefusal, type Reply } from './client.ts'

const Thing = message('TestThing', { name: text(), colour: text() })
const Filter = message('TestThingFilter', { colour: text() })
const Things = message('TestThings', { list: listOf(Thing), nextPageToken })
type Row = { name: string; colour: string }

async function listThings({ db, tenant }: Call, { path, query, body, page }: Input<'{app_id}', {}, {}>) {
  const { colour } = { colour: '', ...query, ...body }
  const [after] = page.after ?? ['']
  const rows = await db<Row[]>`
    select name, colour from things
    where tenant_id = ${tenant.id} and app_id = ${path.app_id} and name > ${after as string}
      and (${colour} = '' or colour = ${colour})
    order by name limit ${page.limit}`
  return page.cut(
    rows,
    (row) => [row.name],
    (row) => row,
  )
}

const parts = { summary: 'Lists things.', allow: anyone, paged: true, reply: Things } as const
const pagedRoutes = [
  route({
    ...parts,
    id: 'test.v1.Things.List',
    at: 'GET /test/apps/{app_id}/things',
    query: Filter,
    handle: (call, input) => listThings(call, input as never),
  }),
  route({
    ...parts,
    id: 'test.v1.Things.Search',
    at: 'POST /test/apps/{app_id}/things/search',
    body: Filter,
    handle: (call, input) => listThings(call, input as never),
  }),
]

const rowsMax = 330
const nameOf = (n: number): string => `thing-${String(n).padStart(4, '0')}`
const elsewhere = 'other.example'
let server: TestServer

beforeAll(async () => {
  server = await startServer({ extraRoutes: pagedRoutes })
  const access = await openAccess(server)
  await access.makeTenant(elsewhere)
  await access.close()
  await server.db`
    create table things (tenant_id int, app_id text, name text collate "C", colour text,
      primary key (tenant_id, app_id, name))`
  await fill()
})
afterAll(() => server.stop())

async function fill(): Promise<void> {
  await server.db`truncate things`
  await server.db`
    insert into things
    select tenant_id, app_id, 'thing-' || lpad(n::text, 4, '0'), case when n % 2 = 0 then 'red' else 'blue' end
    from tenants, unnest(array['one', 'two']) as app_id, generate_series(0, ${rowsMax - 1}) as n`
}

type Page = { list: Row[]; nextPageToken: string }
const pageIn = (reply: Reply): Page => {
  expect(reply.status, reply.text).toBe(200)
  return JSON.parse(reply.text) as Page
}

type How = { app?: string; host?: string }
const get = (query = '', { app = 'one', host = 'localhost' }: How = {}): Promise<Reply> =>
  ask(`${server.url}/test/apps/${app}/things${query && `?${query}`}`, { headers: { host } })
const search = (body: object, { app = 'one', host = 'localhost' }: How = {}): Promise<Reply> =>
  askJson(`${server.url}/test/apps/${app}/things/search`, JSON.stringify(body), { headers: { host } })

const names = (page: Page): string[] => page.list.map(({ name }) => name)
const expected = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => nameOf(from + i))

describe('a page', () => {
  test.each([
    ['', 25],
    ['page_size=', 25],
    ['page_size=0', 10],
    ['page_size=-1', 10],
    ['page_size=1', 10],
    ['page_size=9', 10],
    ['page_size=10', 10],
    ['pageSize=37', 37],
    ['page_size=100', 100],
    ['page_size=101', 100],
    ['page_size=99999999999999999999', 100],
  ])('by GET with ?%s has %i items', async (query, size) => {
    expect(names(pageIn(await get(query)))).toEqual(expected(0, size))
  })

  test.each([
    [{}, 25],
    [{ pageSize: null }, 25],
    [{ page_size: 0 }, 10],
    [{ pageSize: -7 }, 10],
    [{ pageSize: '37' }, 37],
    [{ page_size: 37 }, 37],
    [{ pageSize: 1000 }, 100],
  ])('by POST with %j has %i items', async (body, size) => {
    expect(names(pageIn(await search(body)))).toEqual(expected(0, size))
  })

  test.each([['2.5'], ['ten'], ['1e1'], ['0x10'], ['NaN'], ['10&page_size=20']])(
    'of %s items is refused',
    async (size) => {
      const refusal = { status: 400, code: 3, reason: 'INPUT_INVALID', fields: ['pageSize'] }
      await expectRefusal(server, await get(`page_size=${size}`), refusal)
    },
  )

  test.each([[2.5], ['ten'], [true], [[10]], [{}]])('of %j items is refused in a body', async (pageSize) => {
    const refusal = { status: 400, code: 3, reason: 'INPUT_INVALID', fields: ['pageSize'] }
    await expectRefusal(server, await search({ pageSize }), refusal)
  })

  test('token that is empty asks for the first page', async () => {
    expect(names(pageIn(await get('page_token=&page_size=10')))).toEqual(expected(0, 10))
    expect(names(pageIn(await search({ pageToken: '', pageSize: 10 })))).toEqual(expected(0, 10))
  })

  test('names the next one until the last, whose token is empty', async () => {
    for (const next of [
      (token: string) => get(`page_size=100&page_token=${token}`),
      (token: string) => get(`pageSize=100&pageToken=${token}`),
      (token: string) => search({ page_size: 100, page_token: token }),
      (token: string) => search({ pageSize: 100, pageToken: token }),
    ]) {
      const seen: string[] = []
      const tokens: string[] = ['']
      do {
        const page = pageIn(await next(tokens.at(-1) as string))
        seen.push(...names(page))
        tokens.push(page.nextPageToken)
      } while (tokens.at(-1) !== '')
      expect(seen).toEqual(expected(0, rowsMax))
      expect(tokens).toHaveLength(5)
    }
  })

  test('that is full and the last has no next one', async () => {
    later(fill)
    await server.db`delete from things where name >= ${nameOf(100)}`
    expect(pageIn(await get('page_size=100'))).toMatchObject({ nextPageToken: '' })
    expect(pageIn(await get('page_size=50')).nextPageToken).not.toBe('')
    expect(pageIn(await get('', { app: 'none' }))).toEqual({ list: [], nextPageToken: '' })
  })

  test('may be of another size than the one before', async () => {
    const first = pageIn(await get('page_size=10'))
    const second = pageIn(await get(`page_size=40&page_token=${first.nextPageToken}`))
    const third = pageIn(await get(`page_token=${second.nextPageToken}`))
    expect([...names(first), ...names(second), ...names(third)]).toEqual(expected(0, 75))
  })

  test('keeps to its filter', async () => {
    const first = pageIn(await get('colour=red&page_size=10'))
    const second = pageIn(await get(`colour=red&page_size=10&page_token=${first.nextPageToken}`))
    expect([...first.list, ...second.list].map(({ colour }) => colour)).toEqual(Array(20).fill('red'))
    expect([...names(first), ...names(second)]).toEqual(expected(0, 40).filter((_, n) => n % 2 === 0))
  })
})

describe('a page token', () => {
  const refusal = { status: 400, code: 3, reason: 'PAGE_TOKEN_INVALID', fields: ['pageToken'] }
  let token: string
  beforeEach(async () => {
    token = pageIn(await get('colour=red')).nextPageToken
  })
  const next = (given: string, how?: How) => get(`colour=red&page_token=${encodeURIComponent(given)}`, how)

  test('of another tenant is refused', async () => {
    await expectRefusal(server, await next(token, { host: elsewhere }), refusal)
    expect((await next(token)).status).toBe(200)
  })

  test('of another operation is refused', async () => {
    await expectRefusal(server, await search({ colour: 'red', pageToken: token }), refusal)
  })

  test('of another parent is refused', async () => {
    await expectRefusal(server, await next(token, { app: 'two' }), refusal)
  })

  test('of another filter is refused', async () => {
    await expectRefusal(server, await get(`page_token=${token}`), refusal)
    await expectRefusal(server, await get(`colour=blue&page_token=${token}`), refusal)
  })

  test.each([
    ['made up', () => 'page-2'],
    ['a number', () => '2'],
    ['a JSON array', () => Buffer.from('["thing-0100"]').toString('base64url')],
    ['cut', () => token.slice(0, -1)],
    ['padded', () => `${token}=`],
    ['with a blank', () => `${token} `],
    ['turned around', () => token.split('').toReversed().join('')],
    ['text with U+FFFD', () => '\ufffd'],
  ])('that is %s is refused', async (_, forge) => {
    await expectRefusal(server, await next(forge()), refusal)
  })

  test('with one character changed is refused', async () => {
    for (let at = 0; at < token.length; at += 7) {
      const forged = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      await expectRefusal(server, await next(forged), refusal)
    }
  })

  test('that is no text is refused as any field', async () => {
    const wrong = { status: 400, code: 3, reason: 'INPUT_INVALID', fields: ['pageToken'] }
    await expectRefusal(server, await search({ pageToken: 7 }), wrong)
    await expectRefusal(server, await get('page_token=a&page_token=b'), wrong)
  })

  test('is good on another server of the same database', async () => {
    const beside = await startServer({ extraRoutes: pagedRoutes, beside: server })
    const reply = await ask(`${beside.url}/test/apps/one/things?colour=red&page_token=${token}`)
    expect(names(pageIn(reply))[0]).toBe(nameOf(50))
    await beside.stop()
  })
})

type Step = { size: number; add: number[]; remove: number[] }
const step: fc.Arbitrary<Step> = fc.record({
  size: fc.integer({ min: 0, max: 110 }),
  add: fc.array(fc.nat(rowsMax * 2), { maxLength: 8 }),
  remove: fc.array(fc.nat(rowsMax * 2), { maxLength: 8 }),
})

test('rows that come and go while one pages: nothing is seen twice, and nothing missed that was there all along', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      await server.db`delete from things where app_id = 'model'`
      // Even numbers are there at first: there is room between any two of them.
      const there = new Set(Array.from({ length: rowsMax }, (_, n) => nameOf(2 * n)))
      await server.db`
        insert into things select tenant_id, 'model', unnest(${[...there]}::text[]), '' from tenants
        where host = 'localhost'`
      const allAlong = new Set(there)
      const seen: string[] = []
      let token = ''
      for (let n = 0; n === 0 || token !== ''; n++) {
        const { size, add, remove } = steps[n % steps.length] as Step
        const page = pageIn(await search({ pageSize: size, pageToken: token }, { app: 'model' }))
        for (const name of names(page)) expect(there).toContain(name)
        seen.push(...names(page))
        token = page.nextPageToken
        const [added, removed] = [add.map(nameOf), remove.map(nameOf)]
        for (const name of added) there.add(name)
        for (const name of removed) {
          there.delete(name)
          if (!seen.includes(name)) allAlong.delete(name)
        }
        await server.db`
          insert into things select tenant_id, 'model', unnest(${added}::text[]), '' from tenants
          where host = 'localhost' on conflict do nothing`
        await server.db`delete from things where app_id = 'model' and name = any(${removed}::text[])`
      }
      expect(seen).toEqual(seen.toSorted())
      expect(new Set(seen).size).toBe(seen.length)
      expect([...allAlong].filter((name) => !seen.includes(name))).toEqual([])
    }),
    { numRuns: fewOrMany(4, 100) },
  )
})
