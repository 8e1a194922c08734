import { slot } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { countAfter } from '#rooms/foundation/systemlog/index.ts'
import { countByState, listBehind, type Totals } from './store/due.ts'
import { outcomes } from './subscription.ts'

/** Deliveries and failures of this process. */
export const counters = slot(() => {
  const counts = new Map<string, number>(outcomes.map((outcome) => [outcome, 0]))
  return {
    count: (outcome: string): void => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    read: (): ReadonlyMap<string, number> => counts,
  }
})

/** Counting stops at this many events, for each of this many subscriptions. */
export const behindMax = 10_000
const subscriptionsMax = 500

/** What the tables contained when last counted. Run by the engine: reading metrics reads no tables. */
export const subscriptionTotals = slot(() => {
  let totals: readonly Totals[] = []
  let behind = 0
  return {
    read: () => ({ totals, behind }),
    async count({ db }: Pick<World, 'db'>): Promise<void> {
      totals = await countByState(db)
      let sum = 0
      if (totals.some(({ state }) => state === 'active'))
        for (const { tenantId, cursor } of await listBehind(db, subscriptionsMax))
          sum += await countAfter(db, tenantId, cursor, behindMax)
      behind = sum
    },
  }
})

type Counted = {
  name: string
  help: string
  kind: 'gauge' | 'counter'
  values: { labels?: Record<string, string>; value: number }[]
  across?: 'max'
}

/** The metrics of subscriptions for operators. */
export function subscriptionMetrics(world: World): Counted[] {
  const { totals, behind } = world.memory(subscriptionTotals).read()
  const sum = (is: (of: Totals) => boolean): number => totals.filter(is).reduce((total, { count }) => total + count, 0)
  const kinds: [string, (of: Totals) => boolean][] = [
    ['active', ({ state, isFailing }) => state === 'active' && !isFailing],
    ['failing', ({ state, isFailing }) => state === 'active' && isFailing],
    ['paused', ({ state }) => state === 'paused'],
    ['ended', ({ state }) => state === 'ended'],
  ]
  return [
    {
      name: 'bailiwick_subscriptions',
      help: 'Subscriptions to events, by state; failing subscriptions are active and wait for another attempt',
      kind: 'gauge',
      across: 'max',
      values: kinds.map(([state, is]) => ({ labels: { state }, value: sum(is) })),
    },
    {
      name: 'bailiwick_subscription_events_behind',
      help: `Events of the system log that active subscriptions have not processed yet, at most ${behindMax} for each`,
      kind: 'gauge',
      across: 'max',
      values: [{ value: behind }],
    },
    {
      name: 'bailiwick_subscription_deliveries_total',
      help: 'Attempts of this server to deliver an event to a subscription, by outcome',
      kind: 'counter',
      values: [...world.memory(counters).read()].map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
  ]
}
