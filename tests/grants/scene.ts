import { afterAll, beforeAll, expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertUsers, type NewUser } from '#rooms/identity/users/index.ts'
import { insertAccounts, type NewAccount } from '#rooms/records/accounts/index.ts'
import { insertApps, insertEntitlements, insertResources, insertResourceTypes } from '#rooms/records/apps/index.ts'
import { insertGrants, type NewGrant } from '#rooms/records/grants/index.ts'
import { type Access, ask, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer, type TestServerOptions } from '../fixture/server.ts'

export type Ref = { appId: string; id: string }
/** A caller of the API: a user with roles, and a token of theirs. */
export type Caller = { userId: string; token: string }

export type Scene = {
  server: TestServer
  access: Access
  admin: Caller
  viewer: Caller
  basic: Caller
  get(path: string, by?: Caller): Promise<Reply>
  post(path: string, body: object, by?: Caller): Promise<Reply>
  remove(path: string, body: object, by?: Caller): Promise<Reply>
  /** All items of a list, page by page. */
  all(path: string, body?: object | null, by?: Caller, pageSize?: number): Promise<Json[]>
  user(user?: Partial<NewUser>): Promise<string>
  app(name?: string): Promise<string>
  account(appId: string, account?: Partial<NewAccount>): Promise<Ref>
  entitlement(
    appId: string,
    name?: string,
    more?: { slug?: string; resource?: { typeId: string; id: string } },
  ): Promise<Ref>
  resource(appId: string, name?: string): Promise<{ typeId: string; id: string }>
  /** As the record might have it, without going through the API. */
  grant(entitlement: Ref, account: Ref, more?: Partial<NewGrant>): Promise<string>
  /** What the system log says of an operation, the latest last. */
  logged(operation: string): Promise<{ message: string; resources: { type: string; uid: string; data?: Json }[] }[]>
}

/** A server with callers of three roles, and ways to make what they ask about; for the tests of a file. */
export function prepare(options: TestServerOptions = {}): Scene {
  const scene = {} as Scene
  beforeAll(async () => Object.assign(scene, await makeScene(options)))
  afterAll(async () => {
    await scene.access?.close()
    await scene.server?.stop()
  })
  return scene
}

async function makeScene(options: TestServerOptions): Promise<Scene> {
  const server = await startServer(options)
  const access = await openAccess(server)
  const { world, tenant } = access
  const caller = async (role: 'system:owner' | 'system:viewer' | 'system:user'): Promise<Caller> => {
    const key = await access.makeCaller([role])
    return { userId: key.userId, token: await access.makeToken(key) }
  }
  const [admin, viewer, basic] = await Promise.all([
    caller('system:owner'),
    caller('system:viewer'),
    caller('system:user'),
  ])
  const inTx = <T>(work: Parameters<typeof transact<T>>[1]): Promise<T> => transact(world.db, work)
  const get = (path: string, by = admin): Promise<Reply> => ask(server, path, { token: by.token })
  const post = (path: string, body: object, by = admin): Promise<Reply> => ask(server, path, { token: by.token, body })

  return {
    server,
    access,
    admin,
    viewer,
    basic,
    get,
    post,
    remove: (path, body, by = admin) => ask(server, path, { method: 'DELETE', token: by.token, body }),
    async all(path, body = null, by = admin, pageSize = 10) {
      const items: Json[] = []
      for (let token = ''; ; ) {
        const query = `${path.includes('?') ? '&' : '?'}page_size=${pageSize}&page_token=${token}`
        const reply = body
          ? await post(path, { pageSize, ...body, pageToken: token }, by)
          : await get(`${path}${query}`, by)
        expect(reply.status, reply.text).toBe(200)
        items.push(...(reply.json['list'] as Json[]))
        token = reply.json['nextPageToken'] as string
        if (token === '') return items
      }
    },
    async user(user = {}) {
      const id = world.newId()
      const made = { id, displayName: `Person ${id.slice(-6)}`, email: `${id.toLowerCase()}@example.com`, ...user }
      await inTx((tx) => insertUsers(tx, tenant.id, [made], world.now()))
      return id
    },
    async app(name = 'An app') {
      const id = world.newId()
      await inTx((tx) => insertApps(tx, tenant.id, [{ id, displayName: name }], world.now()))
      return id
    },
    async account(appId, account = {}) {
      const id = world.newId()
      const made = { id, appId, displayName: `Account ${id.slice(-6)}`, ...account }
      await inTx((tx) => insertAccounts(tx, tenant.id, [made], world.now()))
      return { appId, id }
    },
    async entitlement(appId, name = 'An entitlement', more = {}) {
      const id = world.newId()
      const made = { id, appId, displayName: name, ...more }
      await inTx((tx) => insertEntitlements(tx, tenant.id, [made], world.now()))
      return { appId, id }
    },
    async resource(appId, name = 'A resource') {
      const [typeId, id] = [world.newId(), world.newId()]
      await inTx(async (tx) => {
        await insertResourceTypes(tx, tenant.id, [{ id: typeId, appId, displayName: 'A kind' }], world.now())
        await insertResources(tx, tenant.id, [{ id, appId, resourceTypeId: typeId, displayName: name }], world.now())
      })
      return { typeId, id }
    },
    async grant(entitlement, account, more = {}) {
      const id = world.newId()
      const made: NewGrant = {
        id,
        appId: entitlement.appId,
        entitlementId: entitlement.id,
        accountId: account.id,
        source: 'import',
        ...more,
      }
      await inTx((tx) => insertGrants(tx, operatorCause(tenant, 'test'), [made], world.now()))
      return id
    },
    async logged(operation) {
      const rows = await server.db<{ event: string }[]>`
        select event from systemlog_events where event::jsonb #>> '{api,operation}' = ${operation} order by event_id`
      return rows.map(({ event }) => JSON.parse(event) as never)
    },
  }
}

export const idsOf = (items: readonly Json[], ...path: string[]): string[] =>
  items.map((item) => path.reduce<unknown>((value, name) => (value as Json)[name], item) as string)
