import type { Tenancy } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { openRest, type Wakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { findHead } from '#rooms/foundation/systemlog/index.ts'
import { counters } from '../metrics.ts'
import { type Claimed, claim, findNextDelivery, findTenancy, listTenantsDue, lockDue, renew } from '../store/due.ts'
import { type ApiLoad, openPace } from './pace.ts'
import { runSubscription } from './run.ts'
import { outgoing } from './send.ts'

export type DeliveryParts = {
  world: World
  /** How much the API is used. */
  load: ApiLoad
  /** How long ago the clock last jumped: leases that end by a jump have not ended. */
  sinceJumpMs: () => number
  /** Tells that there may be events to send. */
  wakes: Wakes
  /** What is told of elsewhere, once. */
  isQuiet: (error: unknown) => boolean
  limits?: Partial<DeliveryLimits>
}

export type DeliveryLimits = {
  /** After so long without a word from its process, a subscription is taken up by another. */
  leaseMs: number
  /** How long to rest when there was nothing to do, while there are changes. */
  restMs: number
  /** How many subscriptions are sent to at once: of one tenant, in all, and of those that fail or are slow. */
  tenantMax: number
  quickMax: number
  slowMax: number
  /** After so long a request makes its subscription a slow one. */
  slowMs: number
  forMs: number
}

const usualDeliveryLimits: DeliveryLimits = {
  leaseMs: 10_000,
  restMs: 250,
  tenantMax: 32,
  quickMax: 64,
  slowMax: 32,
  slowMs: 2_000,
  forMs: 10_000,
}

export type Deliveries = {
  /** Begins nothing more, ends what is under way, and lets others go on with it. */
  stop(): Promise<void>
}

type Running = { claimed: Claimed; tenant: Tenancy; abort: AbortController; isSlow: boolean; done: Promise<void> }

const slowKnownMax = 10_000
const tellAgainMs = 60_000

/**
 * Sends events to subscriptions. Any number of processes may do so on one database: each subscription is held by one of them, under a
 * lease. Subscriptions are sent to side by side. Those that fail or are slow have places of their own, so that they slow nobody else.
 */
export function startDeliveries({ world, load, sinceJumpMs, wakes, isQuiet, limits }: DeliveryParts): Deliveries {
  const { leaseMs, restMs, tenantMax, quickMax, slowMax, slowMs, forMs } = { ...usualDeliveryLimits, ...limits }
  const running = new Map<string, Running>()
  /** Those that were slow when they were last sent to. */
  const slow = new Set<string>()
  const pace = openPace(load)
  let isStopped = false

  const count = (isSlow: boolean): number => [...running.values()].filter((each) => each.isSlow === isSlow).length

  const markSlow = (one: Running, isSlow: boolean): void => {
    one.isSlow = isSlow
    const { id } = one.claimed
    if (isSlow) slow.add(id)
    else slow.delete(id)
    if (slow.size > slowKnownMax) slow.delete(slow.keys().next().value as string)
  }

  const begin = (tenant: Tenancy, claimed: Claimed): void => {
    const abort = new AbortController()
    const one: Running = {
      claimed,
      tenant,
      abort,
      isSlow: claimed.attempt > 0 || slow.has(claimed.id),
      done: Promise.resolve(),
    }
    running.set(claimed.id, one)
    let waited: NodeJS.Timeout | undefined
    const paced = async (): Promise<void> => {
      await pace()
      clearTimeout(waited)
      waited = setTimeout(() => markSlow(one, true), slowMs)
    }
    one.done = runSubscription(
      {
        world,
        tenant,
        forMs,
        signal: abort.signal,
        pace: paced,
        onSent(delivery) {
          clearTimeout(waited)
          if (delivery.durationMs < slowMs && delivery.outcome === 'delivered') markSlow(one, false)
          world.memory(counters).count(delivery.outcome)
        },
      },
      claimed,
    )
      .catch((error: unknown) => tell(error))
      .finally(() => {
        clearTimeout(waited)
        // It may have been taken up again since it was let go.
        if (running.get(claimed.id) === one) running.delete(claimed.id)
      })
  }

  let told = { message: '', untilMs: 0 }
  const tell = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (isQuiet(error) || (told.message === message && told.untilMs > performance.now())) return
    told = { message, untilMs: performance.now() + tellAgainMs }
    world.log.error({ err: error }, 'events could not be delivered')
  }

  const mayTakeOver = (): boolean => sinceJumpMs() > leaseMs

  const claimOf = async (tenantId: number): Promise<number> => {
    const held = [...running.values()].filter((each) => each.tenant.id === tenantId && !each.isSlow).length
    const slowFree = slowMax - count(true)
    const limit = Math.min(quickMax - count(false), tenantMax - held)
    if (limit <= 0) return 0
    const [tenant, head] = await Promise.all([findTenancy(world.db, tenantId), findHead(world.db, tenantId)])
    if (!tenant) return 0
    const leaseId = world.newId()
    const at = world.now()
    const claimed = await transact(world.db, async (tx) => {
      const ids = await lockDue(tx, tenantId, {
        headSeal: head?.sealNumber ?? 0,
        at,
        mayTakeOver: mayTakeOver(),
        limit,
        withFailing: slowFree > 0,
        except: slowFree > 0 ? [] : [...slow],
      })
      return ids.length === 0 ? [] : claim(tx, tenantId, ids, { leaseId, leaseMs, at })
    })
    for (const each of claimed) begin(tenant, each)
    return claimed.length
  }

  /** One turn for each tenant that has something to send; answers how many subscriptions it took up. */
  const round = async (): Promise<number> => {
    let begun = 0
    for (const tenantId of await listTenantsDue(world.db, { at: world.now(), mayTakeOver: mayTakeOver() })) {
      if (isStopped) break
      // What is wrong with one tenant does not keep the others waiting.
      begun += await claimOf(tenantId).catch((error: unknown) => {
        if (isQuiet(error)) throw error
        tell(error)
        return 0
      })
    }
    return begun
  }

  const { rest, ring } = openRest({
    wakes,
    now: world.now,
    everyMs: restMs,
    nextDue: (before) => findNextDelivery(world.db, before),
  })

  const loop = async (): Promise<void> => {
    while (!isStopped) {
      const seen = wakes.count
      let again = !mayTakeOver()
      try {
        await round()
      } catch (error) {
        again = true
        tell(error)
      }
      if (!isStopped) await rest(seen, { again })
    }
  }

  /** Renews the leases of those that wait for slow receivers; whoever lost theirs ends. */
  const beat = async (): Promise<void> => {
    for (const [tenantId, those] of Map.groupBy(running.values(), ({ tenant }) => tenant.id)) {
      const leaseIds = [...new Set(those.map(({ claimed }) => claimed.leaseId))]
      const kept = new Set(await renew(world.db, tenantId, leaseIds, leaseMs))
      for (const { claimed, abort } of those)
        if (!kept.has(claimed.id) && running.has(claimed.id)) abort.abort(new Error('the lease is lost'))
    }
  }
  const heart = setInterval(() => void beat().catch(tell), leaseMs / 4).unref()
  const looping = loop()

  return {
    async stop() {
      isStopped = true
      ring()
      await looping
      for (const { abort } of running.values()) abort.abort(new Error('the server stops'))
      // Ends the requests that are under way.
      world.memory(outgoing).close()
      await Promise.all([...running.values()].map(({ done }) => done))
      clearInterval(heart)
    },
  }
}
