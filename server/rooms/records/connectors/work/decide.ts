import type { ConnectorTask, TaskKind, TaskState } from '../connector.ts'

const minuteMs = 60_000

/**
 * How long a task is its host's. A sync is kept by heartbeats; nothing else is, and a connector may try a grant again for
 * minutes before it tells.
 */
export const leaseMs = (kind: TaskKind): number => (kind === 'sync' ? 3 : 15) * minuteMs

export const heartbeatSeconds = 30
/** A poll of 0 s would be a loop without a pause. */
export const pollSeconds = { idle: 30, withSync: 5, withTask: 1 }

const attemptsMax = 3

export type Lapsed = { state: TaskState; error: string }

/**
 * What becomes of a task whose lease is over. A sync is begun again: it reads only. Whether a grant was given or taken is
 * unknown, and is not tried again: the next sync tells.
 */
export function lapsed({ kind, attempts }: Pick<ConnectorTask, 'kind' | 'attempts'>): Lapsed {
  if (kind !== 'sync') return { state: 'unknown', error: 'The connector did not report a result.' }
  return attempts < attemptsMax
    ? { state: 'queued', error: '' }
    : { state: 'failed', error: `The connector did not finish the sync in ${attemptsMax} attempts.` }
}

const endings: readonly TaskState[] = ['merging', 'held', 'done', 'failed']

/**
 * What a report of a host about a task is: of its own task, of one that it has reported before, or of none that it has. A late
 * report tells what nobody knows, as long as nothing else has told it.
 */
export function reportOf(
  task: Pick<ConnectorTask, 'state' | 'hostId'> | null,
  hostId: string,
): 'own' | 'again' | 'none' {
  if (!task || task.hostId !== hostId) return 'none'
  if (task.state === 'leased' || task.state === 'unknown') return 'own'
  return endings.includes(task.state) ? 'again' : 'none'
}

/** How soon the next sync comes after one that failed. */
export const retrySyncMs = (everySeconds: number): number => Math.min(everySeconds * 1000, 10 * minuteMs)

const errorMax = 2000
/** What the connectors' library adds to every error, for the program that reads it. */
const remark = 'task failed and is non-retryable'
/** What a connector says went wrong, as it is kept and shown. */
export const errorText = (text: string): string => {
  const whole = text.replaceAll('\0', '').toWellFormed().trim()
  const plain = whole.endsWith(remark) ? whole.slice(0, -remark.length).trim() : whole
  return plain.length > errorMax ? `${plain.slice(0, errorMax).toWellFormed()}…` : plain || 'The connector failed.'
}
