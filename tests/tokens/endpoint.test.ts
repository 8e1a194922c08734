import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fragment } from '#kernel/sql.ts'
import { identities } from '#rooms/identity/credentials/index.ts'
import {
  type Access,
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  getToken,
  type Json,
  type Key,
  newAddress,
  openAccess,
  type Reply,
} from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
let key: Key
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  key = await access.makeCaller(['system:user'])
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

/** RFC 6749 section 5.2: the error's code, a description of printable ASCII, and nothing that a cache may keep. */
function expectRefused(reply: Reply, status: number, error: string, description = /./): void {
  expect({ status: reply.status, error: reply.json['error'] }, reply.text).toEqual({ status, error })
  expect(Object.keys(reply.json)).toEqual(['error', 'error_description'])
  expect(reply.json['error_description']).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(reply.json['error_description']).toMatch(description)
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.headers['pragma']).toBe('no-cache')
  expect(reply.headers['content-type']).toBe('application/json')
}

const send = (form: Record<string, string> | string, headers: Record<string, string> = {}): Promise<Reply> =>
  askToken(server, form, { from: newAddress(), headers })
const without = (form: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(form).filter(([each]) => each !== name))

const unknownClient = 'The client is unknown, or its secret or assertion is wrong.'

describe('a request that is not one', () => {
  test('with the credentials in the Authorization header is refused, and told where they go', async () => {
    const basic = Buffer.from(`${key.clientId}:${key.clientSecret}`).toString('base64')
    for (const authorization of [`Basic ${basic}`, `Bearer ${key.clientSecret}`]) {
      const reply = await send({ grant_type: 'client_credentials' }, { authorization })
      expectRefused(reply, 400, 'invalid_request', /must be sent in the body/)
    }
    // Also when the body holds them as well: RFC 6749 section 2.3, one method a request.
    expectRefused(await send(bySecret(key), { authorization: `Basic ${basic}` }), 400, 'invalid_request')
  })

  test('without grant_type, or with an empty one, is refused', async () => {
    expectRefused(await send(without(bySecret(key), 'grant_type')), 400, 'invalid_request', /grant_type is missing/)
    expectRefused(await send({ ...bySecret(key), grant_type: '' }), 400, 'invalid_request', /grant_type is missing/)
  })

  test.each(['password', 'authorization_code', 'refresh_token', 'CLIENT_CREDENTIALS', 'client_credentials '])(
    'for the grant type %j is refused with unsupported_grant_type',
    async (grant) => {
      expectRefused(await send({ ...bySecret(key), grant_type: grant }), 400, 'unsupported_grant_type')
    },
  )

  test('without client_id is refused', async () => {
    expectRefused(await send(without(bySecret(key), 'client_id')), 400, 'invalid_request', /client_id is missing/)
    const assertion = byAssertion(key, assertionOf(key))
    expectRefused(await send(without(assertion, 'client_id')), 400, 'invalid_request', /client_id is missing/)
  })

  test('with neither a secret nor an assertion is refused', async () => {
    const neither = without(bySecret(key), 'client_secret')
    expectRefused(await send(neither), 400, 'invalid_request', /client_secret or client_assertion is missing/)
    expectRefused(await send({ ...neither, client_secret: '' }), 400, 'invalid_request')
  })

  test('with both a secret and an assertion is refused', async () => {
    const both = { ...bySecret(key), ...byAssertion(key, assertionOf(key)) }
    expectRefused(await send(both), 400, 'invalid_request', /not both/)
  })

  test.each(['', 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer', 'jwt-bearer'])(
    'with the assertion type %j is refused',
    async (type) => {
      const form = { ...byAssertion(key, assertionOf(key)), client_assertion_type: type }
      expectRefused(await send(form), 400, 'invalid_request', /client_assertion_type must be/)
    },
  )

  test.each(['grant_type', 'client_id', 'client_secret', 'unheard_of'])(
    'that names %s twice is refused',
    async (name) => {
      const form = `${new URLSearchParams({ ...bySecret(key), unheard_of: '1' }).toString()}&${name}=2`
      expectRefused(await send(form), 400, 'invalid_request', /more than once/)
    },
  )

  test('with a JSON body is refused, and so is one of another kind', async () => {
    const reply = await ask(server, '/auth/v1/token', { from: newAddress(), body: bySecret(key) })
    expectRefused(reply, 415, 'invalid_request', /application\/x-www-form-urlencoded/)
    expectRefused(await send(bySecret(key), { 'content-type': 'text/plain' }), 415, 'invalid_request')
    expectRefused(await send(bySecret(key), { 'content-type': 'multipart/form-data' }), 415, 'invalid_request')
  })

  test('without a body, or with one of noise, is refused', async () => {
    expectRefused(await send(''), 400, 'invalid_request')
    expectRefused(await send('&&&=&=x&%%%&%zz=%'), 400, 'invalid_request')
    expectRefused(await send('grant_type[]=client_credentials'), 400, 'invalid_request')
    expectRefused(await send({ ...bySecret(key), client_id: `\0${key.clientId}` }), 400, 'invalid_request')
    expectRefused(await send('__proto__=1&constructor=2'), 400, 'invalid_request')
  })

  test('with more than a mebibyte is refused', async () => {
    expectRefused(await send({ ...bySecret(key), more: 'x'.repeat(1024 * 1024) }), 413, 'invalid_request')
    const many = (count: number) => send(Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 'x'])))
    expectRefused(await many(100), 400, 'invalid_request', /grant_type is missing/)
    expectRefused(await many(101), 400, 'invalid_request', /more than 100 parameters/)
  })

  test('with a client id longer than any is refused, and not remembered', async () => {
    const reply = await send({ ...bySecret(key), client_id: 'x'.repeat(513) })
    expectRefused(reply, 400, 'invalid_request', /client_id/)
    expectRefused(await send({ ...bySecret(key), client_id: 'x'.repeat(512) }), 401, 'invalid_client')
  })

  test('by another method, or at a host that has no tenant, gets no token', async () => {
    expect((await ask(server, '/auth/v1/token')).status).toBe(405)
    const elsewhere = await askToken(server, bySecret(key), { host: 'nobody.example.com' })
    expectRefused(elsewhere, 404, 'invalid_request')
  })

  test('with the credentials in the query is refused, and they are not logged', async () => {
    const query = new URLSearchParams(bySecret(key)).toString()
    const reply = await ask(server, `/auth/v1/token?${query}`, { method: 'POST', from: newAddress() })
    expectRefused(reply, 400, 'invalid_request')
    expect(JSON.stringify(server.logged)).not.toContain(key.clientSecret)
  })
})

