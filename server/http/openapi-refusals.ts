import { invalid, notSupported, Refusal } from '#kernel/refusals.ts'
import { anyone, type Route, signedIn } from '#kernel/routes.ts'
import { databaseAway, errorBody, forbidden, freshSignInRequired, sessionRequired } from './errors.ts'
import { honoursKeys } from './guards/idempotency.ts'

/** The refusals that the API document names: which operations have them, what they mean, and how some of them look. */
type Answer = {
  readonly name: string
  readonly description: string
  readonly isOf: (route: Route) => boolean
  readonly examples: readonly Refusal[]
}

const id = '2zzzzzzzzzzzzzzzzzzzzzzzzzz'
const mayHaveBody = ({ method }: Route): boolean => method !== 'GET'
const mayChange = ({ method, onlyReads, download }: Route): boolean => method !== 'GET' && !onlyReads && !download

const answers: { readonly [status: string]: Answer } = {
  400: {
    name: 'BadRequest',
    description: 'The request is not valid, or not possible in the current state. `fieldViolations` names the fields.',
    isOf: () => true,
    examples: [
      invalid({ field: 'displayName', description: 'must not be empty' }),
      invalid(notSupported('filter')),
      new Refusal('BODY_MALFORMED', 'The body must be a JSON object.'),
    ],
  },
  401: {
    name: 'Unauthorized',
    description: 'There is no access token or session, or it is not valid any more.',
    isOf: ({ allow, admits }) => allow !== anyone || admits !== null,
    examples: [
      new Refusal('TOKEN_MISSING', 'This needs an access token: send "Authorization: Bearer <ACCESS_TOKEN>".'),
      new Refusal('TOKEN_EXPIRED', 'The access token has expired; get a new one.'),
    ],
  },
  403: {
    name: 'Forbidden',
    description: 'The caller may not do this.',
    isOf: ({ allow, ownPages }) => allow !== signedIn && (allow !== anyone || ownPages),
    examples: [
      forbidden('apps.write'),
      new Refusal('SOURCE_ADDRESS_DENIED', 'The API credential may not be used from this address.'),
      freshSignInRequired(),
    ],
  },
  '403 of the console': {
    name: 'SessionRequired',
    description: 'This requires a session of the console, for some operations a recent one.',
    isOf: ({ allow }) => allow === signedIn,
    examples: [sessionRequired(), freshSignInRequired()],
  },
  404: {
    name: 'NotFound',
    description: 'There is no such object, or the caller may not know of it; or no tenant is served at this host.',
    isOf: () => true,
    examples: [
      new Refusal('APP_NOT_FOUND', `There is no app ${id}.`, { metadata: { appId: id } }),
      new Refusal('TENANT_NOT_FOUND', 'No tenant is served at this host.'),
    ],
  },
  408: {
    name: 'RequestTimeout',
    description: 'The request, or its body, did not arrive in time.',
    isOf: () => true,
    examples: [new Refusal('REQUEST_TIMEOUT', 'The request took too long to arrive.')],
  },
  409: {
    name: 'Conflict',
    description: 'The object exists already, is being changed by another request, or the change waits for approval.',
    isOf: mayChange,
    examples: [
      new Refusal('RUN_UNDER_WAY', `The run ${id} of this rule is running or held; wait for it, or cancel it.`, {
        metadata: { runId: id },
      }),
      new Refusal(
        'CHANGE_NEEDS_APPROVAL',
        'This change needs approval and has not been applied. It is waiting in task 12 and will be applied when that task is approved.',
        { metadata: { taskId: id, numericId: '12' } },
      ),
    ],
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The body is too large.',
    isOf: mayHaveBody,
    examples: [new Refusal('BODY_TOO_LARGE', 'The body is larger than 1 MiB.')],
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body has another content type.',
    isOf: mayHaveBody,
    examples: [new Refusal('CONTENT_TYPE_UNSUPPORTED', 'The body must be sent as application/json.')],
  },
  422: {
    name: 'KeyReused',
    description: 'The Idempotency-Key was used for a different request.',
    isOf: honoursKeys,
    examples: [
      new Refusal('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used for a different request; use a new key.'),
    ],
  },
  429: {
    name: 'TooManyRequests',
    description: 'The caller has sent too many requests. Retry-After says when to try again.',
    isOf: () => true,
    examples: [
      new Refusal('TOO_MANY_REQUESTS', 'Too many requests of this caller are being served; try again shortly.'),
    ],
  },
  431: {
    name: 'HeadersTooLarge',
    description: 'The headers, or the URL, are too large.',
    isOf: () => true,
    examples: [new Refusal('HEADERS_TOO_LARGE', 'The headers are too large.')],
  },
  default: {
    name: 'ServerError',
    description: 'The server cannot answer now. With 503, nothing was changed, and Retry-After says when to try again.',
    isOf: () => true,
    examples: [databaseAway()],
  },
}

const headersOf = (name: string): object => {
  if (name === 'Unauthorized')
    return { 'WWW-Authenticate': { description: 'The challenge of RFC 6750.', schema: { type: 'string' } } }
  if (name !== 'TooManyRequests' && name !== 'ServerError') return {}
  return { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 1 } } }
}

/** For `components.responses`. */
export const refusalResponses = (): Record<string, object> =>
  Object.fromEntries(
    Object.values(answers).map(({ name, description, examples }) => [
      name,
      {
        description,
        headers: headersOf(name),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: Object.fromEntries(examples.map((each) => [each.reason, { value: errorBody(each) }])),
          },
        },
      },
    ]),
  )

// What is refused before a route is found has this form everywhere.
const beforeRoutes: readonly string[] = ['HeadersTooLarge']

/** The refusals of an operation, by status; if it has its own form for them, those that do not use it. */
export const refusalsOf = (route: Route): Record<string, object> =>
  Object.fromEntries(
    Object.entries(answers)
      .filter(([, { name, isOf }]) => (route.refusals ? beforeRoutes.includes(name) : isOf(route)))
      .map(([status, { name }]) => [status.split(' ')[0] as string, { $ref: `#/components/responses/${name}` }]),
  )
