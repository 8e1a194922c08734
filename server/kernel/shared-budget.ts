import { type Budget, budget } from './budget.ts'
import { type Limit, spendFromBudget, takeFromBudget } from './budget-store.ts'
import { slot } from './memory.ts'
import { isDatabaseError } from './sql.ts'
import type { World } from './world.ts'

/** A budget that counts over all processes and servers: by a statement each time, so for failures. */
export type SharedBudget = {
  take(key: string): Promise<number | null>
  waitSeconds(key: string): number
}

type Parts = Pick<World, 'db' | 'log' | 'now' | 'seals'>

/**
 * Which of 65,536 rows a key counts in. Computed with the secret key: nobody can find a key that shares the row of
 * another.
 */
const slotOf = ({ seals }: Parts, name: string, key: string): number =>
  seals.mac('budget', '', name, key).readUInt16BE(0)

const logAgainMs = 60_000

/**
 * After a refusal, this process refuses until one can be taken again, without a statement: so a flood costs as many
 * statements as its budget allows. If the database is unavailable, the request fails for that reason (503), which
 * reveals nothing. If it refuses the statement, each process counts separately.
 */
export function sharedBudget(world: Parts, name: string, limit: Limit): SharedBudget {
  const own = budget(world, limit)
  const empty = new Map<number, { until: number; refused: number }>()
  let loggedAt = Number.NEGATIVE_INFINITY

  const takeHere = (key: string, error: unknown): number | null => {
    if (!isDatabaseError(error)) throw error
    if (performance.now() - loggedAt > logAgainMs)
      world.log.error(
        { err: error, budget: name },
        'a budget cannot be counted over all servers: this one counts alone',
      )
    loggedAt = performance.now()
    return own.take(key)
  }

  return {
    async take(key) {
      const place = slotOf(world, name, key)
      const known = empty.get(place)
      if (known && performance.now() < known.until) {
        known.refused++
        return null
      }
      const asked = { name, slot: place, limit, refused: known?.refused ?? 0 }
      try {
        if (known) known.refused = 0
        const { left, told } = await takeFromBudget(world.db, asked)
        if (told === null) {
          const until = performance.now() + ((1 - left) / limit.perSecond) * 1000
          empty.set(place, { until, refused: empty.get(place)?.refused ?? 0 })
        } else if (!empty.get(place)?.refused) empty.delete(place)
        return told
      } catch (error) {
        // Not reported yet: the next one reports them.
        if (known) known.refused += asked.refused
        return takeHere(key, error)
      }
    },
    waitSeconds(key) {
      const known = empty.get(slotOf(world, name, key))
      const waitMs = known ? known.until - performance.now() : own.waitSeconds(key) * 1000
      return Math.max(1, Math.ceil(waitMs / 1000))
    },
  }
}

/** Budgets that are counted here at once, and over all servers a little later. */
export const looseBudgets = slot(() => {
  const all: (() => Promise<void>)[] = []
  return {
    add: (share: () => Promise<void>): void => void all.push(share),
    /** Run by the engine, about once a second. */
    async share(): Promise<void> {
      for (const each of all) await each()
    },
  }
})

// Below this part of the budget, use in this process is not worth a statement.
const worthSharing = 1 / 20
const keysMax = 10_000

/**
 * A budget for legitimate callers, at no cost to them: it is counted in memory, and what was spent is shared about once
 * per second, if it is more than a twentieth of the budget. So several processes together may allow a little more than
 * one.
 */
export function looseBudget(world: World, name: string, limit: Limit): Budget {
  const own = budget(world, limit)
  const spent = new Map<string, number>()
  const least = Math.max(1, limit.burst * worthSharing)

  world.memory(looseBudgets).add(async () => {
    const bySlot = new Map<number, { keys: string[]; sum: number }>()
    for (const [key, count] of spent) {
      if (count < least) continue
      const place = slotOf(world, name, key)
      const found = bySlot.get(place) ?? { keys: [], sum: 0 }
      bySlot.set(place, { keys: [...found.keys, key], sum: found.sum + count })
      spent.delete(key)
    }
    if (spent.size > keysMax) spent.clear()
    if (bySlot.size === 0) return
    const sums = new Map([...bySlot].map(([place, { sum }]) => [place, sum]))
    // What was taken while the statement was under way is taken from it too.
    for (const { slot: place, left } of await spendFromBudget(world.db, { name, limit }, sums))
      for (const key of bySlot.get(place)?.keys ?? []) own.set(key, left - (spent.get(key) ?? 0))
  })

  return {
    ...own,
    take(key) {
      const taken = own.take(key)
      if (taken !== null) spent.set(key, (spent.get(key) ?? 0) + 1)
      return taken
    },
  }
}
