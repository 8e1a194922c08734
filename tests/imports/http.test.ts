import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:http2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Access, ask, fieldsOf, getToken, type Key, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { fewOrMany } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { company, everythingOf, jsonl } from './support.ts'

let server: TestServer
let access: Access
let owner: Key
let token: string

beforeAll(async () => {
  server = await startServer({ flags: { empty: true } })
  access = await openAccess(server)
  owner = await access.makeCaller(['system:owner'])
  token = await getToken(server, owner)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const send = (body: string, query = '', type = 'application/jsonl', as = token): Promise<Reply> =>
  ask(server, `/api/v1/imports${query}`, { method: 'POST', token: as, body, headers: { 'content-type': type } })

type Told = {
  id: string
  isDryRun: boolean
  format: string
  userId: string
  appId: string
  counts: Record<string, string>[]
}
const importIn = (reply: Reply): Told => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json['import'] as Told
}
const countsOf = ({ counts }: Told): string[] =>
  counts.map(
    ({ kind, added, changed, unchanged, removed }) => `${kind} +${added} ~${changed} =${unchanged} -${removed}`,
  )

test('a file is imported, listed and got, by those who may', async () => {
  const done = importIn(await send(jsonl(company)))
  expect(done).toMatchObject({ isDryRun: false, format: 'jsonl', userId: owner.userId })
  expect(countsOf(done)[0]).toBe('user +3 ~0 =0 -0')
  const again = importIn(await send(jsonl(company), '', 'application/x-ndjson; charset=utf-8'))
  expect(countsOf(again)[0]).toBe('user +0 ~0 =3 -0')

  const list = await ask(server, '/api/v1/imports', { token })
  expect((list.json['list'] as Told[]).map(({ id }) => id)).toEqual([again.id, done.id])
  expect((await ask(server, `/api/v1/imports/${done.id}`, { token })).json['import']).toEqual(done)
  const nowhere = await ask(server, '/api/v1/imports/2zzzzzzzzzzzzzzzzzzzzzzzzzz', { token })
  expect(outcomeOf(nowhere)).toBe('404/5 IMPORT_NOT_FOUND')

  const viewer = await getToken(server, await access.makeCaller(['system:viewer']))
  expect(outcomeOf(await send(jsonl(company), '', 'application/jsonl', viewer))).toBe('403/7 PERMISSION_DENIED')
  expect(outcomeOf(await ask(server, '/api/v1/imports', { token: viewer }))).toBe('200')
  const user = await getToken(server, await access.makeCaller(['system:user']))
  expect(outcomeOf(await ask(server, '/api/v1/imports', { token: user }))).toBe('403/7 PERMISSION_DENIED')
})

test('CSV comes with a kind for all of it, as a dry run and as a full import', async () => {
  const text = 'externalId,displayName,description\ncode,Source Code,Repositories\n'
  const dry = importIn(await send(text, '?kind=app&full=true&dry_run=true', 'text/csv'))
  expect(dry).toMatchObject({ isDryRun: true, format: 'csv', id: '' })
  expect(countsOf(dry)).toContain('app +0 ~0 =1 -1')
  expect(countsOf(importIn(await send(jsonl(company))))[1]).toBe('app +0 ~0 =2 -0')
})

test('a connector file comes with its app, as what it is or as bytes of no type, and its refusals say why', async () => {
  const bytes = (name: string) => readFileSync(new URL(`samples/${name}.c1z`, import.meta.url))
  const sendBytes = (body: Uint8Array, query: string, type: string): Promise<Reply> =>
    ask(server, `/api/v1/imports${query}`, { method: 'POST', token, body, headers: { 'content-type': type } })
  const type = 'application/x-c1z'
  const dry = importIn(await sendBytes(bytes('ldap-0.25.0-v1'), '?app=ldap&dry_run=true', type))
  expect(dry).toMatchObject({ format: 'c1z', id: '', notes: [expect.stringContaining('1 grant to groups')] })
  const done = importIn(await sendBytes(bytes('ldap-0.25.0-v1'), '?app=ldap&full=true', 'application/octet-stream'))
  expect(countsOf(done)).toEqual(countsOf(dry))
  expect((await ask(server, `/api/v1/imports/${done.id}`, { token })).json['import']).toEqual(done)

  const { appId } = done
  const search = await ask(server, '/api/v1/search/grants', {
    method: 'POST',
    token,
    body: JSON.stringify({ appIds: [appId] }),
  })
  expect(search.status, search.text).toBe(200)
  const bindings = (search.json['list'] as { entitlementId?: string }[]).map((each) => JSON.stringify(each))
  expect(bindings.filter((each) => each.includes('"grantSources":[{'))).toHaveLength(1)

  expect(outcomeOf(await sendBytes(bytes('ldap-0.25.0-v3'), '?app=ldap', type))).toBe('400/3 IMPORT_FILE_REFUSED')
  expect(outcomeOf(await sendBytes(bytes('ldap-0.25.0-v1'), '', type))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await sendBytes(bytes('ldap-0.25.0-v1'), '?app=ldap&kind=user', type))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await send(jsonl(company), '?app=ldap'))).toBe('400/3 INPUT_INVALID')
  expect(outcomeOf(await send(jsonl(company), '?app=ldap', type))).toBe('400/3 IMPORT_FILE_REFUSED')
})

