import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setOidc } from '#rooms/identity/sessions/index.ts'
import { type Ran, run } from '../cli/command.ts'
import { type Access, type Json, newAddress, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from './provider.ts'
import { type Browser, expireChallenges, openBrowser, sessionIn, signIn as signInByToken } from './support.ts'

let server: TestServer
let access: Access
let provider: TestProvider
let secretFile: string
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  provider = await startProvider([`http://localhost:${new URL(server.url).port}/auth/v1/oidc/callback`])
  secretFile = join(server.config.dataDir, 'client-secret')
  writeFileSync(secretFile, `${clientSecret}\n`)
  const ran = await oidc(
    'set',
    '--issuer',
    provider.issuer,
    '--client-id',
    clientId,
    '--client-secret-file',
    secretFile,
  )
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
})
afterAll(async () => {
  rmSync(secretFile, { force: true })
  await provider.stop()
  await access.close()
  await server.stop()
})

const oidc = (...words: string[]): Promise<Ran> =>
  run([
    'tenant',
    'oidc',
    ...words,
    '--tenant',
    'localhost',
    '--data-dir',
    server.config.dataDir,
    '--database-url',
    server.databaseUrl,
  ])

const begin = (browser: Browser, returnTo = '/apps?query=x'): Promise<Reply> =>
  browser.ask('/auth/v1/sign_in/oidc', { body: { returnTo } })

/** As a browser does it when another site sends it here. */
const comeBack = (browser: Browser, url: string): Promise<Reply> => {
  const { pathname, search } = new URL(url)
  const headers = { 'sec-fetch-site': 'cross-site', origin: undefined, 'x-bailiwick-console': undefined }
  return browser.ask(`${pathname}${search}`, { headers: headers as unknown as Record<string, string> })
}
const newBrowser = (): Browser => openBrowser(server, { from: newAddress() })

async function signInAs(login: string | null, person: Record<string, unknown> = {}): Promise<[Reply, Browser]> {
  const browser = newBrowser()
  if (login !== null) provider.people.set(login, person)
  const { url } = (await begin(browser)).json as { url: string }
  return [await comeBack(browser, await provider.signIn(url, login)), browser]
}
const whereTo = ({ status, headers }: Reply): string => `${status} ${headers.location}`

describe('someone whom the provider vouches for', () => {
  test('is signed in by their email address, in whichever case it is written, and lands where they wanted to be', async () => {
    const userId = await access.makeUser({ email: 'Ada@example.com', roles: ['system:user'] })
    const [reply, browser] = await signInAs('ada', { email: 'aDA@EXAMPLE.com', email_verified: true })
    expect(whereTo(reply)).toBe('303 /apps?query=x')
    expect(browser.cookies.has('bailiwick-oidc')).toBe(false)
    const current = await browser.ask('/api/v1/auth/session')
    expect((current.json['user'] as Json)['id']).toBe(userId)
    expect(sessionIn(current)['method']).toBe('oidc')
  })

  test('goes there with a code challenge, a state and a nonce', async () => {
    const browser = newBrowser()
    const url = new URL((await begin(browser)).json['url'] as string)
    expect(url.origin).toBe(provider.issuer)
    const { port } = new URL(server.url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: clientId,
      redirect_uri: `http://localhost:${port}/auth/v1/oidc/callback`,
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    })
    expect(browser.setCookies[0]).toMatch(/^bailiwick-oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  })

  test.each([
    '//evil.example.com',
    'https://evil.example.com',
    '/\\evil.example.com',
    '/\t/evil.example.com',
    '/\n/evil.example.com',
    '/.//evil.example.com',
    '/..//evil.example.com',
    'javascript:alert(1)',
    '',
  ])('is never led elsewhere: %j', async (returnTo) => {
    await access.makeUser({ email: 'kay@example.com' }).catch(() => {})
    provider.people.set('kay', { email: 'kay@example.com', email_verified: true })
    const browser = newBrowser()
    const { url } = (await begin(browser, returnTo)).json as { url: string }
    expect(whereTo(await comeBack(browser, await provider.signIn(url, 'kay')))).toBe('303 /')
  })
})

