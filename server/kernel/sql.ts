import type postgres from 'postgres'
import { Refusal } from './refusals.ts'

/** The database, outside any transaction: it can be read, and it can begin a transaction. */
export type Db = postgres.Sql
/** An open transaction. What writes asks for a `Tx`, so a write cannot be sent outside one: it does not compile. */
export type Tx = postgres.TransactionSql
/** What only reads is content with either. */
export type Reads = Db | Tx

// Class 40: the database rolled back to keep transactions apart; the same work may succeed when done again.
const isLostRace = (error: unknown): boolean => {
  const code = (error as { code?: string }).code
  return code === '40001' || code === '40P01'
}

const attemptsMax = 5

/** Runs `work` in one transaction; work that lost a race to another transaction is done again from its start. */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(db, work)
    } catch (error) {
      if (!isLostRace(error)) throw error
      if (attempt === attemptsMax) throw new Refusal('LOST_RACE', 'Others were changing the same thing; try again.')
    }
  }
}

/** What became of a transaction. `unknown`: the connection was lost while it committed. */
export type Outcome = 'committed' | 'rolled back' | 'unknown'
const listeners = new WeakMap<Tx, ((outcome: Outcome) => void)[]>()

/** Tells, once, what became of a transaction that `transact` or `transactOnce` began. */
export function onOutcome(tx: Tx, tell: (outcome: Outcome) => void): void {
  const all = listeners.get(tx)
  if (all) all.push(tell)
  else tell('unknown')
}

/** An error that the database itself sent, while the connection lived: what it refers to was not committed. */
export const isDatabaseError = (error: unknown): boolean => {
  const { code, severity } = (error ?? {}) as { code?: string; severity?: string }
  return severity === 'ERROR' && code !== undefined && /^(?!08|57)[0-9A-Z]{5}$/.test(code)
}

/** The same, without a second attempt. */
export async function transactOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  let begun: Tx | null = null
  let isWorkDone = false
  const settle = (outcome: Outcome): void => {
    const all = begun && listeners.get(begun)
    if (begun) listeners.delete(begun)
    for (const tell of all ?? []) tell(outcome)
  }
  try {
    const result = (await db.begin(async (tx) => {
      begun = tx
      listeners.set(tx, [])
      const done = await work(tx)
      isWorkDone = true
      return done
    })) as T
    settle('committed')
    return result
  } catch (error) {
    settle(!isWorkDone || isDatabaseError(error) ? 'rolled back' : 'unknown')
    throw error
  }
}
