import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, fieldsOf, type Json, newAddress, openAccess, outcomeOf, type Reply } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { Authenticator } from './authenticator.ts'
import { type Browser, cookieForm, expireChallenges, openBrowser, sessionIn, signIn } from './support.ts'

let server: TestServer
let access: Access
let origin: string
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  origin = `http://localhost:${new URL(server.url).port}`
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const passkeys = '/api/v1/auth/passkeys'
const refused = '400/3 PASSKEY_REFUSED'
const notSignedIn = '400/3 SIGN_IN_REFUSED'

const optionsOf = async (browser: Browser, path = `${passkeys}/options`): Promise<Json> => {
  const reply = await browser.ask(path, { body: {} })
  expect(reply.status, reply.text).toBe(200)
  return reply.json['options'] as Json
}
const add = (browser: Browser, response: Json, displayName = 'Laptop'): Promise<Reply> =>
  browser.ask(passkeys, { body: { displayName, response } })

type Holder = { userId: string; browser: Browser; authenticator: Authenticator; passkey: Json }
async function makeHolder(): Promise<Holder> {
  const userId = await access.makeUser()
  const browser = await signIn(server, access, userId)
  const authenticator = new Authenticator(origin)
  const reply = await add(browser, authenticator.create(await optionsOf(browser)))
  expect(reply.status, reply.text).toBe(200)
  return { userId, browser, authenticator, passkey: reply.json['passkey'] as Json }
}

const byPasskey = '/auth/v1/sign_in/passkey'
const signInOptions = (browser: Browser): Promise<Json> => optionsOf(browser, '/auth/v1/sign_in/passkey_options')
const stranger = (): Browser => openBrowser(server, { from: newAddress() })

/** Signs in with a passkey in a new browser, its answer changed as given. */
async function signInWith(authenticator: Authenticator, spoil = (response: Json): Json => response): Promise<Reply> {
  const browser = stranger()
  const response = spoil(authenticator.get(await signInOptions(browser)))
  return browser.ask(byPasskey, { body: { response } })
}

