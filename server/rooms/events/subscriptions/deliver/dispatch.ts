import type { Dispatch, DueTenant } from '#kernel/dispatch.ts'
import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { findHead } from '#rooms/foundation/systemlog/index.ts'
import { counters } from '../metrics.ts'
import { type Claimed, claim, findNextDelivery, findTenancy, listTenantsDue, lockDue, renew } from '../store/due.ts'
import { type ApiLoad, openPace } from './pace.ts'
import { runSubscription } from './run.ts'
import { outgoing } from './send.ts'

const leaseMs = 10_000
/** How many subscriptions are sent to at once: in total, per tenant, and of those that fail or are slow. */
const quickMax = 64
const tenantMax = 32
const slowMax = 32
/** A request that takes longer marks its subscription as slow. */
const slowMs = 2_000
/** After this time another subscription gets its turn. */
const forMs = 10_000
const slowKnownMax = 10_000

type Sending = Claimed & { tenant: Tenancy; isSlow: boolean }

/**
 * Sends events to subscriptions, in parallel. Failing and slow ones have separate places, so that they do not slow down the
 * others. `load`: how much the API is used.
 */
export function sendEvents(world: World, load: ApiLoad): Dispatch<DueTenant, Sending> {
  /** Subscriptions that were slow when last sent to. */
  const slow = new Set<string>()
  const slowUnderWay = new Set<Sending>()
  const pace = openPace(load)

  const markSlow = (one: Sending, isSlow: boolean): void => {
    one.isSlow = isSlow
    if (isSlow) {
      slow.add(one.id)
      slowUnderWay.add(one)
    } else {
      slow.delete(one.id)
      slowUnderWay.delete(one)
    }
    if (slow.size > slowKnownMax) slow.delete(slow.keys().next().value as string)
  }

  return {
    name: 'subscriptions',
    inAll: quickMax,
    perTenant: tenantMax,
    leaseMs,
    everyMs: { least: 250, most: 250 },
    graceMs: 0,
    isBeside: ({ isSlow }) => isSlow,
    listDue: async ({ mayTakeOver }) =>
      (await listTenantsDue(world.db, { at: world.now(), mayTakeOver })).map((id) => ({ id })),
    nextDue: (before) => findNextDelivery(world.db, before),
    async claim({ id: tenantId }, { countMax, mayTakeOver }) {
      const [tenant, head] = await Promise.all([findTenancy(world.db, tenantId), findHead(world.db, tenantId)])
      if (!tenant) return []
      const withFailing = slowUnderWay.size < slowMax
      const at = world.now()
      const due = { headSeal: head?.sealNumber ?? 0, at, mayTakeOver, limit: countMax }
      const claimed = await transact(world.db, async (tx) => {
        const ids = await lockDue(tx, tenantId, { ...due, withFailing, except: withFailing ? [] : [...slow] })
        return ids.length === 0 ? [] : claim(tx, tenantId, ids, { leaseId: world.newId(), leaseMs, at })
      })
      return claimed.map((each) => ({ ...each, tenant, isSlow: each.attempt > 0 || slow.has(each.id) }))
    },
    async perform({ work, abort: { signal } }) {
      let waited: NodeJS.Timeout | undefined
      const paced = async (): Promise<void> => {
        await pace()
        clearTimeout(waited)
        waited = setTimeout(() => markSlow(work, true), slowMs)
      }
      if (work.isSlow) slowUnderWay.add(work)
      try {
        await runSubscription(
          {
            world,
            tenant: work.tenant,
            forMs,
            signal,
            pace: paced,
            onSent(delivery) {
              clearTimeout(waited)
              if (delivery.durationMs < slowMs && delivery.outcome === 'delivered') markSlow(work, false)
              world.memory(counters).count(delivery.outcome)
            },
          },
          work,
        )
      } finally {
        clearTimeout(waited)
        slowUnderWay.delete(work)
      }
    },
    renew: ({ id }, works) => renew(world.db, id, [...new Set(works.map(({ leaseId }) => leaseId))], leaseMs),
    // Aborts the requests that are under way.
    interrupt: () => world.memory(outgoing).close(),
  }
}
