import { urns } from '../resource.ts'
import { notImplemented, resourceNotFound } from './refuse.ts'
import { enterpriseSchema, groupSchema, groupType, type Schema, userSchema, userType } from './schema.ts'

export const pageMax = 200

/** What this service can do (RFC 7643 section 5). */
const providerConfig = (base: string) => ({
  schemas: [urns.config],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: pageMax },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of this directory, in the Authorization header',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const resourceTypes = (base: string) =>
  [userType, groupType].map(({ name, endpoint, schema, extension }) => ({
    schemas: [urns.resourceType],
    id: name,
    name,
    endpoint,
    description: schema.description,
    schema: schema.urn,
    schemaExtensions: extension ? [{ schema: extension.urn, required: false }] : [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))

const described = (base: string, { urn, name, description, attributes }: Schema) => ({
  schemas: [urns.schema],
  id: urn,
  name,
  description,
  attributes,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${urn}` },
})
const schemas = (base: string) => [userSchema, enterpriseSchema, groupSchema].map((each) => described(base, each))

export const listOf = (resources: readonly object[], total = resources.length, startIndex = 1) => ({
  schemas: [urns.list],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** The fixed documents of RFC 7644 section 4; null if the path is not one of them. */
export function findDocument(base: string, path: readonly string[]): object | null {
  const [kind = '', id, ...rest] = path
  if (rest.length > 0) return null
  const among = (all: readonly { id: string }[]): object => {
    if (id === undefined) return listOf(all)
    const found = all.find((each) => each.id.toLowerCase() === id.toLowerCase())
    if (!found) throw resourceNotFound(id)
    return found
  }
  switch (kind.toLowerCase()) {
    case 'serviceproviderconfig':
      return id === undefined ? providerConfig(base) : null
    case 'resourcetypes':
      return among(resourceTypes(base))
    case 'schemas':
      return among(schemas(base))
    case 'me':
      throw notImplemented('/Me')
    default:
      return null
  }
}
