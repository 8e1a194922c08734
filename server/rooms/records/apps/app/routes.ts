import { keptIn, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { presenceField, presenceOf } from '#kernel/presence.ts'
import { route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, flag, list, listOf, message, nested, text } from '#kernel/wire.ts'
import { changesIn } from '../changes.ts'
import { EntitlementRef, mayNameOwners, type NameOwners } from '../naming.ts'
import type { PolicyChecks } from '../policy-fields.ts'
import { idInQuery, positionOf } from '../search.ts'
import { byHolding, placesSearched, refuseFilters, refuseUnseen } from '../seen.ts'
import { idsMax, ownersMax, queryLength } from '../shapes.ts'
import { changeApp, createApp, getApp, removeApp } from './actions.ts'
import { listApps, searchApps } from './store.ts'
import { AppMessage, appOnWire, appTermShapes } from './view.ts'

const appReply = (name: string) => message(name, { app: nested(AppMessage) })
const listReply = (name: string) => message(name, { list: listOf(AppMessage), nextPageToken })

export const appRoutes = (nameOwners: NameOwners, checks: PolicyChecks) => [
  route({
    id: 'app.v1.Apps.List',
    at: 'GET /api/v1/apps',
    summary: 'List the apps, in order of creation; those in which one owns or holds something for a basic user.',
    allow: byHolding,
    paged: true,
    reply: listReply('app.v1.ListAppsResponse'),
    async handle(call, { page }) {
      const places = await placesSearched(call, 'apps.read')
      return page.cut(await listApps(call.db, call.tenant.id, page, places), (app) => [app.id], appOnWire)
    },
  }),
  route({
    id: 'app.v1.Apps.Create',
    at: 'POST /api/v1/apps',
    summary: 'Make an app.',
    allow: 'apps.write',
    body: message('app.v1.CreateAppRequest', {
      ...appTermShapes,
      owners: described(list(text(), ownersMax), 'Users who own it, in the role primary.'),
      appEntitlementOwnerRefs: described(listOf(EntitlementRef, ownersMax), 'Whoever holds one of these owns it too.'),
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
  }),
  route({
    id: 'app.v1.Apps.Get',
    at: 'GET /api/v1/apps/{id}',
    summary: 'Get an app; one in which one owns or holds something for a basic user.',
    allow: byHolding,
    about: { app: 'id' },
    allowOwners: 'apps.read',
    reply: appReply('app.v1.GetAppResponse'),
    async handle(call, { path }) {
      await refuseUnseen(call, 'apps.read', { app: path.id })
      return { app: appOnWire(await getApp(call, path.id)) }
    },
  }),
  route({
    id: 'app.v1.Apps.Update',
    at: 'POST /api/v1/apps/{id}',
    summary: 'Change an app.',
    allow: 'apps.write',
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
  }),
  route({
    id: 'app.v1.Apps.Delete',
    at: 'DELETE /api/v1/apps/{id}',
    summary: 'Delete an app with its resource types, resources, entitlements and accounts, and end its grants.',
    allow: 'apps.write',
    body: message('app.v1.DeleteAppRequestInput', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeApp(tx, call, path.id))
      return {}
    },
  }),
  route({
    id: 'app.v1.AppSearch.Search',
    at: 'POST /api/v1/search/apps',
    summary: 'Search apps by the beginnings of words of their name, in any order, and by id.',
    allow: byHolding,
    paged: true,
    body: message('app.v1.SearchAppsRequest', {
      query: text({ maxLength: queryLength }),
      displayName: text({ maxLength: queryLength }),
      appIds: list(text(), idsMax),
      excludeAppIds: list(text(), idsMax),
      onlyDirectories: flag(),
      owner: presenceField('Only apps with an owner, or only those without.'),
    }),
    reply: listReply('app.v1.SearchAppsResponse'),
    async handle(call, { body, page }) {
      const { query, ids: appIds } = idInQuery(body.query, body.appIds)
      refuseFilters(call, 'apps.read', { owner: body.owner !== 'PRESENCE_UNSPECIFIED' })
      const hasOwner = presenceOf(body.owner)
      const filter = { ...body, query, appIds, hasOwner, displayName: body.displayName.trim() }
      const places = await placesSearched(call, 'apps.read')
      const rows = await searchApps(call.db, call.tenant.id, filter, page, places)
      return page.cut(rows, positionOf(['id']), appOnWire)
    },
  }),
]
