import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signingKeys } from '#rooms/foundation/tenants/index.ts'
import {
  type Access,
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  eventually,
  getToken,
  type Json,
  jwkIn,
  type Key,
  openAccess,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { 'log-level': 'debug' } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const clients = '/api/v1/iam/personal_clients'

/** Everything that was ever returned and could be used, in every way that it might be written. */
type Secret = { what: string; text: string }
const secrets: Secret[] = []
const writings = (what: string, raw: Buffer): Secret[] =>
  (['hex', 'base64', 'base64url'] as const).map((encoding) => ({
    what: `${what} in ${encoding}`,
    text: raw.toString(encoding),
  }))
const keepKey = ({ clientSecret }: Pick<Key, 'clientSecret'>): void => {
  const encoded = clientSecret.split(':').at(-1) as string
  secrets.push({ what: 'a client secret', text: encoded })
  secrets.push({ what: 'the JWK of a client secret', text: Buffer.from(encoded, 'base64url').toString() })
  secrets.push(...writings('a private key', Buffer.from(jwkIn(clientSecret).d, 'base64url')))
}
const keepToken = (token: string): string => {
  secrets.push({ what: 'an access token', text: token }, { what: 'its signature', text: token.split('.')[2] as string })
  return token
}
const keepAssertion = (assertion: string): string => {
  secrets.push(
    { what: 'an assertion', text: assertion },
    { what: 'its signature', text: assertion.split('.')[2] as string },
  )
  return assertion
}

/** Makes and uses secrets in every way that there is, the right ones and the mistaken. */
async function useEverything(): Promise<void> {
  const first = await access.makeCaller(['system:owner'])
  keepKey(first)
  const token = keepToken(await getToken(server, first))
  const made = await ask(server, clients, { token, body: { displayName: 'Made', expires: '2592000s' } })
  const { client, clientSecret } = made.json as { client: Json; clientSecret: string }
  const key: Key = { ...first, id: client['id'] as string, clientId: client['clientId'] as string, clientSecret }
  keepKey(key)
  const reply = await askToken(server, byAssertion(key, keepAssertion(assertionOf(key, { jti: randomUUID() }))))
  const second = keepToken(reply.json['access_token'] as string)

  // Refused, and still right elsewhere or at another time.
  await askToken(server, { ...bySecret(key), client_id: 'nobody@localhost/pcc' })
  await askToken(server, { ...bySecret(key), client_id: clientSecret })
  await askToken(server, { ...bySecret(key), grant_type: clientSecret })
  await askToken(server, { ...bySecret(key), client_assertion_type: clientSecret, client_assertion: clientSecret })
  await askToken(server, { ...byAssertion(key, keepAssertion(assertionOf(key, { aud: 'elsewhere' }))) })
  await askToken(server, bySecret(key), {
    headers: { authorization: `Basic ${btoa(`${key.clientId}:${clientSecret}`)}` },
  })
  await askToken(server, JSON.stringify(bySecret(key)))
  await ask(server, '/auth/v1/token', { body: bySecret(key) })
  await ask(server, `/auth/v1/token?${new URLSearchParams(bySecret(key)).toString()}`, { method: 'POST' })
  await ask(server, `${clients}?access_token=${token}`)
  await ask(server, clients, { headers: { authorization: clientSecret } })
  await ask(server, clients, { headers: { authorization: `Bearer ${clientSecret}` } })
  await ask(server, `${clients}/${clientSecret.slice(0, 250)}`, { token })
  await ask(server, `${clients}/${token.slice(0, 250)}`, { token })
  await ask(server, clients, { token, host: 'elsewhere.example.com' })
  await ask(server, '/api/v1/systemlog/events', { token, body: { sinceEventUid: clientSecret } })
  await ask(server, '/api/v1/search/iam/personal_clients', { token, body: { query: clientSecret, pageToken: second } })
  await ask(server, clients, { token, body: `{"displayName": "${clientSecret}` })
  await ask(server, '/nowhere', { token, headers: { 'x-request-id': token } })
  await ask(server, clients, {
    token: second,
    headers: { 'x-request-id': clientSecret, cookie: token, 'user-agent': token },
  })

  await ask(server, `${clients}/${key.id}`, { token, body: { client: { displayName: 'Renamed' } } })
  await ask(server, `${clients}/${key.id}`, { token, method: 'DELETE' })
  await ask(server, clients, { token: second })
  await askToken(server, bySecret(key))
  const signing = await access.world.memory(signingKeys).list(access.tenant.id)
  for (const { privateKey } of signing)
    secrets.push(
      ...writings('the signing key', Buffer.from(privateKey.export({ format: 'jwk' }).d as string, 'base64url')),
    )
}

async function dump(): Promise<string> {
  const tables = await server.db<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  expect(tables.map((table) => table.name)).toContain('public.credentials')
  const rows = await Promise.all(
    tables.map(({ name }) => server.db.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`)),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

test('no secret, key or token that was ever returned is in the database or in the log', async () => {
  await useEverything()
  // Until when it was last used is written, and the last line is.
  expect(await eventually(async () => (await dump()).includes('Renamed'))).toBe(true)
  const database = await dump()
  const log = server.logged.map((line) => JSON.stringify(line)).join('\n')
  expect(database.length).toBeGreaterThan(10_000)
  expect(log.length).toBeGreaterThan(3_000)
  const found = secrets.flatMap(({ what, text }) => [
    ...(database.includes(text)
      ? [`${what} is in the database: ${database.slice(database.indexOf(text) - 200, database.indexOf(text) + 40)}`]
      : []),
    ...(log.includes(text) || log.includes(encodeURIComponent(text)) ? [`${what} is in the log`] : []),
  ])
  expect(found).toEqual([])
  expect(database).not.toMatch(/secret-token:|"d":|eyJ[\w-]+\.eyJ/)
  // A token without its signature is none.
  expect(log).not.toMatch(/secret-token:\w|"d":|eyJ[\w-]+\.eyJ[\w-]+\.\w/)
})

test('nor is a secret that someone put into an address, percent-encoded, in the log', async () => {
  const { clientSecret } = await access.makeCaller(['system:user'])
  await ask(server, `${clients}/${encodeURIComponent(clientSecret)}`)
  expect(await eventually(() => Promise.resolve(server.logged.some((line) => line['status'] === 404)))).toBe(true)
  expect(JSON.stringify(server.logged)).not.toContain(clientSecret.split(':').at(-1))
})

test('what is kept of a secret is a hash and a public key, which get no token', async () => {
  const key = await access.makeCaller(['system:user'])
  const [row] = await server.db<{ hash: Buffer; publicKey: Buffer }[]>`
    select secret_sha256 as hash, public_key as "publicKey" from credentials where credential_id = ${key.id}`
  for (const kept of [row?.hash as Buffer, row?.publicKey as Buffer])
    for (const text of [
      kept.toString('hex'),
      kept.toString('base64url'),
      `secret-token:x:${kept.toString('base64url')}`,
    ])
      expect((await askToken(server, { ...bySecret(key), client_secret: text })).status).toBe(401)
})
