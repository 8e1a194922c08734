import { createHash } from 'node:crypto'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { signingKeys } from '#rooms/foundation/tenants/index.ts'
import { signer } from '#rooms/identity/tokens/index.ts'

/** A request to sign. Absent fields are not sent as headers. */
export type SignedRequest = {
  method: string
  url: string
  body: string
  version?: string
  /** The id of the webhook, not of the delivery. */
  webhookId?: string
  event?: string
  callbackUrl?: string
}

const lifetimeSeconds = 120
/** Receivers whose clock is behind ours accept it too. */
const skewSeconds = 60

const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')

/**
 * The headers of a delivery, as published: a JWT that is valid for this method, address and body only, signed with the key
 * of the tenant, which receivers find at /auth/v1/jwks. Its type is not that of an access token, so it cannot be used to
 * sign in.
 */
export async function signDelivery(
  { memory, now, newId }: Pick<World, 'memory' | 'now' | 'newId'>,
  tenant: Pick<Tenancy, 'id' | 'domain'>,
  { method, url, body, version, webhookId, event, callbackUrl }: SignedRequest,
): Promise<Record<string, string>> {
  const [key] = await memory(signingKeys).list(tenant.id)
  if (!key) throw new Error(`the tenant ${tenant.domain} has no signing key`)
  const { host, origin, pathname } = new URL(url)
  const digest = createHash('sha256').update(body).digest('base64')
  const seconds = Math.floor(now().getTime() / 1000)
  const claims = {
    iss: tenant.domain,
    aud: host,
    c1typ: 'wh',
    htm: method,
    // Without the query, which may contain a secret of the receiver.
    htu: `${origin}${pathname}`,
    htb_s256: digest,
    jti: newId(),
    iat: seconds,
    nbf: seconds - skewSeconds,
    exp: seconds + lifetimeSeconds,
  }
  const signed = `${encode({ alg: 'EdDSA', typ: 'JWT', kid: key.id })}.${encode(claims)}`
  const signature = await memory(signer).sign(key.privateKey, signed)
  return {
    Authorization: `bearer ${signed}.${signature.toString('base64url')}`,
    'Content-Digest': `sha-256=${digest}`,
    ...(version !== undefined && { 'Webhook-Version': version }),
    ...(webhookId !== undefined && { 'Webhook-Id': webhookId }),
    ...(event !== undefined && { 'Webhook-Event': event }),
    ...(callbackUrl !== undefined && { 'Webhook-Callback-Url': callbackUrl }),
  }
}