describe('a secret', () => {
  test('that is right gets a token', async () => {
    const reply = await send(bySecret(key))
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({ access_token: expect.any(String) as string, token_type: 'Bearer', expires_in: 600 })
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  test('may come with the charset in the content type, and with fields that nobody asked for', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    expect((await send(bySecret(key), type)).status).toBe(200)
    expect((await send({ ...bySecret(key), scope: '', nonce: 'x' })).status).toBe(200)
  })

  test('is taken in either form, with and without v1:, and of any service domain', async () => {
    const jwk = key.clientSecret.split(':').at(-1) as string
    for (const form of ['bailiwick.internal:', 'bailiwick.internal:v1:', 'c1.example.com:', 'c1.example.com:v1:'])
      expect((await send({ ...bySecret(key), client_secret: `secret-token:${form}${jwk}` })).status, form).toBe(200)
    for (const form of [jwk, `secret-token:${jwk}`, `secret-token::${jwk}`, `secret-token:a:v2:${jwk}`, `x:a:${jwk}`])
      expectRefused(await send({ ...bySecret(key), client_secret: form }), 401, 'invalid_client')
  })

  test('that is wrong is refused', async () => {
    const other = await access.makeKey(key.userId)
    const wrong = [
      `${key.clientSecret}x`,
      key.clientSecret.slice(0, -1),
      `${key.clientSecret} `,
      other.clientSecret,
      'secret-token:bailiwick.internal:',
      'x',
      'ü'.repeat(100),
      'x'.repeat(60_000),
    ]
    for (const secret of wrong) {
      const reply = await send({ ...bySecret(key), client_secret: secret })
      expectRefused(reply, 401, 'invalid_client')
      expect(reply.json['error_description']).toBe(unknownClient)
    }
  })

  test('of another tenant is refused, in the words for a client that is not there', async () => {
    const other = await access.makeTenant('endpoint.example.com')
    const stranger = await access.makeCaller(['system:owner'], {}, other)
    const reply = await send(bySecret(stranger))
    expectRefused(reply, 401, 'invalid_client')
    expect(reply.json['error_description']).toBe(unknownClient)
    expect((await askToken(server, bySecret(stranger), { host: other.domain })).status).toBe(200)
  })

  const rewrite = async ({ id }: Key, set: Fragment): Promise<void> => {
    await server.db`update credentials set ${set} where credential_id = ${id}`
    await access.reseal(id)
  }

  test.each<[what: string, statement: (key: Key) => Promise<unknown>, told: RegExp]>([
    ['a deleted credential', (own) => rewrite(own, server.db`deleted_at = now()`), /deleted/],
    ['an expired credential', (own) => rewrite(own, server.db`expires_at = now()`), /expired/],
    [
      'a disabled user',
      (own) => server.db`update users set status = 'DISABLED' where user_id = ${own.userId}`,
      /disabled/,
    ],
    [
      'a deleted user',
      (own) => server.db`update users set deleted_at = now() where user_id = ${own.userId}`,
      /disabled/,
    ],
    ['an address that is not allowed', (own) => rewrite(own, server.db`allow_source_cidr = '{10.0.0.0/8}'`), /address/],
  ])('of %s gets no token, and whoever holds it is told why', async (_, statement, told) => {
    const own = await access.makeCaller(['system:user'])
    await statement(own)
    expectRefused(await send(bySecret(own)), 401, 'invalid_client', told)
    expectRefused(await send(byAssertion(own, assertionOf(own))), 401, 'invalid_client', told)
    // Who does not hold it is told nothing.
    const guess = await send({ ...bySecret(own), client_secret: key.clientSecret })
    expect(guess.json['error_description']).toBe(unknownClient)
  })
})

test('an unknown client id and a wrong secret get the same answer, to the letter', async () => {
  const wrongSecret = await send({ ...bySecret(key), client_secret: `${key.clientSecret}x` })
  const unknown = await send({ ...bySecret(key), client_id: `00000000000000000000@localhost/pcc` })
  const wrongAssertion = await send(byAssertion(key, 'a.b.c'))
  const unknownAssertion = await send({ ...byAssertion(key, assertionOf(key)), client_id: 'nobody@localhost/pcc' })
  for (const reply of [unknown, wrongAssertion, unknownAssertion]) {
    expect(reply.text).toBe(wrongSecret.text)
    expect(Object.keys(reply.headers)).toEqual(Object.keys(wrongSecret.headers))
  }
  expectRefused(wrongSecret, 401, 'invalid_client')
})

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number

longTest('an unknown client id and a wrong secret take about the same time', async () => {
  // Several of each: past 50 failures a client id is answered in another way.
  const keys = await Promise.all(Array.from({ length: 5 }, () => access.makeCaller(['system:user'])))
  const times: { wrong: number[]; unknown: number[] } = { wrong: [], unknown: [] }
  const time = async (clientId: string, into: number[]): Promise<void> => {
    const form = { ...bySecret(key), client_id: clientId, client_secret: `${key.clientSecret}x` }
    const begin = performance.now()
    const reply = await send(form)
    into.push(performance.now() - begin)
    expect(reply.status).toBe(401)
  }
  // By turns, so that whatever else the machine does slows both.
  for (const [n, own] of keys.entries())
    for (let i = 0; i < 45; i++) {
      await time(own.clientId, times.wrong)
      await time(`0000000000000000000${n}@localhost/pcc`, times.unknown)
    }
  const [ofWrong, ofUnknown] = [median(times.wrong.slice(10)), median(times.unknown.slice(10))]
  // Of a millisecond or two; what would give it away is a query, a hash or a signature left out.
  expect(Math.abs(ofWrong - ofUnknown)).toBeLessThan(Math.max(0.5, 0.35 * Math.max(ofWrong, ofUnknown)))
})

test('as much is asked of the database about a client id that there is not as about one that there is', async () => {
  let queries = 0
  const { world } = access
  const db = new Proxy(world.db, {
    apply(target, self, asked: [TemplateStringsArray | string]) {
      // Of tagged templates that are statements: names and fragments are not sent by themselves.
      if (typeof asked[0] === 'object' && /^\s*(select|insert|with)\b/.test(asked[0][0] ?? '')) queries++
      return Reflect.apply(target, self, asked) as unknown
    },
  })
  const asking = identities.make({ ...world, db })
  const askedAbout = async (clientId: string): Promise<number> => {
    queries = 0
    await asking.findWithLock(access.tenant.id, clientId)
    return queries
  }
  const known = await askedAbout((await access.makeCaller(['system:user'])).clientId)
  expect(known).toBeGreaterThan(1)
  expect(await askedAbout('0123456789abcdef0123@localhost/pcc')).toBe(known)
})

longTest(
  'of client ids that are asked for the first time, those that there are take no longer than others',
  async () => {
    const userId = await access.makeUser({ roles: ['system:user'] })
    const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] }
    const time = async (clientId: string, into: number[]): Promise<void> => {
      const form = { ...bySecret(key), client_id: clientId }
      const begin = performance.now()
      const reply = await askToken(server, form, { from: newAddress() })
      into.push(performance.now() - begin)
      expect(reply.status).toBe(401)
    }
    for (let i = 0; i < 60; i++) {
      const { clientId } = await access.makeKey(userId)
      await time(clientId, times.known)
      await time(`${i}${clientId.slice(3)}`, times.unknown)
    }
    const [ofKnown, ofUnknown] = [median(times.known.slice(10)), median(times.unknown.slice(10))]
    expect(Math.abs(ofKnown - ofUnknown)).toBeLessThan(Math.max(0.5, 0.3 * Math.max(ofKnown, ofUnknown)))
  },
)

