import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { setOidc, setPolicy } from '#rooms/identity/sessions/index.ts'
import { type Access, getToken, type Json, newAddress, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ocsfProblems } from '../systemlog/ocsf.ts'
import { type Event, listAll, runEach } from '../systemlog/support.ts'
import { Authenticator } from './authenticator.ts'
import { type Browser, byLink, makeToken, openBrowser, sessionIn, signIn } from './support.ts'

/** What someone does who can write to the database, and has not the secret key. */

let server: TestServer
let access: Access
let token: string
let owner: string
let other: Tenant
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  owner = await access.makeUser({ roles: ['system:owner'] })
  token = await getToken(server, await access.makeKey(owner))
  other = await access.makeTenant('forged.example.com')
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const current = '/api/v1/auth/session'
const ended = '401/16 SESSION_ENDED'
const refused = '400/3 SIGN_IN_REFUSED'
const use = (secret: string, host?: string): Promise<Reply> =>
  openBrowser(server, { from: newAddress() }).ask(byLink, { body: { token: secret }, ...(host && { host }) })
const forgeries = async (kind: string): Promise<Event[]> =>
  (await listAll(server, token)).filter(
    (event) =>
      (event as unknown as Json)['status_code'] === 'ROW_FORGED' && event.resources?.some(({ type }) => type === kind),
  )
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

describe('a sign-in link', () => {
  test('that was inserted for a Super Administrator signs nobody in, and is an event and an error in the log', async () => {
    const secret = randomBytes(32).toString('base64url')
    const id = access.world.newId()
    await server.db`
      insert into sign_in_links (tenant_id, link_id, user_id, secret_sha256, created_at, expires_at, mac)
      values (${access.tenant.id}, ${id}, ${owner}, ${hashOf(secret)}, now(), now() + interval '10 minutes', '')`
    expect(outcomeOf(await use(secret))).toBe(refused)
    const [event, ...more] = await forgeries('sign-in link')
    expect(more).toEqual([])
    expect(event).toMatchObject({ severity: 'High', resources: [{ uid: id }] })
    expect(ocsfProblems(event as unknown as Json)).toEqual([])
    const line = server.logged.find(({ level, msg }) => level === 'error' && String(msg).includes('sign-in link'))
    expect(line).toMatchObject({ type: 'sign-in link', id })
  })

  test.each([
    [
      'given to another user',
      (id: string) => server.db`
      update sign_in_links set user_id = ${owner} where user_id = ${id}`,
    ],
    [
      'made to last',
      (id: string) => server.db`
      update sign_in_links set expires_at = now() + interval '1 year' where user_id = ${id}`,
    ],
    [
      'given another token',
      (id: string) => server.db`
      update sign_in_links set secret_sha256 = sha256('known') where user_id = ${id}`,
    ],
    [
      'made to break the glass',
      (id: string) => server.db`
      update sign_in_links set is_break_glass = true where user_id = ${id}`,
    ],
    [
      'dated back',
      (id: string) => server.db`
      update sign_in_links set created_at = now() - interval '1 hour' where user_id = ${id}`,
    ],
  ])('that was %s does not work', async (name, change) => {
    const userId = await access.makeUser()
    const secret = await makeToken(access, userId)
    await change(userId)
    expect(outcomeOf(await use(name === 'given another token' ? 'known' : secret))).toBe(refused)
  })

  test('that was copied into another tenant does not work there', async () => {
    const userId = await access.makeUser()
    const secret = await makeToken(access, userId)
    const [theirs] = await server.db<{ id: string }[]>`
      select user_id as id from users where tenant_id = ${other.id} limit 1`
    await server.db`
      insert into sign_in_links
      select ${other.id}, link_id, ${theirs?.id as string}, secret_sha256, created_at, expires_at, is_break_glass, mac
      from sign_in_links where user_id = ${userId}`
    expect(outcomeOf(await use(secret, other.domain))).toBe(refused)
    expect(outcomeOf(await use(secret))).toBe('200')
  })

  test('that was used and put back does not work again', async () => {
    const userId = await access.makeUser()
    const secret = await makeToken(access, userId)
    const [row] = await server.db`select * from sign_in_links where user_id = ${userId}`
    expect(outcomeOf(await use(secret))).toBe('200')
    await server.db`insert into sign_in_links ${server.db(row as Record<string, unknown>)}`
    expect(outcomeOf(await use(secret))).toBe(refused)
    expect(await forgeries('sign-in link that was used')).toHaveLength(1)
  })
})

