import type { Reads } from '#kernel/sql.ts'
import { type AppConnector, listAppConnectors } from '#rooms/records/connectors/index.ts'
import { type Counts, countsOf, enforcementOf, noCounts, stateOf } from './decide.ts'
import { type Asking, listAround } from './find.ts'
import { listAppFacts, listConnected, listGroups, listUnconnected } from './store.ts'

/** How many entitlements of each of some apps are granted by whom. */
async function listCounts(db: Reads, asking: Asking, appIds: readonly string[]): Promise<Map<string, Counts>> {
  const groups = await listGroups(db, asking.tenant.id, appIds)
  const around = await listAround(db, asking, groups)
  const judged = groups.map((group) => ({ ...group, enforcer: enforcementOf(group, around(group.appId)).grant }))
  return new Map([...Map.groupBy(judged, ({ appId }) => appId)].map(([id, ofApp]) => [id, countsOf(ofApp)]))
}

/** The state of each of some apps that exist, in the order of their ids. */
export async function listApps(db: Reads, asking: Asking, appIds: readonly string[]) {
  const { id: tenantId } = asking.tenant
  const [apps, connectors, counts] = await Promise.all([
    listAppFacts(db, tenantId, appIds),
    listAppConnectors(db, tenantId, appIds, asking.now()),
    listCounts(db, asking, appIds),
  ])
  return apps.map(({ id, withoutConnector }) => {
    const [ofApp, all] = [counts.get(id) ?? noCounts(), connectors.get(id) ?? []]
    const state = stateOf(id, all.length > 0, ofApp, withoutConnector)
    return { id, state, withoutConnector, connectors: all, counts: ofApp }
  })
}

type Listed = { id: string; name: string; nobody: number }

/** Apps that are records only, with how many of their entitlements nobody is asked about; of all apps, or of some. */
export async function listRecordsOnly(
  db: Reads,
  asking: Asking,
  of: { appIds: readonly string[] | null; limit: number },
): Promise<Listed[]> {
  const apps = await listUnconnected(db, asking.tenant.id, of)
  const counts = await listCounts(
    db,
    asking,
    apps.map(({ id }) => id),
  )
  return apps.map((app) => ({ ...app, nobody: counts.get(app.id)?.nobody ?? 0 })).filter(({ nobody }) => nobody > 0)
}

const connectedMax = 1_000

/** What is known of all apps: the connectors whose last sync was not imported, and how many apps nothing reads. */
export async function findUnread(
  db: Reads,
  asking: Asking,
): Promise<{ connectors: AppConnector[]; withoutConnector: number }> {
  const { appIds, without } = await listConnected(db, asking.tenant.id, connectedMax)
  const all = await listAppConnectors(db, asking.tenant.id, appIds, asking.now())
  const connectors = [...all.values()].flat().filter(({ health }) => health !== 'synced')
  return { connectors, withoutConnector: without }
}
