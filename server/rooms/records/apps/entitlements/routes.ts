import { may } from '#authority/may.ts'
import { route } from '#authority/route.ts'
import { ExpandMask, expandedField } from '#kernel/expand.ts'
import { keptIn, sendsAll, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'

import { transact } from '#kernel/sql.ts'
import { described, empty, flag, leftOut, list, listOf, message, nested, required, text } from '#kernel/wire.ts'
import { refuseUnknownApp } from '../app/actions.ts'
import { changesIn } from '../changes.ts'
import { mayNameOwners, type NameOwners } from '../naming.ts'
import { presentEntitlements } from '../neighbours.ts'
import type { PolicyChecks } from '../policy-fields.ts'
import { getResource } from '../resources/actions.ts'
import { placesSearched, refuseUnseen } from '../seen.ts'
import { ownersMax } from '../shapes.ts'
import { changeEntitlement, createEntitlement, getEntitlement, removeEntitlement, type SentTerms } from './actions.ts'
import { ProvisionPolicyMessage } from './provision.ts'
import { listEntitlements, listEntitlementsOfResource } from './store.ts'
import {
  EntitlementMessage,
  EntitlementView,
  entitlementOnWire,
  entitlementTermShapes,
  entitlementView,
} from './view.ts'

const viewReply = (name: string) =>
  message(name, { appEntitlementView: nested(EntitlementView), expanded: expandedField })

// The specification: each item is an object with one field, appEntitlement. The others are returned on request.
const item = { appEntitlement: nested(EntitlementMessage) }
const PlainItem = message('app.v1.AppEntitlementItem', item)
const WholeItem = message('app.v1.AppEntitlementItem', {
  ...item,
  appPath: leftOut(text()),
  appResourceTypePath: leftOut(text()),
  appResourcePath: leftOut(text()),
})
/** Messages with optional fields are written by way of an object: avoided if no one requested them, as is usual. */
const ListItem: typeof WholeItem = {
  ...WholeItem,
  text: (value) =>
    (value.appPath || value.appResourceTypePath || value.appResourcePath ? WholeItem : PlainItem).text(value),
}
const ListQuery = message('app.v1.ListAppEntitlementsQuery', {
  expand: described(
    list(text({ maxLength: 100 }), 10),
    'What to include in expanded, with its path in each item: appId, appResourceTypeId, appResourceId, or * for all.',
  ),
})

/**
 * What clients send that always send all fields of an entitlement, such as Terraform. JSON of protocol buffers omits empty
 * lists.
 */
const sentAlways = [
  'displayName',
  'description',
  'slug',
  'alias',
  'purpose',
  'riskLevelValueId',
  'grantPolicyId',
  'revokePolicyId',
  'certifyPolicyId',
  'emergencyGrantPolicyId',
  'emergencyGrantEnabled',
  'overrideAccessRequestsDefaults',
  'requestSchemaId',
] as const

/** Such a client wants the fields that it omits to be empty: it has no other way to say so. */
const whatIsGone = ({ durationGrant, durationUnset, complianceFrameworkValueIds }: SentTerms) => ({
  durationGrant,
  durationUnset,
  complianceFrameworkValueIds,
})

/** Fields that other operations set: they may have changed since such a client read them. */
const setElsewhere = ['requestSchemaId', 'defaultValuesApplied'] as const

const listRoute = route({
  id: 'app.v1.AppEntitlements.List',
  at: 'GET /api/v1/apps/{app_id}/entitlements',
  summary: 'List the entitlements of an app, in order of creation. Basic users get those that they have.',
  rule: 'app.list-entitlements',
  about: { app: 'app_id' },
  paged: true,
  query: ListQuery,
  reply: message('app.v1.ListAppEntitlementsResponse', {
    list: listOf(ListItem),
    expanded: leftOut(expandedField),
    nextPageToken,
  }),
  async handle(call, { path, query, page }) {
    await refuseUnseen(call, 'entitlements.read', { app: path.app_id })
    const isAll = may(call.actor, 'entitlements.read')
    const places = isAll ? null : await placesSearched(call, 'entitlements.read')
    const rows = await listEntitlements(call.db, call.tenant.id, path.app_id, page, places)
    if (rows.length === 0) await refuseUnknownApp(call.db, call, path.app_id)
    const cut = page.cut(
      rows,
      (row) => [row.id],
      (row) => row,
    )
    const { views, expanded } = await presentEntitlements(call, cut.list, { paths: query.expand })
    return { list: views, expanded, nextPageToken: cut.nextPageToken }
  },
})

const createRoute = (nameOwners: NameOwners, checks: PolicyChecks) =>
  route({
    id: 'app.v1.AppEntitlements.Create',
    at: 'POST /api/v1/apps/{app_id}/entitlements',
    summary: 'Create an entitlement, of a resource or of the app itself.',
    rule: 'app.create-entitlement',
    about: { app: 'app_id' },
    body: message('app.v1.CreateAppEntitlementRequestInput', {
      ...entitlementTermShapes,
      displayName: required(entitlementTermShapes.displayName),
      provisionPolicy: described(nested(ProvisionPolicyMessage), 'How access is provisioned once it is approved.'),
      appResourceTypeId: text(),
      appResourceId: text(),
      appEntitlementOwnerIds: described(list(text(), ownersMax), 'Users who own it, in the role primary.'),
      expandMask: nested(ExpandMask),
    }),
    reply: viewReply('app.v1.CreateAppEntitlementResponse'),
    async handle(call, { path, body }) {
      const owners = { userIds: body.appEntitlementOwnerIds, entitlements: [] }
      mayNameOwners(call, owners)
      const made = await transact(call.db, async (tx) => {
        const entitlement = await createEntitlement(tx, call, checks, path.app_id, {
          ...body,
          provisionerPolicy: body.provisionPolicy,
          deprovisionerPolicy: null,
        })
        const object = { kind: 'entitlement', appId: path.app_id, typeId: '', id: entitlement.id } as const
        await nameOwners(tx, call, object, owners)
        return entitlement
      })
      const { views, expanded } = await presentEntitlements(call, [made], body.expandMask)
      return { appEntitlementView: views[0] ?? null, expanded }
    },
  })

const getRoute = route({
  id: 'app.v1.AppEntitlements.Get',
  at: 'GET /api/v1/apps/{app_id}/entitlements/{id}',
  summary: 'Get an entitlement. Basic users can get those that they have.',
  rule: 'entitlement.read',
  about: { app: 'app_id', entitlement: 'id' },
  reply: viewReply('app.v1.GetAppEntitlementResponse'),
  async handle(call, { path }) {
    await refuseUnseen(call, 'entitlements.read', { app: path.app_id, entitlement: path.id })
    return { appEntitlementView: entitlementView(call.actor, await getEntitlement(call, path.app_id, path.id)) }
  },
})

const updateRoute = (checks: PolicyChecks) =>
  route({
    id: 'app.v1.AppEntitlements.Update',
    at: 'POST /api/v1/apps/{app_id}/entitlements/{id}',
    summary: 'Change an entitlement.',
    rule: 'entitlement.edit',
    about: { app: 'app_id', entitlement: 'id' },
    body: message('app.v1.UpdateAppEntitlementRequestInput', {
      entitlement: updatable(EntitlementMessage),
      overrideAccessRequestsDefaults: described(
        flag(),
        'Set to true to set it on the entitlement, regardless of the mask.',
      ),
      updateMask: text(),
      expandMask: nested(ExpandMask),
    }),
    reply: viewReply('app.v1.UpdateAppEntitlementResponse'),
    async handle(call, { path, body }) {
      const sent = changesIn(EntitlementMessage, body.entitlement, body.updateMask, [
        'displayName',
        'description',
        'slug',
        'alias',
        'purpose',
        'annotations',
        'riskLevelValueId',
        'complianceFrameworkValueIds',
        'durationGrant',
        'durationUnset',
        'grantPolicyId',
        'revokePolicyId',
        'certifyPolicyId',
        'emergencyGrantPolicyId',
        'emergencyGrantEnabled',
        'overrideAccessRequestsDefaults',
        'provisionerPolicy',
        'deprovisionerPolicy',
      ])
      const isWhole = sendsAll(body.entitlement, body.updateMask, sentAlways)
      const changes = {
        ...(isWhole && body.entitlement && whatIsGone(body.entitlement)),
        ...sent,
        ...(body.overrideAccessRequestsDefaults && { overrideAccessRequestsDefaults: true }),
      }
      const update = { at: 'entitlement', value: body.entitlement, updateMask: body.updateMask }
      const changed = await transact(call.db, async (tx) => {
        const after = await changeEntitlement(tx, call, checks, { appId: path.app_id, id: path.id }, changes)
        keptIn(EntitlementMessage, update, entitlementOnWire(after), isWhole ? setElsewhere : [])
        return after
      })
      const { views, expanded } = await presentEntitlements(call, [changed], body.expandMask)
      return { appEntitlementView: views[0] ?? null, expanded }
    },
  })

const deleteRoute = route({
  id: 'app.v1.AppEntitlements.Delete',
  at: 'DELETE /api/v1/apps/{app_id}/entitlements/{id}',
  summary: 'Delete an entitlement, and revoke it from everyone who has it.',
  rule: 'entitlement.delete',
  about: { app: 'app_id', entitlement: 'id' },
  body: message('app.v1.DeleteAppEntitlementRequestInput', {}),
  reply: empty,
  async handle(call, { path }) {
    await transact(call.db, (tx) => removeEntitlement(tx, call, path.app_id, path.id))
    return {}
  },
})

const listOfResourceRoute = route({
  id: 'app.v1.AppEntitlements.ListForAppResource',
  at: 'GET /api/v1/apps/{app_id}/entitlements/resource_types/{app_resource_type_id}/resources/{app_resource_id}',
  summary: 'List the entitlements of a resource.',
  rule: 'resource.list-entitlements',
  about: { app: 'app_id', resourceType: 'app_resource_type_id', resource: 'app_resource_id' },
  paged: true,
  reply: message('app.v1.ListAppEntitlementViewsResponse', {
    list: listOf(EntitlementView),
    expanded: expandedField,
    nextPageToken,
  }),
  async handle(call, { path, page }) {
    const key = { appId: path.app_id, typeId: path.app_resource_type_id, id: path.app_resource_id }
    const rows = await listEntitlementsOfResource(call.db, call.tenant.id, key, page)
    if (rows.length === 0) await getResource(call, key)
    const cut = page.cut(
      rows,
      (row) => [row.id],
      (row) => row,
    )
    const { views, expanded } = await presentEntitlements(call, cut.list, { paths: ['*'] })
    return { list: views, expanded, nextPageToken: cut.nextPageToken }
  },
})

export const entitlementRoutes = (nameOwners: NameOwners, checks: PolicyChecks) => [
  listRoute,
  createRoute(nameOwners, checks),
  getRoute,
  updateRoute(checks),
  deleteRoute,
  listOfResourceRoute,
]