describe('a session', () => {
  const make = async (): Promise<{ browser: Browser; userId: string; id: string }> => {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    return { browser, userId, id: sessionIn(await browser.ask(current))['id'] as string }
  }

  test.each([
    ['given to another user', 'user_id', () => owner],
    ['made to last', 'expires_at', () => new Date(Date.now() + 1e10)],
    ['seen later than it was', 'last_seen_at', () => new Date(Date.now() + 3_600_000)],
    ['made never to be idle', 'idle_seconds', () => 1_000_000],
    ['made fresh for ever', 'fresh_seconds', () => 1_000_000],
    ['begun later than it was', 'created_at', () => new Date(Date.now() + 60_000)],
    ['said to be by passkey', 'method', () => 'passkey'],
    ['set back by a cookie', 'generation', () => 0],
  ])('that was %s ends, with one event however often it is asked for', async (_, column, value) => {
    const { browser, id } = await make()
    await server.db`update sessions set ${server.db(column)} = ${value()} where session_id = ${id}`
    for (let i = 0; i < 5; i++) expect(outcomeOf(await browser.ask(current))).toBe(ended)
    const events = (await forgeries('session')).filter(({ resources }) => resources?.[0]?.uid === id)
    expect(events).toHaveLength(1)
  })

  test('that was copied under another user or another id is none, and is not listed', async () => {
    const { browser, userId, id } = await make()
    const copy = access.world.newId()
    const [row] = await server.db`select * from sessions where session_id = ${id}`
    await server.db`insert into sessions ${server.db({ ...row, session_id: copy })}`
    const thief = openBrowser(server)
    thief.cookies.set('bailiwick', (browser.cookies.get('bailiwick') as string).replace(id, copy))
    expect(outcomeOf(await thief.ask(current))).toBe(ended)
    const { list } = (await browser.ask('/api/v1/auth/sessions')).json as { list: Json[] }
    expect(list.map((each) => each['id'])).toEqual([id])
    const path = `/api/v1/auth/users/${userId}/sessions`
    const seen = await (await signIn(server, access, owner)).ask(path)
    expect((seen.json['list'] as Json[]).map((each) => each['id'])).toEqual([id])
  })

  test('that was ended and put back is over', async () => {
    const { browser, id } = await make()
    const [row] = await server.db`select * from sessions where session_id = ${id}`
    const cookie = browser.cookies.get('bailiwick') as string
    await browser.ask('/auth/v1/sign_out', { body: {} })
    await server.db`insert into sessions ${server.db(row as Record<string, unknown>)}`
    browser.cookies.set('bailiwick', cookie)
    expect(outcomeOf(await browser.ask(current))).toBe(ended)
    expect(await forgeries('session that had ended')).toHaveLength(1)
  })
})

describe('a passkey', () => {
  const origin = (): string => `http://localhost:${new URL(server.url).port}`
  type Holder = { authenticator: Authenticator; userId: string; id: string; browser: Browser }
  async function makeHolder(): Promise<Holder> {
    const userId = await access.makeUser()
    const browser = await signIn(server, access, userId)
    const authenticator = new Authenticator(origin())
    const { options } = (await browser.ask('/api/v1/auth/passkeys/options', { body: {} })).json as { options: Json }
    const body = { displayName: 'Laptop', response: authenticator.create(options) }
    const made = await browser.ask('/api/v1/auth/passkeys', { body })
    return { authenticator, userId, browser, id: (made.json['passkey'] as Json)['id'] as string }
  }
  async function signInWith(authenticator: Authenticator): Promise<string> {
    const browser = openBrowser(server, { from: newAddress() })
    const { options } = (await browser.ask('/auth/v1/sign_in/passkey_options', { body: {} })).json as { options: Json }
    return outcomeOf(await browser.ask('/auth/v1/sign_in/passkey', { body: { response: authenticator.get(options) } }))
  }

  test('works again and again as long as nobody else writes it', async () => {
    const { authenticator, browser, id } = await makeHolder()
    expect(await signInWith(authenticator)).toBe('200')
    await browser.ask(`/api/v1/auth/passkeys/${id}`, { body: { displayName: 'Desk' } })
    expect(await signInWith(authenticator)).toBe('200')
  })

  test.each([
    ['given to another user', 'user_id', () => owner],
    [
      'given another key',
      'public_key',
      () => generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }),
    ],
    ['set back in its count', 'sign_count', () => 0],
    ['bereft of its MAC', 'mac', () => null],
    ['renamed', 'display_name', () => 'Yours'],
  ])('that was %s signs nobody in', async (_, column, value) => {
    const { authenticator, id, browser } = await makeHolder()
    await signInWith(authenticator)
    if (column === 'user_id') authenticator.userHandle = Buffer.from(owner).toString('base64url')
    await server.db`update passkeys set ${server.db(column)} = ${value()} where passkey_id = ${id}`
    expect(await signInWith(authenticator)).toBe(refused)
    expect((await browser.ask('/api/v1/auth/passkeys')).json['list']).toEqual([])
    expect((await forgeries('passkey')).some(({ resources }) => resources?.[0]?.uid === id)).toBe(true)
  })

  test('without a MAC gets none by a restart', async () => {
    const { authenticator, id } = await makeHolder()
    await server.db`update passkeys set mac = null where passkey_id = ${id}`
    const again = await startServer({ beside: server })
    await again.stop()
    expect(await signInWith(authenticator)).toBe(refused)
  })
})

