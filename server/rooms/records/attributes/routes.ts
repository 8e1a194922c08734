import { route } from '#authority/route.ts'
import { nextPageToken } from '#kernel/pages.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { empty, list, listOf, message, nested, readOnly, required, text, timestamp } from '#kernel/wire.ts'
import { createValue, getType, getValue, removeValue, typeNamed } from './actions.ts'
import { listValues, searchValues } from './store.ts'
import { type AttributeType, attributeTypes, complianceFramework, riskLevel } from './types.ts'

const valueLength = 200
const idsMax = 1000

const AttributeTypeMessage = message('attribute.v1.AttributeType', { id: text(), name: text() })
const AttributeValueMessage = message('attribute.v1.AttributeValue', {
  id: text(),
  attributeTypeId: text(),
  value: text(),
  createdAt: readOnly(timestamp()),
  updatedAt: readOnly(timestamp()),
  deletedAt: readOnly(timestamp()),
})
const valueReply = (name: string) => message(name, { value: nested(AttributeValueMessage) })
const listReply = (name: string) => message(name, { list: listOf(AttributeValueMessage), nextPageToken })
const same = <T>(value: T): T => value

/** The four operations that each built-in type has for itself. */
const routesOf = (type: AttributeType, path: 'risk_levels' | 'compliance_frameworks', names: string): Route[] => {
  const name = names.slice(0, -1)
  return [
    route({
      id: `attribute.v1.Attributes.List${names}`,
      at: `GET /api/v1/attributes/${path}`,
      summary: `List the ${type.noun}s.`,
      rule: 'attributes.read',
      paged: true,
      reply: listReply(`attribute.v1.List${names}Response`),
      async handle(call, { page }) {
        return page.cut(await listValues(call.db, call.tenant.id, type.id, page), (row) => [row.id], same)
      },
    }),
    route({
      id: `attribute.v1.Attributes.Create${name}AttributeValue`,
      at: `POST /api/v1/attributes/${path}`,
      summary: `Create a ${type.noun}.`,
      rule: 'attributes.change',
      body: message(`attribute.v1.Create${name}AttributeValueRequest`, {
        value: required(text({ maxLength: valueLength, isLine: true })),
      }),
      reply: valueReply(`attribute.v1.Create${name}AttributeValueResponse`),
      handle: async (call, { body }) => ({
        value: await transact(call.db, (tx) => createValue(tx, call, type, body.value)),
      }),
    }),
    route({
      id: `attribute.v1.Attributes.Get${name}AttributeValue`,
      at: `GET /api/v1/attributes/${path}/{id}`,
      summary: `Get a ${type.noun}.`,
      rule: 'attributes.read',
      reply: valueReply(`attribute.v1.Get${name}AttributeValueResponse`),
      handle: async (call, { path: { id } }) => ({ value: await getValue(call, id, type) }),
    }),
    route({
      id: `attribute.v1.Attributes.Delete${name}AttributeValue`,
      at: `DELETE /api/v1/attributes/${path}/{id}`,
      summary: `Delete a ${type.noun}, and remove it from the entitlements that use it.`,
      rule: 'attributes.change',
      body: message(`attribute.v1.Delete${name}AttributeValueRequestInput`, {}),
      reply: empty,
      async handle(call, { path: { id } }) {
        await transact(call.db, (tx) => removeValue(tx, call, id, type))
        return {}
      },
    }),
  ]
}

export const attributeRoutes: Route[] = [
  route({
    id: 'attribute.v1.Attributes.ListAttributeTypes',
    at: 'GET /api/v1/attributes/types',
    summary: 'List the attribute types.',
    rule: 'attributes.read',
    paged: true,
    reply: message('attribute.v1.ListAttributeTypesResponse', { list: listOf(AttributeTypeMessage), nextPageToken }),
    handle: (_call, { page }) =>
      page.cut(
        attributeTypes.filter((type) => type.id > (page.after?.[0] ?? '')),
        (type) => [type.id],
        same,
      ),
  }),
  route({
    id: 'attribute.v1.Attributes.ListAttributeValues',
    at: 'GET /api/v1/attributes/types/{attribute_type_id}/values',
    summary: 'List the values of an attribute type.',
    rule: 'attributes.read',
    paged: true,
    reply: listReply('attribute.v1.ListAttributeValuesResponse'),
    async handle(call, { path, page }) {
      const type = getType(path.attribute_type_id)
      return page.cut(await listValues(call.db, call.tenant.id, type.id, page), (row) => [row.id], same)
    },
  }),
  route({
    id: 'attribute.v1.Attributes.CreateAttributeValue',
    at: 'POST /api/v1/attributes',
    summary: 'Create a value of an attribute type.',
    rule: 'attributes.change',
    body: message('attribute.v1.CreateAttributeValueRequest', {
      attributeTypeId: text(),
      value: text({ maxLength: valueLength, isLine: true }),
    }),
    reply: valueReply('attribute.v1.CreateAttributeValueResponse'),
    async handle(call, { body }) {
      const type = typeNamed('attributeTypeId', body.attributeTypeId)
      return { value: await transact(call.db, (tx) => createValue(tx, call, type, body.value)) }
    },
  }),
  route({
    id: 'attribute.v1.Attributes.GetAttributeValue',
    at: 'GET /api/v1/attributes/{id}',
    summary: 'Get an attribute value.',
    rule: 'attributes.read',
    reply: valueReply('attribute.v1.GetAttributeValueResponse'),
    handle: async (call, { path }) => ({ value: await getValue(call, path.id, null) }),
  }),
  route({
    id: 'attribute.v1.Attributes.DeleteAttributeValue',
    at: 'DELETE /api/v1/attribute/{id}',
    summary: 'Delete an attribute value, and remove it from the entitlements that use it.',
    rule: 'attributes.change',
    body: message('attribute.v1.DeleteAttributeValueRequestInput', {}),
    reply: empty,
    async handle(call, { path }) {
      await transact(call.db, (tx) => removeValue(tx, call, path.id, null))
      return {}
    },
  }),
  ...routesOf(riskLevel, 'risk_levels', 'RiskLevels'),
  ...routesOf(complianceFramework, 'compliance_frameworks', 'ComplianceFrameworks'),
  route({
    id: 'attribute.v1.AttributeSearch.SearchAttributeValues',
    at: 'POST /api/v1/search/attributes',
    summary: 'Search attribute values by the beginning of a word, by id and by type.',
    rule: 'attributes.read',
    paged: true,
    body: message('attribute.v1.SearchAttributeValuesRequest', {
      query: text({ maxLength: 1000 }),
      value: text({ maxLength: 1000 }),
      ids: list(text(), idsMax),
      excludeIds: list(text(), idsMax),
      attributeTypeIds: list(text(), idsMax),
    }),
    reply: listReply('attribute.v1.SearchAttributeValuesResponse'),
    async handle(call, { body, page }) {
      const filter = { ...body, query: body.query.trim(), value: body.value.trim() }
      return page.cut(await searchValues(call.db, call.tenant.id, filter, page), (row) => [row.id], same)
    },
  }),
]
