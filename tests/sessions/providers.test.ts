import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setOidc, setPolicy } from '#rooms/identity/sessions/index.ts'
import { type Access, type Json, newAddress, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from './provider.ts'
import { type Browser, letPass, openBrowser, signIn } from './support.ts'

let server: TestServer
let access: Access
let acme: TestProvider
let evil: TestProvider
let owner: Browser
beforeAll(async () => {
  server = await startServer({
    flags: { 'trusted-proxy': ['127.0.0.1'], 'outgoing-allow': ['localhost'], 'outgoing-http': true },
  })
  access = await openAccess(server)
  const callbacks = [`http://localhost:${new URL(server.url).port}/auth/v1/oidc/callback`]
  ;[acme, evil] = await Promise.all([startProvider(callbacks), startProvider(callbacks)])
  owner = await signIn(server, access, await access.makeUser({ roles: ['system:owner'] }))
})
afterAll(async () => {
  await Promise.all([acme?.stop(), evil?.stop()])
  await access.close()
  await server.stop()
})

const path = '/api/v1/auth/sign_in_providers'
const settingsOf = (provider: { issuer: string }, domains: string[], displayName = 'Acme') => ({
  displayName,
  issuer: provider.issuer,
  clientId,
  clientSecret,
  domains,
})
const providerIn = (reply: Reply): Json => {
  expect(outcomeOf(reply), reply.text).toBe('200')
  return reply.json['provider'] as Json
}
const act = (id: unknown, what: string, by = owner, body: Json = {}): Promise<Reply> =>
  by.ask(`${path}/${String(id)}/${what}`, { body })
const listed = async (): Promise<Json[]> => (await owner.ask(path)).json['list'] as Json[]

async function clear(): Promise<void> {
  for (const { id } of await listed()) {
    await act(id, 'disable')
    await owner.ask(`${path}/${String(id)}`, { method: 'DELETE', body: {} })
  }
}

async function make(provider: TestProvider, domains: string[], name?: string): Promise<string> {
  const { id } = providerIn(await owner.ask(path, { body: settingsOf(provider, domains, name) }))
  providerIn(await act(id, 'enable'))
  return id as string
}

const newBrowser = (): Browser => openBrowser(server, { from: newAddress() })
const comeBack = (browser: Browser, url: string): Promise<Reply> => {
  const { pathname, search } = new URL(url)
  const headers = { 'sec-fetch-site': 'cross-site', origin: undefined, 'x-bailiwick-console': undefined }
  return browser.ask(`${pathname}${search}`, { headers: headers as unknown as Record<string, string> })
}
const whereTo = ({ status, headers }: Reply): string => `${status} ${headers.location}`
const begin = (browser: Browser, email: string): Promise<Reply> =>
  browser.ask('/auth/v1/sign_in/oidc', { body: { email } })

/** Types an address here, and signs in as someone at the provider that it leads to. */
async function enter(provider: TestProvider, typed: string, login: string, email: string): Promise<[string, Browser]> {
  provider.people.set(login, { email, email_verified: true })
  const browser = newBrowser()
  const { url } = (await begin(browser, typed)).json as { url: string }
  expect(new URL(url).origin).toBe(provider.issuer)
  return [whereTo(await comeBack(browser, await provider.signIn(url, login))), browser]
}

describe('a provider that an administrator configured', () => {
  test('signs in nobody until it is enabled; then people of its domains, by the address that they enter', async () => {
    const created = providerIn(await owner.ask(path, { body: settingsOf(acme, ['ACME.example', '@acme.example']) }))
    expect(created).toMatchObject({
      displayName: 'Acme',
      domains: ['acme.example'],
      isEnabled: false,
      isOfOperator: false,
      hasClientSecret: true,
      test: null,
    })
    expect(JSON.stringify(created)).not.toContain(clientSecret)
    const [row] = await server.db<{ text: string }[]>`select o::text as text from sign_in_providers o`
    expect(row?.text).not.toContain(Buffer.from(clientSecret).toString('hex'))

    const ways = async () => (await newBrowser().ask('/auth/v1/sign_in')).json
    expect(await ways()).toMatchObject({ oidc: false, oidcIssuer: '' })
    expect(outcomeOf(await begin(newBrowser(), 'ann@acme.example'))).toBe('400/3 SIGN_IN_REFUSED')

    expect(providerIn(await act(created['id'], 'enable'))).toMatchObject({ isEnabled: true })
    expect(await ways()).toMatchObject({ oidc: true, oidcIssuer: acme.issuer })
    await access.makeUser({ email: 'ann@acme.example', roles: ['system:user'] })
    const [where, browser] = await enter(acme, 'Ann@ACME.example', 'ann', 'ann@acme.example')
    expect(where).toBe('303 /')
    expect(outcomeOf(await browser.ask('/api/v1/auth/session'))).toBe('200')
    await clear()
  })

  test('is found by the domain of the address, of several; strangers learn nothing about users', async () => {
    await make(acme, ['acme.example'])
    await make(evil, ['other.example', 'xn--mller-kva.example'], 'Other')
    expect((await newBrowser().ask('/auth/v1/sign_in')).json).toMatchObject({ oidc: true, oidcIssuer: '' })
    const leadsTo = async (email: string): Promise<string> => {
      const reply = await begin(newBrowser(), email)
      return reply.status === 200 ? new URL(reply.json['url'] as string).origin : outcomeOf(reply)
    }
    expect(await leadsTo('nobody@acme.example')).toBe(acme.issuer)
    expect(await leadsTo('x@OTHER.example')).toBe(evil.issuer)
    expect(await leadsTo('x@müller.example')).toBe(evil.issuer)
    for (const email of ['x@sub.acme.example', 'x@acme.example.org', 'acme.example', 'x@acme.example@z.example', ''])
      expect(await leadsTo(email), email).toBe('400/3 SIGN_IN_REFUSED')
    // For one who exists and one who does not, the same, but for what is random.
    await access.makeUser({ email: 'there@acme.example' })
    const namesOf = async (email: string): Promise<string> => {
      const url = new URL((await begin(newBrowser(), email)).json['url'] as string)
      for (const name of ['state', 'nonce', 'code_challenge', 'login_hint']) url.searchParams.delete(name)
      return url.href
    }
    expect(await namesOf('there@acme.example')).toBe(await namesOf('absent@acme.example'))
    await clear()
  })

  test('vouches for its domains only, whatever it says', async () => {
    await make(acme, ['acme.example'])
    await make(evil, ['evil.example'], 'Evil')
    const victim = await access.makeUser({ email: 'vic@acme.example', roles: ['system:user'] })
    const [where, browser] = await enter(evil, 'me@evil.example', 'mallory', 'vic@acme.example')
    expect(where).toBe('303 /sign-in?error=DOMAIN_NOT_COVERED')
    expect(browser.cookies.has('bailiwick')).toBe(false)
    // The same for someone who does not exist: it learns nothing about people of other domains.
    expect((await enter(evil, 'me@evil.example', 'mallory-2', 'nobody@acme.example'))[0]).toBe(where)
    expect(await server.db`select 1 from oidc_identities where user_id = ${victim}`).toHaveLength(0)
    const lookalike = await enter(evil, 'me@evil.example', 'mallory-3', 'vic@acme.example@evil.example')
    expect(lookalike[0]).toBe('303 /sign-in?error=USER_UNKNOWN')
    await clear()
  })

  test('goes on signing in people who are linked with it, whatever their address becomes', async () => {
    await make(acme, ['acme.example'])
    const userId = await access.makeUser({ email: 'moves@acme.example', roles: ['system:user'] })
    expect((await enter(acme, 'moves@acme.example', 'moves', 'moves@acme.example'))[0]).toBe('303 /')
    await server.db`update users set email = 'moves@elsewhere.example' where user_id = ${userId}`
    expect((await enter(acme, 'x@acme.example', 'moves', 'moves@elsewhere.example'))[0]).toBe('303 /')
    await clear()
  })

  test('does not make anybody an administrator by their address: they link themselves, and are sent to it by their own', async () => {
    await make(acme, ['acme.example'])
    await make(evil, ['evil.example'], 'Evil')
    const boss = await access.makeUser({ email: 'boss@acme.example', roles: ['system:owner'] })
    expect((await enter(acme, 'boss@acme.example', 'boss', 'boss@acme.example'))[0]).toBe(
      '303 /sign-in?error=LINK_NEEDED',
    )
    const browser = await signIn(server, access, boss)
    const { url } = (await browser.ask('/api/v1/auth/identities/link', { body: {} })).json as { url: string }
    expect(new URL(url).origin).toBe(acme.issuer)
    expect(whereTo(await comeBack(browser, await acme.signIn(url, 'boss')))).toBe('303 /')
    expect((await enter(acme, 'boss@acme.example', 'boss', 'boss@acme.example'))[0]).toBe('303 /')
    // Who confirms their identity is sent where they are linked; in a browser without their session, nobody is sent there.
    const confirming = await signIn(server, access, boss)
    const confirm = (by: Browser) => by.ask('/auth/v1/sign_in/oidc', { body: { userId: boss } })
    expect(new URL((await confirm(confirming)).json['url'] as string).origin).toBe(acme.issuer)
    expect(outcomeOf(await confirm(newBrowser()))).toBe('400/3 SIGN_IN_REFUSED')
    expect(outcomeOf(await confirm(owner))).toBe('400/3 SIGN_IN_REFUSED')
    await clear()
  })

  test('while it is enabled, keeps its issuer, client ID and domains, and is not deleted; disabling ends no session', async () => {
    const id = await make(acme, ['acme.example'])
    await access.makeUser({ email: 'stays@acme.example', roles: ['system:user'] })
    const [, browser] = await enter(acme, 'stays@acme.example', 'stays', 'stays@acme.example')
    const update = (changed: Json) =>
      owner.ask(`${path}/${id}`, { body: { ...settingsOf(acme, ['acme.example']), ...changed } })
    for (const changed of [
      { issuer: evil.issuer },
      { clientId: 'other' },
      { domains: ['acme.example', 'evil.example'] },
    ])
      expect(outcomeOf(await update(changed)), JSON.stringify(changed)).toBe('400/9 SIGN_IN_PROVIDER_ENABLED')
    const remove = () => owner.ask(`${path}/${id}`, { method: 'DELETE', body: {} })
    expect(outcomeOf(await remove())).toBe('400/9 SIGN_IN_PROVIDER_ENABLED')
    expect(providerIn(await update({ displayName: 'Acme Inc.', clientSecret: '' }))).toMatchObject({
      displayName: 'Acme Inc.',
      hasClientSecret: true,
    })
    // Sent away before it is disabled, and back after that: too late.
    const late = newBrowser()
    const { url } = (await begin(late, 'stays@acme.example')).json as { url: string }
    providerIn(await act(id, 'disable'))
    expect(whereTo(await comeBack(late, await acme.signIn(url, 'stays')))).toBe('303 /sign-in?error=OIDC_EXPIRED')
    expect(outcomeOf(await browser.ask('/api/v1/auth/session'))).toBe('200')
    // The secret of one issuer is not sent to another.
    const moved = await update({ issuer: evil.issuer, clientSecret: '' })
    expect(outcomeOf(moved)).toBe('400/3 INPUT_INVALID')
    expect(moved.text).toContain('clientSecret')
    expect(providerIn(await update({ issuer: evil.issuer }))).toMatchObject({ issuer: evil.issuer, test: null })
    expect(outcomeOf(await remove())).toBe('200')
    expect(outcomeOf(await remove())).toBe('404/5 SIGN_IN_PROVIDER_NOT_FOUND')
  })

  test('shares no domain and no issuer with another; of two that are enabled at once, one is', async () => {
    await make(acme, ['acme.example'])
    expect(outcomeOf(await owner.ask(path, { body: settingsOf(acme, ['more.example']) }))).toBe(
      '409/6 SIGN_IN_PROVIDER_EXISTS',
    )
    await clear()
    const ids = await Promise.all(
      [acme, evil].map(async (provider) => {
        const made = await owner.ask(path, { body: settingsOf(provider, ['shared.example'], provider.issuer) })
        return providerIn(made)['id']
      }),
    )
    const outcomes = (await Promise.all(ids.map((id) => act(id, 'enable')))).map(outcomeOf)
    expect(outcomes.toSorted()).toEqual(['200', '409/6 SIGN_IN_DOMAIN_TAKEN'])
    await clear()
  })

  test('has a public address, a name, a client ID and domains; there are at most 20', async () => {
    const problems = async (changed: Json): Promise<string> => {
      const reply = await owner.ask(path, { body: { ...settingsOf(acme, ['acme.example']), ...changed } })
      return `${outcomeOf(reply)} ${/"field":"([^"]+)"/.exec(reply.text)?.[1]}`
    }
    for (const [changed, field] of [
      [{ issuer: 'http://169.254.169.254/' }, 'issuer'],
      [{ issuer: 'https://10.0.0.1' }, 'issuer'],
      [{ issuer: 'javascript:alert(1)' }, 'issuer'],
      [{ issuer: `${acme.issuer}?x=1` }, 'issuer'],
      [{ displayName: '  ' }, 'displayName'],
      [{ clientId: ' ' }, 'clientId'],
      [{ domains: [] }, 'domains'],
      [{ domains: ['acme.example', '*'] }, 'domains[1]'],
      [{ domains: ['example'] }, 'domains[0]'],
      [{ domains: ['ann@acme.example'] }, 'domains[0]'],
    ] as const)
      expect(await problems(changed as Json), JSON.stringify(changed)).toBe(`400/3 INPUT_INVALID ${field}`)
    for (let count = 0; count < 20; count++)
      providerIn(await owner.ask(path, { body: settingsOf({ issuer: `${acme.issuer}/${count}` }, ['acme.example']) }))
    expect(outcomeOf(await owner.ask(path, { body: settingsOf({ issuer: `${acme.issuer}/x` }, ['a.example']) }))).toBe(
      '400/9 SIGN_IN_PROVIDERS_TOO_MANY',
    )
    await clear()
  })
})

describe('a test of a provider', () => {
  async function tried(login: string | null, person: Json): Promise<Json> {
    const [{ id }] = (await listed()) as [Json]
    if (login !== null) acme.people.set(login, person)
    const { url } = (await act(id, 'test', owner, { returnTo: '/settings/sign-in' })).json as { url: string }
    const session = owner.cookies.get('bailiwick')
    expect(whereTo(await comeBack(owner, await acme.signIn(url, login)))).toBe('303 /settings/sign-in')
    expect(owner.cookies.get('bailiwick')).toBe(session)
    return ((await listed())[0] as Json)['test'] as Json
  }

  test('shows whom it would sign in, or why nobody, and changes no session, no link and no user', async () => {
    const made = providerIn(await owner.ask(path, { body: settingsOf(acme, ['acme.example']) }))
    const userId = await access.makeUser({ email: 'try@acme.example', roles: ['system:user'] })
    const sessions = () => server.db`select session_id from sessions order by session_id`
    const before = await sessions()
    expect(await tried('try', { email: 'try@acme.example', email_verified: true })).toMatchObject({
      code: '',
      userId,
      subject: 'try',
      email: 'try@acme.example',
      isEmailVerified: true,
    })
    for (const [login, person, code] of [
      ['try-2', { email: 'try@acme.example', email_verified: false }, 'EMAIL_UNVERIFIED'],
      ['try-3', { email: 'try@other.example', email_verified: true }, 'DOMAIN_NOT_COVERED'],
      ['try-4', { email: 'nobody@acme.example', email_verified: true }, 'USER_UNKNOWN'],
      [null, {}, 'OIDC_REFUSED'],
    ] as const)
      expect(await tried(login, person), String(login)).toMatchObject({ code, userId: '' })
    expect(await sessions()).toEqual(before)
    expect(await server.db`select 1 from oidc_identities where user_id = ${userId}`).toHaveLength(0)
    expect((await owner.ask('/api/v1/auth/session')).json['session']).not.toBeNull()
    // Of other settings it is no test.
    const changed = await owner.ask(`${path}/${String(made['id'])}`, { body: settingsOf(acme, ['new.example']) })
    expect(providerIn(changed)['test']).toBeNull()
    await clear()
  })

  test('is of the browser in which it began: a forwarded link leads nowhere', async () => {
    const { id } = providerIn(await owner.ask(path, { body: settingsOf(acme, ['acme.example']) }))
    const { url } = (await act(id, 'test')).json as { url: string }
    const back = await acme.signIn(url, 'try')
    const victim = newBrowser()
    expect(whereTo(await comeBack(victim, back))).toBe('303 /sign-in?error=OIDC_EXPIRED')
    expect(victim.cookies.has('bailiwick')).toBe(false)
    // Nor can it be used again, by anyone.
    expect(whereTo(await comeBack(owner, back))).toBe('303 /sign-in?error=OIDC_EXPIRED')
    expect((await listed())[0]).toMatchObject({ test: null })
    await clear()
  })

  test('shows why a provider cannot be reached, and calls no address that the operator does not allow', async () => {
    const { id } = providerIn(
      await owner.ask(path, { body: settingsOf({ issuer: 'http://localhost:1' }, ['a.example']) }),
    )
    const reply = await act(id, 'test')
    expect(outcomeOf(reply)).toBe('400/3 SIGN_IN_REFUSED')
    expect(reply.json['message']).toContain('localhost:1 could not be reached')
    await clear()
  })
})

test('only who may change how people sign in may change providers, with a recent sign-in, in their tenant', async () => {
  const id = await make(acme, ['acme.example'])
  const everything = (by: Browser) =>
    Promise.all([
      by.ask(path, { body: settingsOf(evil, ['evil.example']) }),
      by.ask(`${path}/${id}`, { body: settingsOf(acme, ['acme.example']) }),
      ...['enable', 'disable', 'test'].map((what) => act(id, what, by)),
      by.ask(`${path}/${id}`, { method: 'DELETE', body: {} }),
    ]).then((replies) => [...new Set(replies.map(outcomeOf))])
  const viewer = await signIn(server, access, await access.makeUser({ roles: ['system:viewer'] }))
  expect(await everything(viewer)).toEqual(['403/7 PERMISSION_DENIED'])
  const basic = await signIn(server, access, await access.makeUser({ roles: ['system:user'] }))
  expect(outcomeOf(await basic.ask(path))).toBe('403/7 PERMISSION_DENIED')
  const staleId = await access.makeUser({ roles: ['system:owner'] })
  const stale = await signIn(server, access, staleId)
  await letPass(access, staleId, 20)
  expect(await everything(stale)).toEqual(['403/7 FRESH_SIGN_IN_REQUIRED'])

  // Another tenant has providers of its own.
  const tenant = await access.makeTenant('elsewhere.example.com')
  const token = await access.makeToken(await access.makeCaller(['system:owner'], undefined, tenant), tenant)
  const other = openBrowser(server, { host: tenant.domain })
  const byOther = (at: string, body?: Json) => other.ask(at, { token, ...(body && { body }) })
  expect((await byOther(path)).json['list']).toEqual([])
  expect(outcomeOf(await byOther(`${path}/${id}/enable`, {}))).toBe('404/5 SIGN_IN_PROVIDER_NOT_FOUND')
  expect(outcomeOf(await byOther(`${path}/${id}/test`, {}))).toBe('404/5 SIGN_IN_PROVIDER_NOT_FOUND')
  await clear()
})

test('the provider of the operator is listed, for all addresses, and not changed here; a domain of another one comes first', async () => {
  const cause = operatorCause(access.tenant, 'test')
  const wanted = { issuer: evil.issuer, clientId, clientSecret }
  await transact(access.world.db, (tx) => setOidc(tx, access.world, cause, wanted))
  const [operators] = (await listed()) as [Json]
  expect(operators).toMatchObject({ isOfOperator: true, isEnabled: true, domains: [] })
  expect(outcomeOf(await act(operators['id'], 'disable'))).toBe('400/9 SIGN_IN_PROVIDER_OF_OPERATOR')
  const id = await make(acme, ['acme.example'])
  const leadsTo = async (email: string) => new URL((await begin(newBrowser(), email)).json['url'] as string).origin
  expect(await leadsTo('x@acme.example')).toBe(acme.issuer)
  expect(await leadsTo('x@anything.example')).toBe(evil.issuer)

  // Nobody disables the only way by which they sign in.
  await act(id, 'disable')
  await transact(access.world.db, (tx) => setOidc(tx, access.world, cause, { ...wanted, domains: ['hq.example'] }))
  await act(id, 'enable')
  const policy = { methods: ['oidc'] as const, idleSeconds: 3600, sessionSeconds: 7200, freshSeconds: 900 }
  await transact(access.world.db, (tx) => setPolicy(tx, access.world, cause, policy))
  const caller = await access.makeCaller(['system:owner'])
  await server.db`update users set email = 'last@acme.example' where user_id = ${caller.userId}`
  const token = await access.makeToken(caller)
  const reply = await openBrowser(server).ask(`${path}/${id}/disable`, { token, body: {} })
  expect(outcomeOf(reply)).toBe('400/9 POLICY_LOCKS_OUT')
})