test('a challenge of another hand is no challenge', async () => {
  const userId = await access.makeUser()
  const browser = await signIn(server, access, userId)
  const challenge = randomBytes(32).toString('base64url')
  await server.db`
    insert into sign_in_challenges (tenant_id, challenge_sha256, kind, user_id, expires_at, mac)
    values (${access.tenant.id}, ${hashOf(challenge)}, 'passkey adding', ${userId}, now() + interval '1 minute', '')`
  const origin = `http://localhost:${new URL(server.url).port}`
  const response = new Authenticator(origin).create({ challenge, user: { id: 'x' } })
  const reply = await browser.ask('/api/v1/auth/passkeys', { body: { displayName: 'Mine', response } })
  expect(outcomeOf(reply)).toBe('400/3 PASSKEY_REFUSED')
  expect(await forgeries('sign-in challenge')).toHaveLength(1)
})

test('a provider that another hand wrote, or changed, is none', async () => {
  const cause = operatorCause(access.tenant, 'test')
  const wanted = { issuer: 'https://login.example.com', clientId: 'bailiwick', clientSecret: null }
  const ways = async (): Promise<unknown> => (await openBrowser(server).ask('/auth/v1/sign_in')).json['oidc']
  await transact(access.world.db, (tx) => setOidc(tx, access.world, cause, wanted))
  expect(await ways()).toBe(true)
  for (const change of [
    server.db`update oidc_providers set issuer = 'https://evil.example.com'`,
    server.db`update oidc_providers set issuer = 'https://login.example.com', client_id = 'other'`,
    server.db`update oidc_providers set client_id = 'bailiwick', mac = null`,
  ]) {
    await change
    expect(await ways()).toBe(false)
    const start = await openBrowser(server, { from: newAddress() }).ask('/auth/v1/sign_in/oidc', { body: {} })
    expect(outcomeOf(start)).toBe(refused)
  }
  expect(await forgeries('OpenID Connect provider')).toHaveLength(1)
  await server.db`delete from oidc_providers`
})

test('a policy that was changed directly in the database only allows break-glass links', async () => {
  const third = await access.makeTenant('policy-forged.example.com')
  const cause = operatorCause(third, 'test')
  const policy = { methods: ['passkey'] as const, idleSeconds: 600, sessionSeconds: 3600, freshSeconds: 300 }
  await transact(access.world.db, (tx) => setPolicy(tx, access.world, cause, policy))
  await server.db`update sign_in_policies set methods = '{link,passkey,oidc}' where tenant_id = ${third.id}`
  const ways = await openBrowser(server, { host: third.domain }).ask('/auth/v1/sign_in')
  expect(ways.json).toMatchObject({ link: false, passkey: false, oidc: false })
})

test('a session that is being ended by a request with an Idempotency-Key is no forgery, and goes on until that is committed', async () => {
  const userId = await access.makeUser({ roles: ['system:user'] })
  const browser = await signIn(server, access, userId)
  const id = sessionIn(await browser.ask(current))['id'] as string
  await runEach(
    server.db,
    `
    create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(7107); return null; end $$;
    create constraint trigger wait after update on sessions deferrable initially deferred
      for each row when (new.ended_at is not null) execute function wait()`,
  )
  try {
    const { port } = new URL(server.url)
    let ending: Promise<Response> | undefined
    await transact(access.world.db, async (tx) => {
      await tx`select pg_advisory_xact_lock(7107)`
      ending = fetch(`http://localhost:${port}/api/v1/auth/users/${userId}/sessions/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': id },
      })
      await until(async () => (await listWaiting(server.db)).length > 0)
      expect(outcomeOf(await browser.ask(current))).toBe('200')
    })
    expect((await ending)?.status).toBe(200)
    expect(outcomeOf(await browser.ask(current))).toBe(ended)
  } finally {
    await server.db.unsafe('drop function wait() cascade')
  }
  const found = await forgeries('session that had ended')
  expect(found.filter(({ resources }) => resources?.some(({ uid }) => uid === id))).toEqual([])
})
