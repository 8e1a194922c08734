import { slot } from '#kernel/memory.ts'
import { serverBusy } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { openTurns } from '#kernel/turns.ts'
import { type Asker, tooCostly } from '#rooms/rules/expressions/index.ts'

/**
 * The limits on evaluating an expression user by user: a total, and an allowance for each user. A unit is about 100 ns: two
 * seconds, and a millisecond per user. Expressions that were made to be slow cost a million units per user; `matches` of an
 * email address some hundreds. Counted, not timed, so that the same rule is refused on every machine.
 */
const unitsInAll = 20_000_000
const unitsPerUser = 10_000
/** For evaluating many rules for changed users: a rule that costs more is left to its own run. */
const unitsPerUserOfMany = 200

/**
 * How long a caller's plan may hold its connection, regardless of the reason. It does not depend on the rule alone: an idle
 * machine does the same in a second, and so the response is 503.
 */
const planMs = 60_000

/** Work on someone's behalf, and what it has cost so far. */
export type Effort = Asker & {
  units: number
  users: number
  unitsPerUser: number
  /** On the clock of `performance.now`; null if there is no time limit. */
  until: number | null
}

/** For a caller who waits: no longer than they do, and than a plan may take. */
export const effortOf = ({ tenant, signal }: Call): Effort => ({
  lane: `calls ${tenant.id}`,
  signal,
  units: 0,
  users: 0,
  unitsPerUser,
  until: performance.now() + planMs,
})

/** For the engine: a tenant's callers do not keep its rules from running. */
export const engineEffort = (tenantId: number, units = 0, users = 0): Effort => ({
  lane: `engine ${tenantId}`,
  signal: null,
  units,
  users,
  unitsPerUser,
  until: null,
})

/** For the engine, when it evaluates all rules of a tenant for changed users. */
export const sweepEffort = (tenantId: number): Effort => ({
  ...engineEffort(tenantId),
  unitsPerUser: unitsPerUserOfMany,
})

/** The units that are left if so many more users are evaluated. */
export const unitsLeft = (effort: Effort, more: number): number =>
  unitsInAll + effort.unitsPerUser * (effort.users + more) - effort.units

/** Whether a rule with this cost for some users would be given up over all of them. */
export const isTooMuchFor = (units: number, asked: number, all: number): boolean =>
  (units / Math.max(1, asked)) * all > unitsInAll + unitsPerUser * all

export const overBudget = () =>
  tooCostly(
    'for all users together it would exceed the limit. Shorten the lists that its macros iterate over, or compare fields directly',
  )

const outOfTime = () => serverBusy(`This did not end within ${planMs / 1000} seconds`)

/**
 * To be called between two parts: stops if nobody waits for them, or if they took too long. Returns the milliseconds left.
 */
export function goOn({ signal, until }: Effort): number | null {
  signal?.throwIfAborted()
  if (until === null) return null
  const left = Math.ceil(until - performance.now())
  if (left <= 0) throw outOfTime()
  return left
}

/** This server's statement_timeout, or a statement that was cancelled because nobody waits for it. */
const isCancelled = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '57014'

/** Reports a plan that took too long as such, rather than as an unavailable database. */
export async function inTime<T>(effort: Effort, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isCancelled(error)) throw error
    effort.signal?.throwIfAborted()
    throw outOfTime()
  }
}

/**
 * Plans hold a connection while they evaluate, and there are twenty: a tenant has two at once, and all together eight,
 * divided among the workers. Waiting callers hold nothing.
 */
export const planTurns = slot(({ settings: { workers = 1 } }) =>
  openTurns({
    perKey: Math.ceil(2 / workers),
    inAll: Math.max(2, Math.ceil(8 / workers)),
    waitingMax: 20,
    waitMs: 20_000,
  }),
)
