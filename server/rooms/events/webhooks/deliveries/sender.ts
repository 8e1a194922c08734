import { strictRules } from '#kernel/outgoing/addresses.ts'
import { openOutgoing } from '#kernel/outgoing/send.ts'
import { transact } from '#kernel/sql.ts'
import { forEachTenant } from '#kernel/tenants-with.ts'
import { openRest, type Wakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { findTenant, type Tenant } from '#rooms/foundation/tenants/index.ts'
import { deliveryBell } from './bell.ts'
import type { Claimed } from './delivery.ts'
import { attempt } from './send.ts'
import { claimDeliveries, findNextAttempt, insertAttempts, listDue, listTenantsWithDue } from './store.ts'

const everyMs = 250
/** Longer than an attempt takes, with what is written before and after it. */
const leaseMs = 90_000
const inAll = 40
const perHost = 4
/** Of a host that did not respond in time, for a while: hosts that hang do not use up what there is. */
const perSlowHost = 1
const slowMs = 10 * 60_000

export type Sending = { stop(graceMs: number): Promise<void> }

type SendingParts = {
  /** False where another process sends. */
  mayBegin: () => boolean
  /** Tells that there may be something to send. */
  wakes: Wakes
  /** What is told of elsewhere, once. */
  isQuiet: (error: unknown) => boolean
}

/**
 * Sends what is due, in the process that does the regular work of all servers. Each attempt is claimed in the database first, so that
 * two processes never make the same one. No tenant and no receiver keeps the others waiting: of each host only some requests are under
 * way, and tenants have their turns.
 */
export function startWebhooks(world: World, { mayBegin, wakes, isQuiet }: SendingParts): Sending {
  const outgoing = openOutgoing(world.settings.outgoing ?? strictRules)
  const abort = new AbortController()
  const underWay = new Map<string, Promise<void>>()
  const byHost = new Map<string, number>()
  const slowUntil = new Map<string, number>()
  let isStopped = false
  let turn = 0
  let told = ''

  const limitOf = (host: string): number => ((slowUntil.get(host) ?? 0) > performance.now() ? perSlowHost : perHost)
  const isFull = (host: string): boolean => (byHost.get(host) ?? 0) >= limitOf(host)

  const begin = (tenant: Tenant, claimed: Claimed): void => {
    const { host } = claimed
    byHost.set(host, (byHost.get(host) ?? 0) + 1)
    const done = attempt(world, tenant, claimed, { outgoing, signal: abort.signal })
      .then((isSlow) => void (isSlow ? slowUntil.set(host, performance.now() + slowMs) : slowUntil.delete(host)))
      // Its lease ends, and it is tried again.
      .catch((error: unknown) => {
        if (!isQuiet(error)) world.log.error({ err: error, delivery: claimed.id }, 'a webhook could not be sent')
      })
      .finally(() => {
        underWay.delete(claimed.id)
        const left = (byHost.get(host) ?? 1) - 1
        if (left > 0) byHost.set(host, left)
        else byHost.delete(host)
      })
    underWay.set(claimed.id, done)
  }

  const ofTenant = async (tenantId: number, countMax: number): Promise<void> => {
    const at = world.now()
    const notTo = [...byHost.keys()].filter(isFull)
    const due = await listDue(world.db, tenantId, { at, notTo, limit: inAll })
    const taken = new Map<string, number>()
    const ids: string[] = []
    for (const { id, host } of due) {
      // By a clock that jumped its lease is over, though it is being sent.
      if (underWay.has(id)) continue
      const count = (byHost.get(host) ?? 0) + (taken.get(host) ?? 0)
      if (ids.length === countMax || count >= limitOf(host)) continue
      taken.set(host, (taken.get(host) ?? 0) + 1)
      ids.push(id)
    }
    if (ids.length === 0) return
    const tenant = await findTenant(world.db, tenantId)
    if (!tenant) return
    const claimed = await transact(world.db, async (tx) => {
      const until = new Date(at.getTime() + leaseMs)
      const rows = await claimDeliveries(tx, tenantId, ids, { at, until, leaseId: world.newId() })
      const all = rows.map((row) => ({ ...row, attemptId: world.newId() }))
      const noted = all.map(({ id: deliveryId, attemptId: id, attempts: number }) => ({ deliveryId, id, number }))
      if (all.length > 0) await insertAttempts(tx, tenantId, noted, at)
      return all
    })
    for (const each of claimed) begin(tenant, each)
  }

  const round = async (): Promise<void> => {
    if (underWay.size >= inAll) return
    const tenants = await listTenantsWithDue(world.db, world.now())
    // Another one first each time.
    const first = tenants.length === 0 ? 0 : turn++ % tenants.length
    const inTurn = [...tenants.slice(first), ...tenants.slice(0, first)]
    await forEachTenant(inTurn, async (tenantId) => {
      const free = inAll - underWay.size
      const left = inTurn.length - inTurn.indexOf(tenantId)
      if (!isStopped && free > 0) await ofTenant(tenantId, Math.max(1, Math.floor(free / left)))
    })
  }

  const run = async (): Promise<void> => {
    while (!isStopped) {
      const seen = wakes.count
      let again = false
      try {
        if (mayBegin()) await round()
        told = ''
      } catch (error) {
        again = true
        const message = error instanceof Error ? error.message : String(error)
        // What fails four times a second is told once.
        if (message !== told && !isQuiet(error)) world.log.warn({ err: error }, 'webhooks could not be claimed')
        told = message
      }
      if (!isStopped) await rest(seen, { again })
    }
  }

  const { rest, ring } = openRest({
    wakes,
    now: world.now,
    everyMs,
    nextDue: async (before) => (mayBegin() ? findNextAttempt(world.db, before) : null),
  })
  world.memory(deliveryBell).onRing(ring)

  const running = run()
  return {
    async stop(graceMs) {
      isStopped = true
      ring()
      await running
      const timer = setTimeout(() => abort.abort(), graceMs)
      await Promise.all(underWay.values())
      clearTimeout(timer)
      outgoing.close()
    },
  }
}
