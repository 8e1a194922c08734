import { afterAll, beforeAll, expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { assignRole } from '#rooms/identity/roles/index.ts'
import {
  type Access,
  type Asking,
  ask,
  type CredentialOptions,
  getToken,
  type Json,
  type Key,
  openAccess,
  type Reply,
  type RoleName,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

export type Caller = Key & { token: string }

export const base = '/api/v1/service_principals'
export const scene = {
  server: null as unknown as TestServer,
  access: null as unknown as Access,
  admin: null as unknown as Caller,
}

export function prepare(): void {
  beforeAll(async () => {
    scene.server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
    scene.access = await openAccess(scene.server)
    scene.admin = await caller(['system:owner'])
  })
  afterAll(async () => {
    await scene.access?.close()
    await scene.server?.stop()
  })
}

export async function caller(roles: RoleName[], options: CredentialOptions = {}): Promise<Caller> {
  const key = await scene.access.makeCaller(roles, options)
  return { ...key, token: await getToken(scene.server, key) }
}

/** Another credential of a user. */
export async function another(of: Key, options: CredentialOptions): Promise<Caller> {
  const key = await scene.access.makeKey(of.userId, options)
  return { ...key, token: await getToken(scene.server, key) }
}

export const call = (by: { token: string }, path: string, asking: Asking = {}): Promise<Reply> =>
  ask(scene.server, path, { token: by.token, ...asking })
export const post = (by: { token: string }, path: string, body: Json = {}): Promise<Reply> => call(by, path, { body })
export const remove = (by: { token: string }, path: string): Promise<Reply> =>
  call(by, path, { method: 'DELETE', body: {} })
export const patch = (by: { token: string }, path: string, body: Json): Promise<Reply> =>
  call(by, path, { method: 'PATCH', body })

export function good(reply: Reply): Json {
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}

let count = 0

/** A principal with roles, as administrators make one. */
export async function principal(...roles: RoleName[]): Promise<string> {
  count += 1
  const made = good(await post(scene.admin, base, { displayName: `Robot ${count}` }))['servicePrincipal'] as Json
  const id = made['id'] as string
  for (const role of roles) good(await post(scene.admin, `/api/v1/users/${id}/roles/${role}`))
  return id
}

export const own = async (principalId: string, userId: string, by: { token: string } = scene.admin): Promise<Reply> =>
  call(by, `/api/v2/users/${principalId}/owners`, {
    method: 'PUT',
    body: { roleSlug: 'primary', userRefs: [{ id: userId }], appEntitlementRefs: [] },
  })

export const createCredential = (by: { token: string }, principalId: string, body: Json = {}): Promise<Reply> =>
  post(by, `${base}/${principalId}/credentials`, { displayName: 'a key', ...body })

export function keyIn(reply: Reply): Key {
  const credential = good(reply)['credential'] as { id: string; clientId: string; servicePrincipalId: string }
  const { id, clientId, servicePrincipalId: userId } = credential
  return { id, clientId, userId, clientSecret: reply.json['clientSecret'] as string }
}

/** A token of a principal, by a credential that an administrator creates. */
export async function acting(
  principalId: string,
  by: { token: string } = scene.admin,
  body: Json = {},
): Promise<Caller> {
  const key = keyIn(await createCredential(by, principalId, body))
  return { ...key, token: await getToken(scene.server, key) }
}

/** A caller with a role of their own making. */
export async function withPermissions(name: string, permissions: string[]): Promise<Caller> {
  const { access, server } = scene
  await access.makeRole(name, permissions)
  const userId = await access.makeUser()
  await transact(access.world.db, (tx) =>
    assignRole(tx, access.world, access.tenant.id, [{ id: userId, email: `${userId}@example.com` }], name as RoleName),
  )
  const key = await access.makeKey(userId)
  return { ...key, token: await getToken(server, key) }
}
