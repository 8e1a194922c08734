import { route } from '#authority/route.ts'
import { fieldsToChange, updatable } from '#kernel/masks.ts'
import { nextPageToken } from '#kernel/pages.ts'
import { invalid } from '#kernel/refusals.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, list, listOf, type MessageOf, message, nested, required, text } from '#kernel/wire.ts'
import { EntitlementRef as RefMessage } from '#rooms/records/apps/index.ts'
import { bind, changeForm, createForm, getBinding, getFormSeen, removeForm, unbind } from './actions.ts'
import type { EntitlementRef, FormTerms, MayRequest } from './form.ts'
import { CreateFormMessage, FormMessage } from './shapes.ts'
import { searchForms } from './store.ts'
import { formOnWire } from './view.ts'

const idsMax = 1000
const queryLength = 1000
const service = 'request_schema.v1.RequestSchemaService'
const formReply = (name: string) => message(`${service}${name}Response`, { requestSchema: nested(FormMessage) })
const binding = { entitlementRef: nested(RefMessage), requestSchemaId: text() }
const bindings = '/api/v1/request_schema_entitlement_binding'

type OnWire = MessageOf<(typeof FormMessage)['fields']>

function refOf(ref: EntitlementRef | null): EntitlementRef {
  if (!ref || ref.appId === '' || ref.id === '')
    throw invalid({ field: 'entitlementRef', description: 'must name an entitlement by appId and id' })
  return ref
}

/** What an update changes: without a mask everything, as Terraform expects; with one, the form or its visibility. */
function changesOf(asked: OnWire, updateMask: string): Partial<FormTerms> {
  const all = ['form', 'justificationVisibility'] as const
  const names = updateMask.trim() === '' ? new Set(all) : fieldsToChange(asked, updateMask, all)
  const { form, justificationVisibility } = asked
  if (names.has('form') && !form) throw invalid({ field: 'requestSchema.form', description: 'must be given' })
  return {
    ...(names.has('form') &&
      form && {
        name: form.displayName,
        description: form.description,
        fields: form.fields,
        fieldGroups: form.fieldGroups,
        fieldRelationships: form.fieldRelationships,
      }),
    ...(names.has('justificationVisibility') && { justificationVisibility }),
  }
}

const schemaRoutes = (mayRequest: MayRequest): readonly Route[] => [
  route({
    id: `${service}.Create`,
    at: 'POST /api/v1/request_schemas',
    summary: 'Create a request schema: a form that requesters fill in.',
    rule: 'forms.change',
    body: CreateFormMessage,
    reply: formReply('Create'),
    async handle(call, { body }) {
      return { requestSchema: formOnWire(await transact(call.db, (tx) => createForm(tx, call, body))) }
    },
  }),
  route({
    id: `${service}.Get`,
    at: 'GET /api/v1/request_schemas/{request_schema_id}',
    summary: 'Get a request schema. Basic users can get those of entitlements that they can request.',
    rule: 'forms.read-for-request',
    reply: formReply('Get'),
    handle: async (call, { path }) => ({
      requestSchema: formOnWire(await getFormSeen(call.db, call, mayRequest, path.request_schema_id)),
    }),
  }),
  route({
    id: `${service}.Update`,
    at: 'POST /api/v1/request_schemas/{request_schema_id}',
    summary: 'Change a request schema. Existing tasks keep their form.',
    rule: 'forms.change',
    body: message(`${service}UpdateRequestInput`, {
      requestSchema: required(updatable(FormMessage)),
      updateMask: text(),
    }),
    reply: formReply('Update'),
    async handle(call, { path, body }) {
      const changes = changesOf(body.requestSchema, body.updateMask)
      const changed = await transact(call.db, (tx) => changeForm(tx, call, path.request_schema_id, changes))
      return { requestSchema: formOnWire(changed) }
    },
  }),
  route({
    id: `${service}.Delete`,
    at: 'DELETE /api/v1/request_schemas/{request_schema_id}',
    summary: 'Delete a request schema that no entitlement has.',
    rule: 'forms.change',
    body: message(`${service}DeleteRequestInput`, {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeForm(tx, call, path.request_schema_id))
      return {}
    },
  }),
]

const bindingRoutes = (mayRequest: MayRequest): readonly Route[] => [
  route({
    id: `${service}.FindBindingForAppEntitlement`,
    at: `PUT ${bindings}`,
    summary: 'Find the request schema of an entitlement. Basic users can do so for entitlements that they can request.',
    rule: 'forms.read-for-request',
    body: message(`${service}FindBindingForAppEntitlementRequest`, { entitlementRef: binding.entitlementRef }),
    reply: message(`${service}FindBindingForAppEntitlementResponse`, binding),
    async handle(call, { body }) {
      const entitlementRef = refOf(body.entitlementRef)
      return { entitlementRef, requestSchemaId: await getBinding(call.db, call, mayRequest, entitlementRef) }
    },
  }),
  route({
    id: `${service}.CreateEntitlementBinding`,
    at: `POST ${bindings}`,
    summary: 'Set the request schema of an entitlement.',
    rule: 'forms.change',
    body: message(`${service}CreateEntitlementBindingRequest`, binding),
    reply: message(`${service}CreateEntitlementBindingResponse`, binding),
    async handle(call, { body }) {
      const [entitlementRef, { requestSchemaId }] = [refOf(body.entitlementRef), body]
      await transact(call.db, (tx) => bind(tx, call, entitlementRef, requestSchemaId))
      return { entitlementRef, requestSchemaId }
    },
  }),
  route({
    id: `${service}.RemoveEntitlementBinding`,
    at: `DELETE ${bindings}`,
    summary: 'Remove the request schema of an entitlement.',
    rule: 'forms.change',
    body: message(`${service}RemoveEntitlementBindingRequest`, binding),
    reply: empty,
    async handle(call, { body }) {
      const ref = refOf(body.entitlementRef)
      await transact(call.db, (tx) => unbind(tx, call, ref, body.requestSchemaId))
      return {}
    },
  }),
]

const searchRoute = route({
  id: 'bailiwick.v1.RequestSchemaSearch.Search',
  at: 'POST /api/v1/search/request_schemas',
  summary: 'Search request schemas by a part of their name, in order of their ids.',
  rule: 'forms.read',
  paged: true,
  body: message('bailiwick.v1.SearchRequestSchemasRequest', {
    query: described(text({ maxLength: queryLength }), 'A part of the name, in any case.'),
    requestSchemaIds: list(text(), idsMax),
  }),
  reply: message('bailiwick.v1.SearchRequestSchemasResponse', { list: listOf(FormMessage), nextPageToken }),
  async handle(call, { body, page }) {
    const filter = { query: body.query.trim(), ids: body.requestSchemaIds }
    return page.cut(await searchForms(call.db, call.tenant.id, filter, page), ({ id }) => [id], formOnWire)
  },
})

export const formRoutes = (mayRequest: MayRequest): readonly Route[] => [
  ...schemaRoutes(mayRequest),
  ...bindingRoutes(mayRequest),
  searchRoute,
]
