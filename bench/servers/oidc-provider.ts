import { generateKeyPairSync } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

// A peer: oidc-provider with client credentials, JWT access tokens signed with Ed25519, and its in-memory adapter. It writes
// nothing to a disk, and keeps no record of the tokens it issued (a JWT access token is not stored, the `jti` of an assertion is
// kept in memory). The comparison includes the full cost of our durable event.
const { clientId, clientSecret, jwk } = JSON.parse(process.argv[2] as string) as {
  clientId: string
  clientSecret: string
  jwk: { kty: string; crv: string; x: string }
}
const audience = 'urn:bailiwick:bench'
const { privateKey } = generateKeyPairSync('ed25519')
const client = {
  client_id: clientId,
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
  id_token_signed_response_alg: 'EdDSA',
}
const provider = new Provider('http://localhost', {
  clients: [
    { ...client, client_secret: clientSecret, token_endpoint_auth_method: 'client_secret_post' },
    {
      ...client,
      client_id: `${clientId}-jwt`,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'EdDSA',
      jwks: { keys: [{ ...jwk, alg: 'EdDSA', use: 'sig' }] },
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig', kid: 'one' }] },
  enabledJWA: { clientAuthSigningAlgValues: ['EdDSA'] },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: '',
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 600,
        jwt: { sign: { alg: 'EdDSA' } },
      }),
    },
  },
})
const server = provider.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
server.keepAliveTimeout = 72_000
