import { afterAll, beforeAll, expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import {
  type Access,
  type Asking,
  ask,
  eventually,
  getToken,
  type Json,
  type Key,
  openAccess,
  type Reply,
} from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { startServer, type TestServer, type TestServerOptions } from '../fixture/server.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export const flags = { 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1'] }
export const base = '/api/v1/subscriptions'

export type Shown = Json & {
  id: string
  state: string
  reason: string
  detail: string
  url: string
  eventsBehind: number
  failedAttempts: number
  nextAttemptAt: string | null
  deliveredCount: string
  filterErrorCount: string
  filterError: string
  oldSecretUntil: string | null
  responsibleUserId: string
}
export type Made = { id: string; secret: string; path: string; at: string }

export type Scene = {
  server: TestServer
  access: Access
  receiver: Receiver
  key: Key
  token: string
  ask(path: string, asking?: Asking): Promise<Reply>
  post(path: string, body?: object): Promise<Reply>
  /** A subscription to a path of the receiver that no other has. */
  subscribe(rest?: Json): Promise<Made>
  get(id: string): Promise<Shown>
  /** Events of an operation, of the tenant unless said; answers their ids. */
  emit(count: number, command?: string, tenant?: Tenant): Promise<string[]>
  /** The ids of events in the log after the first of `ids`, by the chain. */
  logSince(firstId: string): Promise<string[]>
  until(what: () => boolean | Promise<boolean>): Promise<void>
  /** As if the time until the next attempt had passed. */
  timePasses(id: string): Promise<void>
}

let paths = 0

/** A server, a receiver and a Super Administrator, for the tests of a file. */
export function prepare(options: TestServerOptions = {}): Scene {
  const scene = {} as Scene
  beforeAll(async () => {
    const server = await startServer({ flags, ...options })
    const access = await openAccess(server)
    const key = await access.makeCaller(['system:owner'])
    Object.assign(scene, { server, access, key, receiver: await startReceiver(), token: await getToken(server, key) })
  })
  afterAll(async () => {
    await scene.access.close()
    await scene.server.stop()
    await scene.receiver.close()
  })
  return Object.assign(scene, {
    ask: (path, asking = {}) => ask(scene.server, path, { token: scene.token, ...asking }),
    post: (path, body = {}) => scene.ask(path, { method: 'POST', body }),
    async subscribe(rest = {}) {
      const path = `/${++paths}`
      const reply = await scene.post(base, { displayName: `To ${path}`, url: scene.receiver.url(path), ...rest })
      expect(reply.status, reply.text).toBe(200)
      const { id } = reply.json['subscription'] as Shown
      // Each that is left has the events of all later tests sent.
      later(() => scene.ask(`${base}/${id}`, { method: 'DELETE' }))
      return { id, secret: reply.json['secret'] as string, path, at: `${base}/${id}` }
    },
    async get(id) {
      const reply = await scene.ask(`${base}/${id}`)
      expect(reply.status, reply.text).toBe(200)
      return reply.json['subscription'] as Shown
    },
    async emit(count, command = 'emit', tenant = scene.access.tenant) {
      const { world } = scene.access
      const cause = operatorCause(tenant, command)
      const events = Array.from({ length: count }, (_, n) =>
        change(cause, 'update', `Event ${n}`, [{ type: 'thing', id: String(n), name: 'A thing' }]),
      )
      const listIds = async (): Promise<string[]> => {
        const rows = await world.db<{ id: string }[]>`
          select event_id as id from systemlog_events where tenant_id = ${tenant.id}
            and event::jsonb #>> '{api,operation}' = ${`bailiwick ${command}`} order by event_id`
        return rows.map(({ id }) => id)
      }
      const before = new Set(await listIds())
      await transact(world.db, (tx) => record(tx, world, { tenant }, ...events))
      return (await listIds()).filter((id) => !before.has(id))
    },
    async logSince(firstId) {
      const rows = await scene.access.world.db<{ id: string }[]>`
        select e.event_id as id from systemlog_events e join systemlog_events f on f.tenant_id = e.tenant_id
        where e.tenant_id = ${scene.access.tenant.id} and f.event_id = ${firstId}
          and (e.seal_number, e.seal_position) >= (f.seal_number, f.seal_position)
        order by e.seal_number, e.seal_position`
      return rows.map(({ id }) => id)
    },
    async until(what) {
      expect(await eventually(async () => what())).toBe(true)
    },
    async timePasses(id) {
      await scene.access.world.db`
        update subscriptions set next_attempt_at = now() - interval '1 second' where subscription_id = ${id}`
    },
  } satisfies Partial<Scene>)
}
