import type { Tx } from '#kernel/sql.ts'

/** A comparison that takes longer is given up, and its caller told to narrow it: others wait for the connection. */
export async function setTimeLimit(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = '10s'`
}
