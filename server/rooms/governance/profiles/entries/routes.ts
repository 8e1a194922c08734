import { route } from '#authority/route.ts'
import { expandedField } from '#kernel/expand.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, flag, listOf, message, nested, text } from '#kernel/wire.ts'
import { EntitlementRef, EntitlementView } from '#rooms/records/apps/index.ts'
import { presentEntitlementsOf } from '#rooms/records/grants/index.ts'
import { getProfile } from '../keep.ts'
import { entryNotFound } from '../refuse.ts'
import { service } from '../service.ts'
import { addEntries, removeEntries, removeEntry, replaceEntries } from './actions.ts'
import { hasEntry, listEntries, listEntryRefs } from './store.ts'

const refsMax = 10_000
const refs = () => listOf(EntitlementRef, refsMax)
const createRequests = described(
  flag(),
  'Whether added entitlements are granted to members or requested for them, as for new members.',
)
const entryReply = (name: string) =>
  message(name, {
    requestableEntry: nested(
      message('requestcatalog.v1.RequestableEntry', { catalogId: text(), appId: text(), entitlementId: text() }),
    ),
  })
type EntryPath = { catalog_id: string; app_id: string; entitlement_id: string }
const entryAt = '/api/v1/catalogs/{catalog_id}/requestable_entries/{app_id}/{entitlement_id}'
const refIn = (path: EntryPath) => ({ appId: path.app_id, id: path.entitlement_id })
const entryOf = (path: EntryPath) => ({
  requestableEntry: { catalogId: path.catalog_id, appId: path.app_id, entitlementId: path.entitlement_id },
})

export const entryRoutes: readonly Route[] = [
  route({
    id: `${service}.AddAppEntitlements`,
    at: 'POST /api/v1/catalogs/{catalog_id}/requestable_entries',
    summary: 'Add entitlements to an access profile, after those that it contains.',
    rule: 'profiles.change',
    body: message(`${service}AddAppEntitlementsRequestInput`, { appEntitlements: refs(), createRequests }),
    reply: empty,
    async handle(call, { path, body }) {
      const asked = { refs: body.appEntitlements, createRequests: body.createRequests, field: 'appEntitlements' }
      await transact(call.db, (tx) => addEntries(tx, call, path.catalog_id, asked))
      return {}
    },
  }),
  route({
    id: `${service}.RemoveAppEntitlements`,
    at: 'DELETE /api/v1/catalogs/{catalog_id}/requestable_entries',
    summary: 'Remove entitlements from an access profile. Its members keep their access.',
    rule: 'profiles.change',
    body: message(`${service}RemoveAppEntitlementsRequestInput`, { appEntitlements: refs() }),
    reply: empty,
    async handle(call, { path, body }) {
      await transact(call.db, (tx) => removeEntries(tx, call, path.catalog_id, body.appEntitlements))
      return {}
    },
  }),
  route({
    id: `${service}.UpdateAppEntitlements`,
    at: 'POST /api/v1/catalogs/{catalog_id}/requestable_entitlements/update',
    summary: 'Replace all entitlements of an access profile, in this order. Its members keep their access.',
    rule: 'profiles.change',
    body: message(`${service}UpdateAppEntitlementsRequestInput`, { appEntitlements: refs() }),
    reply: empty,
    async handle(call, { path, body }) {
      const asked = { refs: body.appEntitlements, field: 'appEntitlements' }
      await transact(call.db, (tx) => replaceEntries(tx, call, path.catalog_id, asked))
      return {}
    },
  }),
  route({
    id: `${service}.ListAllEntitlementIdsPerApp`,
    at: 'GET /api/v1/catalogs/{catalog_id}/requestable_entitlementIDs',
    summary: 'List the ids of all entitlements of an access profile, in the order in which they were added.',
    rule: 'profiles.browse',
    reply: message(`${service}ListAllEntitlementIdsPerAppResponse`, { refs: listOf(EntitlementRef) }),
    async handle(call, { path }) {
      await getProfile(call.db, call, path.catalog_id)
      return { refs: await listEntryRefs(call.db, call.tenant.id, path.catalog_id) }
    },
  }),
  route({
    id: `${service}.ListEntitlementsPerCatalog`,
    at: 'GET /api/v1/catalogs/{catalog_id}/requestable_entitlements',
    summary: 'List the entitlements of an access profile, in the order in which they were added.',
    rule: 'profiles.browse',
    paged: true,
    reply: message(`${service}ListEntitlementsPerCatalogResponse`, {
      list: listOf(EntitlementView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { path, page }) {
      await getProfile(call.db, call, path.catalog_id)
      const cut = page.cut(
        await listEntries(call.db, call.tenant.id, path.catalog_id, page),
        ({ place, appId, id }) => [place, appId, id],
        (row) => row,
      )
      const { views, expanded } = await presentEntitlementsOf(call, cut.list, { paths: ['*'] })
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: `${service}.GetRequestableEntry`,
    at: `GET ${entryAt}`,
    summary: 'Get an entitlement that an access profile contains.',
    rule: 'profiles.browse',
    reply: entryReply(`${service}GetRequestableEntryResponse`),
    async handle(call, { path }) {
      await getProfile(call.db, call, path.catalog_id)
      if (!(await hasEntry(call.db, call.tenant.id, path.catalog_id, refIn(path))))
        throw entryNotFound(path.catalog_id, refIn(path))
      return entryOf(path)
    },
  }),
  route({
    id: `${service}.CreateRequestableEntry`,
    at: `PUT ${entryAt}`,
    summary: 'Add an entitlement to an access profile, unless it contains it.',
    rule: 'profiles.change',
    body: message(`${service}CreateRequestableEntryRequestInput`, { createRequests }),
    reply: entryReply(`${service}CreateRequestableEntryResponse`),
    async handle(call, { path, body }) {
      const asked = { refs: [refIn(path)], createRequests: body.createRequests, field: 'entitlementId' }
      await transact(call.db, (tx) => addEntries(tx, call, path.catalog_id, asked))
      return entryOf(path)
    },
  }),
  route({
    id: `${service}.DeleteRequestableEntry`,
    at: `DELETE ${entryAt}`,
    summary: 'Remove an entitlement from an access profile. Its members keep their access.',
    rule: 'profiles.change',
    body: message(`${service}DeleteRequestableEntryRequestInput`, {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeEntry(tx, call, path.catalog_id, refIn(path)))
      return {}
    },
  }),
]
