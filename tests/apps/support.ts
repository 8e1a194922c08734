import { afterAll, beforeAll, expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { insertAccounts } from '#rooms/records/accounts/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { type Access, ask, getToken, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

type Method = 'GET' | 'POST' | 'DELETE'

export type Setting = {
  server: TestServer
  access: Access
  token: string
  /** Another tenant of the same server, and its owner's token. */
  other: { tenant: Tenant; token: string }
  /** As the Super Administrator. */
  send(method: Method, path: string, body?: object): Promise<Reply>
  /** The same, which must succeed. */
  get(path: string): Promise<Json>
  post(path: string, body: object): Promise<Json>
  remove(path: string): Promise<void>
  /** Someone's account in an app, with these entitlements granted. */
  makeAccount(appId: string, entitlementIds: string[], expiresAt?: Date): Promise<string>
  /** The latest event of an operation. */
  lastEvent(operation: string): Promise<LoggedEvent>
}
export type LoggedEvent = { message: string; resources: { type: string; uid: string; name: string; data: Json }[] }

/** A server with a Super Administrator's token, for the tests of a file. */
export function prepare(): Setting {
  const setting = {} as Setting
  const send: Setting['send'] = (method, path, body) =>
    ask(setting.server, `/api/v1/${path}`, { method, token: setting.token, ...(body && { body }) })
  const done = (reply: Reply): Json => {
    expect(reply.status, reply.text).toBe(200)
    return reply.json
  }
  Object.assign(setting, {
    send,
    get: async (path: string) => done(await send('GET', path)),
    post: async (path: string, body: object) => done(await send('POST', path, body)),
    remove: async (path: string) => expect(done(await send('DELETE', path))).toEqual({}),
    async makeAccount(appId: string, entitlementIds: string[], expiresAt?: Date) {
      const { world, tenant } = setting.access
      const id = world.newId()
      const userId = await setting.access.makeUser()
      await transact(world.db, async (tx) => {
        await insertAccounts(tx, tenant.id, [{ id, appId, userId, displayName: `Account ${id}` }], world.now())
        const grants = entitlementIds.map((entitlementId) => ({
          id: world.newId(),
          appId,
          entitlementId,
          accountId: id,
          source: 'manual' as const,
          ...(expiresAt && { expiresAt }),
        }))
        await insertGrants(tx, operatorCause(tenant, 'test'), grants, world.now())
      })
      return id
    },
    async lastEvent(operation: string) {
      const [row] = await setting.server.db<{ event: string }[]>`
        select event from systemlog_events where event::jsonb -> 'api' ->> 'operation' = ${operation}
        order by event_id desc limit 1`
      return JSON.parse(row?.event ?? '{}') as LoggedEvent
    },
  } satisfies Partial<Setting>)
  beforeAll(async () => {
    setting.server = await startServer()
    setting.access = await openAccess(setting.server)
    setting.token = await getToken(setting.server, await setting.access.makeCaller(['system:owner']))
    const tenant = await setting.access.makeTenant('other.example.com')
    const key = await setting.access.makeCaller(['system:owner'], {}, tenant)
    setting.other = { tenant, token: await getToken(setting.server, key) }
  })
  afterAll(async () => {
    await setting.access.close()
    await setting.server.stop()
  })
  return setting
}

/** The same path as someone of the other tenant asks it. */
export const askElsewhere = ({ server, other }: Setting, method: Method, path: string, body?: object): Promise<Reply> =>
  ask(server, `/api/v1/${path}`, { method, token: other.token, host: other.tenant.domain, ...(body && { body }) })

export const nobody = '0'.repeat(27)

export type Made = { id: string } & Json
export const idsIn = (json: Json, of: (item: Json) => Json = (item) => item): string[] =>
  (json['list'] as Json[]).map((item) => of(item)['id'] as string)
export const inView =
  (field: string) =>
  (item: Json): Json =>
    item[field] as Json

export const makeApp = async ({ post }: Setting, displayName = 'An app', more: object = {}): Promise<Made> =>
  (await post('apps', { displayName, ...more }))['app'] as Made

export const makeType = async ({ post }: Setting, appId: string, displayName = 'Group'): Promise<Made> =>
  (await post(`apps/${appId}/resource_types`, { displayName, resourceType: 'GROUP' }))['appResourceType'] as Made

export const makeResource = async (
  { post }: Setting,
  appId: string,
  typeId: string,
  displayName = 'A resource',
): Promise<Made> =>
  (await post(`apps/${appId}/resource_types/${typeId}/resources`, { displayName }))['appResource'] as Made

export const makeEntitlement = async (
  { post }: Setting,
  appId: string,
  displayName = 'An entitlement',
  more: object = {},
): Promise<Made> => {
  const made = await post(`apps/${appId}/entitlements`, { displayName, ...more })
  return (made['appEntitlementView'] as Json)['appEntitlement'] as Made
}

/** All pages of a list, ten by ten; `between` is called after each. */
export async function pageThrough(
  { send }: Setting,
  method: 'GET' | 'POST',
  path: string,
  body: object = {},
  between: (page: number) => Promise<void> = async () => {},
): Promise<Json[]> {
  const items: Json[] = []
  for (let token = '', page = 1; ; page++) {
    const reply =
      method === 'GET'
        ? await send('GET', `${path}?page_size=10&page_token=${token}`)
        : await send('POST', path, { ...body, pageSize: 10, pageToken: token })
    expect(reply.status, reply.text).toBe(200)
    const { list, nextPageToken } = reply.json as { list: Json[]; nextPageToken: string }
    if (nextPageToken !== '') expect(list).toHaveLength(10)
    items.push(...list)
    if (nextPageToken === '') return items
    token = nextPageToken
    await between(page)
  }
}
