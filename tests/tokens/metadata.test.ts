import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Access,
  ask,
  askToken,
  assertionOf,
  byAssertion,
  bySecret,
  type Json,
  openAccess,
} from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'

let server: TestServer
let access: Access
beforeAll(async () => {
  server = await startServer({ flags: { 'trusted-proxy': ['127.0.0.1'] } })
  access = await openAccess(server)
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

const path = '/.well-known/oauth-authorization-server'

test('a client that knows only the address finds out how to get a token, and gets one in each way that is named', async () => {
  const { status, headers, json } = await ask(server, path)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json')
  const metadata = json as Json & { token_endpoint: string; jwks_uri: string; issuer: string }
  // RFC 8414 section 3.3: exactly the address into which the well-known path was put.
  expect(metadata.issuer).toBe(server.url.replace('127.0.0.1', 'localhost'))
  expect(metadata).toMatchObject({
    grant_types_supported: [
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'none'],
    token_endpoint_auth_signing_alg_values_supported: ['EdDSA'],
  })
  const pathOf = (url: string): string => new URL(url).pathname
  const key = await access.makeCaller(['system:viewer'])
  for (const form of [bySecret(key), byAssertion(key, assertionOf(key))]) {
    const reply = await askToken(server, form, { path: pathOf(metadata.token_endpoint) })
    expect(reply.status, reply.text).toBe(200)
    const token = reply.json['access_token'] as string
    const revoked = await askToken(
      server,
      { ...bySecret(key), token },
      { path: pathOf(metadata['revocation_endpoint'] as string) },
    )
    expect(revoked.status, revoked.text).toBe(200)
    expect((await ask(server, '/api/v1/auth/introspect', { token })).status).toBe(401)
  }
  expect((await ask(server, pathOf(metadata.jwks_uri))).json['keys']).toHaveLength(1)
  expect((await ask(server, pathOf(metadata['service_documentation'] as string))).status).toBeLessThan(400)
  const other = await askToken(server, { ...bySecret(key), grant_type: 'password' })
  expect(other.json['error']).toBe('unsupported_grant_type')
})

test('each tenant has its own, https behind a proxy that says so, and an unknown host has none', async () => {
  const tenant = await access.makeTenant('metadata.example')
  const headers = { 'x-forwarded-proto': 'https' }
  const { json } = await ask(server, path, { host: tenant.domain, headers })
  expect(json).toMatchObject({
    issuer: 'https://metadata.example',
    token_endpoint: 'https://metadata.example/auth/v1/token',
    jwks_uri: 'https://metadata.example/auth/v1/jwks',
  })
  expect((await ask(server, path, { host: 'nobody.example' })).status).toBe(404)
})
