import { route } from '#authority/route.ts'
import { expandedField } from '#kernel/expand.ts'
import { updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { transact } from '#kernel/sql.ts'
import { empty, list, listOf, message, nested, oneOf, required, text } from '#kernel/wire.ts'
import { refuseUnknownApp } from '../app/actions.ts'
import { changesIn } from '../changes.ts'
import { idInQuery, positionOf, same } from '../search.ts'
import { refuseUnseen } from '../seen.ts'
import { idsMax, nameLength, queryLength } from '../shapes.ts'
import { changeResourceType, createResourceType, getResourceType, removeResourceType } from './actions.ts'
import { listResourceTypes, searchResourceTypes } from './store.ts'
import { ResourceTypeMessage, ResourceTypeView, resourceTypeView } from './view.ts'

/**
 * The kinds of a type that is created through the API: the kind becomes the type's one trait. The first is used if none is
 * named.
 */
const kinds = [
  'ROLE',
  'GROUP',
  'LICENSE',
  'PROJECT',
  'CATALOG',
  'CUSTOM',
  'VAULT',
  'PROFILE_TYPE',
  'SESSION_POLICY',
  'CLAW_AGENT',
] as const

const typeReply = (name: string) =>
  message(name, { appResourceType: nested(ResourceTypeMessage), expanded: expandedField })

export const resourceTypeRoutes = [
  route({
    id: 'app.v1.AppResourceTypeService.List',
    at: 'GET /api/v1/apps/{app_id}/resource_types',
    summary: 'List the resource types of an app.',
    rule: 'app.read-settings',
    about: { app: 'app_id' },
    paged: true,
    reply: message('app.v1.AppResourceTypeServiceListResponse', {
      list: listOf(ResourceTypeView),
      expanded: expandedField,
      nextPageToken,
    }),
    async handle(call, { path, page }) {
      const rows = await listResourceTypes(call.db, call.tenant.id, path.app_id, page)
      if (rows.length === 0) await refuseUnknownApp(call.db, call, path.app_id)
      return page.cut(rows, (type) => [type.id], resourceTypeView)
    },
  }),
  route({
    id: 'app.v1.AppResourceTypeService.CreateManuallyManagedResourceType',
    at: 'POST /api/v1/apps/{app_id}/resource_types',
    summary: 'Create a resource type.',
    rule: 'app.edit',
    about: { app: 'app_id' },
    body: message('app.v1.CreateManuallyManagedResourceTypeRequestInput', {
      displayName: required(text({ maxLength: nameLength })),
      resourceType: oneOf(kinds),
    }),
    reply: typeReply('app.v1.CreateManuallyManagedResourceTypeResponse'),
    async handle(call, { path, body }) {
      const wanted = { displayName: body.displayName, traitIds: [body.resourceType] }
      return { appResourceType: await transact(call.db, (tx) => createResourceType(tx, call, path.app_id, wanted)) }
    },
  }),
  route({
    id: 'app.v1.AppResourceTypeService.Get',
    at: 'GET /api/v1/apps/{app_id}/resource_types/{id}',
    summary: 'Get a resource type. Basic users can get those of their access.',
    rule: 'resource-type.read',
    about: { app: 'app_id', resourceType: 'id' },
    reply: message('app.v1.AppResourceTypeServiceGetResponse', {
      appResourceTypeView: nested(ResourceTypeView),
      expanded: expandedField,
    }),
    async handle(call, { path }) {
      await refuseUnseen(call, 'apps.read', { app: path.app_id, resourceType: path.id })
      return { appResourceTypeView: resourceTypeView(await getResourceType(call, path.app_id, path.id)) }
    },
  }),
  route({
    id: 'app.v1.AppResourceTypeService.UpdateManuallyManagedResourceType',
    at: 'POST /api/v1/apps/{app_id}/resource_types/{id}',
    summary: 'Change a resource type.',
    rule: 'resource-type.edit',
    about: { app: 'app_id', resourceType: 'id' },
    body: message('app.v1.UpdateManuallyManagedResourceTypeRequestInput', {
      appResourceType: updatable(ResourceTypeMessage),
      updateMask: text(),
    }),
    reply: typeReply('app.v1.UpdateManuallyManagedResourceTypeResponse'),
    async handle(call, { path, body }) {
      const changes = changesIn(ResourceTypeMessage, body.appResourceType, body.updateMask, ['displayName', 'traitIds'])
      const changed = await transact(call.db, (tx) => changeResourceType(tx, call, path.app_id, path.id, changes))
      return { appResourceType: changed }
    },
  }),
  route({
    id: 'app.v1.AppResourceTypeService.DeleteManuallyManagedResourceType',
    at: 'DELETE /api/v1/apps/{app_id}/resource_types/{id}',
    summary: 'Delete a resource type with its resources and their entitlements, and end their grants.',
    rule: 'resource-type.edit',
    about: { app: 'app_id', resourceType: 'id' },
    body: message('app.v1.DeleteManuallyManagedResourceTypeRequestInput', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeResourceType(tx, call, path.app_id, path.id))
      return {}
    },
  }),
  route({
    id: 'app.v1.AppResourceSearch.SearchAppResourceTypes',
    at: 'POST /api/v1/search/app_resource_types',
    summary: 'Search resource types by the beginnings of words of their name, in any order, and by filters.',
    rule: 'apps.read',
    paged: true,
    body: message('app.v1.SearchAppResourceTypesRequest', {
      query: text({ maxLength: queryLength }),
      displayName: text({ maxLength: queryLength }),
      appIds: list(text(), idsMax),
      resourceTypeIds: list(text(), idsMax),
      excludeResourceTypeIds: list(text(), idsMax),
      resourceTypeTraitIds: list(text(), idsMax),
      excludeResourceTypeTraitIds: list(text(), idsMax),
      appUserIds: list(text(), idsMax),
    }),
    reply: message('app.v1.SearchAppResourceTypesResponse', { list: listOf(ResourceTypeMessage), nextPageToken }),
    async handle(call, { body, page }) {
      const { query, ids: resourceTypeIds } = idInQuery(body.query, body.resourceTypeIds)
      const filter = { ...body, query, resourceTypeIds, displayName: body.displayName.trim() }
      const rows = await searchResourceTypes(call.db, call.tenant.id, filter, page)
      return page.cut(rows, positionOf(['appId', 'id']), same)
    },
  }),
]
