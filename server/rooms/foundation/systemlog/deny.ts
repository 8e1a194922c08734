import { budget } from '#kernel/budget.ts'
import { slot } from '#kernel/memory.ts'
import { networkOf } from '#kernel/networks.ts'
import type { Refusal } from '#kernel/refusals.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, denial, programActor } from './events/event.ts'
import { grouped } from './record.ts'

type Told = { reason: string; message: string; status: number }
type Window = { cause: Cause; refusal: Told; endsAt: number; count: number; since: Date; until: Date }

/** The same denial of the same caller for the same reason: the first is an event at once, the others are counted. */
const windowMs = 10_000
const windowsMax = 10_000
/**
 * How many kinds of denials of one caller (a user, or the network of a stranger) have separate events. Any more of the
 * same caller share one event per window.
 */
const kinds = { burst: 60, perSecond: 2 }
/** All strangers of a tenant together: many networks cannot fill the disk either. */
const strangers = { burst: 2_000, perSecond: 50 }

/** Each process combines its own denials; together the workers of a server write as many events as one process would. */
const part = (limit: typeof kinds, { settings: { workers = 1 } }: World): typeof kinds => ({
  burst: Math.ceil(limit.burst / workers),
  perSecond: limit.perSecond / workers,
})

const nobody = programActor('')
const various: Told = { reason: 'VARIOUS', message: 'Various requests were denied.', status: 403 }

/** Records denials, combined: a flood of them is a few events, and no denial is left uncounted. */
export const denials = slot((world) => {
  const windows = new Map<string, Window>()
  const ofCaller = budget(world, part(kinds, world))
  const ofStrangers = budget(world, part(strangers, world))

  const write = async ({ cause, refusal, count, since, until }: Window): Promise<void> => {
    if (count > 0) await world.memory(grouped).record(cause.tenant.id, denial(cause, refusal, { count, since, until }))
  }
  const writeThose = async (isDue: (window: Window) => boolean): Promise<void> => {
    for (const [key, window] of windows) {
      if (!isDue(window)) continue
      windows.delete(key)
      await write(window).catch((error: unknown) => {
        // Kept for the next time, with what was counted in the meantime.
        const newer = windows.get(key)
        windows.set(key, newer ? { ...newer, count: newer.count + window.count, since: window.since } : window)
        throw error
      })
    }
  }
  /** Counts one in an open window. */
  const count = (window: Window, at: Date): void => {
    if (window.count === 0) window.since = at
    window.count++
    window.until = at
  }
  const open = (key: string, cause: Cause, refusal: Told, at: Date): Window => {
    const window = { cause, refusal, endsAt: at.getTime() + windowMs, count: 0, since: at, until: at }
    windows.set(key, window)
    return window
  }

  return {
    /** Resolves when the denial is durable, or counted. */
    async record(cause: Cause, refusal: Refusal): Promise<void> {
      const at = world.now()
      const { userId, credentialId, sessionId } = cause.actor
      const isKnown = userId !== ''
      const network = networkOf(cause.sourceAddress)
      const caller = JSON.stringify([cause.tenant.id, isKnown ? userId : network])
      // Also by credential and session: which of a user's was used matters.
      const kind = JSON.stringify([caller, credentialId, sessionId, cause.operation, refusal.reason])
      const same = windows.get(kind)
      if (same) return count(same, at)
      const mayOpen = (): boolean =>
        windows.size < windowsMax && (isKnown || ofStrangers.take(String(cause.tenant.id)) !== null)
      if (ofCaller.take(caller) !== null && mayOpen()) {
        open(kind, cause, refusal, at)
        return world
          .memory(grouped)
          .record(cause.tenant.id, denial(cause, refusal, null))
          .catch((error: unknown) => {
            // It was not written: the next one is tried like the first.
            windows.delete(kind)
            throw error
          })
      }
      // Too many kinds: the rest of this caller share one event. Beyond that limit all callers of the tenant share one.
      const rest = windows.get(caller)
      if (rest) return count(rest, at)
      const key = mayOpen() ? caller : String(cause.tenant.id)
      const whose = key === caller ? cause : { ...cause, actor: nobody, sourceAddress: '' }
      count(windows.get(key) ?? open(key, { ...whose, operation: '', requestId: '' }, various, at), at)
    },
    /** Writes what was counted in windows that have ended; run by the engine. */
    writeDue: (): Promise<void> => {
      const now = world.now().getTime()
      return writeThose(({ endsAt }) => endsAt <= now)
    },
    /** When the first of them ends. */
    nextDue: (): Date | null => {
      let first: number | null = null
      for (const { endsAt } of windows.values()) first = Math.min(first ?? endsAt, endsAt)
      return first === null ? null : new Date(first)
    },
    /** Before the server stops. */
    writeAll: (): Promise<void> => writeThose(() => true),
  }
})

/** Records that a request was denied, before the response is sent. */
export const recordDenial = (world: World, cause: Cause, refusal: Refusal): Promise<void> =>
  world.memory(denials).record(cause, refusal)
