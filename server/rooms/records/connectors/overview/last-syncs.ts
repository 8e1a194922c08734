import type { Call } from '#kernel/routes.ts'
import { findImports } from '#rooms/records/imports/index.ts'
import type { LastSync } from './overview.ts'
import { listLastSyncRows } from './store.ts'

/** The last sync of each of some connectors, by connector, with its import. */
export async function listLastSyncs(call: Call, connectorIds: readonly string[]): Promise<Map<string, LastSync>> {
  const syncs = await listLastSyncRows(call.db, call.tenant.id, connectorIds)
  const importIds = syncs.flatMap(({ importId }) => (importId === '' ? [] : [importId]))
  const imports = new Map((await findImports(call.db, call.tenant.id, importIds)).map((each) => [each.id, each]))
  return new Map(syncs.map((sync) => [sync.connectorId, { sync, done: imports.get(sync.importId) ?? null }]))
}
