import { anyone, authenticated, type ErrorForm, route } from '#kernel/routes.ts'
import { described, int32, list, listOf, message, text } from '#kernel/wire.ts'
import { signingKeys } from '#rooms/tenants/index.ts'
import { grantToken } from './token-endpoint.ts'

/**
 * RFC 6749 section 5.2. Without a WWW-Authenticate header, which that section asks for only where the client came by
 * the Authorization header: libraries that find one look no further, and never tell their users the error.
 */
const oauthErrors: ErrorForm = (refusal) => ({
  status: refusal.status,
  headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
  body: { error: oauthCode(refusal.reason, refusal.status), error_description: refusal.message },
})

const oauthCode = (reason: string, status: number): string => {
  if (reason === 'CLIENT_REFUSED') return 'invalid_client'
  if (reason === 'GRANT_TYPE_UNSUPPORTED') return 'unsupported_grant_type'
  if (status === 500) return 'server_error'
  return status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request'
}

const Jwk = message('auth.v1.Jwk', {
  kty: text(),
  crv: text(),
  x: text(),
  kid: text(),
  alg: text(),
  use: text(),
})

export const tokenRoutes = [
  route({
    id: 'auth.v1.Token.Issue',
    at: 'POST /auth/v1/token',
    summary: 'Get an access token with OAuth 2.0 client credentials: a client secret, or a signed client assertion.',
    allow: anyone,
    form: true,
    errors: oauthErrors,
    body: message('auth.v1.TokenRequest', {
      grant_type: described(text(), 'client_credentials'),
      // Who fails is remembered by this, so it must not be large; ours have at most 284 characters.
      client_id: text({ maxLength: 512 }),
      client_secret: text(),
      client_assertion_type: text(),
      client_assertion: text(),
    }),
    reply: message('auth.v1.TokenResponse', {
      access_token: text(),
      token_type: text(),
      expires_in: described(int32(), 'Seconds until the access token expires.'),
    }),
    handle: (call, { body }) => grantToken(call, body),
  }),
  route({
    id: 'auth.v1.Keys.List',
    at: 'GET /auth/v1/jwks',
    summary: "The public keys that check this tenant's access tokens (RFC 7517).",
    allow: anyone,
    reply: message('auth.v1.JwkSet', { keys: listOf(Jwk) }),
    async handle(call) {
      const keys = await call.memory(signingKeys).list(call.tenant.id)
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
  route({
    id: 'auth.v1.Auth.Introspect',
    at: 'GET /api/v1/auth/introspect',
    summary: 'Who the access token or the session speaks for, and what it may do.',
    allow: authenticated,
    reply: message('auth.v1.IntrospectResponse', {
      userId: text(),
      tenantId: text(),
      principleId: described(text(), 'The client id of the API credential; in the console, the id of the session.'),
      roles: list(text()),
      permissions: list(text()),
      features: list(text()),
    }),
    handle: ({ actor, tenant }) => ({
      userId: actor.userId,
      tenantId: tenant.publicId,
      principleId: actor.clientId || actor.sessionId,
      roles: actor.roleIds,
      permissions: [...actor.permissions].toSorted(),
      features: [],
    }),
  }),
]
