import { randomUUID, verify } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { type SigningKey, signingKeys } from '#rooms/foundation/tenants/index.ts'
import { signer } from './signer.ts'

// Between the clocks of servers that share a database.
const skewSeconds = 5

/** `token` resolves a little later: it is signed while other work is done. */
export type Issued = { token: Promise<string>; tokenId: string; expiresAt: Date; lifetimeSeconds: number }
/** The content of a token, once its signature and its tenant are checked. */
export type Claims = {
  tokenId: string
  clientId: string
  notBeforeMs: number
  expiresMs: number
  /** The thumbprint of the key that it is bound to (RFC 9449 section 6.1); null for a bearer token. */
  jkt: string | null
  /** The roles that were requested for it (RFC 9068 section 2.2.3); null for all that its credential has. */
  scope: readonly string[] | null
}

/** The client and the user of a token. */
type Holder = { clientId: string; user: { id: string } }

/** The optional properties of a token. */
type Terms = {
  lifetimeSeconds?: number
  jkt?: string | null
  scope?: readonly string[] | null
  claims?: { readonly c1wfc?: object }
}

const encode = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')

/** Signs an access token: a JWT in the format of RFC 9068, for this tenant and no other. */
export async function issueToken(
  world: World,
  tenant: Tenancy,
  identity: Holder,
  { lifetimeSeconds = world.settings.tokenLifetimeSeconds, jkt = null, scope = null, claims = {} }: Terms = {},
): Promise<Issued> {
  const [key] = await world.memory(signingKeys).list(tenant.id)
  if (!key) throw new Error(`the tenant ${tenant.domain} has no signing key`)
  const seconds = Math.floor(world.now().getTime() / 1000)
  const tokenId = randomUUID()
  const payload = encode({
    iss: `https://${tenant.domain}`,
    aud: tenant.domain,
    sub: identity.user.id,
    client_id: identity.clientId,
    tenant_id: tenant.publicId,
    jti: tokenId,
    iat: seconds,
    nbf: seconds,
    exp: seconds + lifetimeSeconds,
    ...(jkt !== null && { cnf: { jkt } }),
    ...(scope !== null && { scope: scope.join(' ') }),
    ...claims,
  })
  const signed = `${headerOf(key)}.${payload}`
  const signature = world.memory(signer).sign(key.privateKey, signed)
  return {
    token: signature.then((bytes) => `${signed}.${bytes.toString('base64url')}`),
    tokenId,
    expiresAt: new Date((seconds + lifetimeSeconds) * 1000),
    lifetimeSeconds,
  }
}

const headers = new WeakMap<SigningKey, string>()
function headerOf(key: SigningKey): string {
  const known = headers.get(key)
  if (known) return known
  const header = encode({ alg: 'EdDSA', typ: 'at+jwt', kid: key.id })
  headers.set(key, header)
  return header
}

const rememberedMax = 50_000

/**
 * Tokens whose signature was checked, until they expire: an Ed25519 check costs 150 microseconds, a look-up none. What
 * can change during the life of a token (credential, user, address) is not remembered here.
 */
const checked = slot(() => new Map<string, { tenantId: number; claims: Claims }>())

/** The content of a token; refuses one that is malformed, forged, from another tenant, expired or not yet valid. */
export function readToken(world: World, tenant: Tenancy, token: string): Claims | Promise<Claims> {
  const remembered = world.memory(checked).get(token)
  if (!remembered) return checkToken(world, tenant, token)
  if (remembered.tenantId !== tenant.id) throw notOurs()
  return inTime(world, remembered.claims)
}

async function checkToken(world: World, tenant: Tenancy, token: string): Promise<Claims> {
  const [header, payload, signature, ...more] = token.split('.')
  const { alg, typ, kid } = jsonIn(header)
  if (!payload || !signature || more.length > 0 || alg !== 'EdDSA' || typ !== 'at+jwt') throw notOurs()
  const key = await findKey(world, tenant, kid)
  const proof = Buffer.from(signature, 'base64url')
  // Node ignores what is not base64url, and the last character has spare bits: a token has only one valid form.
  const isWhole = proof.toString('base64url') === signature
  if (!key || !isWhole || !verify(null, Buffer.from(`${header}.${payload}`), key.publicKey, proof)) throw notOurs()
  const { jti, client_id, tenant_id, nbf, exp, cnf, scope } = jsonIn(payload)
  if (tenant_id !== tenant.publicId) throw notOurs()
  const claims = inTime(world, {
    tokenId: jti as string,
    clientId: client_id as string,
    notBeforeMs: (nbf as number) * 1000,
    expiresMs: (exp as number) * 1000,
    jkt: (cnf as { jkt: string } | undefined)?.jkt ?? null,
    scope: (scope as string | undefined)?.split(' ') ?? null,
  })
  remember(world, token, { tenantId: tenant.id, claims })
  return claims
}

async function findKey(world: World, tenant: Tenancy, id: unknown): Promise<SigningKey | undefined> {
  const keys = world.memory(signingKeys)
  const known = (await keys.list(tenant.id)).find((key) => key.id === id)
  // Another server may already have rotated the keys and signed with the new one.
  return known ?? (await keys.listNewest(tenant.id)).find((key) => key.id === id)
}

function remember(world: World, token: string, entry: { tenantId: number; claims: Claims }): void {
  const known = world.memory(checked)
  known.set(token, entry)
  if (known.size > rememberedMax) known.delete(known.keys().next().value as string)
}

/** Also run by the engine: 50,000 of them take much memory, and are useless once they have expired. */
export function forgetExpired(world: World): void {
  const known = world.memory(checked)
  const now = world.now().getTime()
  // All of them: some last for hours, and would come before those that have expired.
  for (const [each, { claims }] of known) if (claims.expiresMs <= now) known.delete(each)
}

function inTime(world: World, claims: Claims): Claims {
  const now = world.now().getTime()
  if (now >= claims.expiresMs) throw new Refusal('TOKEN_EXPIRED', 'The access token has expired; get a new one.')
  if (now < claims.notBeforeMs - skewSeconds * 1000)
    throw new Refusal('TOKEN_INVALID', 'The access token is not valid yet.')
  return claims
}

function jsonIn(part: string | undefined): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString())
    if (typeof json === 'object' && json !== null) return json as Record<string, unknown>
  } catch {
    // Not JSON: refused like any other forgery.
  }
  throw notOurs()
}

const notOurs = (): Refusal => new Refusal('TOKEN_INVALID', 'The access token does not belong to this tenant.')
