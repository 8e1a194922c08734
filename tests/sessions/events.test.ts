import { afterAll, beforeAll, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { removeOidc, setOidc } from '#rooms/identity/sessions/index.ts'
import { type Access, getToken, type Json, newAddress, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ocsfProblems } from '../systemlog/ocsf.ts'
import { type Event, listAll } from '../systemlog/support.ts'
import { Authenticator } from './authenticator.ts'
import { byLink, expireLinks, makeToken, openBrowser, rewriteSessions, sessionIn, signIn } from './support.ts'

let server: TestServer
let access: Access
let token: string
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

/** What was written while something was done, each event checked against OCSF. */
async function eventsOf(done: () => Promise<unknown>): Promise<Event[]> {
  const before = (await listAll(server, token)).length
  await done()
  const events = (await listAll(server, token)).slice(before)
  for (const event of events) expect(ocsfProblems(event as unknown as Json)).toEqual([])
  return events
}
const told = (events: Event[]): object[] =>
  events.map(({ class_uid, activity_id, status, message }) => ({ class_uid, activity_id, status, message }))

test('making a link is an event of who made it and whom it is for; using it is a sign-in', async () => {
  const userId = await access.makeUser()
  const from = newAddress()
  const browser = openBrowser(server, { from })
  const [made, used] = await eventsOf(async () => {
    await browser.ask(byLink, { body: { token: await makeToken(access, userId) } })
  })
  expect(made).toMatchObject({ class_uid: 6003, activity_id: 1, actor: { user: { name: 'operator' } } })
  expect(made?.resources?.map(({ type }) => type)).toEqual(['sign-in link', 'user'])
  expect(made?.resources?.[1]?.uid).toBe(userId)
  const { id } = sessionIn(await browser.ask('/api/v1/auth/session'))
  expect(used).toMatchObject({
    class_uid: 3002,
    activity_id: 1,
    status: 'Success',
    user: { uid: userId },
    session: { uid: id },
    src_endpoint: { ip: from },
  })
})

test('a refused sign-in is an event with its reason, and with its user where that is known', async () => {
  const userId = await access.makeUser()
  const link = await makeToken(access, userId)
  await expireLinks(access, userId)
  const [old, unknown] = await eventsOf(async () => {
    await openBrowser(server, { from: newAddress() }).ask(byLink, { body: { token: link } })
    await openBrowser(server, { from: newAddress() }).ask(byLink, { body: { token: 'a-secret-in-the-wrong-place' } })
  })
  expect(old).toMatchObject({
    class_uid: 3002,
    status: 'Failure',
    status_code: 'SIGN_IN_REFUSED',
    status_detail: 'the link has expired',
    user: { uid: userId },
  })
  expect(unknown).toMatchObject({ status: 'Failure', user: { name: 'unknown' } })
  expect(JSON.stringify(unknown)).not.toContain('a-secret-in-the-wrong-place')
})

test('signing out, and ending other sessions, are events', async () => {
  const userId = await access.makeUser()
  const mine = await signIn(server, access, userId)
  const other = await signIn(server, access, userId)
  await signIn(server, access, userId)
  const { id } = sessionIn(await other.ask('/api/v1/auth/session'))
  const events = await eventsOf(async () => {
    await mine.ask(`/api/v1/auth/sessions/${id as string}`, { method: 'DELETE' })
    await mine.ask('/api/v1/auth/sessions/revoke_others', { body: {} })
    await mine.ask('/auth/v1/sign_out', { body: {} })
  })
  expect(told(events)).toMatchObject([
    { class_uid: 6003, activity_id: 4, message: expect.stringMatching(/^Ended a session of/) as string },
    { class_uid: 6003, activity_id: 4, message: expect.stringMatching(/^Ended all other sessions of/) as string },
    { class_uid: 3002, activity_id: 2, message: expect.stringMatching(/signed out$/) as string },
  ])
  expect(events[0]?.resources?.[0]).toMatchObject({ type: 'session', uid: id })
})

test('a cookie that was replaced and comes back is an event, and the session is over', async () => {
  const userId = await access.makeUser()
  const browser = await signIn(server, access, userId)
  await rewriteSessions(access, userId, (session) => ({ ...session, generation: 3, previousBranch: 1 }))
  const [ended] = await eventsOf(() => browser.ask('/api/v1/auth/session'))
  expect(ended).toMatchObject({ class_uid: 3002, activity_id: 2, severity: 'High', user: { uid: userId } })
  expect(ended?.message).toContain('a cookie was used that had been replaced')
})

test('adding, using, renaming and deleting a passkey are events', async () => {
  const browser = await signIn(server, access, await access.makeUser())
  const origin = `http://localhost:${new URL(server.url).port}`
  const authenticator = new Authenticator(origin)
  const events = await eventsOf(async () => {
    const passkeys = '/api/v1/auth/passkeys'
    const { options } = (await browser.ask(`${passkeys}/options`, { body: {} })).json as { options: Json }
    const body = { displayName: 'Laptop', response: authenticator.create(options) }
    const { passkey } = (await browser.ask(passkeys, { body })).json as { passkey: Json }
    const asked = (await browser.ask('/auth/v1/sign_in/passkey_options', { body: {} })).json as { options: Json }
    await openBrowser(server).ask('/auth/v1/sign_in/passkey', {
      body: { response: authenticator.get(asked.options) },
    })
    await browser.ask(`${passkeys}/${passkey['id'] as string}`, { body: { displayName: 'Desk' } })
    await browser.ask(`${passkeys}/${passkey['id'] as string}`, { method: 'DELETE' })
  })
  expect(told(events)).toMatchObject([
    { class_uid: 6003, activity_id: 1, message: expect.stringMatching(/^Added a passkey of/) as string },
    { class_uid: 3002, activity_id: 1, message: expect.stringMatching(/signed in by passkey$/) as string },
    { class_uid: 6003, activity_id: 3, message: expect.stringMatching(/^Renamed a passkey of/) as string },
    { class_uid: 6003, activity_id: 4, message: expect.stringMatching(/^Deleted a passkey of/) as string },
  ])
  expect(JSON.stringify(events)).not.toContain(authenticator.id.toString('base64url'))
})

test('setting and removing the OpenID Connect provider are events, without its secret', async () => {
  const events = await eventsOf(async () => {
    const cause = operatorCause(access.tenant, 'tenant oidc set')
    const wanted = { issuer: 'https://login.example.com', clientId: 'bailiwick', clientSecret: 'hush-hush-hush' }
    await transact(access.world.db, (tx) => setOidc(tx, access.world, cause, wanted))
    await transact(access.world.db, (tx) => removeOidc(tx, access.world, cause))
  })
  expect(told(events)).toMatchObject([
    { class_uid: 6003, activity_id: 3, message: 'Set the OpenID Connect provider to https://login.example.com' },
    { class_uid: 6003, activity_id: 4, message: 'Removed the OpenID Connect provider https://login.example.com' },
  ])
  expect(JSON.stringify(events)).not.toContain('hush-hush-hush')
})

test('a request that is refused because of another site is an event', async () => {
  const browser = await signIn(server, access, await access.makeUser())
  const headers = { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' }
  const [denied] = await eventsOf(() => browser.ask('/api/v1/iam/personal_clients', { body: {}, headers }))
  expect(denied).toMatchObject({ class_uid: 6003, status: 'Failure', status_code: 'CROSS_SITE_REFUSED' })
})