describe('a passkey', () => {
  test('is added by someone who is signed in, and signs them in from then on', async () => {
    const { userId, browser, authenticator, passkey } = await makeHolder()
    expect(passkey).toMatchObject({ displayName: 'Laptop', lastUsedAt: null, isBackedUp: false })
    const reply = await signInWith(authenticator)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json['userId']).toBe(userId)
    expect(sessionIn(reply)['method']).toBe('passkey')
    expect(reply.headers['set-cookie']?.[0]).toMatch(new RegExp(`^bailiwick=${cookieForm}; .*HttpOnly`))
    const [listed] = (await browser.ask(passkeys)).json['list'] as Json[]
    expect(listed).toMatchObject({ id: passkey['id'], lastUsedAt: expect.any(String) as string })
    expect(outcomeOf(await signInWith(authenticator))).toBe('200')
  })

  test('is asked for as discoverable, with user verification, for this host', async () => {
    const { browser, authenticator } = await makeHolder()
    const options = await optionsOf(browser)
    expect(options['rp']).toMatchObject({ id: 'localhost' })
    expect(options['attestation']).toBe('none')
    expect(options['authenticatorSelection']).toMatchObject({ residentKey: 'required', userVerification: 'required' })
    expect(options['excludeCredentials']).toMatchObject([{ id: authenticator.id.toString('base64url') }])
    const request = await signInOptions(stranger())
    expect(request).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(request['allowCredentials'] ?? []).toEqual([])
  })

  test('is renamed and deleted by its owner, and then signs nobody in', async () => {
    const { browser, authenticator, passkey } = await makeHolder()
    const path = `${passkeys}/${passkey['id'] as string}`
    const renamed = await browser.ask(path, { body: { displayName: ' Key ring ' } })
    expect(renamed.json['passkey']).toMatchObject({ displayName: 'Key ring' })
    expect(fieldsOf(await browser.ask(path, { body: { displayName: ' ' } }))).toEqual(['displayName'])
    expect(outcomeOf(await browser.ask(path, { method: 'DELETE' }))).toBe('200')
    expect((await browser.ask(passkeys)).json['list']).toEqual([])
    expect(outcomeOf(await signInWith(authenticator))).toBe(notSignedIn)
    expect(outcomeOf(await browser.ask(path, { method: 'DELETE' }))).toBe('404/5 PASSKEY_NOT_FOUND')
  })

  test('is not renamed for ever: each time is an event on the disk', async () => {
    const { browser, passkey } = await makeHolder()
    const rename = async (): Promise<string> =>
      outcomeOf(await browser.ask(`${passkeys}/${passkey['id'] as string}`, { body: { displayName: 'Phone' } }))
    // A twentieth of what is allowed is told to other servers; then it is as if those had spent the rest.
    const first = await Promise.all(Array.from({ length: 15 }, rename))
    expect(new Set(first)).toEqual(new Set(['200']))
    await until(async () => {
      const spent = await server.db`
        update budgets set left_over = left_over - 500 where name = 'changes of sign-in' returning 1`
      return spent.length > 0
    })
    await until(async () => (await rename()) !== '200')
    expect(await rename()).toBe('429/8 TOO_MANY_FAILURES')
  })

  test('of someone else is not there', async () => {
    const { passkey } = await makeHolder()
    const { browser } = await makeHolder()
    const path = `${passkeys}/${passkey['id'] as string}`
    expect(outcomeOf(await browser.ask(path, { body: { displayName: 'Mine' } }))).toBe('404/5 PASSKEY_NOT_FOUND')
    expect(outcomeOf(await browser.ask(path, { method: 'DELETE' }))).toBe('404/5 PASSKEY_NOT_FOUND')
  })

  test('is there once', async () => {
    const { browser, authenticator } = await makeHolder()
    expect(outcomeOf(await add(browser, authenticator.create(await optionsOf(browser))))).toBe('409/6 PASSKEY_EXISTS')
  })

  test('needs a name', async () => {
    const { browser } = await makeHolder()
    const response = new Authenticator(origin).create(await optionsOf(browser))
    expect(fieldsOf(await add(browser, response, '  '))).toEqual(['displayName'])
  })

  test('is one of twenty at most', async () => {
    const { userId, browser, passkey } = await makeHolder()
    const options = await optionsOf(browser)
    await server.db`
      insert into passkeys (tenant_id, passkey_id, user_id, display_name, credential_id, public_key, sign_count,
        transports, is_backed_up, created_at)
      select tenant_id, '2zzzzzzzzzzzzzzzzzzzzzzzz' || lpad(n::text, 2, '0'), user_id, 'x', ${userId} || n, public_key,
        0, '{}', false, now()
      from passkeys, generate_series(1, 19) n where passkey_id = ${passkey['id'] as string}`
    expect(outcomeOf(await add(browser, new Authenticator(origin).create(options)))).toBe('400/9 PASSKEYS_TOO_MANY')
    expect(outcomeOf(await browser.ask(`${passkeys}/options`, { body: {} }))).toBe('400/9 PASSKEYS_TOO_MANY')
  })

  test('is not for a host that is an address, nor for one without HTTPS', async () => {
    const { port } = new URL(server.url)
    await access.makeTenant('passkeys.example.com')
    for (const host of [`127.0.0.1:${port}`, 'passkeys.example.com']) {
      const reply = await openBrowser(server, { host }).ask('/auth/v1/sign_in/passkey_options', { body: {} })
      expect(outcomeOf(reply), host).toBe('400/9 PASSKEYS_UNAVAILABLE')
      expect((await openBrowser(server, { host }).ask('/auth/v1/sign_in')).json['passkey']).toBe(false)
    }
    const headers = { 'x-forwarded-proto': 'https', origin: 'https://passkeys.example.com' }
    const browser = openBrowser(server, { host: 'passkeys.example.com', headers })
    expect((await signInOptions(browser))['rpId']).toBe('passkeys.example.com')
  })
})

describe('a new passkey is not accepted', () => {
  test.each([
    ['of a page elsewhere', (a: Authenticator) => (a.origin = 'https://evil.example.com')],
    ['for another host', (a: Authenticator) => (a.rpId = 'evil.example.com')],
    ['without user verification', (a: Authenticator) => (a.isVerified = false)],
  ])('%s', async (_, spoil) => {
    const browser = await signIn(server, access, await access.makeUser())
    const authenticator = new Authenticator(origin)
    spoil(authenticator)
    expect(outcomeOf(await add(browser, authenticator.create(await optionsOf(browser))))).toBe(refused)
    expect((await browser.ask(passkeys)).json['list']).toEqual([])
  })

  test('for a challenge of its own, of another user, of a sign-in, used, or too old', async () => {
    const browser = await signIn(server, access, await access.makeUser())
    const answer = (options: Json): Json => new Authenticator(origin).create({ user: { id: 'x' }, ...options })
    expect(outcomeOf(await add(browser, answer({ challenge: 'A'.repeat(43) })))).toBe(refused)
    const other = await signIn(server, access, await access.makeUser())
    expect(outcomeOf(await add(browser, answer(await optionsOf(other))))).toBe(refused)
    expect(outcomeOf(await add(browser, answer(await signInOptions(stranger()))))).toBe(refused)
    const used = await optionsOf(browser)
    expect(outcomeOf(await add(browser, answer(used)))).toBe('200')
    expect(outcomeOf(await add(browser, answer(used)))).toBe(refused)
    const old = await optionsOf(browser)
    await expireChallenges(access)
    expect(outcomeOf(await add(browser, answer(old)))).toBe(refused)
  })

  test('whatever nonsense it is', async () => {
    const browser = await signIn(server, access, await access.makeUser())
    for (const response of [{}, { response: {} }, { response: { clientDataJSON: 'bnVsbA' } }, { id: 1, response: 7 }])
      expect(outcomeOf(await add(browser, response))).toBe(refused)
    for (const attestationObject of ['', 'AAAA', 7]) {
      const options = await optionsOf(browser)
      const one = new Authenticator(origin).create(options)
      const spoiled = { ...one, response: { ...(one['response'] as Json), attestationObject } }
      expect(outcomeOf(await add(browser, spoiled))).toBe(refused)
    }
  })
})

