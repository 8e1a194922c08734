import { type Dispatch, type DueTenant, dispatchBells, Stopping, type Work } from '#kernel/dispatch.ts'
import { openRest, type Wakes } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { keepLeases, type Running } from './leases.ts'
import { openTurns } from './turns.ts'

export type DispatchParts = {
  world: Pick<World, 'log' | 'now' | 'memory'>
  /** Rings when there may be work. */
  wakes: Wakes
  /** False while another process does this work. */
  mayBegin?: () => boolean
  /** How long ago the clock last jumped: leases that seem to end because of a jump have not ended. */
  sinceJumpMs?: () => number
  /** Whether an error is logged elsewhere, once. */
  isQuiet: (error: unknown) => boolean
}

export type Dispatcher = {
  /** Begins nothing more; running work has this long to end, and is then aborted. */
  stop(graceMs: number): Promise<void>
}

const logAgainMs = 60_000
const lastWordsMs = 2_000

/**
 * Performs work that is due, tenant by tenant in turns, so that one with much of it does not hold up the others. Any number of processes
 * may do so on one database: each piece is claimed by one of them, under a lease.
 */
export function startDispatch<T extends DueTenant, W extends Work>(
  of: Dispatch<T, W>,
  { world, wakes, mayBegin = () => true, sinceJumpMs = () => Number.POSITIVE_INFINITY, isQuiet }: DispatchParts,
): Dispatcher {
  const { name, inAll, perTenant = inAll, leaseMs, everyMs, turnsMs = 0, isPrompt } = of
  const running = new Map<Running<T, W>, Promise<void>>()
  const turns = openTurns<T>()
  let isStopped = false
  let listedUntilMs = 0

  let logged = { message: '', untilMs: 0 }
  const logFailure = (error: unknown, id?: string): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (isQuiet(error) || (logged.message === message && logged.untilMs > performance.now())) return
    logged = { message, untilMs: performance.now() + logAgainMs }
    world.log.error({ err: error, work: name, id }, 'work that is due could not be done')
  }

  const begin = (one: Running<T, W>): void => {
    const ended = (): void => {
      running.delete(one)
      if (isPrompt) bell.ring()
    }
    running.set(
      one,
      of
        .perform(one)
        .catch((error: unknown) => logFailure(error, one.work.id))
        .finally(ended),
    )
  }

  const countPlaces = (tenantId?: number): number =>
    [...running.keys()].filter(
      ({ tenant, work }) => (tenantId === undefined || tenant.id === tenantId) && !of.isBeside?.(work),
    ).length
  // Leases that are not renewed are not taken over early after a jump either: their work is due by the clock.
  const mayTakeOver = (): boolean => !of.renew || sinceJumpMs() > leaseMs

  /** Returns how much work of a tenant it claimed. */
  const claim = async (tenant: T, countMax: number): Promise<number> => {
    const leaseUntilMs = performance.now() + leaseMs
    const works = await of.claim(tenant, { countMax, mayTakeOver: mayTakeOver() })
    for (const work of works) begin({ tenant, work, abort: new AbortController(), leaseUntilMs })
    if (works.length >= countMax) turns.putBack(tenant)
    return works.length
  }

  /** Gives each tenant that has work at most one turn; returns how much work it began. */
  const round = async (): Promise<number> => {
    if (turns.count() === 0 || performance.now() >= listedUntilMs) {
      turns.fill(await of.listDue({ mayTakeOver: mayTakeOver(), after: turns.lastId() }))
      listedUntilMs = performance.now() + turnsMs
    }
    let begun = 0
    for (let left = turns.count(); left > 0 && !isStopped; left--) {
      const free = inAll - countPlaces()
      const turn = free > 0 ? turns.next(free) : null
      if (!turn) break
      const countMax = Math.min(turn.countMax, perTenant - countPlaces(turn.tenant.id))
      if (countMax <= 0) continue
      try {
        begun += await claim(turn.tenant, countMax)
      } catch (error) {
        // A failure for one tenant does not affect the others.
        if (isQuiet(error)) throw error
        logFailure(error)
      }
    }
    return begun
  }

  const bell = openRest({
    wakes,
    now: world.now,
    everyMs: everyMs.least,
    nextDue: async (before) => (mayBegin() ? of.nextDue(before) : null),
  })
  world.memory(dispatchBells).onRing(name, bell.ring)

  const run = async (): Promise<void> => {
    let restMs = everyMs.least
    while (!isStopped) {
      const seen = wakes.count
      let begun = 0
      let again = !mayTakeOver()
      try {
        if (mayBegin() && countPlaces() < inAll) begun = await round()
      } catch (error) {
        again = true
        logFailure(error)
      }
      restMs = begun > 0 ? everyMs.least : Math.min(restMs * 2, everyMs.most)
      const looksAgain = isPrompt && begun > 0 && countPlaces() < inAll
      if (!looksAgain && !isStopped) await bell.rest(seen, { again, everyMs: restMs })
    }
  }

  const leases = keepLeases(of, running)
  const looping = run()
  const allEnded = (ms: number) => Promise.race([Promise.all(running.values()), after(ms)])
  return {
    async stop(graceMs) {
      isStopped = true
      bell.ring()
      await looping
      await allEnded(Math.min(graceMs, of.graceMs ?? graceMs))
      for (const { abort } of running.keys()) abort.abort(new Stopping('the server stops'))
      of.interrupt?.()
      await allEnded(lastWordsMs)
      leases.stop()
      of.close?.()
    },
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
