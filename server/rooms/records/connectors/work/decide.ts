import type { ConnectorTask, TaskState } from '../connector.ts'

const ownSyncMs = 60_000

/**
 * Whether a sync may belong to the process that is starting. Libraries may fetch a task before they say hello, with the
 * token of that hello.
 */
export const mayBeOwn = (
  { kind, begunAt }: Pick<ConnectorTask, 'kind' | 'begunAt'>,
  { tokenSince, at }: { tokenSince: Date; at: Date },
): boolean =>
  kind === 'sync' && begunAt !== null && begunAt >= tokenSince && at.getTime() - begunAt.getTime() < ownSyncMs

const attemptsMax = 3

export type Lapsed = { state: TaskState; error: string }

/**
 * What happens to a task whose lease is over, or whose process has ended. A sync is queued again, since it only reads. So is
 * a revocation: removing access twice has the same result as once. Whether anything else was done is unknown, and it is not
 * retried: the next sync shows it.
 */
export function lapsed({ kind, attempts }: Pick<ConnectorTask, 'kind' | 'attempts'>): Lapsed {
  const mayRepeat = attempts < attemptsMax
  if (kind === 'revoke' && mayRepeat) return { state: 'queued', error: '' }
  if (kind !== 'sync') return { state: 'unknown', error: 'The connector did not report a result.' }
  return mayRepeat
    ? { state: 'queued', error: `The connector stopped during the sync, in attempt ${attempts} of ${attemptsMax}.` }
    : { state: 'failed', error: `The connector did not finish the sync in ${attemptsMax} attempts.` }
}

const endings: readonly TaskState[] = ['merging', 'held', 'done', 'failed']

/**
 * How a host's report about a task counts: about its own task, about one that it has reported before, or about none of its
 * tasks. A late report settles an unknown outcome, as long as nothing else has settled it.
 */
export function reportOf(
  task: Pick<ConnectorTask, 'state' | 'hostId'> | null,
  hostId: string,
): 'own' | 'again' | 'none' {
  if (!task || task.hostId !== hostId) return 'none'
  if (task.state === 'leased' || task.state === 'unknown') return 'own'
  return endings.includes(task.state) ? 'again' : 'none'
}

const errorMax = 2000
/** What the connectors' library adds to every error, for the program that reads it. */
const remark = 'task failed and is non-retryable'
/** The error as a connector reports it, in the form in which it is kept and shown. */
export const errorText = (text: string): string => {
  const whole = text.replaceAll('\0', '').toWellFormed().trim()
  const plain = whole.endsWith(remark) ? whole.slice(0, -remark.length).trim() : whole
  return plain.length > errorMax ? `${plain.slice(0, errorMax).toWellFormed()}…` : plain || 'The connector failed.'
}
