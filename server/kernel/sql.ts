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
      return (await db.begin(work)) as T
    } catch (error) {
      if (!isLostRace(error)) throw error
      if (attempt === attemptsMax) throw new Refusal('LOST_RACE', 'Others were changing the same thing; try again.')
    }
  }
}
