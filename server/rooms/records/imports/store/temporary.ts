import type { Tx } from '#kernel/sql.ts'

// Below this, whatever the planner guesses is good enough; it takes milliseconds to know better.
const rowsMin = 1000

/** What the planner goes by: nobody else looks at how full a temporary table is. */
export async function analyze(tx: Tx, table: string, rows: number): Promise<void> {
  if (rows >= rowsMin) await tx`analyze ${tx(table)}`
}

/** Waits until rows were put into a temporary table, and lets the planner know. */
export async function filled(tx: Tx, table: string, inserting: PromiseLike<{ count: number }>): Promise<void> {
  await analyze(tx, table, (await inserting).count)
}