describe('who someone is', () => {
  const unlinked = '303 /sign-in?error='
  const idOf = async (browser: Browser): Promise<unknown> =>
    ((await browser.ask('/api/v1/auth/session')).json['user'] as Json | undefined)?.['id']

  test('is the subject at the provider from the first sign-in on, whatever their address becomes there or here', async () => {
    const userId = await access.makeUser({ email: 'lin@example.com' })
    const other = await access.makeUser({ email: 'other@example.com' })
    const [, first] = await signInAs('lin', { email: 'lin@example.com', email_verified: true })
    expect(await idOf(first)).toBe(userId)
    // With the address of someone else, and with one that is not vouched for: still the same person.
    const [, second] = await signInAs('lin', { email: 'other@example.com', email_verified: true })
    expect(await idOf(second)).toBe(userId)
    await server.db`update users set email = 'swapped@example.com' where user_id = ${userId}`
    await server.db`update users set email = 'lin@example.com' where user_id = ${other}`
    const [, third] = await signInAs('lin', { email: 'lin@example.com', email_verified: false })
    expect(await idOf(third)).toBe(userId)
  })

  test('is not taken over by someone else who gets their address at the provider; that is an event', async () => {
    const userId = await access.makeUser({ email: 'max@example.com' })
    await signInAs('max', { email: 'max@example.com', email_verified: true })
    const [reply, browser] = await signInAs('max-the-second', { email: 'max@example.com', email_verified: true })
    expect(whereTo(reply)).toBe(`${unlinked}EMAIL_LINKED`)
    expect(browser.cookies.size).toBe(0)
    const [event] = await server.db<{ detail: string }[]>`
      select event::jsonb ->> 'status_detail' as detail from systemlog_events
      where event::jsonb ->> 'status_code' = 'SIGN_IN_REFUSED' and event::jsonb #>> '{user,uid}' = ${userId}`
    expect(event?.detail).toBe('the user is linked with another identity at the provider')
  })

  test('is told by the address for those with more rights only if it came with them: else they link themselves first, from a fresh session', async () => {
    for (const role of ['system:owner', 'system:viewer', 'system:application-admin'] as const) {
      const email = `${role.replace(':', '-')}@example.com`
      const userId = await access.makeUser({ email, roles: [role] })
      // The address that came with the role does; one that somebody wrote into the database later does not.
      const other = `other-${email}`
      await server.db`update users set email = ${other} where user_id = ${userId}`
      const [reply] = await signInAs(other, { email: other, email_verified: true })
      expect(whereTo(reply), role).toBe(`${unlinked}LINK_NEEDED`)
      await server.db`update users set email = ${email} where user_id = ${userId}`
      provider.people.set(email, { email, email_verified: true })
      if (role !== 'system:owner') continue
      const browser = await signInByToken(server, access, userId)
      const { url } = (await browser.ask('/api/v1/auth/identities/link', { body: { returnTo: '/settings' } })).json as {
        url: string
      }
      const before = openBrowser(server)
      before.cookies.set('bailiwick', browser.cookies.get('bailiwick') as string)
      provider.people.set(email, { email, email_verified: true })
      const back = await provider.signIn(url, email)
      // As browsers do: a Strict cookie does not come along from another site.
      browser.cookies.delete('bailiwick')
      expect(whereTo(await comeBack(browser, back))).toBe('303 /settings')
      expect(await idOf(browser)).toBe(userId)
      expect(outcomeOf(await before.ask('/api/v1/auth/session'))).toBe('401/16 SESSION_ENDED')
      const [, again] = await signInAs(email, {})
      expect(await idOf(again)).toBe(userId)
    }
  })

  test('is not linked with someone else’s account, nor with one that is another’s', async () => {
    const [ann, ben] = [
      await access.makeUser({ email: 'ann@x.example' }),
      await access.makeUser({ email: 'ben@x.example' }),
    ]
    await signInAs('ann-x', { email: 'ann@x.example', email_verified: true })
    for (const [login, person, code] of [
      ['ann-x', {}, 'IDENTITY_TAKEN'],
      ['stranger-x', { email: 'ann@x.example', email_verified: true }, 'USER_UNKNOWN'],
      ['ben-x', { email: 'ben@x.example', email_verified: false }, 'EMAIL_UNVERIFIED'],
    ] as const) {
      provider.people.set(login, person)
      const browser = await signInByToken(server, access, ben)
      const { url } = (await browser.ask('/api/v1/auth/identities/link', { body: {} })).json as { url: string }
      expect(whereTo(await comeBack(browser, await provider.signIn(url, login))), login).toBe(`${unlinked}${code}`)
    }
    const [row] = await server.db<{ count: number }[]>`
      select count(*) from oidc_identities where user_id in (${ann}, ${ben})`
    expect(row?.count).toBe(1)
  })

  test('cannot be written into the database', async () => {
    const userId = await access.makeUser({ email: 'nat@example.com' })
    const admin = await access.makeUser({ email: 'nat-admin@example.com', roles: ['system:owner'] })
    await signInAs('nat', { email: 'nat@example.com', email_verified: true })
    await server.db`update oidc_identities set user_id = ${admin} where user_id = ${userId}`
    const [reply, browser] = await signInAs('nat', { email: 'nat@example.com', email_verified: true })
    expect(whereTo(reply)).toBe(`${unlinked}USER_UNKNOWN`)
    expect(browser.cookies.size).toBe(0)
    const [row] = await server.db<{ count: number }[]>`
      select count(*) from systemlog_events where event::jsonb ->> 'status_code' = 'ROW_FORGED'`
    expect(row?.count).toBe(1)
  })

  test('is unlinked by themselves, and by nobody else in the same way', async () => {
    const userId = await access.makeUser({ email: 'una@example.com' })
    await access.makeUser({ email: 'vic@example.com' })
    const [, browser] = await signInAs('una', { email: 'una@example.com', email_verified: true })
    const [, stranger] = await signInAs('vic', { email: 'vic@example.com', email_verified: true })
    const listed = async () => (await browser.ask('/api/v1/auth/identities')).json['list'] as Json[]
    const [mine] = await listed()
    expect(mine).toMatchObject({ subject: 'una' })
    const unlink = (by: Browser) =>
      by.ask(`/api/v1/auth/identities/${mine?.['id'] as string}`, { method: 'DELETE', body: {} })
    expect(outcomeOf(await unlink(stranger))).toBe('404/5 IDENTITY_NOT_FOUND')
    expect(outcomeOf(await unlink(browser))).toBe('200')
    expect(await listed()).toEqual([])
    // From now on another subject with the same address, which is vouched for, is the same person.
    const [, again] = await signInAs('una-2', { email: 'una@example.com', email_verified: true })
    expect(await idOf(again)).toBe(userId)
  })

  test('is linked and unlinked by administrators and operators too', async () => {
    const userId = await access.makeUser({ email: 'op@example.com', roles: ['system:viewer'] })
    const user = (...words: string[]): Promise<Ran> =>
      run([
        'user',
        ...words,
        '--tenant',
        'localhost',
        '--data-dir',
        server.config.dataDir,
        '--database-url',
        server.databaseUrl,
      ])
    expect(await user('link-oidc', 'op@example.com', '--subject', 'op-sub')).toMatchObject({ code: 0 })
    expect(await user('link-oidc', 'op@example.com', '--subject', 'another')).toMatchObject({ code: 2 })
    const [, browser] = await signInAs('op-sub', {})
    expect(await idOf(browser)).toBe(userId)
    const admin = await signInByToken(server, access, await access.makeUser({ roles: ['system:owner'] }))
    const path = `/api/v1/auth/users/${userId}/identities`
    const { list } = (await admin.ask(path)).json as { list: Json[] }
    expect(list).toMatchObject([{ issuer: provider.issuer, subject: 'op-sub' }])
    expect(outcomeOf(await admin.ask(`${path}/${list[0]?.['id'] as string}`, { method: 'DELETE' }))).toBe('200')
    expect(outcomeOf(await admin.ask(`${path}/${list[0]?.['id'] as string}`, { method: 'DELETE' }))).toBe(
      '404/5 IDENTITY_NOT_FOUND',
    )
    expect(whereTo((await signInAs('op-sub', {}))[0])).toBe(`${unlinked}EMAIL_UNVERIFIED`)
    await user('link-oidc', 'op@example.com', '--subject', 'op-sub')
    expect(await user('unlink-oidc', 'op@example.com')).toMatchObject({ code: 0 })
    expect(await user('unlink-oidc', 'op@example.com')).toMatchObject({ code: 2 })
  })
})

