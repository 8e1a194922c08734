import type { Tx } from '#kernel/sql.ts'

/** Whether any tenant's log has an event of this operation. Reads the whole log: for what is done once. */
export async function findSealing(tx: Tx, operation: string): Promise<boolean> {
  const [row] = await tx`
    select 1 as found from systemlog_events where event::jsonb #>> '{api,operation}' = ${operation} limit 1`
  return row !== undefined
}
