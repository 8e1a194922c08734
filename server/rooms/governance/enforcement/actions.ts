import { may, mayEverywhere } from '#authority/may.ts'
import { sightOf } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads } from '#kernel/sql.ts'
import { appNotFound, refuseUnseen } from '#rooms/records/apps/index.ts'
import { listAppConnectors } from '#rooms/records/connectors/index.ts'
import { type Counts, countsOf, type Enforcement, enforcementOf, noCounts, stateOf } from './decide.ts'
import { keyOf, listAround, listEnforcement } from './find.ts'
import { listAppFacts, listGroups } from './store.ts'
import { appOnWire, appStateOnWire, entitlementOnWire } from './view.ts'

type Ref = { appId: string; id: string }

/** How many entitlements of each of some apps are granted by whom. */
async function listCounts(db: Reads, call: Call, appIds: readonly string[]): Promise<Map<string, Counts>> {
  const groups = await listGroups(db, call.tenant.id, appIds)
  const around = await listAround(db, call, groups)
  const judged = groups.map((group) => ({ ...group, enforcer: enforcementOf(group, around(group.appId)).grant }))
  return new Map([...Map.groupBy(judged, ({ appId }) => appId)].map(([id, ofApp]) => [id, countsOf(ofApp)]))
}

/** The state of each of some apps that exist, in the order of their ids. */
async function listApps(db: Reads, call: Call, appIds: readonly string[]) {
  const { id: tenantId } = call.tenant
  const [apps, connectors, counts] = await Promise.all([
    listAppFacts(db, tenantId, appIds),
    listAppConnectors(db, tenantId, appIds, call.now()),
    listCounts(db, call, appIds),
  ])
  return apps.map(({ id, withoutConnector }) => {
    const [ofApp, all] = [counts.get(id) ?? noCounts(), connectors.get(id) ?? []]
    const state = stateOf(id, all.length > 0, ofApp, withoutConnector)
    return { id, state, withoutConnector, connectors: all, counts: ofApp }
  })
}

export async function getApp(call: Call, appId: string) {
  await refuseUnseen(call, 'apps.read', { app: appId })
  const [app] = await listApps(call.db, call, [appId])
  if (!app) throw appNotFound(appId)
  return appOnWire(app, may(call.actor, 'apps.read'))
}

/** In the order in which they are asked for; without those that the caller does not see. */
export async function statesOfApps(call: Call, asked: readonly string[]) {
  const isAll = mayEverywhere(call.actor, 'apps.read')
  const seen = isAll ? null : (await sightOf(call, call.db).apps(asked)).seen
  const ids = [...new Set(asked)].filter((id) => seen?.has(id) ?? true)
  const found = new Map((await listApps(call.db, call, ids)).map((app) => [app.id, app]))
  return ids.flatMap((id) => {
    const app = found.get(id)
    return app ? [appStateOnWire(app)] : []
  })
}

/** The same for entitlements. Owners of one see whom its provisioner names, its holders do not. */
export async function enforcementOfEntitlements(call: Call, asked: readonly Ref[]) {
  const isAll = mayEverywhere(call.actor, 'entitlements.read')
  const sight = sightOf(call, call.db)
  const sights = isAll ? null : await sight.entitlements(asked)
  const refs = [...new Map(asked.map((ref) => [keyOf(ref), ref])).values()].filter(
    (ref) => sights?.has(keyOf(ref)) ?? true,
  )
  const found = await listEnforcement(call.db, call, refs)
  const including = isAll ? null : await sight.entitlements([...found.values()].flatMap(includingOf))
  const isSeen = (ref: Ref): boolean => including?.has(keyOf(ref)) ?? true
  return refs.flatMap((ref) => {
    const enforcement = found.get(keyOf(ref))
    const isWhole = sights === null || sights.get(keyOf(ref)) === 'owned'
    return enforcement ? [entitlementOnWire(ref, enforcement, { isWhole, isSeen })] : []
  })
}

const includingOf = ({ grant, revoke }: Enforcement): Ref[] =>
  [grant, revoke].flatMap((each) =>
    each.by === 'another entitlement' ? [{ appId: each.appId, id: each.entitlementId }] : [],
  )
