import { route } from '#authority/route.ts'
import { keptIn, updatable } from '#kernel/masks.ts'
import { orderByField, orderIn, readApart } from '#kernel/order.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, flag, list, listOf, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { changesIn } from '../changes.ts'
import { EntitlementRef, mayNameOwners, type NameOwners } from '../naming.ts'
import type { PolicyChecks } from '../policy-fields.ts'
import { idInQuery, positionOf } from '../search.ts'
import { placesSearched, refuseFilters, refuseUnseen } from '../seen.ts'
import { idsMax, ownersMax, queryLength } from '../shapes.ts'
import { changeApp, createApp, getApp, removeApp } from './actions.ts'
import { appOrders, countApps, listApps, searchApps } from './store.ts'
import { AppMessage, appOnWire, appTermShapes } from './view.ts'

const appReply = (name: string) => message(name, { app: nested(AppMessage) })
const listReply = (name: string) => message(name, { list: listOf(AppMessage), nextPageToken })

const sources = ['APP_SOURCE_UNSPECIFIED', 'APP_SOURCE_MANUAL', 'APP_SOURCE_IMPORT'] as const
const SearchRequest = message('app.v1.SearchAppsRequest', {
  query: text({ maxLength: queryLength }),
  displayName: text({ maxLength: queryLength }),
  appIds: list(text(), idsMax),
  excludeAppIds: list(text(), idsMax),
  onlyDirectories: flag(),
  source: described(oneOf(sources), 'Only apps that are managed manually, or only apps that imports maintain.'),
  ownerIds: described(list(text(), idsMax), 'Only apps that one of these users owns.'),
  owner: presenceField('Only apps with an owner, or only those without.'),
  orderBy: orderByField(appOrders),
})
type Search = ReturnType<typeof SearchRequest.read>

/** The requested search, as far as the caller is allowed, and where they may look. */
async function askedIn(call: Call, body: Search) {
  const order = orderIn(appOrders, body.orderBy)
  refuseFilters(call, 'apps.read', {
    ownerIds: body.ownerIds.length > 0,
    owner: body.owner !== 'PRESENCE_UNSPECIFIED',
    orderBy: order?.key === 'members',
  })
  const { query, ids: appIds } = idInQuery(body.query, body.appIds)
  const filter = {
    ...body,
    query,
    appIds,
    displayName: body.displayName.trim(),
    isManuallyManaged: body.source === 'APP_SOURCE_UNSPECIFIED' ? null : body.source === 'APP_SOURCE_MANUAL',
    hasOwner: presenceOf(body.owner),
  }
  return { filter, order, places: await placesSearched(call, 'apps.read') }
}

const listRoute = route({
  id: 'app.v1.Apps.List',
  at: 'GET /api/v1/apps',
  summary: 'List the apps, in order of creation. Basic users get the apps in which they own something or have access.',
  rule: 'apps.list',
  paged: true,
  reply: listReply('app.v1.ListAppsResponse'),
  async handle(call, { page }) {
    const places = await placesSearched(call, 'apps.read')
    return page.cut(await listApps(call.db, call.tenant.id, page, places), (app) => [app.id], appOnWire)
  },
})

const createRoute = (nameOwners: NameOwners, checks: PolicyChecks) =>
  route({
    id: 'app.v1.Apps.Create',
    at: 'POST /api/v1/apps',
    summary: 'Create an app.',
    rule: 'apps.create',
    body: message('app.v1.CreateAppRequest', {
      ...appTermShapes,
      displayName: required(appTermShapes.displayName),
      owners: described(list(text(), ownersMax), 'Users who own it, in the role primary.'),
      appEntitlementOwnerRefs: described(listOf(EntitlementRef, ownersMax), 'Everyone with one of these owns it, too.'),
    }),
    reply: appReply('app.v1.CreateAppResponse'),
    async handle(call, { body }) {
      const owners = { userIds: body.owners, entitlements: body.appEntitlementOwnerRefs }
      mayNameOwners(call, owners)
      const made = await transact(call.db, async (tx) => {
        const app = await createApp(tx, call, checks, { ...body, iconUrl: '' })
        await nameOwners(tx, call, { kind: 'app', appId: app.id, typeId: '', id: app.id }, owners)
        return app
      })
      return { app: appOnWire(made) }
    },
  })

const getRoute = route({
  id: 'app.v1.Apps.Get',
  at: 'GET /api/v1/apps/{id}',
  summary: 'Get an app. Basic users can get apps in which they own something or have access.',
  rule: 'app.read',
  about: { app: 'id' },
  reply: appReply('app.v1.GetAppResponse'),
  async handle(call, { path }) {
    await refuseUnseen(call, 'apps.read', { app: path.id })
    return { app: appOnWire(await getApp(call, path.id)) }
  },
})

const updateRoute = (checks: PolicyChecks) =>
  route({
    id: 'app.v1.Apps.Update',
    at: 'POST /api/v1/apps/{id}',
    summary: 'Change an app.',
    rule: 'app.edit',
    about: { app: 'id' },
    body: message('app.v1.UpdateAppRequestInput', { app: updatable(AppMessage), updateMask: text() }),
    reply: appReply('app.v1.UpdateAppResponse'),
    async handle(call, { path, body }) {
      const changes = changesIn(AppMessage, body.app, body.updateMask, [
        'displayName',
        'description',
        'annotations',
        'instructions',
        'monthlyCostUsd',
        'identityMatching',
        'iconUrl',
        'grantPolicyId',
        'revokePolicyId',
        'certifyPolicyId',
      ])
      const update = { at: 'app', value: body.app, updateMask: body.updateMask }
      const changed = await transact(call.db, async (tx) =>
        keptIn(AppMessage, update, appOnWire(await changeApp(tx, call, checks, path.id, changes))),
      )
      return { app: changed }
    },
  })

const deleteRoute = route({
  id: 'app.v1.Apps.Delete',
  at: 'DELETE /api/v1/apps/{id}',
  summary: 'Delete an app with its resource types, resources, entitlements and accounts, and end its grants.',
  rule: 'apps.delete',
  body: message('app.v1.DeleteAppRequestInput', {}),
  reply: empty,
  async handle(call, { path }) {
    await transact(call.db, (tx) => removeApp(tx, call, path.id))
    return {}
  },
})

const searchRoute = route({
  id: 'app.v1.AppSearch.Search',
  at: 'POST /api/v1/search/apps',
  summary: 'Search apps by the beginnings of words of their name, in any order, and by id.',
  rule: 'apps.list',
  paged: true,
  body: SearchRequest,
  reply: listReply('app.v1.SearchAppsResponse'),
  async handle(call, { body, page }) {
    const asked = await askedIn(call, body)
    const rows = await readApart(call.db, asked.order !== null, (db) => searchApps(db, call.tenant.id, asked, page))
    return page.cut(rows, positionOf(['id']), appOnWire)
  },
  async count(call, { body }, limit) {
    const { filter, places } = await askedIn(call, body)
    return countApps(call.db, call.tenant.id, filter, places, limit)
  },
})

export const appRoutes = (nameOwners: NameOwners, checks: PolicyChecks) => [
  listRoute,
  createRoute(nameOwners, checks),
  getRoute,
  updateRoute(checks),
  deleteRoute,
  searchRoute,
]
