import { route } from '#authority/route.ts'
import type { Reason } from '#kernel/refusals.ts'
import type { ErrorForm, Route } from '#kernel/routes.ts'
import {
  described,
  empty,
  flag,
  int32,
  leftOut,
  list,
  listOf,
  message,
  nested,
  type Shape,
  text,
} from '#kernel/wire.ts'
import { signingKeys } from '#rooms/foundation/tenants/index.ts'
import { findRoles, heldServiceRoles } from '#rooms/identity/roles/index.ts'
import { refuseOtherTargets, targetFields } from './asked-for.ts'
import { deviceGrant } from './devices/decide.ts'
import { deviceAuthorizationRoute, deviceRoutes } from './devices/routes.ts'
import { proofAlgorithms } from './dpop/check.ts'
import { tokenPath } from './dpop/token-endpoint.ts'
import { type Exchange, grantByExchange } from './exchange.ts'
import { introspectToken } from './introspection.ts'
import { revokeToken } from './revocation.ts'
import { exchangeGrant, grantToken } from './token-endpoint.ts'

/**
 * RFC 6749 section 5.2. Without a WWW-Authenticate header, which that section requires only if the client used the
 * Authorization header: libraries that find one stop there, and never show the error to their users.
 */
const oauthErrors: ErrorForm = (refusal) => {
  const { 'dpop-nonce': nonce, 'www-authenticate': asked } = refusal.detail.headers ?? {}
  const isOfClient = asked !== undefined && refusal.reason === 'CLIENT_REFUSED'
  return {
    // RFC 9449 sections 5 and 8: at the token endpoint a wrong proof is a bad request.
    status: refusal.reason.startsWith('DPOP_') ? 400 : refusal.status,
    headers: {
      'cache-control': 'no-store',
      pragma: 'no-cache',
      ...(nonce && { 'dpop-nonce': nonce }),
      ...(isOfClient && { 'www-authenticate': asked }),
    },
    body: { error: oauthCode(refusal.reason, refusal.status), error_description: refusal.message },
  }
}

/** RFC 6749 section 5.2, RFC 8628 section 3.5, RFC 8707 section 2, RFC 8693 section 2.2.2, RFC 9449 section 12.2. */
const oauthCodes: Readonly<Partial<Record<Reason, string>>> = {
  CLIENT_REFUSED: 'invalid_client',
  GRANT_TYPE_UNSUPPORTED: 'unsupported_grant_type',
  TOKEN_OF_ANOTHER_CLIENT: 'invalid_grant',
  SCOPE_INVALID: 'invalid_scope',
  TARGET_INVALID: 'invalid_target',
  // For every problem with the subject token.
  SUBJECT_TOKEN_REFUSED: 'invalid_request',
  DEVICE_CODE_INVALID: 'invalid_grant',
  DEVICE_CODE_EXPIRED: 'expired_token',
  DEVICE_PENDING: 'authorization_pending',
  DEVICE_POLLED_TOO_SOON: 'slow_down',
  DEVICE_DENIED: 'access_denied',
  DPOP_PROOF_INVALID: 'invalid_dpop_proof',
  DPOP_NONCE_REQUIRED: 'use_dpop_nonce',
}

const oauthCode = (reason: Reason, status: number): string => {
  const known = oauthCodes[reason]
  if (known) return known
  if (status === 500) return 'server_error'
  return status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
}

const OauthError = message(
  'auth.v1.OauthError',
  {
    error: described(
      text(),
      'invalid_request, invalid_client, invalid_grant, invalid_scope, invalid_target, unsupported_grant_type, authorization_pending, slow_down, access_denied, expired_token, invalid_dpop_proof, use_dpop_nonce, temporarily_unavailable or server_error',
    ),
    error_description: text(),
  },
  'Why there is no token: RFC 6749 section 5.2.',
)
const oauthRefusals = {
  reply: OauthError,
  statuses: {
    400: 'The request is malformed, its code is not approved, its subject token is not accepted, or its DPoP proof is not accepted: invalid_request, unsupported_grant_type, invalid_grant, invalid_scope, invalid_target, authorization_pending, slow_down, access_denied, expired_token, invalid_dpop_proof, use_dpop_nonce.',
    401: 'The client is unknown, wrong, expired, deleted or not allowed from this address: invalid_client.',
    404: 'No tenant is served at this host: invalid_request.',
    408: 'The body did not arrive in time: invalid_request.',
    413: 'The body is too large: invalid_request.',
    415: 'The body is not a form: invalid_request.',
    429: 'Too many failures: temporarily_unavailable, with a Retry-After header.',
    500: 'An error of the server: server_error.',
    503: 'The database, or the keys of an issuer, are unavailable: temporarily_unavailable, with a Retry-After header.',
  },
}

