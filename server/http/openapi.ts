import { refusals } from '#kernel/refusals.ts'
import { anyone, authenticated, type Refusals, type Route, signedIn } from '#kernel/routes.ts'
import { version } from '#kernel/version.ts'
import type { Fields, JsonSchema, Message } from '#kernel/wire.ts'
import { honoursKeys } from './guards/idempotency.ts'
import { refusalResponses, refusalsOf } from './openapi-refusals.ts'
import { tagTexts } from './openapi-tags.ts'

const json = (schema: JsonSchema): object => ({ content: { 'application/json': { schema } } })
const file = ({ download, jsonFile }: Route): object => ({
  content: Object.fromEntries(
    (download ?? []).map((type) => [
      type,
      { schema: type === 'application/json' && jsonFile ? present(jsonFile.schema) : { type: 'string' } },
    ]),
  ),
})
/** A schema without null. */
const present = ({ type, oneOf, ...rest }: JsonSchema): JsonSchema => ({
  ...(type ? { type: [type].flat()[0] } : {}),
  ...(Array.isArray(oneOf) ? (oneOf[0] as JsonSchema) : {}),
  ...rest,
})

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

/** Every reason, and the HTTP status of its response. */
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

/** `app_entitlement_id`: the id of the app entitlement. */
const nounOf = (name: string): string =>
  name === 'id'
    ? 'The id.'
    : name.endsWith('_id')
      ? `The id of the ${name.slice(0, -'_id'.length).replaceAll('_', ' ')}.`
      : `The ${name.replaceAll('_', ' ')}.`

const parametersOf = (route: Route): object[] => [
  ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    description: nounOf(name as string),
    required: true,
    schema: { type: 'string', minLength: 1 },
  })),
  ...Object.entries(route.query.fields).map(([name, shape]) => {
    const { description, ...schema } = { ...shape.schema, ...shape.limits }
    return {
      name: snake(name),
      in: 'query',
      ...(description ? { description } : {}),
      ...(shape.isRequired && { required: true }),
      schema,
    }
  }),
  ...(honoursKeys(route) ? [idempotencyKey] : []),
]

const form = 'application/x-www-form-urlencoded'
/** The content types that a route takes, and what each contains. */
function contentOf({ body, form: isForm, stream }: Route): [type: string, schema: JsonSchema][] {
  if (stream) return stream.map((type) => [type, { type: 'string' }])
  return body ? [[isForm ? form : 'application/json', body.name ? body.reference : body.sentSchema]] : []
}

const requestBodyOf = (route: Route): object => {
  const content = contentOf(route).map(([type, schema]) => [type, { schema }] as const)
  // An absent body is an empty message.
  const required = route.stream !== null || Object.values(route.body?.fields ?? {}).some(({ isRequired }) => isRequired)
  return content.length === 0
    ? {}
    : { requestBody: { ...(required && { required }), content: Object.fromEntries(content) } }
}

const neededBy = ({ allow, ownPages }: Route): string => {
  if (allow === anyone) return ownPages ? "For the console's own pages." : 'No access token is needed.'
  if (allow === signedIn) return 'Requires a session of the console.'
  return allow === authenticated ? 'Requires an access token.' : `Requires the permission \`${allow}\`.`
}

const descriptionOf = (route: Route): string =>
  [
    route.summary,
    neededBy(route),
    ...(route.about.length > 0 && route.allow !== authenticated
      ? ['Owners may call it too, if their roles permit that to owners.']
      : []),
    ...(route.needsFresh ? ['In the console, this requires a recent sign-in.'] : []),
    ...(route.secretIn ? [`The secret in \`${route.secretIn}\` is only in this response.`] : []),
  ].join(' ')

const tagOf = ({ id }: Route): string => id.split('.').slice(0, -1).join('.')

const operation = (route: Route): object => ({
  operationId: route.id,
  tags: [tagOf(route)],
  summary: route.summary,
  description: descriptionOf(route),
  ...(route.allow === anyone ? { security: [] } : {}),
  ...(route.allow === signedIn ? { security: [{ session: [] }] } : {}),
  parameters: parametersOf(route),
  ...requestBodyOf(route),
  responses: {
    ...(route.redirect
      ? {
          303: {
            description: 'Go there.',
            headers: { location: { description: 'Where to go.', schema: { type: 'string' } } },
          },
        }
      : { 200: { description: 'Done.', ...(route.download ? file(route) : json(route.reply.reference)) } }),
    ...(route.refusals && ownRefusals(route.refusals)),
    ...refusalsOf(route),
  },
})

const ownRefusals = ({ statuses, reply }: Refusals): object =>
  Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => [status, { description, ...json(reply.reference) }]),
  )

function schemasOf(routes: readonly Route[]): Record<string, JsonSchema> {
  const all = new Map<string, Message<Fields>>()
  const add = (of: Message<Fields> | null, schemaOf: (each: Message<Fields>) => JsonSchema): void => {
    for (const each of of ? [of, ...of.messages] : []) {
      if (each.name === '') continue
      const known = all.get(each.name)
      if (known === each) continue
      if (known && JSON.stringify(schemaOf(known)) !== JSON.stringify(schemaOf(each)))
        throw new Error(`two messages are called ${each.name}`)
      all.set(each.name, each)
    }
  }
  for (const route of routes) {
    const hasMessage = !route.download && !route.redirect
    for (const each of [hasMessage ? route.reply : null, route.refusals?.reply ?? null])
      add(each, ({ schema }) => schema)
    for (const each of route.jsonFile?.messages ?? []) add(each, ({ schema }) => schema)
  }
  const replied = new Set(all.keys())
  const schemaOf = (each: Message<Fields>): JsonSchema => (replied.has(each.name) ? each.schema : each.sentSchema)
  for (const { body } of routes) add(body, schemaOf)
  return Object.fromEntries(
    [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((each) => [each.name, schemaOf(each)]),
  )
}

/** The OpenAPI 3.1 document of the route table. */
export const apiDocument = (routes: readonly Route[]): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Bailiwick',
    version,
    description: 'Access governance: who has access to what in which app, why, since when, and by which rule.',
    contact: { name: 'The administrators of this server' },
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
  tags: [...new Set(routes.map(tagOf))].map((name) => ({ name, description: tagTexts[name] ?? name })),
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
    responses: refusalResponses(),
    schemas: { Error: errorSchema, ErrorReason: reasonSchema, ...schemasOf(routes) },
  },
})
