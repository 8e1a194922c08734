import { afterAll, beforeAll, expect } from 'vitest'
import { type Access, type Asking, ask, getToken, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** What a reply may hold: a resource, a list or an error. Tests say what they expect of it. */
export type ScimJson = {
  id: string
  userName: string
  displayName: string
  active: boolean
  members?: { value: string }[]
  attributes: { name: string }[]
  meta: { resourceType: string; version: string }
  totalResults: number
  Resources: ScimJson[]
  scimType?: string
  [name: string]: unknown
}
export type Answer = Omit<Reply, 'json'> & { json: ScimJson }

/** A directory as its identity provider sees it. */
export type Scim = {
  appId: string
  base: string
  token: string
  ask(path: string, asking?: Asking): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, ...operations: Json[]): Promise<Answer>
  remove(path: string): Promise<Answer>
  /** A user by name, with what else is given; refuses to go on where that fails. */
  makeUser(userName: string, rest?: Json): Promise<ScimJson>
}

let names = 0
/** A name that no other test of this run uses. */
export const newName = (): string => {
  names += 1
  return `person-${names}`
}

export type Scene = {
  server: TestServer
  access: Access
  /** A Super Administrator's. */
  token: string
  api(path: string, asking?: Asking): Promise<Reply>
  makeDirectory(body?: Json): Promise<Scim>
  /** A user of the record. */
  user(id: string): Promise<Json>
}

/** Shared by the tests of a file: each makes a directory of its own. */
export function prepare(): Scene {
  const scene = {} as Scene
  beforeAll(async () => {
    const server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
    const access = await openAccess(server)
    const token = await getToken(server, await access.makeCaller(['system:owner']))
    const api = (path: string, asking: Asking = {}): Promise<Reply> => ask(server, path, { token, ...asking })
    Object.assign(scene, {
      server,
      access,
      token,
      api,
      async makeDirectory(body: Json = {}) {
        const reply = await api('/api/v1/scim-directories', { body: { displayName: 'Okta', ...body } })
        expect(reply.status, reply.text).toBe(200)
        const { directory, token: secret } = reply.json as { directory: { appId: string }; token: string }
        return scimOf(server, directory.appId, secret)
      },
      async user(id: string) {
        const reply = await api(`/api/v1/users/${id}`)
        expect(reply.status, reply.text).toBe(200)
        return (reply.json['userView'] as { user: Json }).user
      },
    })
  })
  afterAll(async () => {
    await scene.access.close()
    await scene.server.stop()
  })
  return scene
}

export function scimOf(server: { url: string }, appId: string, token: string): Scim {
  const base = `/scim/v2/${appId}`
  const call = async (path: string, asking: Asking = {}): Promise<Answer> => {
    const headers = { ...(asking.body !== undefined && { 'content-type': 'application/scim+json' }), ...asking.headers }
    const reply = await ask(server, `${base}${path}`, { token, ...asking, headers })
    return { ...reply, json: (reply.text === '' ? {} : JSON.parse(reply.text)) as ScimJson }
  }
  return {
    appId,
    base,
    token,
    ask: call,
    get: (path) => call(path),
    post: (path, body) => call(path, { method: 'POST', body }),
    put: (path, body, headers = {}) => call(path, { method: 'PUT', body, headers }),
    patch: (path, ...operations) =>
      call(path, { method: 'PATCH', body: { schemas: [patchUrn], Operations: operations } }),
    remove: (path) => call(path, { method: 'DELETE' }),
    async makeUser(userName, rest = {}) {
      const reply = await call('/Users', { method: 'POST', body: { schemas: [userUrn], userName, ...rest } })
      expect(reply.status, reply.text).toBe(201)
      return reply.json
    },
  }
}

/** What an error says: its status, both times, and its type. */
export const refusal = ({ status, json }: Answer): string => {
  expect(json).toMatchObject({ schemas: [errorUrn], status: String(status), detail: expect.any(String) as string })
  return json.scimType ? `${status} ${json.scimType}` : String(status)
}

/** Whose account it is, as the record has it. */
export async function userIdOf({ server }: Scene, { appId }: Scim, accountId: string): Promise<string> {
  const [row] = await server.db<{ userId: string }[]>`
    select user_id as "userId" from accounts where app_id = ${appId} and account_id = ${accountId}`
  return row?.userId ?? ''
}
