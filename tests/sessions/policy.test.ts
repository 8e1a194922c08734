import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { makeLink, type SignInPolicy, setPolicy } from '#rooms/identity/sessions/index.ts'
import { type Ran, run } from '../cli/command.ts'
import {
  type Access,
  ask,
  fieldsOf,
  getToken,
  type Json,
  newAddress,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { Authenticator } from './authenticator.ts'
import { type Browser, byLink, makeToken, openBrowser, sessionIn, signIn } from './support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const current = '/api/v1/auth/session'
const policyPath = '/api/v1/auth/sign_in_policy'
const refused = '400/3 SIGN_IN_REFUSED'
const usual: SignInPolicy = {
  methods: ['link', 'passkey', 'oidc'],
  idleSeconds: 43_200,
  sessionSeconds: 604_800,
  freshSeconds: 900,
}
let tenants = 0
async function makeTenant(policy: Partial<SignInPolicy> = {}): Promise<Tenant> {
  tenants += 1
  const tenant = await access.makeTenant(`policy-${tenants}.example.com`)
  await set(tenant, policy)
  return tenant
}
const set = (tenant: Tenant, policy: Partial<SignInPolicy>) =>
  transact(access.world.db, (tx) => setPolicy(tx, access.world, operatorCause(tenant, 'test'), { ...usual, ...policy }))
const browserAt = (tenant: Tenant): Browser => {
  const headers = { 'x-forwarded-proto': 'https', origin: `https://${tenant.domain}` }
  return openBrowser(server, { host: tenant.domain, from: newAddress(), headers })
}
const breakGlass = async (tenant: Tenant, userId: string): Promise<string> =>
  (
    await transact(access.world.db, (tx) =>
      makeLink(tx, access.world, operatorCause(tenant, 'sign-in-link'), userId, true),
    )
  ).token

describe('a tenant whose policy allows no links', () => {
  test('takes none, not even those from before; a break-glass link works, and is an alarm in the log', async () => {
    const tenant = await makeTenant()
    const userId = await access.makeUser({ tenant })
    const before = await makeToken(access, userId, tenant)
    await set(tenant, { methods: ['passkey'] })
    expect(outcomeOf(await browserAt(tenant).ask(byLink, { body: { token: before } }))).toBe(refused)
    await expect(makeToken(access, userId, tenant)).rejects.toThrow('does not allow sign-in links')
    const token = await breakGlass(tenant, userId)
    const browser = browserAt(tenant)
    expect(outcomeOf(await browser.ask(byLink, { body: { token } }))).toBe('200')
    expect(outcomeOf(await browser.ask(current))).toBe('200')
    const [event] = await server.db<{ severity: string }[]>`
      select event::jsonb ->> 'severity' as severity from systemlog_events
      where tenant_id = ${tenant.id} and event::jsonb ->> 'message' like 'Created a break-glass sign-in link%'`
    expect(event?.severity).toBe('High')
    expect((await browserAt(tenant).ask('/auth/v1/sign_in')).json).toMatchObject({ link: false, passkey: true })
  })

  test('ends the sessions that began by one', async () => {
    const tenant = await makeTenant()
    const userId = await access.makeUser({ tenant })
    const browser = browserAt(tenant)
    await browser.ask(byLink, { body: { token: await makeToken(access, userId, tenant) } })
    expect(outcomeOf(await browser.ask(current))).toBe('200')
    expect(await set(tenant, { methods: ['passkey', 'oidc'] })).toHaveLength(1)
    expect(outcomeOf(await browser.ask(current))).toBe('401/16 SESSION_ENDED')
  })
})

test('a tenant whose policy allows no passkeys takes none', async () => {
  const tenant = await makeTenant()
  const userId = await access.makeUser({ tenant })
  const browser = browserAt(tenant)
  await browser.ask(byLink, { body: { token: await makeToken(access, userId, tenant) } })
  const authenticator = new Authenticator(`https://${tenant.domain}`)
  authenticator.rpId = tenant.domain
  const { options } = (await browser.ask('/api/v1/auth/passkeys/options', { body: {} })).json as { options: Json }
  const response = authenticator.create(options)
  expect(outcomeOf(await browser.ask('/api/v1/auth/passkeys', { body: { displayName: 'x', response } }))).toBe('200')
  const signInWith = async (): Promise<string> => {
    const window = browserAt(tenant)
    const asked = (await window.ask('/auth/v1/sign_in/passkey_options', { body: {} })).json as { options: Json }
    const body = { response: authenticator.get(asked.options) }
    return outcomeOf(await window.ask('/auth/v1/sign_in/passkey', { body }))
  }
  expect(await signInWith()).toBe('200')
  await set(tenant, { methods: ['link'] })
  expect(await signInWith()).toBe(refused)
})

test('sessions are as long as the policy said when they began', async () => {
  const tenant = await makeTenant({ idleSeconds: 600, sessionSeconds: 3600, freshSeconds: 120 })
  const userId = await access.makeUser({ tenant })
  const browser = browserAt(tenant)
  const reply = await browser.ask(byLink, { body: { token: await makeToken(access, userId, tenant) } })
  const session = sessionIn(reply) as { createdAt: string; expiresAt: string; freshUntil: string; idleTime: string }
  const after = (at: string): number => (Date.parse(at) - Date.parse(session.createdAt)) / 1000
  expect([session.idleTime, after(session.expiresAt), after(session.freshUntil)]).toEqual(['600s', 3600, 120])
  expect(browser.setCookies[0]).toContain('Max-Age=3600;')
})

describe('by the API', () => {
  test('the policy can be read and changed with the permission; errors name the field', async () => {
    const token = await getToken(server, await access.makeCaller(['system:owner']))
    const viewer = await getToken(server, await access.makeCaller(['system:viewer']))
    const get = await ask(server, policyPath, { token: viewer })
    expect(get.json['policy']).toMatchObject({ idleTime: '43200s', sessionTime: '604800s', freshTime: '900s' })
    const post = (policy: object, by = token): Promise<Reply> =>
      ask(server, policyPath, { token: by, body: { policy } })
    expect(outcomeOf(await post({ methods: ['link'] }, viewer))).toBe('403/7 PERMISSION_DENIED')
    expect(fieldsOf(await post({ methods: [] }))).toEqual(['methods'])
    expect(fieldsOf(await post({ methods: ['oidc'] }))).toEqual(['methods'])
    expect(fieldsOf(await post({ methods: ['word'] }))).toEqual(['policy.methods[0]'])
    const wrong = { methods: ['link'], idleTime: '1s', sessionTime: '99999999s', freshTime: '0.5s' }
    expect(fieldsOf(await post(wrong))).toEqual(['idleTime', 'sessionTime', 'freshTime'])
    expect(fieldsOf(await post({ methods: ['link'], idleTime: '7200s', sessionTime: '3600s' }))).toEqual(['idleTime'])
    const good = await post({ methods: ['link', 'passkey', 'oidc'], idleTime: '7200s' })
    expect(good.json['policy']).toMatchObject({ idleTime: '7200s', sessionTime: '604800s' })
    const [event] = await server.db<{ severity: string }[]>`
      select event::jsonb ->> 'severity' as severity from systemlog_events
      where event::jsonb ->> 'message' like 'Set the sign-in policy%' order by event_id desc limit 1`
    expect(event?.severity).toBe('High')
  })

  test('nobody locks themselves out', async () => {
    const tenant = await makeTenant()
    const userId = await access.makeUser({ tenant, roles: ['system:owner'] })
    const browser = browserAt(tenant)
    await browser.ask(byLink, { body: { token: await makeToken(access, userId, tenant) } })
    const reply = await browser.ask(policyPath, { body: { policy: { methods: ['passkey'] } } })
    expect(outcomeOf(reply)).toBe('400/9 POLICY_LOCKS_OUT')
    expect(outcomeOf(await browser.ask(current))).toBe('200')
  })
})

test('bailiwick tenant sign-in-policy sets and shows it, and sign-in-link says how the glass is broken', async () => {
  const tenant = await access.makeTenant('by-command.example.com')
  const bailiwick = (...words: string[]): Promise<Ran> =>
    run([
      ...words,
      ...['--tenant', tenant.domain, '--data-dir', server.config.dataDir, '--database-url', server.databaseUrl],
    ])
  const policy = ['tenant', 'sign-in-policy'] as const
  const done = await bailiwick(...policy, 'set', '--allow', 'passkey', '--idle', '30m', '--session', '12h')
  expect(done, done.stderr).toMatchObject({ code: 0 })
  const shown = await bailiwick(...policy, 'show', '--json')
  expect(JSON.parse(shown.stdout)).toEqual({
    methods: ['passkey'],
    idleSeconds: 1800,
    sessionSeconds: 43_200,
    freshSeconds: 900,
    sourceLimits: expect.objectContaining({ connectorSource: { enabled: false, sourceCidr: [] } }) as unknown,
  })
  const link = await bailiwick('sign-in-link', '--user', 'owner@example.com')
  expect(link.code).toBe(2)
  expect(link.stderr).toMatch(/does not allow sign-in links\. Use --break-glass/)
  const broken = await bailiwick('sign-in-link', '--user', 'owner@example.com', '--break-glass', '--json')
  const [, token] = (JSON.parse(broken.stdout) as { url: string }).url.split('#')
  expect(outcomeOf(await browserAt(tenant).ask(byLink, { body: { token } }))).toBe('200')
  for (const wrong of [
    ['--allow', 'word'],
    ['--idle', 'soon'],
    ['--idle', '1m'],
  ])
    expect(await bailiwick(...policy, 'set', ...wrong)).toMatchObject({ code: 2, stdout: '' })
})

describe('other people’s sessions', () => {
  const path = (userId: string): string => `/api/v1/auth/users/${userId}/sessions`

  test('are listed and ended with the permission, with an event; their owner sees the reason', async () => {
    const userId = await access.makeUser()
    const [one, two] = [await signIn(server, access, userId), await signIn(server, access, userId)]
    const admin = await access.makeUser({ roles: ['system:owner'] })
    const browser = await signIn(server, access, admin)
    const { list } = (await browser.ask(path(userId))).json as { list: { id: string }[] }
    expect(list).toHaveLength(2)
    const id = sessionIn(await one.ask(current))['id'] as string
    expect(outcomeOf(await browser.ask(`${path(admin)}/${id}`, { method: 'DELETE' }))).toBe('404/5 SESSION_NOT_FOUND')
    expect(outcomeOf(await browser.ask(`${path(userId)}/${id}`, { method: 'DELETE' }))).toBe('200')
    const ended = await one.ask(current)
    expect(outcomeOf(ended)).toBe('401/16 SESSION_ENDED')
    expect(ended.json['message']).toContain('An administrator ended the session')
    expect(outcomeOf(await two.ask(current))).toBe('200')
    expect((await browser.ask(`${path(userId)}/revoke_all`, { body: {} })).json).toEqual({ revoked: 1 })
    expect(outcomeOf(await two.ask(current))).toBe('401/16 SESSION_ENDED')
    expect((await browser.ask(path(userId))).json['list']).toEqual([])
    const events = await server.db<{ message: string; actor: string }[]>`
      select event::jsonb ->> 'message' as message, event::jsonb #>> '{actor,user,uid}' as actor from systemlog_events
      where event::jsonb -> 'resources' @> ${server.db.json([{ type: 'user', uid: userId }])}
        and event::jsonb ->> 'message' like 'Ended%' order by event_id`
    expect(events.map(({ actor }) => actor)).toEqual([admin, admin])
  })

  test('are not there for others, of another tenant, or for a user who is not there', async () => {
    const userId = await access.makeUser()
    const theirs = await signIn(server, access, userId)
    const plain = await signIn(server, access, await access.makeUser({ roles: ['system:user'] }))
    expect(outcomeOf(await plain.ask(path(userId)))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await plain.ask(`${path(userId)}/revoke_all`, { body: {} }))).toBe('403/7 PERMISSION_DENIED')
    const viewer = await signIn(server, access, await access.makeUser({ roles: ['system:viewer'] }))
    expect(outcomeOf(await viewer.ask(path(userId)))).toBe('200')
    expect(outcomeOf(await viewer.ask(`${path(userId)}/revoke_all`, { body: {} }))).toBe('403/7 PERMISSION_DENIED')
    const other = await access.makeTenant('sessions-of-others.example.com')
    const host = other.domain
    const token = await getToken(server, await access.makeCaller(['system:owner'], {}, other))
    expect((await ask(server, path(userId), { host, token })).json['list']).toEqual([])
    const all = await ask(server, `${path(userId)}/revoke_all`, { host, token, body: {} })
    expect(outcomeOf(all)).toBe('404/5 USER_NOT_FOUND')
    expect(outcomeOf(await theirs.ask(current))).toBe('200')
  })

  test('are ended by bailiwick user end-sessions', async () => {
    const userId = await access.makeUser({ email: 'leaver@example.com' })
    const browser = await signIn(server, access, userId)
    const ran = await run([
      ...['user', 'end-sessions', 'leaver@example.com', '--tenant', 'localhost'],
      ...['--data-dir', server.config.dataDir, '--database-url', server.databaseUrl],
    ])
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: 'Ended 1 session of leaver@example.com.\n' })
    expect(outcomeOf(await browser.ask(current))).toBe('401/16 SESSION_ENDED')
  })
})

