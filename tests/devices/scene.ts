import { afterAll, beforeAll, expect } from 'vitest'
import { type Access, ask, askToken, type Json, newAddress, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, signIn } from '../sessions/support.ts'

const grant = 'urn:ietf:params:oauth:grant-type:device_code'
/** That of `cone`. */
export const cone = '2RGdOS94VDferT9e80mdgntl36K'

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

export type Begun = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}
type Asking = { host?: string; from?: string; headers?: Record<string, string> }

export const authorize = (form: Record<string, string> = { client_id: cone }, asking: Asking = {}): Promise<Reply> =>
  askToken(scene.server, form, { path: '/auth/v1/device_authorization', from: newAddress(), ...asking })

export async function begin(form?: Record<string, string>, asking?: Asking): Promise<Begun> {
  const reply = await authorize(form, asking)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as unknown as Begun
}

/** A request for the token, as a program makes it. */
export const poll = (
  deviceCode: string,
  form: Json = {},
  asking: Asking & { server?: { url: string } } = {},
): Promise<Reply> =>
  askToken(
    asking.server ?? scene.server,
    { grant_type: grant, client_id: cone, device_code: deviceCode, ...(form as Record<string, string>) },
    { from: newAddress(), ...asking },
  )
/** Status and error in one. */
export const told = ({ status, json }: Reply): string => (status === 200 ? '200' : `${status} ${String(json['error'])}`)

export const person = async (
  roles: Parameters<Access['makeUser']>[0] = {},
): Promise<{ userId: string; browser: Browser }> => {
  const userId = await scene.access.makeUser({ roles: ['system:user'], ...roles })
  return { userId, browser: await signIn(scene.server, scene.access, userId) }
}

const requests = '/api/v1/auth/device_requests'
export const find = ({ browser }: { browser: Browser }, userCode: string): Promise<Reply> =>
  browser.ask(`${requests}/find`, { body: { userCode } })
export const approve = ({ browser }: { browser: Browser }, userCode: string): Promise<Reply> =>
  browser.ask(`${requests}/approve`, { body: { userCode } })
export const deny = ({ browser }: { browser: Browser }, userCode: string): Promise<Reply> =>
  browser.ask(`${requests}/deny`, { body: { userCode } })

/** A program that was authorized by someone, with its token. */
export async function authorized(by?: { userId: string; browser: Browser }) {
  const who = by ?? (await person())
  const begun = await begin()
  expect((await approve(who, begun.user_code)).status).toBe(200)
  const reply = await poll(begun.device_code)
  expect(told(reply), reply.text).toBe('200')
  return { ...who, begun, token: reply.json['access_token'] as string }
}

export const introspect = (token: string): Promise<Reply> => ask(scene.server, '/api/v1/auth/introspect', { token })

/** Lets a request be older than it is, as only the program can write it. */
export async function letPass(deviceCode: string, minutes: number): Promise<void> {
  const { findByDeviceCode, insertRequest } = await import('#rooms/identity/tokens/devices/store.ts')
  const { sha256Of } = await import('#rooms/identity/tokens/devices/begin.ts')
  const { db, seals } = scene.access.world
  const tenantId = scene.access.tenant.id
  const row = await findByDeviceCode(db, tenantId, sha256Of(deviceCode))
  if (!row) throw new Error('no request')
  const earlier = (at: Date): Date => new Date(at.getTime() - minutes * 60_000)
  await db`delete from device_requests where tenant_id = ${tenantId} and request_id = ${row.id}`
  const aged = { ...row, createdAt: earlier(row.createdAt), expiresAt: earlier(row.expiresAt) }
  if (!(await insertRequest(db, seals, tenantId, aged, row.intervalSeconds))) throw new Error('not inserted')
}

/** So that a program may ask again at once. */
export const rest = (): Promise<unknown> => scene.access.world.db`update device_requests set polled_at = null`
