import type { Tx } from '#kernel/sql.ts'
import type { Reported } from '../overview/overview.ts'

type PastConnector = {
  id: string
  appId: string
  displayName: string
  description: string
  catalogId: string
  agent: string
  hostId: string
  reported: Reported
  createdAt: Date
  lastSeenAt: Date
}

export type PastSync = {
  id: string
  at: Date
  endedAt: Date
  byteCount: number
  importId: string
  error: string
}

/** Inserts a connector in its state after these syncs. The next one is due: it begins as soon as the connector calls. */
export async function insertPast(
  tx: Tx,
  tenantId: number,
  of: PastConnector,
  syncs: readonly PastSync[],
): Promise<void> {
  await tx`
    insert into connectors (tenant_id, connector_id, app_id, display_name, description, catalog_id, agent, host_id,
      metadata, last_seen_at, next_sync_at, created_at, updated_at)
    values (${tenantId}, ${of.id}, ${of.appId}, ${of.displayName}, ${of.description}, ${of.catalogId}, ${of.agent},
      ${of.hostId}, ${tx.json(of.reported)}, ${of.lastSeenAt}, ${of.lastSeenAt}, ${of.createdAt}, ${of.createdAt})`
  const rows = syncs.map(({ id, at, endedAt, byteCount, importId, error }) => ({
    tenant_id: tenantId,
    connector_id: of.id,
    task_id: id,
    kind: 'sync',
    state: error ? 'failed' : 'done',
    host_id: of.hostId,
    attempts: 1,
    error,
    byte_count: byteCount,
    import_id: importId,
    created_at: at,
    begun_at: at,
    ended_at: endedAt,
  }))
  await tx`insert into connector_tasks ${tx(rows)}`
}