describe('a sign-in by passkey is refused', () => {
  test.each([
    ['of a page elsewhere', (a: Authenticator) => (a.origin = 'https://evil.example.com')],
    ['for another host', (a: Authenticator) => (a.rpId = 'evil.example.com')],
    ['without user verification', (a: Authenticator) => (a.isVerified = false)],
    ['that claims to be another user', (a: Authenticator) => (a.userHandle = 'AAAA')],
    ['that nobody has', (a: Authenticator) => a.id.fill(7)],
  ])('%s', async (_, spoil) => {
    const { authenticator } = await makeHolder()
    spoil(authenticator)
    expect(outcomeOf(await signInWith(authenticator))).toBe(notSignedIn)
  })

  test('with a signature of another key', async () => {
    const { authenticator } = await makeHolder()
    const forged = new Authenticator(origin)
    forged.id.set(authenticator.id)
    forged.userHandle = authenticator.userHandle
    forged.signCount = 5
    expect(outcomeOf(await signInWith(forged))).toBe(notSignedIn)
  })

  test('when its count of signatures does not go up: the key was copied', async () => {
    const { authenticator } = await makeHolder()
    authenticator.signCount = 10
    expect(outcomeOf(await signInWith(authenticator))).toBe('200')
    for (const signCount of [10, 3]) {
      authenticator.signCount = signCount
      expect(outcomeOf(await signInWith(authenticator))).toBe(notSignedIn)
    }
    authenticator.signCount = 11
    expect(outcomeOf(await signInWith(authenticator))).toBe('200')
  })

  test('but not when it never counts, as passkeys on several devices do', async () => {
    const { authenticator } = await makeHolder()
    for (const signCount of [-1, -1]) {
      authenticator.signCount = signCount
      expect(outcomeOf(await signInWith(authenticator))).toBe('200')
    }
  })

  test('when its user is disabled', async () => {
    const { userId, authenticator } = await makeHolder()
    await server.db`update users set status = 'DISABLED' where user_id = ${userId}`
    expect(outcomeOf(await signInWith(authenticator))).toBe(notSignedIn)
  })

  test('for a challenge that was used, is too old, or of its own', async () => {
    const { authenticator } = await makeHolder()
    const browser = stranger()
    const options = await signInOptions(browser)
    const response = authenticator.get(options)
    expect(outcomeOf(await browser.ask(byPasskey, { body: { response } }))).toBe('200')
    expect(outcomeOf(await browser.ask(byPasskey, { body: { response: authenticator.get(options) } }))).toBe(
      notSignedIn,
    )
    const old = await signInOptions(browser)
    await expireChallenges(access)
    expect(outcomeOf(await browser.ask(byPasskey, { body: { response: authenticator.get(old) } }))).toBe(notSignedIn)
    const own = authenticator.get({ challenge: 'A'.repeat(43) })
    expect(outcomeOf(await browser.ask(byPasskey, { body: { response: own } }))).toBe(notSignedIn)
  })

  test('a wrong answer uses the challenge up', async () => {
    const { authenticator } = await makeHolder()
    const browser = stranger()
    const options = await signInOptions(browser)
    const { origin: own } = authenticator
    authenticator.origin = 'https://evil.example.com'
    await browser.ask(byPasskey, { body: { response: authenticator.get(options) } })
    authenticator.origin = own
    expect(outcomeOf(await browser.ask(byPasskey, { body: { response: authenticator.get(options) } }))).toBe(
      notSignedIn,
    )
  })
})

test('challenges for strangers are counted by address', async () => {
  const browser = stranger()
  const path = '/auth/v1/sign_in/passkey_options'
  // Some more are allowed each second: how many it takes depends on the machine.
  await until(async () => {
    const asked = Array.from({ length: 120 }, async () => outcomeOf(await browser.ask(path, { body: {} })))
    return (await Promise.all(asked)).includes('429/8 TOO_MANY_FAILURES')
  })
})