test('the console’s question who is there, without a cookie, is no denial in the log; with a wrong one it is', async () => {
  const denials = async (): Promise<number> => {
    const [row] = await server.db<{ count: number }[]>`
      select count(*) from systemlog_events where event::jsonb ->> 'message' like 'Denied auth.v1.Session.Current%'`
    return row?.count ?? 0
  }
  const before = await denials()
  const visitor = openBrowser(server, { from: newAddress() })
  expect(outcomeOf(await visitor.ask(current))).toBe('401/16 TOKEN_MISSING')
  expect(await denials()).toBe(before)
  visitor.cookies.set('bailiwick', 'nonsense')
  expect(outcomeOf(await visitor.ask(current))).toBe('401/16 SESSION_ENDED')
  expect(await denials()).toBe(before + 1)
  // Once: the browser was told to forget it.
  expect(visitor.cookies.get('bailiwick')).toBeUndefined()
  expect(outcomeOf(await visitor.ask(current))).toBe('401/16 TOKEN_MISSING')
  expect(await denials()).toBe(before + 1)
})

test('the sign-in page of someone whose session has ended writes no denial; whatever else the cookie is used for does', async () => {
  const denials = async (): Promise<string[]> => {
    const rows = await server.db<{ message: string }[]>`
      select event::jsonb ->> 'message' as message from systemlog_events
      where event::jsonb ->> 'message' like 'Denied auth.v1.Session.%' order by event_id`
    return rows.map(({ message }) => message)
  }
  const before = await denials()
  for (const end of ['signed out', 'by command'] as const) {
    const userId = await access.makeUser({ email: `${end.replace(' ', '-')}@example.com` })
    const browser = await signIn(server, access, userId)
    const cookie = browser.cookies.get('bailiwick') as string
    if (end === 'signed out') await browser.ask('/auth/v1/sign_out', { body: {} })
    else
      await run([
        ...['user', 'end-sessions', 'by-command@example.com', '--tenant', 'localhost'],
        ...['--data-dir', server.config.dataDir, '--database-url', server.databaseUrl],
      ])
    // What every page of the console asks first, and what the sign-in page asks. Each from elsewhere: denials are folded.
    const visitor = openBrowser(server, { from: newAddress() })
    for (let visit = 0; visit < 3; visit++) {
      visitor.cookies.set('bailiwick', cookie)
      expect(outcomeOf(await visitor.ask(current))).toBe('401/16 SESSION_ENDED')
      expect((await visitor.ask('/auth/v1/sign_in')).status).toBe(200)
    }
    expect(await denials()).toEqual(before)
    expect(outcomeOf(await visitor.ask('/api/v1/auth/sessions'))).toBe('401/16 SESSION_ENDED')
    expect(await denials()).toHaveLength(before.length + 1)
    before.push((await denials()).at(-1) as string)
  }
})
