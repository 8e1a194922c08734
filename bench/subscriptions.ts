import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '#kernel/log.ts'
import { transact } from '#kernel/sql.ts'
import { change, operatorCause, record } from '#rooms/foundation/systemlog/index.ts'
import { listTenants } from '#rooms/foundation/tenants/index.ts'
import { dataSettings, readSettings } from '#server/settings/config.ts'
import { openWorld } from '#server/start/world.ts'
import { tokenOf } from './entitlements.ts'
import { type Served, startBailiwick, startScript } from './processes.ts'

/** A server with subscriptions that are paused, and events that wait for them. */
export type Subscribed = Served & {
  token: string
  receiverUrl: string
  /** How many requests the receiver got. */
  received(): Promise<number>
  /** Events that wait to be sent; answers the text of each. */
  addEvents(count: number): Promise<string[]>
  resumeAll(): Promise<void>
  pauseAll(): Promise<void>
}

const eventsAtOnce = 500

export async function startSubscribed(subscriptions: number): Promise<Subscribed> {
  const served = await startBailiwick('--outgoing-http', '--outgoing-allow', '127.0.0.1')
  const receiver = await startScript('receiver.ts', {})
  const receiverUrl = `http://127.0.0.1:${receiver.port}/`
  const token = await tokenOf(served)
  const config = readSettings(dataSettings, { 'data-dir': served.dataDir }, {})
  const { world, close } = await openWorld(config, 'command', openLog('silent'))
  const [tenant] = await listTenants(world.db)
  if (!tenant) throw new Error('the server has no tenant')
  const post = async (path: string, body: object): Promise<{ subscription: { id: string } }> => {
    const reply = await fetch(`http://127.0.0.1:${served.port}/api/v1/subscriptions${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (reply.status !== 200) throw new Error(await reply.text())
    return (await reply.json()) as { subscription: { id: string } }
  }
  const ids: string[] = []
  for (let n = 0; n < subscriptions; n++) {
    const wanted = { displayName: `Receiver ${n}`, url: `${receiverUrl}${n}`, eventKinds: ['bailiwick.bench'] }
    ids.push((await post('', wanted)).subscription.id)
  }
  for (const id of ids) await post(`/${id}/pause`, {})
  const cause = operatorCause(tenant, 'bench')
  return {
    ...served,
    token,
    receiverUrl,
    received: async () => Number(await (await fetch(receiverUrl)).text()),
    async addEvents(count) {
      const since = world.newId()
      for (let added = 0; added < count; added += eventsAtOnce) {
        const events = Array.from({ length: Math.min(eventsAtOnce, count - added) }, (_, n) =>
          change(cause, 'update', `Changed the thing ${added + n}`, [
            { type: 'thing', id: world.newId(), name: 'A thing', data: { number: added + n } },
          ]),
        )
        await transact(world.db, (tx) => record(tx, world, { tenant }, ...events))
      }
      for (;;) {
        const [left] =
          await world.db`select 1 from systemlog_events where tenant_id = ${tenant.id} and seal_number is null`
        if (!left) break
        await sleep(100)
      }
      const rows = await world.db<{ event: string }[]>`
        select event from systemlog_events where tenant_id = ${tenant.id} and event_id > ${since}
          and event like '%Changed the thing%'`
      return rows.map(({ event }) => event)
    },
    async resumeAll() {
      for (const id of ids) await post(`/${id}/resume`, {})
    },
    async pauseAll() {
      for (const id of ids) await post(`/${id}/pause`, {})
    },
    async stop() {
      await close()
      await served.stop()
      await receiver.stop()
    },
  }
}