const clientFields = {
  // Failures are remembered under this id, so it must not be large; ours have at most 284 characters.
  client_id: text({ maxLength: 512 }),
  client_secret: text(),
  client_assertion_type: text(),
  client_assertion: text(),
}

const Jwk = message('auth.v1.Jwk', {
  kty: text(),
  crv: text(),
  x: text(),
  kid: text(),
  alg: text(),
  use: text(),
})

/** RFC 8414 section 2: the supported part of its members. */
const ServerMetadata = message('auth.v1.ServerMetadata', {
  issuer: described(text(), 'The URL of the tenant, without a path.'),
  token_endpoint: text(),
  jwks_uri: text(),
  revocation_endpoint: text(),
  introspection_endpoint: text(),
  device_authorization_endpoint: text(),
  grant_types_supported: list(text()),
  response_types_supported: described(list(text()), 'None: there is no authorization endpoint.'),
  token_endpoint_auth_methods_supported: list(text()),
  token_endpoint_auth_signing_alg_values_supported: list(text()),
  revocation_endpoint_auth_methods_supported: list(text()),
  revocation_endpoint_auth_signing_alg_values_supported: list(text()),
  introspection_endpoint_auth_methods_supported: list(text()),
  introspection_endpoint_auth_signing_alg_values_supported: list(text()),
  dpop_signing_alg_values_supported: list(text()),
  service_documentation: text(),
})

const TokenResponse = message('auth.v1.TokenResponse', {
  access_token: text(),
  issued_token_type: leftOut(
    described(text(), 'Only after a token exchange: urn:ietf:params:oauth:token-type:access_token.'),
  ),
  token_type: text(),
  expires_in: described(int32(), 'Seconds until the access token expires.'),
  scope: leftOut(
    described(
      text(),
      'The ids of the roles that the token is limited to, separated by spaces; absent if it is not limited.',
    ),
  ),
})

/** As in a JWT: a number of seconds. */
const unixTime = (): Shape<number> => ({ ...int32(), schema: { type: 'integer', format: 'int64' } })

const TokenIntrospection = message('auth.v1.TokenIntrospection', {
  active: described(flag(), 'Whether the token is valid now. If not, nothing else is returned.'),
  scope: leftOut(described(text(), 'The ids of the roles of the token, separated by spaces.')),
  client_id: leftOut(text()),
  username: leftOut(described(text(), 'The email address of the user.')),
  token_type: leftOut(text()),
  exp: leftOut(unixTime()),
  iat: leftOut(unixTime()),
  nbf: leftOut(unixTime()),
  sub: leftOut(described(text(), 'The id of the user, or of the connector.')),
  aud: leftOut(text()),
  iss: leftOut(text()),
  jti: leftOut(text()),
  cnf: leftOut(
    described(
      nested(message('auth.v1.TokenConfirmation', { jkt: text() })),
      'The key that the token is bound to (RFC 9449); absent if it is not.',
    ),
  ),
})

/** How long services may use the keys before they read them again. */
const keysSeconds = 300

const authMethods = ['client_secret_post', 'private_key_jwt']
const signingAlgorithms = ['EdDSA']

const issueRoute = (exchange: Exchange) =>
  route({
    id: 'auth.v1.Token.Issue',
    at: `POST ${tokenPath}`,
    summary:
      'Get an access token: with OAuth 2.0 client credentials (a client secret, or a signed client assertion), with a device code that was approved, or in exchange for a token of an issuer that a service principal trusts (RFC 8693). With a DPoP header (RFC 9449) it is bound to the key of the proof.',
    rule: 'token.use',
    outsideShares: true,
    form: true,
    errors: oauthErrors,
    refusals: oauthRefusals,
    body: message('auth.v1.TokenRequest', {
      grant_type: described(text(), `client_credentials, ${deviceGrant} or ${exchangeGrant}`),
      device_code: described(text({ maxLength: 200 }), 'Of the device authorization endpoint.'),
      ...clientFields,
      subject_token: described(text(), 'Token exchange: the JWT of the other issuer.'),
      subject_token_type: described(text(), 'urn:ietf:params:oauth:token-type:jwt or …:id_token'),
      requested_token_type: described(text(), 'urn:ietf:params:oauth:token-type:access_token, or absent.'),
      actor_token: described(text(), 'Not supported: refused.'),
      scope: described(
        text({ maxLength: 2000 }),
        'Ids of roles to limit the token to, separated by spaces. They must not permit more than the client may do. Omit it for all permissions of the client.',
      ),
      ...targetFields,
    }),
    reply: TokenResponse,
    async handle(call, { body }) {
      refuseOtherTargets(call, body)
      return body.grant_type === exchangeGrant ? grantByExchange(call, body, exchange) : grantToken(call, body)
    },
  })

