import type { Tx } from '#kernel/sql.ts'
import { findProgress } from '#rooms/records/connectors/index.ts'
import { listWaits } from '../../effects/waits-store.ts'

export type Progress = { connectorId: string; connectorName: string; state: string; error: string }

/** The progress of connectors with the work that a task waits for. */
export async function listProgress(tx: Tx, tenantId: number, taskId: string): Promise<Progress[]> {
  const found: Progress[] = []
  for (const wait of await listWaits(tx, tenantId, { taskId })) {
    const progress = await findProgress(tx, tenantId, wait)
    if (progress) found.push({ ...progress, connectorId: wait.connectorId })
  }
  return found
}
