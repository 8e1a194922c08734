import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { setOidc } from '#rooms/sessions/index.ts'
import { operatorCause } from '#rooms/systemlog/index.ts'
import { type Ran, run } from '../cli/command.ts'
import { type Access, type Json, newAddress, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from './provider.ts'
import { type Browser, expireChallenges, openBrowser, sessionIn } from './support.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 })

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

  test.each(['//evil.example.com', 'https://evil.example.com', '/\\evil.example.com', 'javascript:alert(1)', ''])(
    'is never led elsewhere: %j',
    async (returnTo) => {
      await access.makeUser({ email: 'kay@example.com' }).catch(() => {})
      provider.people.set('kay', { email: 'kay@example.com', email_verified: true })
      const browser = newBrowser()
      const { url } = (await begin(browser, returnTo)).json as { url: string }
      expect(whereTo(await comeBack(browser, await provider.signIn(url, 'kay')))).toBe('303 /')
    },
  )
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
    ] as const) {
      const browser = newBrowser()
      const { url } = (await begin(browser)).json as { url: string }
      const back = new URL(await provider.signIn(url, 'joe'))
      back.searchParams.set(name, value)
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

describe('bailiwick tenant oidc', () => {
  test('shows what is set, and the sign-in page is told', async () => {
    const { port } = new URL(server.url)
    const shown = await oidc('show', '--url', `http://localhost:${port}`)
    expect(shown.stdout).toContain(`Issuer         ${provider.issuer}`)
    expect(shown.stdout).toContain('Client Secret  kept, sealed')
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
      [['--issuer', 'http://login.example.com'], /--issuer must begin with https/],
      [['--issuer', 'http://localhost:1'], /did not answer as a provider does/],
      [['--issuer', 'https://x.example.com', '--client-secret-file', '/nowhere'], /cannot read/],
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
