import { outcomeUnknown } from '#kernel/sql.ts'
import { newWork, runWork } from '#kernel/work.ts'
import { databaseAway, refusalOf } from '../errors.ts'

/** Whether the database is available. */
export type DatabasePresence = {
  readonly isHere: boolean
  look(): Promise<boolean>
  isAbsence(error: unknown): boolean
  suspect(): void
  onAway(listener: () => void): void
  onceAway(listener: () => void): () => void
}

/** Refuses what is being read at the moment when the database becomes unavailable, rather than leave it waiting. */
export async function whilePresent<T>(presence: DatabasePresence, work: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const forget = presence.onceAway(() => reject(databaseAway()))
  work().then(resolve, reject)
  try {
    return await promise
  } finally {
    forget()
  }
}

// How long to wait for a change whose COMMIT was sent once the database is unavailable.
const outcomeWithinMs = 30_000

/**
 * Runs a request's handler. If the database becomes unavailable, the request is refused at once if nothing was
 * committed, and from then on nothing can be. If something may have been committed, it waits: the response never says
 * that a change was not made while it may have been.
 */
export async function serveWhilePresent<T>(presence: DatabasePresence, run: () => Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const work = newWork(reject)
  let timer: NodeJS.Timeout | undefined
  const forget = presence.onceAway(() => {
    if (work.commitsSent > 0 || work.commits > 0) {
      timer = setTimeout(() => reject(outcomeUnknown()), outcomeWithinMs)
      return
    }
    work.isAbandoned = true
    reject(databaseAway())
  })
  runWork(work, run).then(resolve, (error: unknown) =>
    // What was committed stays, whatever failed after it; only a bug is reported as one.
    reject(work.commits > 0 && isOfDatabase(error, presence) ? outcomeUnknown(error) : error),
  )
  try {
    return await promise
  } finally {
    forget()
    clearTimeout(timer)
  }
}

const isOfDatabase = (error: unknown, { isAbsence }: DatabasePresence): boolean =>
  (error as { name?: string } | null)?.name !== 'Refusal' && refusalOf(error, isAbsence) !== null
