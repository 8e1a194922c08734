import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, ask, getToken, openAccess, outcomeOf } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { byLink, makeToken, openBrowser, signIn } from './support.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const current = '/api/v1/auth/session'

describe('another site’s page', () => {
  const refused = '403/7 CROSS_SITE_REFUSED'
  const change = { body: { displayName: 'x' } }
  const clients = '/api/v1/iam/personal_clients'

  test.each([
    ['with its own origin', { origin: 'https://evil.example.com' }],
    ['without an origin', { origin: undefined }],
    ['with the origin null, of a sandbox', { origin: 'null' }],
    ['of the same host on another port', { origin: 'http://localhost:1' }],
    ['of the same host by HTTPS', { origin: 'https://localhost' }],
    ['said to be cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['said to be same-site', { 'sec-fetch-site': 'same-site' }],
    ['said to come from nowhere', { 'sec-fetch-site': 'none' }],
    ['without the header of the console', { 'x-bailiwick-console': undefined }],
  ])('changes nothing, %s', async (_, headers) => {
    const userId = await access.makeUser({ roles: ['system:owner'] })
    const browser = await signIn(server, access, userId)
    const spoiled = headers as unknown as Record<string, string>
    expect(outcomeOf(await browser.ask(clients, { ...change, headers: spoiled }))).toBe(refused)
    expect((await browser.ask(clients)).json['list']).toEqual([])
    const token = await makeToken(access, userId)
    expect(outcomeOf(await openBrowser(server).ask(byLink, { body: { token }, headers: spoiled }))).toBe(refused)
    expect(outcomeOf(await browser.ask('/auth/v1/sign_out', { body: {}, headers: spoiled }))).toBe(refused)
    expect(outcomeOf(await browser.ask(current))).toBe('200')
  })

  test('reads nothing', async () => {
    const browser = await signIn(server, access, await access.makeUser())
    for (const site of ['cross-site', 'same-site'])
      expect(outcomeOf(await browser.ask(current, { headers: { 'sec-fetch-site': site } }))).toBe(refused)
  })

  test('sends no form in the name of the console', async () => {
    const browser = await signIn(server, access, await access.makeUser({ roles: ['system:owner'] }))
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])
      expect((await browser.ask(clients, { body: '{}', headers: { 'content-type': type } })).status).toBe(415)
  })

  test('direct navigation is allowed, and so are requests without Sec-Fetch-Site', async () => {
    const browser = await signIn(server, access, await access.makeUser())
    expect(outcomeOf(await browser.ask(current, { headers: { 'sec-fetch-site': 'none' } }))).toBe('200')
    const silent = { 'sec-fetch-site': undefined } as unknown as Record<string, string>
    expect(outcomeOf(await browser.ask(current, { headers: silent }))).toBe('200')
  })

  test('an access token is not asked where it comes from', async () => {
    const token = await getToken(server, await access.makeCaller(['system:owner']))
    expect(outcomeOf(await ask(server, clients, { token, ...change }))).toBe('200')
  })
})
