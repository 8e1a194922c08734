import { afterAll, beforeAll, expect } from 'vitest'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { type Access, type Json, openAccess, type Reply, type RoleName } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { Authenticator } from '../sessions/authenticator.ts'
import { type Browser, byLink, makeToken, openBrowser } from '../sessions/support.ts'

export const scene = { server: null as unknown as TestServer, access: null as unknown as Access }

export function prepare(): void {
  beforeAll(async () => {
    scene.server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
    scene.access = await openAccess(scene.server)
  })
  afterAll(async () => {
    await scene.access?.close()
    await scene.server?.stop()
  })
}

/** A browser that opened the console at a host, by HTTPS through a proxy. */
export const browserAt = (host: string): Browser =>
  openBrowser(scene.server, {
    host,
    headers: { origin: `https://${host}`, 'x-forwarded-proto': 'https' },
  })

let count = 0
export type Company = {
  tenant: Tenant
  old: string
  wanted: string
  adminId: string
  /** A Super Administrator who has just signed in at the first name, by a link of the operator. */
  admin: Browser
}

/** A tenant of its own, and a name that it has not yet. */
export async function company(roles: RoleName[] = ['system:owner']): Promise<Company> {
  count += 1
  const old = `old${count}.example`
  const tenant = await scene.access.makeTenant(old)
  const adminId = await scene.access.makeUser({ tenant, roles })
  return { tenant, old, wanted: `new${count}.example`, adminId, admin: await signInAt(tenant, old, adminId) }
}

export async function signInAt(tenant: Tenant, host: string, userId: string): Promise<Browser> {
  const browser = browserAt(host)
  const reply = await browser.ask(byLink, { body: { token: await makeToken(scene.access, userId, tenant) } })
  expect(reply.status, reply.text).toBe(200)
  return browser
}

const names = '/api/v1/address/names'
export const post = (browser: Browser, path: string, body: object = {}): Promise<Reply> =>
  browser.ask(path === '' ? names : `${names}/${path}`, { body })

/** Opens what a URL says, as a browser does. */
export const open = (url: string): Promise<Reply> => {
  const { host, pathname } = new URL(url)
  return browserAt(host).ask(pathname)
}

/** The new name is added, and was reached. */
export async function added(at: Company): Promise<void> {
  const reply = await post(at.admin, '', { address: at.wanted })
  expect(reply.status, reply.text).toBe(200)
  const { url } = (await post(at.admin, `${at.wanted}/check`)).json as { url: string }
  expect((await open(url)).status).toBe(200)
}

/** The administrator continues at another name of the tenant. */
export async function moved(browser: Browser, host: string): Promise<Browser> {
  const reply = await browser.ask('/api/v1/auth/move', { body: { host } })
  expect(reply.status, reply.text).toBe(200)
  const there = browserAt(host)
  const token = new URL(reply.json['url'] as string).hash.slice(1)
  const signedIn = await there.ask(byLink, { body: { token } })
  expect(signedIn.status, signedIn.text).toBe(200)
  return there
}

const optionsOf = async (browser: Browser, path: string): Promise<Json> =>
  (await browser.ask(path, { body: {} })).json['options'] as Json

export async function addPasskey(browser: Browser, host: string): Promise<Authenticator> {
  const authenticator = new Authenticator(`https://${host}`, host)
  const response = authenticator.create(await optionsOf(browser, '/api/v1/auth/passkeys/options'))
  const reply = await browser.ask('/api/v1/auth/passkeys', { body: { displayName: `At ${host}`, response } })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.json['passkey']).toMatchObject({ hostName: host })
  return authenticator
}

export async function byPasskeyAt(host: string, authenticator: Authenticator): Promise<Reply> {
  const browser = browserAt(host)
  const options = await optionsOf(browser, '/auth/v1/sign_in/passkey_options')
  return browser.ask('/auth/v1/sign_in/passkey', { body: { response: authenticator.get(options) } })
}

/** The new name is the current one; the administrator who changed it is signed in there. */
export async function changed(at: Company): Promise<Browser> {
  await added(at)
  const there = await moved(at.admin, at.wanted)
  const reply = await post(there, `${at.wanted}/use`)
  expect(reply.status, reply.text).toBe(200)
  return there
}
