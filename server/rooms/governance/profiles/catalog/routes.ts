import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { fieldsToChange, keptIn, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty, listOf, type MessageOf, message, nested, required, text } from '#kernel/wire.ts'
import { EntitlementRef, EntitlementView } from '#rooms/records/apps/index.ts'
import { presentEntitlementsOf } from '#rooms/records/grants/index.ts'
import { keyOf } from '../decide.ts'
import { getProfile, viewerOf } from '../keep.ts'
import { profileNotFound } from '../refuse.ts'
import { service } from '../service.ts'
import {
  addBindings,
  changeProfile,
  createProfile,
  type ProfileChanges,
  removeBindings,
  removeProfile,
} from './actions.ts'
import { presentProfile, presentProfiles } from './present.ts'
import { bindingsMax, ProfileMessage, termShapes, viewList, viewReply } from './shapes.ts'
import { findProfile, listBindings, listProfiles } from './store.ts'

const termNames = Object.keys(termShapes) as (keyof typeof termShapes)[]

/**
 * What an update changes: without a mask all fields of the profile, as Terraform expects; its visibility only if it is set,
 * because Terraform sets that with another resource.
 */
function changesOf(asked: MessageOf<(typeof ProfileMessage)['fields']>, updateMask: string): ProfileChanges {
  const names: ReadonlySet<string> =
    updateMask.trim() === ''
      ? new Set<string>([...termNames, ...(asked.accessEntitlements.length > 0 ? ['accessEntitlements'] : [])])
      : fieldsToChange(asked, updateMask, [...termNames, 'accessEntitlements'])
  return {
    ...Object.fromEntries(termNames.filter((name) => names.has(name)).map((name) => [name, asked[name]])),
    ...(names.has('accessEntitlements') && {
      accessEntitlements: asked.accessEntitlements.map(({ appId, id }) => ({ appId, id })),
    }),
  }
}

const bindingBody = (name: string) =>
  message(`${service}${name}RequestInput`, { accessEntitlements: listOf(EntitlementRef, bindingsMax) })

export const catalogRoutes: readonly Route[] = [
  route({
    id: `${service}.List`,
    at: 'GET /api/v1/catalogs',
    summary: 'List access profiles, in order of creation. Basic users get the profiles that are visible to them.',
    rule: 'profiles.browse',
    paged: true,
    reply: message(`${service}ListResponse`, { list: viewList, expanded: expandedField, nextPageToken }),
    async handle(call, { page }) {
      const cut = page.cut(
        await listProfiles(call.db, call.tenant.id, page, viewerOf(call)),
        (row) => [row.id],
        (row) => row,
      )
      const { views, expanded } = await presentProfiles(call, cut.list, null)
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
  route({
    id: `${service}.Create`,
    at: 'POST /api/v1/catalogs',
    summary: 'Create an access profile. Its entitlements can be requested once it is published.',
    rule: 'profiles.change',
    body: message(`${service}CreateRequest`, {
      ...termShapes,
      displayName: required(termShapes.displayName, 'must be given'),
      expandMask: nested(ExpandMask),
    }),
    reply: viewReply(`${service}CreateResponse`),
    async handle(call, { body }) {
      const { expandMask, ...terms } = body
      return presentProfile(call, await transact(call.db, (tx) => createProfile(tx, call, terms)), expandMask)
    },
  }),
  route({
    id: `${service}.Get`,
    at: 'GET /api/v1/catalogs/{id}',
    summary: 'Get an access profile.',
    rule: 'profiles.browse',
    reply: viewReply(`${service}GetResponse`),
    handle: async (call, { path }) => presentProfile(call, await getProfile(call.db, call, path.id), { paths: ['*'] }),
  }),
  route({
    id: `${service}.Update`,
    at: 'POST /api/v1/catalogs/{id}',
    summary:
      'Change an access profile; without updateMask, all fields are changed, except accessEntitlements if there are none.',
    rule: 'profiles.change',
    body: message(`${service}UpdateRequestInput`, {
      catalog: required(updatable(ProfileMessage)),
      updateMask: text(),
      expandMask: nested(ExpandMask),
    }),
    reply: viewReply(`${service}UpdateResponse`),
    async handle(call, { path, body }) {
      const { catalog: asked, updateMask } = body
      const changes = changesOf(asked, updateMask)
      const changed = await transact(call.db, async (tx) => {
        const after = await changeProfile(tx, call, path.id, changes)
        keptIn(
          message('', { id: ProfileMessage.fields.id, createdByUserId: ProfileMessage.fields.createdByUserId }),
          { at: 'catalog', value: asked, updateMask },
          after,
        )
        return after
      })
      return presentProfile(call, changed, body.expandMask)
    },
  }),
  route({
    id: `${service}.Delete`,
    at: 'DELETE /api/v1/catalogs/{id}',
    summary: 'Delete an access profile. Its members leave it, as its settings define.',
    rule: 'profiles.change',
    body: message(`${service}DeleteRequestInput`, {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeProfile(tx, call, path.id))
      return {}
    },
  }),
  route({
    id: `${service}.AddAccessEntitlements`,
    at: 'POST /api/v1/catalogs/{catalog_id}/visibility_bindings',
    summary: 'Add entitlements whose members can see an access profile.',
    rule: 'profiles.change',
    body: bindingBody('AddAccessEntitlements'),
    reply: empty,
    async handle(call, { path, body }) {
      const field = 'accessEntitlements'
      await transact(call.db, (tx) => addBindings(tx, call, path.catalog_id, body.accessEntitlements, field))
      return {}
    },
  }),
  route({
    id: `${service}.RemoveAccessEntitlements`,
    at: 'DELETE /api/v1/catalogs/{catalog_id}/visibility_bindings',
    summary: 'Remove entitlements whose members can see an access profile.',
    rule: 'profiles.change',
    body: bindingBody('RemoveAccessEntitlements'),
    reply: empty,
    async handle(call, { path, body }) {
      await transact(call.db, (tx) => removeBindings(tx, call, path.catalog_id, body.accessEntitlements))
      return {}
    },
  }),
  route({
    id: `${service}.ListEntitlementsForAccess`,
    at: 'GET /api/v1/catalogs/{catalog_id}/visibility_entitlements',
    summary: 'List the entitlements whose members can see an access profile.',
    rule: 'profiles.read',
    paged: true,
    reply: message(`${service}ListEntitlementsForAccessResponse`, {
      list: listOf(EntitlementView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { path, page }) {
      const { db, tenant } = call
      if (!(await findProfile(db, tenant.id, path.catalog_id))) throw profileNotFound(path.catalog_id)
      const bound = (await listBindings(db, tenant.id, [path.catalog_id])).toSorted((a, b) =>
        keyOf(a) < keyOf(b) ? -1 : 1,
      )
      const after = page.after ? page.after.join('/') : ''
      const rest = bound.filter((ref) => keyOf(ref) > after).slice(0, page.limit)
      const cut = page.cut(
        rest,
        ({ appId, id }) => [appId, id],
        (row) => row,
      )
      const { views, expanded } = await presentEntitlementsOf(call, cut.list, { paths: ['*'] })
      return { list: views, expanded, nextPageToken: cut.nextPageToken }
    },
  }),
]
