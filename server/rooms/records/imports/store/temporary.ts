import type { Tx } from '#kernel/sql.ts'

// Below this, the planner's default estimates are good enough; `analyze` takes milliseconds.
const rowsMin = 1000

/** Provides the planner with statistics: autovacuum does not analyze temporary tables. */
export async function analyze(tx: Tx, table: string, rows: number): Promise<void> {
  if (rows >= rowsMin) await tx`analyze ${tx(table)}`
}

/** Waits until rows were put into a temporary table, and then analyzes it. */
export async function filled(tx: Tx, table: string, inserting: PromiseLike<{ count: number }>): Promise<void> {
  await analyze(tx, table, (await inserting).count)
}
