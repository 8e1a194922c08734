import { expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { insertUsers, type NewUser } from '#rooms/identity/users/index.ts'
import { endLapsedLeases } from '#rooms/records/connectors/index.ts'
import { type Access, type Asking, ask, eventually, type Json, type Reply } from '../fixture/access.ts'
import type { TestServer } from '../fixture/server.ts'
import { makeApp } from './connector.ts'
import type { ScimApp } from './scim-app.ts'

const automatic = '0builtinGrantAutomatic00001'

type Sync = Json & { id: string; state: string; error: string; advice: string; notes: string[]; counts: Json[] }

/** A connector of an app that supports SCIM, and what Bailiwick shows of it. */
export type ScimScene = {
  appId: string
  connectorId: string
  path: string
  ask(path: string, asking?: Asking): Promise<Reply>
  post(path: string, body?: object): Promise<Reply>
  /** The last sync, once it is over. */
  synced(): Promise<Sync>
  sync(): Promise<Sync>
  lastSync(): Promise<Sync | null>
  /** `user/group` as the records have it, by whatever reason. */
  holds(source?: string): Promise<string[]>
  accounts(): Promise<string[]>
  tasks(): Promise<string[]>
  untilTasks(states: readonly string[]): Promise<void>
  entitlement(group: string): Promise<string>
  account(userName: string): Promise<string>
  give(group: string, userId: string): Promise<void>
  take(group: string, accountId: string): Promise<void>
  request(kind: 'grant' | 'revoke', group: string, userId: string): Promise<string>
  isClosed(taskId: string): Promise<boolean>
}

export async function createScim(
  server: TestServer,
  access: Access,
  token: string,
  of: Pick<ScimApp, 'url' | 'token'>,
  { tenant = access.tenant, host, ...rest }: { tenant?: Access['tenant']; host?: string } & Json = {},
): Promise<ScimScene> {
  const { db } = server
  const appId = await makeApp(access, tenant)
  const askAs: ScimScene['ask'] = (path, asking = {}) =>
    ask(server, path, { token, ...(host !== undefined && { host }), ...asking })
  const made = await askAs(`/api/v1/apps/${appId}/connectors/scim`, {
    body: { displayName: 'SCIM app', baseUrl: of.url, token: of.token, ...rest },
  })
  expect(made.status, made.text).toBe(200)
  const connectorId = (made.json['connectorView'] as { connector: { id: string } }).connector.id
  const path = `/api/v1/apps/${appId}/connectors/${connectorId}`
  const post: ScimScene['post'] = (to, body = {}) => askAs(to, { method: 'POST', body })
  const lastSync = async (): Promise<Sync | null> => {
    const { json } = await askAs(`${path}/syncs`)
    return (json['list'] as Sync[])[0] ?? null
  }
  /** Of the database, which is asked often: a request is ten statements. */
  const newest = async (): Promise<{ id: string; isOver: boolean } | undefined> =>
    (
      await db<{ id: string; isOver: boolean }[]>`
        select task_id as id, state not in ('queued', 'leased', 'merging') as "isOver" from connector_tasks
        where connector_id = ${connectorId} and kind = 'sync' order by task_id desc limit 1`
    )[0]
  const synced = async (): Promise<Sync> => {
    expect(await eventually(async () => (await newest())?.isOver === true), JSON.stringify(await lastSync())).toBe(true)
    return (await lastSync()) as Sync
  }
  const tasks = async (): Promise<string[]> => {
    const rows = await db<{ kind: string; state: string }[]>`
      select kind, state from connector_tasks where connector_id = ${connectorId} and kind <> 'sync' order by task_id`
    return rows.map(({ kind, state }) => `${kind} ${state === 'leased' ? 'with the connector' : state}`)
  }
  const entitlement = async (group: string): Promise<string> => {
    const [row] = await db<{ id: string }[]>`
      select entitlement_id as id from entitlements where app_id = ${appId} and display_name = ${`${group} member`}
        and deleted_at is null`
    return row?.id ?? ''
  }
  return {
    ...{ appId, connectorId, path, ask: askAs, post, lastSync, synced, tasks, entitlement },
    async sync() {
      const before = (await newest())?.id
      const reply = await post(`${path}/force_sync`)
      expect(reply.status, reply.text).toBe(200)
      expect(await eventually(async () => (await newest())?.id !== before)).toBe(true)
      return synced()
    },
    async holds(source) {
      const rows = await db<{ held: string }[]>`
        select a.username || '/' || e.display_name as held from grants g
        join accounts a on a.tenant_id = g.tenant_id and a.app_id = g.app_id and a.account_id = g.account_id
        join entitlements e on e.tenant_id = g.tenant_id and e.app_id = g.app_id and e.entitlement_id = g.entitlement_id
        where g.app_id = ${appId} and g.ended_at is null ${source === undefined ? db`` : db`and g.source = ${source}`}`
      return [...new Set(rows.map(({ held }) => held.replace(/ member$/, '')))].toSorted()
    },
    async accounts() {
      const rows = await db<{ name: string; status: string }[]>`
        select username as name, status from accounts where app_id = ${appId} and deleted_at is null
          and external_id is not null`
      return rows.map(({ name, status }) => (status === 'STATUS_ENABLED' ? name : `${name} (disabled)`)).toSorted()
    },
    async untilTasks(states) {
      const isSo = await eventually(async () => JSON.stringify(await tasks()) === JSON.stringify(states))
      if (!isSo) expect(await tasks()).toEqual(states)
    },
    async account(userName) {
      const [row] = await db<{ id: string }[]>`
        select account_id as id from accounts where app_id = ${appId} and username = ${userName} and deleted_at is null`
      return row?.id ?? ''
    },
    async give(group, userId) {
      const at = `/api/v1/apps/${appId}/entitlements/${await entitlement(group)}/add-manual-user`
      const reply = await post(at, { userIds: [userId] })
      expect(reply.status, reply.text).toBe(200)
    },
    async take(group, accountId) {
      const at = `/api/v1/apps/${appId}/entitlements/${await entitlement(group)}/remove-membership`
      const reply = await askAs(at, { method: 'DELETE', body: { appUserId: accountId } })
      expect(reply.status, reply.text).toBe(200)
    },
    async request(kind, group, userId) {
      await db`update entitlements set grant_policy_id = ${automatic}, revoke_policy_id = '' where app_id = ${appId}`
      const wanted = { appId, appEntitlementId: await entitlement(group), identityUserId: userId }
      const reply = await post(`/api/v1/task/${kind}`, wanted)
      expect(reply.status, reply.text).toBe(200)
      return ((reply.json['taskView'] as Json)['task'] as { id: string }).id
    },
    async isClosed(id) {
      const { json } = await askAs(`/api/v1/tasks/${id}`)
      return ((json['taskView'] as Json)['task'] as { state: string }).state === 'TASK_STATE_CLOSED'
    },
  }
}

/** A user of the record. */
export async function makePerson(
  { world, tenant }: Access,
  email: string,
  rest: Partial<NewUser> = {},
): Promise<string> {
  const id = world.newId()
  const [name = ''] = email.split('@')
  const person = { id, displayName: `${name} Person`, email, username: email, ...rest }
  await transact(world.db, (tx) => insertUsers(tx, tenant.id, [person], world.now()))
  return id
}

/** As if the server that works on it had been killed. */
export async function lapse(access: Access, connectorId: string): Promise<void> {
  await access.world.db`
    update connector_tasks set lease_until = now() - interval '1 second'
    where connector_id = ${connectorId} and state = 'leased'`
  await endLapsedLeases(access.world)
}