/** Operations of clients on a token that was issued. */
const issuedTokenRoutes: readonly Route[] = [
  route({
    id: 'auth.v1.Token.Revoke',
    at: 'POST /auth/v1/revoke',
    summary:
      'Revoke an access token of the calling client (RFC 7009). A device, which has no secret, sends the client_id of its authorization. The response for an unknown token is the same as for a revoked one.',
    rule: 'token.use',
    form: true,
    errors: oauthErrors,
    refusals: oauthRefusals,
    body: message('auth.v1.RevokeRequest', {
      token: described(text(), 'The access token.'),
      token_type_hint: described(text(), 'Ignored: there are only access tokens.'),
      ...clientFields,
    }),
    reply: empty,
    async handle(call, { body }) {
      await revokeToken(call, body)
      return {}
    },
  }),
  route({
    id: 'auth.v1.Token.Introspect',
    at: 'POST /auth/v1/introspect',
    summary:
      'Find out whether an access token of this tenant is valid now, and for whom (RFC 7662). For services that accept its tokens; any client may ask.',
    rule: 'token.use',
    form: true,
    errors: oauthErrors,
    refusals: oauthRefusals,
    body: message('auth.v1.TokenIntrospectRequest', {
      token: described(text(), 'The access token.'),
      token_type_hint: described(text(), 'Ignored: there are only access tokens.'),
      ...clientFields,
    }),
    reply: TokenIntrospection,
    handle: (call, { body }) => introspectToken(call, body),
  }),
]

/** What anyone may read about the token endpoint. */
const publishedRoutes: readonly Route[] = [
  route({
    id: 'auth.v1.ServerMetadata.Get',
    at: 'GET /.well-known/oauth-authorization-server',
    summary: 'Get the metadata of the token endpoint (RFC 8414), for automatic configuration of clients.',
    rule: 'token.use',
    reply: ServerMetadata,
    handle({ origin }) {
      return {
        issuer: origin,
        token_endpoint: `${origin}/auth/v1/token`,
        jwks_uri: `${origin}/auth/v1/jwks`,
        revocation_endpoint: `${origin}/auth/v1/revoke`,
        introspection_endpoint: `${origin}/auth/v1/introspect`,
        device_authorization_endpoint: `${origin}/auth/v1/device_authorization`,
        grant_types_supported: ['client_credentials', deviceGrant, exchangeGrant],
        response_types_supported: [],
        // `none` is for device codes.
        token_endpoint_auth_methods_supported: [...authMethods, 'none'],
        token_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
        // `none` is for the tokens of devices.
        revocation_endpoint_auth_methods_supported: [...authMethods, 'none'],
        revocation_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
        introspection_endpoint_auth_methods_supported: authMethods,
        introspection_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
        dpop_signing_alg_values_supported: proofAlgorithms,
        service_documentation: `${origin}/docs`,
      }
    },
  }),
  route({
    id: 'auth.v1.Keys.List',
    at: 'GET /auth/v1/jwks',
    summary: "Get the public keys that verify this tenant's access tokens (RFC 7517).",
    rule: 'token.use',
    reply: message('auth.v1.JwkSet', { keys: listOf(Jwk) }),
    async handle(call) {
      const keys = await call.memory(signingKeys).list(call.tenant.id)
      // A service that finds an unknown key id reads the keys again.
      call.sendHeader('cache-control', `public, max-age=${keysSeconds}`)
      return {
        keys: keys.map(({ id, publicKey }) => ({
          ...(publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string }),
          kid: id,
          alg: 'EdDSA',
          use: 'sig',
        })),
      }
    },
  }),
]

const callerRoute = route({
  id: 'auth.v1.Auth.Introspect',
  at: 'GET /api/v1/auth/introspect',
  summary: 'Get the user of the access token or the session, and its permissions.',
  rule: 'self.introspect',
  reply: message('auth.v1.IntrospectResponse', {
    userId: text(),
    tenantId: text(),
    principleId: described(text(), 'The client id of the API credential; in the console, the id of the session.'),
    roles: described(list(text()), 'The ids of the roles, and the service roles of the built-in ones.'),
    permissions: list(text()),
    features: list(text()),
  }),
  async handle({ actor, tenant, db }) {
    const roles = await findRoles(db, tenant.id, actor.roleIds)
    return {
      userId: actor.userId,
      tenantId: tenant.publicId,
      principleId: actor.clientId || actor.sessionId,
      roles: [...actor.roleIds, ...heldServiceRoles(roles, actor.permissions)],
      permissions: [...actor.permissions].toSorted(),
      features: [],
    }
  },
})

export const tokenRoutes = (exchange: Exchange): readonly Route[] => [
  issueRoute(exchange),
  ...issuedTokenRoutes,
  deviceAuthorizationRoute(oauthErrors, oauthRefusals),
  ...publishedRoutes,
  callerRoute,
  ...deviceRoutes,
]
