import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { keptIn, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { transact } from '#kernel/sql.ts'
import { described, empty, flag, list, listOf, message, nested, neverSet, required, text } from '#kernel/wire.ts'
import { changesIn } from '../changes.ts'
import { mayNameOwners, type NameOwners } from '../naming.ts'
import { presentResource } from '../neighbours.ts'
import { idInQuery, positionOf } from '../search.ts'
import { refuseUnseen } from '../seen.ts'
import { annotationsShape, descriptionLength, idsMax, nameLength, ownersMax, queryLength } from '../shapes.ts'
import { changeResource, createResource, getResource, refuseUnknownType, removeResource } from './actions.ts'
import { listResources, type ResourceKey, searchResources } from './store.ts'
import { ResourceMessage, ResourceView, resourceOnWire, resourceView } from './view.ts'

const ResourceRef = message('app.v1.AppResourceRef', { appId: text(), appResourceTypeId: text(), id: text() })
const viewReply = (name: string) => message(name, { appResourceView: nested(ResourceView), expanded: expandedField })
const listReply = (name: string) =>
  message(name, { list: listOf(ResourceView), expanded: expandedField, nextPageToken })

const keyIn = (path: { app_id: string; app_resource_type_id: string; id: string }): ResourceKey => ({
  appId: path.app_id,
  typeId: path.app_resource_type_id,
  id: path.id,
})

const listRoute = route({
  id: 'app.v1.AppResourceService.List',
  at: 'GET /api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources',
  summary: 'List the resources of a type.',
  rule: 'resource-type.list-resources',
  about: { app: 'app_id', resourceType: 'app_resource_type_id' },
  paged: true,
  reply: listReply('app.v1.AppResourceServiceListResponse'),
  async handle(call, { path, page }) {
    const rows = await listResources(call.db, call.tenant.id, path.app_id, path.app_resource_type_id, page)
    if (rows.length === 0) await refuseUnknownType(call.db, call, path.app_id, path.app_resource_type_id)
    return page.cut(
      rows,
      (row) => [row.id],
      (row) => resourceView(call.actor, row),
    )
  },
})

const createRoute = (nameOwners: NameOwners) =>
  route({
    id: 'app.v1.AppResourceService.CreateManuallyManagedAppResource',
    at: 'POST /api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources',
    summary: 'Create a resource.',
    rule: 'resource-type.edit',
    about: { app: 'app_id', resourceType: 'app_resource_type_id' },
    body: message('app.v1.CreateManuallyManagedAppResourceRequestInput', {
      displayName: required(text({ maxLength: nameLength })),
      description: text({ maxLength: descriptionLength }),
      annotations: annotationsShape,
      matchBatonId: neverSet(text()),
      resourceOwnerUserIds: described(list(text(), ownersMax), 'Users who own it, in the role primary.'),
    }),
    reply: message('app.v1.CreateManuallyManagedAppResourceResponse', { appResource: nested(ResourceMessage) }),
    async handle(call, { path, body }) {
      const parent = { appId: path.app_id, typeId: path.app_resource_type_id }
      const owners = { userIds: body.resourceOwnerUserIds, entitlements: [] }
      mayNameOwners(call, owners)
      const made = await transact(call.db, async (tx) => {
        const resource = await createResource(tx, call, parent, body)
        await nameOwners(tx, call, { kind: 'resource', ...parent, id: resource.id }, owners)
        return resource
      })
      return { appResource: resourceOnWire(made) }
    },
  })

const getRoute = route({
  id: 'app.v1.AppResourceService.Get',
  at: 'GET /api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources/{id}',
  summary: 'Get a resource. Basic users can get resources on which they have access.',
  rule: 'resource.read',
  about: { app: 'app_id', resourceType: 'app_resource_type_id', resource: 'id' },
  reply: viewReply('app.v1.AppResourceServiceGetResponse'),
  async handle(call, { path }) {
    const named = { app: path.app_id, resourceType: path.app_resource_type_id, resource: path.id }
    await refuseUnseen(call, 'apps.read', named)
    return { appResourceView: resourceView(call.actor, await getResource(call, keyIn(path))) }
  },
})

const updateRoute = route({
  id: 'app.v1.AppResourceService.Update',
  at: 'POST /api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources/{id}',
  summary: 'Change a resource.',
  rule: 'resource.edit',
  about: { app: 'app_id', resourceType: 'app_resource_type_id', resource: 'id' },
  body: message('app.v1.AppResourceServiceUpdateRequestInput', {
    appResource: updatable(ResourceMessage),
    updateMask: text(),
    expandMask: nested(ExpandMask),
  }),
  reply: viewReply('app.v1.AppResourceServiceUpdateResponse'),
  async handle(call, { path, body }) {
    const changes = changesIn(ResourceMessage, body.appResource, body.updateMask, [
      'displayName',
      'description',
      'customDescription',
      'annotations',
    ])
    const update = { at: 'appResource', value: body.appResource, updateMask: body.updateMask }
    const changed = await transact(call.db, async (tx) =>
      keptIn(ResourceMessage, update, await changeResource(tx, call, keyIn(path), changes)),
    )
    const { view, expanded } = await presentResource(call, changed, body.expandMask)
    return { appResourceView: view, expanded }
  },
})

const deleteRoute = route({
  id: 'app.v1.AppResourceService.DeleteManuallyManagedAppResource',
  at: 'DELETE /api/v1/apps/{app_id}/resource_types/{app_resource_type_id}/resources/{id}',
  summary: 'Delete a resource with its entitlements, and end their grants.',
  rule: 'resource.delete',
  about: { app: 'app_id', resourceType: 'app_resource_type_id', resource: 'id' },
  body: message('app.v1.DeleteManuallyManagedAppResourceRequestInput', {}),
  reply: empty,
  async handle(call, { path }) {
    await transact(call.db, (tx) => removeResource(tx, call, keyIn(path)))
    return {}
  },
})

const searchRoute = route({
  id: 'app.v1.AppResourceSearch.SearchAppResources',
  at: 'POST /api/v1/search/app_resources',
  summary: 'Search resources by the beginnings of words of their name, in any order, and by filters.',
  rule: 'apps.read',
  paged: true,
  body: message('app.v1.SearchAppResourcesRequest', {
    query: text({ maxLength: queryLength }),
    appId: text(),
    appIds: list(text(), idsMax),
    refs: listOf(ResourceRef, idsMax),
    resourceIds: list(text(), idsMax),
    excludeResourceIds: list(text(), idsMax),
    resourceTypeIds: list(text(), idsMax),
    resourceTypeTraitIds: list(text(), idsMax),
    excludeResourceTypeTraitIds: list(text(), idsMax),
    appUserIds: list(text(), idsMax),
    ownerUserIds: list(text(), idsMax),
    unownedOnly: described(flag(), 'Without an owner in any role.'),
    excludeDeletedApps: described(flag(), 'Always true: the resources of a deleted app are deleted.'),
    excludeDeletedResourceBindings: described(flag(), 'Always true: deleted resources are not found.'),
  }),
  reply: listReply('app.v1.SearchAppResourcesResponse'),
  async handle(call, { body, page }) {
    const { query, ids: resourceIds } = idInQuery(body.query, body.resourceIds)
    // Both conditions apply: the one app, and the list of apps.
    const inApps = body.appIds.length === 0 || body.appIds.includes(body.appId)
    const appIds = body.appId === '' ? body.appIds : [inApps ? body.appId : '']
    const rows = await searchResources(call.db, call.tenant.id, { ...body, query, resourceIds, appIds }, page)
    return page.cut(rows, positionOf(['appId', 'appResourceTypeId', 'id']), (row) => resourceView(call.actor, row))
  },
})

export const resourceRoutes = (nameOwners: NameOwners) => [
  listRoute,
  createRoute(nameOwners),
  getRoute,
  updateRoute,
  deleteRoute,
  searchRoute,
]