/** What the imports before this left to do is done: nobody else writes. */
const isIdle = () =>
  until(async () => (await server.db`select 1 from jobs where state = 'running' or due_at <= now()`).length === 0)

test('refused lines are named as field violations, and nothing is changed', async () => {
  await isIdle()
  const before = await everythingOf(server.db, access.tenant)
  const reply = await send(`${jsonl(company)}{"kind":"app"}\nnonsense\n`)
  expect(outcomeOf(reply)).toBe('400/3 IMPORT_REFUSED')
  expect(fieldsOf(reply)).toEqual([`line ${company.length + 1}`, `line ${company.length + 2}`])
  expect(reply.json['message']).toContain('line 17: app: externalId: is missing; displayName: is missing')
  expect(await everythingOf(server.db, access.tenant)).toBe(before)
})

test('the breaker is a refusal of its own', async () => {
  const crowd = Array.from({ length: 30 }, (_, i) => ({ kind: 'user', externalId: `crowd${i}`, displayName: 'C' }))
  importIn(await send(jsonl(crowd)))
  expect(outcomeOf(await send(jsonl(crowd.slice(0, 10)), '?full=true'))).toBe('400/9 IMPORT_REMOVES_TOO_MUCH')
  importIn(await send(jsonl(company), '?full=true&force=true'))
})

test.for([
  ['application/json', '{}', '415/3 CONTENT_TYPE_UNSUPPORTED'],
  ['text/plain', 'x', '415/3 CONTENT_TYPE_UNSUPPORTED'],
  ['application/x-www-form-urlencoded', 'a=b', '415/3 CONTENT_TYPE_UNSUPPORTED'],
  ['application/jsonl', '', '400/3 IMPORT_REFUSED'],
  ['text/csv', '\n', '400/3 IMPORT_REFUSED'],
] as const)('a body of %s with %j is refused', async ([type, body, outcome]) => {
  expect(outcomeOf(await send(body, '', type))).toBe(outcome)
})

test('a query that is wrong is refused before the body is read', async () => {
  const reply = await send(jsonl(company), '?full=maybe&kind=robot')
  expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
  expect(fieldsOf(reply)).toEqual(['full', 'kind'])
})

test('other routes take no streams', async () => {
  const headers = { 'content-type': 'application/jsonl' }
  const reply = await ask(server, '/api/v1/iam/personal_clients', { method: 'POST', token, body: '{}', headers })
  expect(outcomeOf(reply)).toBe('415/3 CONTENT_TYPE_UNSUPPORTED')
})

/** Sends pieces as they come, without saying how many. */
function stream(pieces: AsyncIterable<string> | Iterable<string>, length?: number): Promise<Reply> {
  const { port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: '/api/v1/imports',
        method: 'POST',
        agent: false,
        headers: {
          host: `localhost:${port}`,
          authorization: `Bearer ${token}`,
          'content-type': 'application/jsonl',
          ...(length !== undefined && { 'content-length': String(length) }),
        },
      },
      (incoming) => {
        let text = ''
        incoming.setEncoding('utf8').on('data', (part) => (text += part))
        incoming.on('end', () => {
          const json = JSON.parse(text) as Record<string, unknown>
          resolve({ status: incoming.statusCode as number, headers: incoming.headers, text, json })
        })
      },
    )
    outgoing.on('error', reject)
    void (async () => {
      for await (const piece of pieces) if (!outgoing.write(piece)) await once(outgoing, 'drain')
      if (length === undefined) outgoing.end()
    })().catch(reject)
  })
}

