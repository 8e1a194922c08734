import type { Tx } from '#kernel/sql.ts'

/** A comparison that takes longer is given up, with 503: others wait for the connection. */
export async function setTimeLimit(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = '10s'`
}
