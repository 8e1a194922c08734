import { doubledMs } from '#kernel/retry.ts'
import type { Kind } from '../kinds.ts'

/** One notification, several that came at once, or a digest that its reader chose. */
export type Form = 'single' | 'summary' | 'digest'

const minuteMs = 60_000

/** From so many on, what is due at once is told in one message. */
const severalFrom = 6
/** So many messages an hour somebody gets at most one by one. */
const singlesPerHour = 20
/** After a message that told of several things, the next one waits for so long. */
const quietMs = 10 * minuteMs
export const hourMs = 60 * minuteMs

export type Pace = { count: number; lastSummaryAt: Date | null }
type Due = { id: string; kind: Kind }
export type Grouped = {
  messages: readonly { form: Form; ids: readonly string[] }[]
  postponed: readonly string[]
  until: Date
}

/**
 * Which messages somebody gets of what is due: a digest where they chose one, one message for what comes at once, else one for
 * each. A thousand requests are two messages, not a thousand. Notices of the system are not kept back for a digest.
 */
export function group(due: readonly Due[], pace: Pace, wantsDigest: boolean, now: Date): Grouped {
  const direct = wantsDigest ? due.filter(({ kind }) => kind === 'system') : due
  const others = wantsDigest ? due.filter(({ kind }) => kind !== 'system') : []
  const ids = (of: readonly Due[]): string[] => of.map(({ id }) => id)
  const digest = others.length > 0 ? [{ form: 'digest' as const, ids: ids(others) }] : []
  const quietUntil = pace.lastSummaryAt ? new Date(pace.lastSummaryAt.getTime() + quietMs) : now
  if (direct.length > 0 && quietUntil > now) return { messages: digest, postponed: ids(direct), until: quietUntil }
  const isMany = direct.length >= severalFrom || pace.count + direct.length > singlesPerHour
  const atOnce =
    direct.length === 0
      ? []
      : isMany
        ? [{ form: 'summary' as const, ids: ids(direct) }]
        : direct.map(({ id }) => ({ form: 'single' as const, ids: [id] }))
  return { messages: [...digest, ...atOnce], postponed: [], until: now }
}

const firstRetryMs = 30_000
const lastRetryMs = 3 * hourMs

/** How long a message waits after its nth attempt. */
export const waitAfterMs = (attempts: number): number =>
  doubledMs(attempts, { firstMs: firstRetryMs, maxMs: lastRetryMs })

/** How long it is tried at all. */
export const triedForMs = 4 * 24 * hourMs