test('a body of many megabytes is streamed, while others are served', async () => {
  const people = fewOrMany(400, 20_000)
  async function* pieces() {
    for (let i = 0; i < people; i += 100) {
      // The rest is not sent before another request was served.
      expect((await ask(server, '/api/v1/imports', { token })).status).toBe(200)
      yield jsonl(
        Array.from({ length: 100 }, (_, j) => ({
          kind: 'user',
          externalId: `many${i + j}`,
          displayName: 'M',
          profile: { note: 'x'.repeat(4000) },
        })),
      )
    }
  }
  const reply = await stream(pieces())
  expect(countsOf(importIn(reply))).toEqual([`user +${people} ~0 =0 -0`])
})

test('a body that breaks off leaves nothing, and is no fault of the database', async () => {
  await isIdle()
  const before = await everythingOf(server.db, access.tenant, false)
  const { port } = new URL(server.url)
  const logged = server.logged.length
  await new Promise<void>((resolve) => {
    const headers = { host: `localhost:${port}`, authorization: `Bearer ${token}`, 'content-type': 'application/jsonl' }
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: '/api/v1/imports',
      method: 'POST',
      agent: false,
      headers,
    })
    outgoing.on('error', () => resolve())
    outgoing.write(jsonl(company))
    setTimeout(() => outgoing.destroy(), 200)
  })
  // Until the lock is free again, the one that broke off is not over.
  await expect.poll(async () => (await send(jsonl(company))).status).toBe(200)
  expect(await everythingOf(server.db, access.tenant, false)).toBe(before)
  expect(server.logged.slice(logged).filter(({ level }) => level !== 'info')).toEqual([])
})

test('two imports at the same time: the second is refused', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  async function* slowly() {
    yield jsonl(company)
    await mayEnd
    yield '\n'
  }
  const first = stream(slowly())
  // 'impt': the lock of imports.
  const locks = () => server.db`select 1 from pg_locks where locktype = 'advisory' and classid = ${0x696d7074}
      and database = (select oid from pg_database where datname = current_database())`
  await expect.poll(async () => (await locks()).length).toBe(1)
  expect(outcomeOf(await send(jsonl(company)))).toBe('409/10 IMPORT_UNDER_WAY')
  end()
  expect(importIn(await first).counts).toHaveLength(7)
})

test('a body that says it is larger than 1 GiB is refused, before it is all there', async () => {
  // Some of it is read over, so that the client is not cut off before it has the answer.
  const mebibyte = 'x'.repeat(1024 * 1024)
  const reply = await stream(
    Array.from({ length: 66 }, () => mebibyte),
    1024 ** 3 + 1,
  )
  expect(outcomeOf(reply)).toBe('413/3 BODY_TOO_LARGE')
  importIn(await send(jsonl(company)))
})

test('someone whom an import disables is turned away from the next request on', async () => {
  const id = await access.makeUser({ roles: ['system:viewer'], email: 'soon@gone.example' })
  const soonGone = await getToken(server, await access.makeKey(id))
  expect(outcomeOf(await ask(server, '/api/v1/imports', { token: soonGone }))).toBe('200')
  const line = { kind: 'user', externalId: 'soon', displayName: 'Soon', email: 'soon@gone.example', status: 'disabled' }
  importIn(await send(jsonl([line])))
  expect(outcomeOf(await ask(server, '/api/v1/imports', { token: soonGone }))).toBe('401/16 USER_DISABLED')
})

test('the API document tells the content types', async () => {
  const { json } = await ask(server, '/api/openapi.json')
  const { post } = (json as { paths: Record<string, Record<string, unknown>> }).paths['/api/v1/imports'] ?? {}
  expect(Object.keys((post as { requestBody: { content: object } }).requestBody.content)).toEqual([
    'application/jsonl',
    'application/x-ndjson',
    'text/csv',
    'application/x-c1z',
    'application/octet-stream',
  ])
})

test('a stream comes in by HTTP/2 too', async () => {
  const secure = await startServer({ beside: server, flags: { 'tls-self-signed': true, empty: true } })
  try {
    const session = connect(secure.url, { rejectUnauthorized: false })
    const sending = session.request({
      ':method': 'POST',
      ':path': '/api/v1/imports',
      ':authority': new URL(server.url).host,
      authorization: `Bearer ${token}`,
      'content-type': 'application/jsonl',
    })
    sending.end(jsonl(company))
    const text = (await Array.fromAsync(sending as AsyncIterable<Buffer>)).join('')
    session.close()
    expect(text).toContain('"unchanged":"3"')
  } finally {
    await secure.stop()
  }
})
