import type { Dispatch, DueTenant } from '#kernel/dispatch.ts'
import { strictRules } from '#kernel/outgoing/addresses.ts'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { findTenant, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { type Claimed, webhookDispatch } from './delivery.ts'
import { attempt } from './send.ts'
import { claimDeliveries, findNextAttempt, insertAttempts, listDue, listTenantsWithDue } from './store.ts'

/** Longer than an attempt takes, with the writes before and after it. */
const leaseMs = 90_000
const inAll = 40
const perHost = 4
/** For a host that did not respond in time, for a while: hosts that hang must not use up all places. */
const perSlowHost = 1
const slowMs = 10 * 60_000

type Sending = Claimed & { tenant: Tenant }

/** Sends what is due. No receiver delays the others: the number of concurrent requests per host is limited. */
export function sendWebhooks(world: World): Dispatch<DueTenant, Sending> {
  const outgoing = openOutgoing(world.settings.outgoing ?? strictRules)
  const underWay = new Map<string, Sending>()
  const slowUntil = new Map<string, number>()

  const countByHost = (): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const { host } of underWay.values()) counts.set(host, (counts.get(host) ?? 0) + 1)
    return counts
  }
  const limitOf = (host: string): number => ((slowUntil.get(host) ?? 0) > performance.now() ? perSlowHost : perHost)

  const choose = async (tenantId: number, countMax: number, at: Date): Promise<string[]> => {
    const counts = countByHost()
    const notTo = [...counts].filter(([host, count]) => count >= limitOf(host)).map(([host]) => host)
    const ids: string[] = []
    for (const { id, host } of await listDue(world.db, tenantId, { at, notTo, limit: inAll })) {
      const count = counts.get(host) ?? 0
      // According to a clock that jumped, its lease has expired although it is being sent.
      if (underWay.has(id) || ids.length === countMax || count >= limitOf(host)) continue
      counts.set(host, count + 1)
      ids.push(id)
    }
    return ids
  }

  return {
    name: webhookDispatch,
    inAll,
    leaseMs,
    everyMs: { least: 250, most: 250 },
    listDue: async () => (await listTenantsWithDue(world.db, world.now())).map((id) => ({ id })),
    nextDue: (before) => findNextAttempt(world.db, before),
    async claim({ id: tenantId }, { countMax }) {
      const at = world.now()
      const ids = await choose(tenantId, countMax, at)
      const tenant = ids.length > 0 ? await findTenant(world.db, tenantId) : null
      if (!tenant) return []
      return transact(world.db, async (tx) => {
        const until = new Date(at.getTime() + leaseMs)
        const rows = await claimDeliveries(tx, tenantId, ids, { at, until, leaseId: world.newId() })
        const all = rows.map((row) => ({ ...row, attemptId: world.newId(), tenant }))
        const noted = all.map(({ id: deliveryId, attemptId: id, attempts: number }) => ({ deliveryId, id, number }))
        if (all.length > 0) await insertAttempts(tx, tenantId, noted, at)
        return all
      })
    },
    async perform({ work, abort }) {
      underWay.set(work.id, work)
      try {
        const isSlow = await attempt(world, work.tenant, work, { outgoing, signal: abort.signal })
        if (isSlow) slowUntil.set(work.host, performance.now() + slowMs)
        else slowUntil.delete(work.host)
      } finally {
        underWay.delete(work.id)
      }
    },
    close: outgoing.close,
  }
}
