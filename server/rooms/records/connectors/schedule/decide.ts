import { createHash } from 'node:crypto'
import type { FieldViolation } from '#kernel/refusals.ts'
import type { Connector } from '../connector.ts'
import { isTimeZone, nextAfter, parseCron } from './cron.ts'

export type Schedule = { cronSpec: string; timeZone: string }

/** The least time between two syncs: reading a large app takes minutes. */
const minutesMin = 10

/** What is wrong with a schedule. */
export function scheduleProblem({ cronSpec, timeZone }: Schedule, now: Date, at: string): FieldViolation | null {
  if (!isTimeZone(timeZone))
    return { field: `${at}.timezone`, description: 'must be a time zone such as UTC or Europe/Berlin' }
  const cron = parseCron(cronSpec)
  const field = `${at}.cronSpec`
  if (typeof cron === 'string') return { field, description: cron }
  const first = cron.minutes[0] as number
  const gaps = cron.minutes.map((minute, i) => (cron.minutes[i + 1] ?? first + 60) - minute)
  if (Math.min(...gaps) < minutesMin)
    return { field, description: `must be due at most every ${minutesMin} minutes, at the same minutes of each hour` }
  return nextAfter(cron, timeZone, now) ? null : { field, description: 'is never due' }
}

/** Connectors that are due at the same moment begin at different moments. */
const spreadMs = 120_000
export const spreadOf = (connectorId: string): number =>
  createHash('sha256').update(connectorId).digest().readUInt32BE(0) % spreadMs

type Scheduled = Pick<Connector, 'id' | 'cronSpec' | 'cronTimeZone' | 'syncEverySeconds'>

/** When a connector syncs next. Missed times are not made up for: one sync is enough. */
export function nextSyncAfter({ id, cronSpec, cronTimeZone, syncEverySeconds }: Scheduled, at: Date): Date {
  const every = new Date(at.getTime() + syncEverySeconds * 1000)
  if (cronSpec === '') return every
  const cron = parseCron(cronSpec)
  const spread = spreadOf(id)
  // The spread is subtracted first: a sync that was due at 3:00 and begins at 3:01 is not due again at 3:00 plus its spread.
  const next = typeof cron === 'string' ? null : nextAfter(cron, cronTimeZone, new Date(at.getTime() - spread))
  return next ? new Date(next.getTime() + spread) : every
}

/** How soon the next sync comes after one that failed. */
export const retrySyncMs = (everySeconds: number): number => Math.min(everySeconds * 1000, 10 * 60_000)