describe('nobody is signed in', () => {
  test('whose address the provider does not vouch for', async () => {
    await access.makeUser({ email: 'eve@example.com' })
    const unverified = '303 /sign-in?error=EMAIL_UNVERIFIED'
    for (const email_verified of [false, undefined, 'true', 1])
      expect(whereTo((await signInAs('eve', { email: 'eve@example.com', email_verified }))[0])).toBe(unverified)
    expect(whereTo((await signInAs('nameless', { email_verified: true }))[0])).toBe(unverified)
  })

  test('who is no user here, or disabled; and no user is made', async () => {
    const unknown = '303 /sign-in?error=USER_UNKNOWN'
    const count = () => server.db<{ count: number }[]>`select count(*) from users`
    const before = await count()
    expect(whereTo((await signInAs('mallory', { email: 'mallory@example.com', email_verified: true }))[0])).toBe(
      unknown,
    )
    expect(await count()).toEqual(before)
    const userId = await access.makeUser({ email: 'gone@example.com' })
    await server.db`update users set status = 'DISABLED' where user_id = ${userId}`
    const [reply, browser] = await signInAs('gone', { email: 'gone@example.com', email_verified: true })
    expect(whereTo(reply)).toBe(unknown)
    expect(browser.cookies.size).toBe(0)
  })

  test('who says no at the provider', async () => {
    expect(whereTo((await signInAs(null))[0])).toBe('303 /sign-in?error=OIDC_REFUSED')
  })

  test('in a browser that did not begin it, twice, too late, or with a state of its own', async () => {
    const expired = '303 /sign-in?error=OIDC_EXPIRED'
    await access.makeUser({ email: 'bob@example.com' })
    provider.people.set('bob', { email: 'bob@example.com', email_verified: true })
    const back = async (browser: Browser): Promise<string> => {
      const { url } = (await begin(browser)).json as { url: string }
      return provider.signIn(url, 'bob')
    }
    const mine = newBrowser()
    expect(whereTo(await comeBack(newBrowser(), await back(mine)))).toBe(expired)

    const returning = await back(mine)
    const cookie = mine.cookies.get('bailiwick-oidc') as string
    expect(whereTo(await comeBack(mine, returning))).toBe('303 /apps?query=x')
    mine.cookies.set('bailiwick-oidc', cookie)
    expect(whereTo(await comeBack(mine, returning))).toBe(expired)

    const late = await back(mine)
    await expireChallenges(access)
    expect(whereTo(await comeBack(mine, late))).toBe(expired)

    const other = new URL(await back(mine))
    other.searchParams.set('state', 'A'.repeat(43))
    expect(whereTo(await comeBack(mine, other.href))).toBe(expired)
  })

  test('with a code that the provider did not give, or with another issuer', async () => {
    await access.makeUser({ email: 'joe@example.com' })
    provider.people.set('joe', { email: 'joe@example.com', email_verified: true })
    for (const [name, value] of [
      ['code', 'made-up'],
      ['iss', 'https://evil.example.com'],
      // RFC 9207: a provider that says that it names itself does.
      ['iss', null],
    ] as const) {
      const browser = newBrowser()
      const { url } = (await begin(browser)).json as { url: string }
      const back = new URL(await provider.signIn(url, 'joe'))
      if (value === null) back.searchParams.delete(name)
      else back.searchParams.set(name, value)
      const reply = await comeBack(browser, back.href)
      expect(whereTo(reply), name).toBe('303 /sign-in?error=OIDC_UNREACHABLE')
      expect(browser.cookies.has('bailiwick')).toBe(false)
    }
  })

  test('of a tenant without a provider, nor with one that does not answer', async () => {
    const bare = await access.makeTenant('bare.example.com')
    const start = (): Promise<Reply> =>
      openBrowser(server, { host: 'bare.example.com', from: newAddress() }).ask('/auth/v1/sign_in/oidc', { body: {} })
    const none = await start()
    expect(outcomeOf(none)).toBe('400/3 SIGN_IN_REFUSED')
    expect(none.json['message']).toContain('no OpenID Connect provider')
    const wanted = { issuer: 'http://localhost:1', clientId: 'x', clientSecret: null }
    await transact(access.world.db, (tx) => setOidc(tx, access.world, operatorCause(bare, 'test'), wanted))
    expect(outcomeOf(await start())).toBe('400/3 SIGN_IN_REFUSED')
  })
})

