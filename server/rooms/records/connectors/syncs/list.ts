import type { Page } from '#kernel/pages.ts'
import type { Call } from '#kernel/routes.ts'
import { findImports, type Import } from '#rooms/records/imports/index.ts'
import type { Sync } from '../connector.ts'
import { syncNotFound } from '../refuse.ts'
import { findSyncRow, listSyncRows } from './store.ts'

type Found = { sync: Sync; done: Import | null }

/** The syncs of a connector, newest first, each with its import. */
export async function listSyncs(
  call: Call,
  connectorId: string,
  page: Pick<Page, 'after' | 'limit'>,
): Promise<Found[]> {
  const syncs = await listSyncRows(call.db, call.tenant.id, connectorId, page)
  const imports = await importsOf(call, syncs)
  return syncs.map((sync) => ({ sync, done: imports.get(sync.importId) ?? null }))
}

export async function getSync(call: Call, connectorId: string, id: string): Promise<Found> {
  const sync = await findSyncRow(call.db, call.tenant.id, connectorId, id)
  if (!sync) throw syncNotFound(id)
  return { sync, done: (await importsOf(call, [sync])).get(sync.importId) ?? null }
}

async function importsOf(call: Call, syncs: readonly Sync[]): Promise<Map<string, Import>> {
  const ids = syncs.flatMap(({ importId }) => (importId === '' ? [] : [importId]))
  return new Map((await findImports(call.db, call.tenant.id, ids)).map((each) => [each.id, each]))
}
