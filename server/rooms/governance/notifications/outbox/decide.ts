import { doubledMs } from '#kernel/retry.ts'
import type { Kind } from '../kinds.ts'

/** One notification, several that are due at once, or a digest that the reader chose. */
export type Form = 'single' | 'summary' | 'digest'

const minuteMs = 60_000

/** From this number on, notifications that are due at once are sent in one message. */
const severalFrom = 6
/** The maximum number of single messages per hour and reader. */
const singlesPerHour = 20
/** How long the next message waits after a summary. */
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
 * Groups what is due for a reader into messages: a digest if they chose one, one message for many at once, otherwise one
 * each. A thousand requests are two messages, not a thousand. System notices do not wait for a digest.
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

/** How long sending is attempted in total. */
export const triedForMs = 4 * 24 * hourMs