test('an identity from before a restore does not count, also when its row is put back', async () => {
  const userId = await access.makeUser({ email: 'restored@example.com', roles: ['system:user'] })
  const [first] = await signInAs('restored', { email: 'restored@example.com', email_verified: true })
  expect(whereTo(first)).toBe('303 /apps?query=x')
  // Unlinked after the backup: here the row is copied, and put back where the backup would have it.
  const rows = await server.db`select * from oidc_identities where user_id = ${userId}`
  const ran = await run([
    ...['database', 'restored'],
    ...['--data-dir', server.config.dataDir, '--database-url', server.databaseUrl],
  ])
  expect([ran.code, ran.stderr]).toEqual([0, ''])
  expect(ran.stdout).toContain('All links to OpenID Connect identities were removed')
  expect(await server.db`select 1 from oidc_identities`).toHaveLength(0)
  await server.db`insert into oidc_identities ${server.db(rows)}`
  // Once the server knows of it.
  const signInAgain = async () =>
    whereTo((await signInAs('restored', { email: 'someone.else@example.com', email_verified: true }))[0])
  await until(async () => (await signInAgain()) !== '303 /apps?query=x')
  expect(await signInAgain()).toBe('303 /sign-in?error=USER_UNKNOWN')
  const [linked] = await signInAs('restored', { email: 'restored@example.com', email_verified: true })
  expect(whereTo(linked)).toBe('303 /apps?query=x')
})

