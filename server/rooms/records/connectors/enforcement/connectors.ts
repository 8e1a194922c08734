import type { Reads } from '#kernel/sql.ts'
import { listProvisionersOf } from '../provisioning/store/provisioners.ts'
import { type AppConnector, judgeConnector, noSyncs } from './judge.ts'
import { listSyncs } from './store.ts'

/** The connectors of some apps, by app, each with what it can do and the results of its syncs. */
export async function listAppConnectors(
  db: Reads,
  tenantId: number,
  appIds: readonly string[],
  at: Date,
): Promise<Map<string, AppConnector[]>> {
  const all = await listProvisionersOf(db, tenantId, [...new Set(appIds)])
  if (all.length === 0) return new Map()
  const syncs = await listSyncs(
    db,
    tenantId,
    all.map(({ id }) => id),
  )
  const judged = all.map((each) => judgeConnector(each, syncs.get(each.id) ?? noSyncs, at))
  return Map.groupBy(judged, ({ appId }) => appId)
}
