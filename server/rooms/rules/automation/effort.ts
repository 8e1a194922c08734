import { slot } from '#kernel/memory.ts'
import { serverBusy } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { openTurns } from '#kernel/turns.ts'
import { type Asker, tooCostly } from '#rooms/rules/expressions/index.ts'

/**
 * What evaluating an expression user by user may cost in all: so much, and so much for each user. A unit is some 100 ns: two
 * seconds, and a millisecond a user. What is made to be slow costs a million units a user; `matches` of an email address some
 * hundreds. Counted, not timed, so that the same rule is refused on every machine.
 */
const unitsInAll = 20_000_000
const unitsPerUser = 10_000
/** When many rules are asked about those who changed: what costs more is left to runs of each rule by itself. */
const unitsPerUserOfMany = 200

/**
 * How long a caller's plan may hold its connection, whatever it is made of. It says nothing of the rule: an idle machine does the
 * same in a second, and so the answer is 503.
 */
const planMs = 60_000

/** Work for somebody, and what it has cost so far. */
export type Effort = Asker & {
  units: number
  users: number
  unitsPerUser: number
  /** By the clock of `performance.now`; null where it may take as long as it takes. */
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

/** For the engine, when it asks all rules of a tenant about who changed. */
export const sweepEffort = (tenantId: number): Effort => ({
  ...engineEffort(tenantId),
  unitsPerUser: unitsPerUserOfMany,
})

/** What is left when so many users more are asked about. */
export const unitsLeft = (effort: Effort, more: number): number =>
  unitsInAll + effort.unitsPerUser * (effort.users + more) - effort.units

/** Whether a rule that costs so much for some users would be given up over all of them. */
export const isTooMuchFor = (units: number, asked: number, all: number): boolean =>
  (units / Math.max(1, asked)) * all > unitsInAll + unitsPerUser * all

export const overBudget = () =>
  tooCostly(
    'for all users together it would exceed the limit. Shorten the lists that its macros iterate over, or compare fields directly',
  )

const outOfTime = () => serverBusy(`This did not end within ${planMs / 1000} seconds`)

/** Between two parts: stops when nobody waits for them, or when they took too long. Answers the milliseconds left. */
export function goOn({ signal, until }: Effort): number | null {
  signal?.throwIfAborted()
  if (until === null) return null
  const left = Math.ceil(until - performance.now())
  if (left <= 0) throw outOfTime()
  return left
}

/** Our own statement_timeout, or a statement that was cancelled because nobody waits for it. */
const isCancelled = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '57014'

/** Says of a plan that took too long that it did, rather than that the database did not answer. */
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
 * divided among the workers. Who waits holds nothing.
 */
export const planTurns = slot(({ settings: { workers = 1 } }) =>
  openTurns({
    perKey: Math.ceil(2 / workers),
    inAll: Math.max(2, Math.ceil(8 / workers)),
    waitingMax: 20,
    waitMs: 20_000,
  }),
)
