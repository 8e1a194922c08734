import { afterAll, beforeAll, expect } from 'vitest'
import { type Asking, askToken, type Json, newAddress, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServerOptions } from '../fixture/server.ts'
import { base, call, caller, good, post, principal, scene } from '../principals/scene.ts'
import { type Issuer, startIssuer } from './issuer.ts'

export const providers = '/api/v1/workload_federation/providers'
export const trustsOf = (principalId: string): string => `${base}/${principalId}/trusts`
export const trustPath = ({ principalId, clientId }: TrustMade, more = ''): string =>
  `${trustsOf(principalId)}/${encodeURIComponent(clientId)}${more}`

export type TrustMade = { principalId: string; clientId: string; providerId: string }

export const stage = { issuer: null as unknown as Issuer }

/** The server and administrator of the tests of service principals, and an issuer that it may call. */
export function prepareFederation(options: TestServerOptions = {}): void {
  beforeAll(async () => {
    stage.issuer = await startIssuer()
    scene.server = await startServer({
      ...options,
      flags: { 'trusted-proxy': ['127.0.0.1'], 'outgoing-allow': ['127.0.0.1'], 'outgoing-http': true },
    })
    scene.access = await openAccess(scene.server)
    scene.admin = await caller(['system:owner'])
  })
  afterAll(async () => {
    await scene.access?.close()
    await scene.server?.stop()
    await stage.issuer?.stop()
  })
}

export async function makeProvider(body: Json = {}): Promise<string> {
  const made = good(await post(scene.admin, providers, { displayName: 'CI', issuerUrl: stage.issuer.url, ...body }))
  return (made['provider'] as { id: string }).id
}

export const isMain = 'claims.repository_id == "4711" && claims.sub.endsWith(":ref:refs/heads/main")'

/** A trust of a new principal with a role, in a new provider. */
export async function makeTrust(body: Json = {}, roles: Parameters<typeof principal> = ['system:viewer']) {
  const principalId = (body['principalId'] as string | undefined) ?? (await principal(...roles))
  const providerId = (body['providerId'] as string | undefined) ?? (await makeProvider())
  const made = good(
    await post(scene.admin, trustsOf(principalId), {
      displayName: 'Deploys',
      conditionExpression: isMain,
      ...body,
      providerId,
    }),
  )
  return { principalId, providerId, clientId: (made['trust'] as { clientId: string }).clientId }
}

const exchangeForm = (clientId: string, token: string): Record<string, string> => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  client_id: clientId,
  subject_token: token,
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
})

export const exchange = (
  { clientId }: Pick<TrustMade, 'clientId'>,
  token: string,
  { form = {}, ...asking }: Asking & { form?: Record<string, string> } = {},
): Promise<Reply> =>
  // From an address of its own: failures of one test do not slow another.
  askToken(scene.server, { ...exchangeForm(clientId, token), ...form }, { from: newAddress(), ...asking })

export async function tokenBy(trust: TrustMade, token = stage.issuer.token()): Promise<{ token: string }> {
  const reply = await exchange(trust, token)
  expect(reply.status, reply.text).toBe(200)
  return { token: reply.json['access_token'] as string }
}

/** All that strangers are told. */
export const refused = {
  error: 'invalid_request',
  error_description: 'The client is unknown, or the subject token is not accepted.',
}

/** The newest attempt at a trust. */
export async function lastAttempt(trust: TrustMade): Promise<Json> {
  const { list } = good(await call(scene.admin, trustPath(trust, '/attempts'))) as { list: Json[] }
  return list[0] ?? {}
}

/** The reason that the system log has for the newest refusal of a trust's client, or of anybody. */
export async function loggedReason(clientId: string): Promise<string> {
  const [row] = await scene.server.db<{ detail: string }[]>`
    select event::json ->> 'status_detail' as detail from systemlog_events
    where event::json ->> 'status_code' = 'CLIENT_REFUSED' and event::json -> 'actor' ->> 'app_uid' = ${clientId}
    order by event_id desc limit 1`
  return row?.detail ?? ''
}
