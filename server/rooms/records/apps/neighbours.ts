import { type Expanded, expansion } from '#kernel/expand.ts'
import type { Call } from '#kernel/routes.ts'
import { findAppsUncounted } from './app/store.ts'
import { appAsNeighbour } from './app/view.ts'
import { findEntitlementsUncounted } from './entitlements/store.ts'
import { entitlementAsNeighbour, entitlementView } from './entitlements/view.ts'
import type { Entitlement, Proxy, Resource } from './records.ts'
import { findResourceTypes } from './resource-types/store.ts'
import { ResourceTypeMessage } from './resource-types/view.ts'
import { findResourcesUncounted } from './resources/store.ts'
import { resourceAsNeighbour, resourceView } from './resources/view.ts'

/** The related objects that a caller requests with a view; null for none. */
export type Mask = { paths: readonly string[] } | null

type Wanted = { apps: string[]; resourceTypes: string[]; resources: string[] }

/** The place of each related object in `expanded`: none if it was not requested. */
type Places = { app(id: string): string; resourceType(id: string): string; resource(id: string): string }

const kept = (ids: readonly string[]): string[] => [...new Set(ids)].filter((id) => id !== '')

async function placesOf(call: Call, expanded: Expanded, wanted: Wanted): Promise<Places> {
  const read = async <T extends { id: string }>(ids: string[], find: (ids: string[]) => Promise<T[]>) =>
    new Map(ids.length === 0 ? [] : (await find(ids)).map((row) => [row.id, row]))
  const [apps, types, resources] = await Promise.all([
    read(kept(wanted.apps), (ids) => findAppsUncounted(call.db, call.tenant.id, ids)),
    read(kept(wanted.resourceTypes), (ids) => findResourceTypes(call.db, call.tenant.id, ids)),
    read(kept(wanted.resources), (ids) => findResourcesUncounted(call.db, call.tenant.id, ids)),
  ])
  const put = <T>(type: string, id: string, row: T | undefined, view: (row: T) => object): string =>
    row ? expanded.put(type, id, view(row)) : ''
  return {
    app: (id) => put('app.v1.App', id, apps.get(id), appAsNeighbour),
    resourceType: (id) => put('app.v1.AppResourceType', id, types.get(id), (row) => ResourceTypeMessage.write(row)),
    resource: (id) => put('app.v1.AppResource', id, resources.get(id), resourceAsNeighbour),
  }
}

/** Entitlements as views, with the related objects that the caller requested. */
export async function presentEntitlements(call: Call, rows: readonly Entitlement[], mask: Mask) {
  const expanded = expansion(mask)
  const where = (path: string) => (expanded.wants(path) ? rows : [])
  const places = await placesOf(call, expanded, {
    apps: where('appId').map((row) => row.appId),
    resourceTypes: where('appResourceTypeId').map((row) => row.appResourceTypeId),
    resources: where('appResourceId').map((row) => row.appResourceId),
  })
  const views = rows.map((row) =>
    entitlementView(call.actor, row, {
      appPath: places.app(row.appId),
      appResourceTypePath: places.resourceType(row.appResourceTypeId),
      appResourcePath: places.resource(row.appResourceId),
    }),
  )
  return { views, expanded: expanded.list() }
}

/** A resource as a view, with the related objects that the caller requested. */
export async function presentResource(call: Call, row: Resource, mask: Mask) {
  const expanded = expansion(mask)
  const when = (path: string, id: string) => (expanded.wants(path) ? [id] : [])
  const [types, parentTypes] = [
    when('appResourceTypeId', row.appResourceTypeId),
    when('parentAppResourceTypeId', row.parentAppResourceTypeId),
  ]
  const places = await placesOf(call, expanded, {
    apps: when('appId', row.appId),
    resourceTypes: [...types, ...parentTypes],
    resources: when('parentAppResourceId', row.parentAppResourceId),
  })
  const view = resourceView(call.actor, row, {
    appPath: places.app(row.appId),
    resourceTypePath: types.length > 0 ? places.resourceType(row.appResourceTypeId) : '',
    parentResourceTypePath: parentTypes.length > 0 ? places.resourceType(row.parentAppResourceTypeId) : '',
    parentResourcePath: places.resource(row.parentAppResourceId),
  })
  return { view, expanded: expanded.list() }
}

/** A proxy as a view, with the related objects that the caller requested. */
export async function presentProxy(call: Call, row: Proxy, mask: Mask) {
  const expanded = expansion(mask)
  const ends = [
    { app: 'srcAppId', entitlement: 'srcAppEntitlementId' },
    { app: 'dstAppId', entitlement: 'dstAppEntitlementId' },
  ] as const
  const apps = ends.filter(({ app }) => expanded.wants(app)).map(({ app }) => row[app])
  const refs = ends
    .filter(({ entitlement }) => expanded.wants(entitlement))
    .map(({ app, entitlement }) => ({ appId: row[app], id: row[entitlement] }))
  const places = await placesOf(call, expanded, { apps, resourceTypes: [], resources: [] })
  const found = refs.length === 0 ? [] : await findEntitlementsUncounted(call.db, call.tenant.id, refs)
  const entitlements = new Map(found.map((each) => [each.id, each]))
  const appPath = (path: 'srcAppId' | 'dstAppId') => (expanded.wants(path) ? places.app(row[path]) : '')
  const entitlementPath = (path: 'srcAppEntitlementId' | 'dstAppEntitlementId') => {
    const entitlement = expanded.wants(path) ? entitlements.get(row[path]) : undefined
    return entitlement ? expanded.put('app.v1.AppEntitlement', entitlement.id, entitlementAsNeighbour(entitlement)) : ''
  }
  const view = {
    appProxyEntitlement: { ...row, deletedAt: null },
    srcAppPath: appPath('srcAppId'),
    srcAppEntitlementPath: entitlementPath('srcAppEntitlementId'),
    dstAppPath: appPath('dstAppId'),
    dstAppEntitlementPath: entitlementPath('dstAppEntitlementId'),
  }
  return { view, expanded: expanded.list() }
}