describe('bailiwick tenant oidc', () => {
  test('shows the settings, and the sign-in page uses them', async () => {
    const { port } = new URL(server.url)
    const shown = await oidc('show', '--url', `http://localhost:${port}`)
    expect(shown.stdout).toContain(`Issuer         ${provider.issuer}`)
    expect(shown.stdout).toContain('Client Secret  stored, encrypted')
    expect(shown.stdout).toContain(`Redirect URI   http://localhost:${port}/auth/v1/oidc/callback`)
    expect(shown.stdout).not.toContain(clientSecret)
    const ways = await newBrowser().ask('/auth/v1/sign_in')
    expect(ways.json).toMatchObject({ oidc: true, oidcIssuer: provider.issuer })
  })

  test('keeps the secret sealed', async () => {
    const [row] = await server.db<{ row: string; sealed: Buffer }[]>`
      select o::text as row, sealed_client_secret as sealed from oidc_providers o
      where client_id = ${clientId}`
    expect(row?.row).not.toContain(clientSecret)
    expect(row?.row).not.toContain(Buffer.from(clientSecret).toString('hex'))
    expect(row?.sealed.length).toBeGreaterThan(28)
  })

  test('refuses an issuer without TLS, no provider at all, and a secret that is not there, each in one line', async () => {
    const cases: [string[], RegExp][] = [
      [['--issuer', 'http://login.example.com'], /--issuer must start with https/],
      [['--issuer', 'http://localhost:1'], /does not respond like an OpenID Connect provider/],
      [['--issuer', 'https://x.example.com', '--client-secret-file', '/nowhere'], /there is no file \/nowhere/],
    ]
    const refuse = async ([words, message]: [string[], RegExp]): Promise<void> => {
      const ran = await oidc('set', '--client-id', 'x', ...words)
      expect(ran.code).toBe(2)
      expect(ran.stderr).toMatch(message)
      expect(ran.stderr.trim().split('\n')).toHaveLength(1)
    }
    await Promise.all(cases.map(refuse))
  })

  test('removes it: from then on nobody goes there', async () => {
    expect(await oidc('remove')).toMatchObject({ code: 0 })
    expect(await oidc('remove')).toMatchObject({ code: 2 })
    expect((await begin(newBrowser())).status).toBe(400)
  })
})
