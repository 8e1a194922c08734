import { refusals } from '#kernel/refusals.ts'
import { anyone, type Route, signedIn } from '#kernel/routes.ts'
import { version } from '#kernel/version.ts'
import type { Fields, JsonSchema, Message } from '#kernel/wire.ts'
import { honoursKeys } from './guards/idempotency.ts'

const json = (schema: JsonSchema): object => ({ content: { 'application/json': { schema } } })
const file = (types: readonly string[]): object => ({
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
})
const refused = (description: string): object => ({ description, ...json({ $ref: '#/components/schemas/Error' }) })

const errorSchema = {
  type: 'object',
  description: 'Why a request was refused.',
  required: ['code', 'message', 'details'],
  properties: {
    code: { type: 'integer', format: 'int32', description: 'A gRPC status code.' },
    message: { type: 'string', description: 'A sentence that names the field or id.' },
    details: {
      type: 'array',
      description: 'google.rpc.ErrorInfo, and google.rpc.BadRequest for bad input.',
      items: {
        type: 'object',
        properties: {
          '@type': { type: 'string' },
          reason: { $ref: '#/components/schemas/ErrorReason', description: 'Of google.rpc.ErrorInfo.' },
        },
        additionalProperties: true,
      },
    },
  },
}

/** Every reason there is, and the HTTP status that it leaves with. */
const reasonSchema = {
  type: 'string',
  description: 'Why a request was refused, for programs.',
  enum: Object.keys(refusals).toSorted(),
  'x-statuses': Object.fromEntries(
    Object.entries(refusals)
      .map(([reason, [status]]) => [reason, status] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ),
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique key, such as a UUID. The same request with the same key within 24 hours is not executed again, and gets ' +
    'the same reply with the header Idempotent-Replayed: true.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const parametersOf = (route: Route): object[] => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  ...Object.entries(route.query.fields).map(([name, shape]) => {
    const { description, ...schema } = shape.schema
    return { name: snake(name), in: 'query', ...(description ? { description } : {}), schema }
  }),
  ...(honoursKeys(route) ? [idempotencyKey] : []),
]

const form = 'application/x-www-form-urlencoded'
/** The content types that a route takes, and what each holds. */
function contentOf({ body, form: isForm, stream }: Route): [type: string, schema: JsonSchema][] {
  if (stream) return stream.map((type) => [type, { type: 'string' }])
  return body ? [[isForm ? form : 'application/json', body.name ? body.reference : body.schema]] : []
}

const requestBodyOf = (route: Route): object => {
  const content = contentOf(route).map(([type, schema]) => [type, { schema }] as const)
  return content.length === 0 ? {} : { requestBody: { content: Object.fromEntries(content) } }
}

const operation = (route: Route): object => ({
  operationId: route.id,
  tags: [route.id.split('.').slice(0, -1).join('.')],
  summary: route.summary,
  ...(route.allow === anyone ? { security: [] } : {}),
  ...(route.allow === signedIn ? { security: [{ session: [] }] } : {}),
  parameters: parametersOf(route),
  ...requestBodyOf(route),
  responses: route.redirect
    ? { 303: { description: 'Go there.', headers: { location: { schema: { type: 'string' } } } } }
    : {
        200: { description: 'Done.', ...(route.download ? file(route.download) : json(route.reply.reference)) },
        ...refusalsOf(route),
      },
})

const refusalsOf = ({ refusals: own }: Route): object =>
  own
    ? Object.fromEntries(
        Object.entries(own.statuses).map(([status, description]) => [
          status,
          { description, ...json(own.reply.reference) },
        ]),
      )
    : { default: refused('Refused.') }

function schemasOf(routes: readonly Route[]): Record<string, JsonSchema> {
  const all = new Map<string, Message<Fields>>()
  const add = (of: Message<Fields> | null): void => {
    for (const each of of ? [of, ...of.messages] : []) {
      if (each.name === '') continue
      const known = all.get(each.name)
      if (known === each) continue
      if (known && JSON.stringify(known.schema) !== JSON.stringify(each.schema))
        throw new Error(`two messages are called ${each.name}`)
      all.set(each.name, each)
    }
  }
  for (const route of routes)
    for (const each of [route.body, route.download ? null : route.reply, route.refusals?.reply ?? null]) add(each)
  return Object.fromEntries(
    [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((each) => [each.name, each.schema]),
  )
}

/** The OpenAPI 3.1 document of the route table. */
export const apiDocument = (routes: readonly Route[]): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Bailiwick',
    version,
    description: 'Access governance: who has access to what in which app, why, since when, and by which rule.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [
    {
      url: 'https://{tenantDomain}',
      description: "The tenant's own host.",
      variables: { tenantDomain: { default: 'localhost:8080', description: 'The domain of the tenant.' } },
    },
  ],
  security: [{ bearerAuth: [] }, { oauth: [] }],
  paths: Object.fromEntries(
    [...Map.groupBy(routes, (route) => route.path)].map(([path, own]) => [
      path,
      Object.fromEntries(own.map((route) => [route.method.toLowerCase(), operation(route)])),
    ]),
  ),
  components: {
    securitySchemes: {
      bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-bailiwick',
        description: "Of the console's own pages, with the header x-bailiwick-console; without HTTPS it is bailiwick.",
      },
      oauth: {
        type: 'oauth2',
        description: 'Client credentials, sent in the body of the token request.',
        flows: { clientCredentials: { tokenUrl: '/auth/v1/token', scopes: {} } },
      },
    },
    schemas: { Error: errorSchema, ErrorReason: reasonSchema, ...schemasOf(routes) },
  },
})