describe('many failures', () => {
  test('for one client id are slowed, while its owner still gets tokens from that address and any other', async () => {
    const own = await access.makeCaller(['system:user'])
    const attacker = newAddress()
    const attack = (): Promise<Reply> =>
      askToken(server, { ...bySecret(own), client_secret: 'secret-token:x:wrong' }, { from: attacker })
    const replies: Reply[] = []
    // One more is allowed each second: how many it takes depends on the machine.
    while (replies.at(-1)?.status !== 429) replies.push(await attack())
    expect(replies.slice(0, 50).every((reply) => reply.status === 401)).toBe(true)
    const slowed = replies.at(-1) as Reply
    expectRefused(slowed, 429, 'temporarily_unavailable')
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(slowed.headers['retry-after'])).toBeLessThan(60)
    // From anywhere: it is the client id that is guessed at.
    const elsewhere = { from: newAddress() }
    for (const form of [{ ...bySecret(own), client_secret: 'x' }, byAssertion(own, 'a.b.c')]) {
      // One was given back if a second has passed since; then the next is slowed.
      const again = await Promise.all([1, 2, 3].map(() => askToken(server, form, elsewhere)))
      expect(again.map(({ status }) => status)).toContain(429)
    }

    await getToken(server, own, { from: attacker })
    await getToken(server, own, elsewhere)
    expect((await askToken(server, byAssertion(own, assertionOf(own)), { from: attacker })).status).toBe(200)
    // Nor is anyone else slowed who fails once.
    expect((await send({ ...bySecret(key), client_secret: 'x' })).status).toBe(401)
  })

  test('from one address are slowed, while who is right gets tokens there, and others elsewhere are not', async () => {
    const attacker = newAddress()
    const attack = (i: number): Promise<Reply> =>
      askToken(server, { ...bySecret(key), client_id: `${i}@localhost/pcc` }, { from: attacker })
    const replies: Reply[] = []
    // Ten more are allowed each second.
    while (!replies.some(({ status }) => status === 429))
      replies.push(...(await Promise.all(Array.from({ length: 60 }, (_, i) => attack(replies.length + i)))))
    const counts = Map.groupBy(replies, (reply) => reply.status)
    expect(new Set(counts.keys())).toEqual(new Set([401, 429]))
    expect(counts.get(401)?.length).toBeGreaterThanOrEqual(200)
    const slowed = counts.get(429)?.[0] as Reply
    expectRefused(slowed, 429, 'temporarily_unavailable')
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    await getToken(server, key, { from: attacker })
    expect((await send({ ...bySecret(key), client_id: 'another@localhost/pcc' })).status).toBe(401)
  })

  test('tell the same of a client id that there is and of one that there is not', async () => {
    const own = await access.makeCaller(['system:user'])
    const fail = async (clientId: string): Promise<number> =>
      (await askToken(server, { ...bySecret(key), client_id: clientId }, { from: newAddress() })).status
    // How often each fails before it is slowed, by turns: one more is allowed each second.
    const known: number[] = []
    const unknown: number[] = []
    while (!known.includes(429) || !unknown.includes(429)) {
      const statuses = await Promise.all([fail(own.clientId), fail('0123456789@localhost/pcc')])
      known.push(statuses[0])
      unknown.push(statuses[1])
    }
    expect(Math.abs(known.indexOf(429) - unknown.indexOf(429))).toBeLessThanOrEqual(2)
  })
})

test('each token, and each failure, is an event without a secret in it', async () => {
  const own = await access.makeCaller(['system:user'])
  const from = newAddress()
  await getToken(server, own, { from })
  await askToken(server, { ...bySecret(own), client_secret: 'secret-token:x:geheim' }, { from })
  await askToken(server, { ...bySecret(own), client_id: 'secret-token:in:thewrongfield' }, { from })
  const rows = await server.db<{ event: string }[]>`
    select event from systemlog_events where event like ${`%"${from}"%`} order by event_id`
  const events = rows.map((row) => JSON.parse(row.event) as Json)
  expect(events.map((event) => [event['class_uid'], event['status']])).toEqual([
    [3002, 'Success'],
    [3002, 'Failure'],
    [3002, 'Failure'],
  ])
  expect(JSON.stringify(rows)).not.toMatch(/geheim|thewrongfield|secret-token/)
})
