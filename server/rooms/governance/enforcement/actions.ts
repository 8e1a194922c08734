import { may, mayEverywhere } from '#authority/may.ts'
import { sightOf } from '#authority/sight/index.ts'
import type { Call } from '#kernel/routes.ts'
import { appNotFound, refuseUnseen } from '#rooms/records/apps/index.ts'
import { listApps } from './apps.ts'
import { includingOf, keyOf, listEnforcement } from './find.ts'
import { appOnWire, appStateOnWire, entitlementOnWire } from './view.ts'

type Ref = { appId: string; id: string }

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
