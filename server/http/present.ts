import { databaseAway } from './errors.ts'

/** Whether the database is there. */
export type DatabasePresence = {
  readonly isHere: boolean
  isAbsence(error: unknown): boolean
  suspect(): void
  onceAway(tell: () => void): () => void
}

/** Refuses what is under way at the moment when the database goes away, rather than leave it hanging. */
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
