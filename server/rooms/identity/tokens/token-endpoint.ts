import { timingSafeEqual } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import { networkOf } from '#kernel/networks.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call, Tenancy } from '#kernel/routes.ts'
import { looseBudget, sharedBudget } from '#kernel/shared-budget.ts'
import { type Attempt, authentication, grouped, issuedEvents } from '#rooms/foundation/systemlog/index.ts'
import { type Found, type Identity, identities, lastUsed, secretHash } from '#rooms/identity/credentials/index.ts'
import { issueToken } from './access-token.ts'
import { refuseScope, scopeFor, scopeReply } from './asked-for.ts'
import { checkClaims, contentId, verifySignature } from './assertion.ts'
import { assertionUses } from './assertion-uses.ts'
import { refusalOf } from './authenticate.ts'
import { connectorDenied, findConnectorClient, isConnectorClient, mayConnectFrom } from './connector-clients.ts'
import { noteConnectorUse } from './connector-store.ts'
import { deviceGrant } from './devices/decide.ts'
import { grantDeviceToken } from './devices/redeem.ts'
import { checkProof, proofRequired } from './dpop/check.ts'
import { proofAtTokenEndpoint } from './dpop/token-endpoint.ts'

/** How a client identifies itself, and proves it: in the body, RFC 6749 section 2.3.1 and RFC 7523 section 2.2. */
export type ClientForm = {
  readonly client_id: string
  readonly client_secret: string
  readonly client_assertion_type: string
  readonly client_assertion: string
}
export type TokenForm = ClientForm & {
  readonly grant_type: string
  readonly device_code: string
  readonly scope: string
}
/** Token exchange, RFC 8693, for programs that have a token of another issuer and no secret of this server: exchange.ts. */
export const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export type TokenReply = { access_token: string; token_type: 'Bearer' | 'DPoP'; expires_in: number; scope?: string }

/** The token endpoint, RFC 6749 section 4.4: each step passes, or refuses with a separate reason. */
export async function grantToken(call: Call, form: TokenForm): Promise<TokenReply> {
  refuseCredentialsInHeader(call)
  if (form.grant_type === deviceGrant) return grantDeviceToken(call, form)
  requireGrantType(form)
  if (isConnectorClient(form.client_id)) return grantConnectorToken(call, form)
  const { identity, method } = await authenticateClient(call, form)
  const scope = form.scope === '' ? null : await scopeFor(call, form.scope, identity)
  const hasProof = call.headers['dpop'] !== undefined
  const jkt = hasProof || identity.requireDpop ? await keyToBind(call, identity) : null
  countIssued(call, identity)
  const { token, tokenId, expiresAt, lifetimeSeconds } = await issueToken(call, call.tenant, identity, { jkt, scope })
  const event = issuedEvent(call, method, identity)({ requestId: call.requestId, tokenId, expiresAt })
  // The token is not sent before its event is on disk.
  const [signed] = await Promise.all([token, call.memory(grouped).record(call.tenant.id, event)])
  call.memory(lastUsed).note(call.tenant.id, identity.credentialId)
  return {
    access_token: signed,
    token_type: jkt === null ? 'Bearer' : 'DPoP',
    expires_in: lifetimeSeconds,
    ...scopeReply(scope, identity.limits.roleIds),
  }
}

/** The thumbprint of the key that a token is to be bound to: the client's choice, unless the credential requires one. */
function keyToBind(call: Call, { credentialId }: Identity): Promise<string> {
  const dpop = proofAtTokenEndpoint(call)
  if (dpop.proof === undefined) throw proofRequired()
  return checkProof(call, dpop, { holderId: credentialId, accessToken: null, jkt: null })
}

/** The same for a connector: its token is valid only for the service for connectors. */
async function grantConnectorToken(call: Call, form: TokenForm): Promise<TokenReply> {
  if (call.headers['dpop'] !== undefined) throw badRequest('Access tokens of connectors cannot be bound by DPoP.')
  refuseScope(form.scope, 'is not for connectors: their tokens are for the service for connectors only')
  const method = chooseMethod(form)
  const { client, lock } = await findConnectorClient(call, call.tenant.id, form.client_id)
  const found = { identity: client, lock }
  const proof = method === 'client_secret' ? proveBySecret(found, form) : await proveByAssertion(call, found, form)
  if (proof !== null || !client) return refuse(call, form, method, null, proof ?? wrong)
  if (!(await mayConnectFrom(call, call.tenant.id, call.sourceAddress)))
    return refuse(call, form, method, null, connectorDenied)
  countIssued(call, client)
  const user = { id: client.connectorId, name: client.displayName, email: '' }
  const { token, tokenId, expiresAt, lifetimeSeconds } = await issueToken(call, call.tenant, { ...client, user })
  const { tenant, sourceAddress, requestId } = call
  const event = issuedEvents({ tenant, sourceAddress, clientId: client.clientId, method, user })({
    requestId,
    tokenId,
    expiresAt,
  })
  const [signed] = await Promise.all([token, call.memory(grouped).record(tenant.id, event)])
  await noteConnectorUse(call.db, tenant.id, client.credentialId, call.now())
  return { access_token: signed, token_type: 'Bearer', expires_in: lifetimeSeconds }
}

/** The client of a form, proven and accepted from its address; otherwise the refusal is recorded. */
export async function authenticateClient(
  call: Call,
  form: ClientForm,
): Promise<{ identity: Identity; method: Method }> {
  refuseCredentialsInHeader(call)
  requireClientId(form)
  const method = chooseMethod(form)
  const found = await call.memory(identities).findWithLock(call.tenant.id, form.client_id)
  const { identity } = found
  const proof = method === 'client_secret' ? proveBySecret(found, form) : await proveByAssertion(call, found, form)
  if (proof !== null) return refuse(call, form, method, identity, proof)
  const problem = refusalOf(identity, call.sourceAddress, call.now())
  if (!identity || problem) return refuse(call, form, method, identity, problem?.message ?? wrong)
  return { identity, method }
}

export const badRequest = (message: string): Refusal => new Refusal('REQUEST_MALFORMED', message)

const inBody = 'The client id and its secret or assertion must be sent in the body, not in the Authorization header.'

/** No challenge: that would request the very header that is refused. */
export function refuseCredentialsInHeader({ headers }: Call): void {
  if (headers['authorization'] !== undefined) throw badRequest(inBody)
}

function requireGrantType({ grant_type }: TokenForm): void {
  if (grant_type === '') throw badRequest('grant_type is missing.')
  if (grant_type !== 'client_credentials')
    throw new Refusal(
      'GRANT_TYPE_UNSUPPORTED',
      `grant_type must be client_credentials, ${deviceGrant} or ${exchangeGrant}.`,
    )
}

function requireClientId({ client_id }: ClientForm): void {
  if (client_id === '') throw badRequest('client_id is missing.')
}

export type Method = 'client_secret' | 'client_assertion' | 'token_exchange'
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

function chooseMethod({
  client_secret,
  client_assertion,
  client_assertion_type,
}: ClientForm): 'client_secret' | 'client_assertion' {
  if (client_secret !== '' && client_assertion !== '')
    throw badRequest('Send client_secret or client_assertion, not both.')
  if (client_secret !== '') return 'client_secret'
  if (client_assertion === '') throw badRequest('client_secret or client_assertion is missing.')
  if (client_assertion_type !== jwtBearer) throw badRequest(`client_assertion_type must be ${jwtBearer}.`)
  return 'client_assertion'
}

// The same message for an unknown client and for a wrong proof, after the same work: neither reveals which clients
// exist.
const wrong = 'The client is unknown, or its secret or assertion is wrong.'

type Provable = { identity: { clientId: string; credentialId: string } | null; lock: Found['lock'] }

/** Null if the secret is right, else the message in the response. */
function proveBySecret({ identity, lock }: Provable, { client_secret }: ClientForm): string | null {
  const isRight = timingSafeEqual(secretHash(client_secret), lock.secretSha256)
  return identity && isRight ? null : wrong
}

/** Null if the assertion is right, else the message in the response. */
async function proveByAssertion(call: Call, { identity, lock }: Provable, form: ClientForm): Promise<string | null> {
  const claims = await verifySignature(form.client_assertion, lock.publicKey)
  if (!identity || !claims) return wrong
  // A caller that gets this far has the key, so the response may say what is wrong.
  const checked = checkClaims(claims, identity.clientId, call.tenant.domain, call.now())
  if (typeof checked === 'string') return `The client assertion is not accepted: ${checked}.`
  const { jti, expiresAt } = checked
  const { credentialId } = identity
  const use = { credentialId, jti: jti ?? contentId(form.client_assertion), expiresAt }
  const isFirstUse = await call.memory(assertionUses).useOnce(call.tenant.id, use)
  return isFirstUse ? null : `The client assertion is not accepted: ${jti === null ? 'it' : 'its jti'} was used before.`
}

const tokensPerMinuteDefault = 600
/** Each token is an event on the disk, and lasts ten minutes: clients that request too many are rate-limited too. */
const issuedToCredential = slot((world) => {
  const perMinute = world.settings.tokensPerMinute ?? tokensPerMinuteDefault
  return looseBudget(world, 'tokens of a credential', { burst: perMinute * 10, perSecond: perMinute / 60 })
})

export function countIssued(call: Call, { credentialId }: Pick<Identity, 'credentialId'>): void {
  const issued = call.memory(issuedToCredential)
  const key = `${call.tenant.id} ${credentialId}`
  if (issued.take(key) === null)
    throw new Refusal(
      'TOO_MANY_FAILURES',
      'Too many access tokens were issued to this client; use one until it expires.',
      {
        retryAfterSeconds: issued.waitSeconds(key),
      },
    )
}

/**
 * Failures are limited by client id and by address, over all servers. Only failures: a right secret is accepted however
 * many wrong ones others have sent, so nobody can lock out the real client.
 */
const failuresOfClient = slot((world) => sharedBudget(world, 'token failures of a client', { burst: 50, perSecond: 1 }))
const failuresFromAddress = slot((world) =>
  sharedBudget(world, 'token failures from an address', { burst: 200, perSecond: 10 }),
)
/** From all addresses together: a large number of them cannot fill the disk with events either. */
const failuresInTenant = slot((world) =>
  sharedBudget(world, 'token failures in a tenant', { burst: 5_000, perSecond: 100 }),
)

export async function refuse(
  call: Call,
  form: ClientForm,
  method: Method,
  identity: Identity | null,
  because: string | { reason: string; answer: Refusal },
): Promise<never> {
  const { reason, answer } =
    typeof because === 'string' ? { reason: because, answer: new Refusal('CLIENT_REFUSED', because) } : because
  const clientKey = `${call.tenant.id} ${form.client_id}`
  const network = networkOf(call.sourceAddress)
  const ofClient = call.memory(failuresOfClient)
  const fromAddress = call.memory(failuresFromAddress)
  const [takenOfClient, takenFromAddress] = await Promise.all([ofClient.take(clientKey), fromAddress.take(network)])
  const slowed = [
    [ofClient, clientKey, takenOfClient],
    [fromAddress, network, takenFromAddress],
  ] as const
  const over = slowed.filter(([, , taken]) => taken === null)
  const ofTenant = call.memory(failuresInTenant)
  if (over.length === 0 && (await ofTenant.take(String(call.tenant.id))) === null)
    throw new Refusal('TOO_MANY_FAILURES', 'Too many failures; try again later.', { retryAfterSeconds: 1 })
  if (over.length > 0) {
    const retryAfterSeconds = Math.max(...over.map(([of, key]) => of.waitSeconds(key)))
    throw new Refusal('TOO_MANY_FAILURES', 'Too many failures; try again later.', { retryAfterSeconds })
  }
  const unrecorded = Math.max(...slowed.map(([, , taken]) => taken ?? 0))
  await call
    .memory(grouped)
    .record(call.tenant.id, authentication(attempt(call, method, identity, { reason, unrecorded })))
  throw answer
}

type IssuedEvents = ReturnType<typeof issuedEvents>
// As an identity is read again twice a second, and the tenant too, what the events say of them is never older than
// that.
const issuedTo = new WeakMap<Identity, { tenant: Tenancy; events: Map<string, IssuedEvents> }>()
const addressesMax = 100

/**
 * The events of a client's tokens, prepared for the client and the address: each takes 0.8 µs, and 11 to 15 if built
 * from scratch.
 */
function issuedEvent({ tenant, sourceAddress }: Call, method: Method, identity: Identity): IssuedEvents {
  let known = issuedTo.get(identity)
  if (known?.tenant !== tenant || known.events.size > addressesMax) {
    known = { tenant, events: new Map() }
    issuedTo.set(identity, known)
  }
  const key = `${method} ${sourceAddress}`
  let events = known.events.get(key)
  if (!events) {
    events = issuedEvents({ tenant, sourceAddress, clientId: identity.clientId, method, user: identity.user })
    known.events.set(key, events)
  }
  return events
}

const attempt = (
  { tenant, requestId, sourceAddress }: Call,
  method: Method,
  identity: Identity | null,
  outcome: Attempt['outcome'],
): Attempt => ({
  tenant,
  requestId,
  sourceAddress,
  // What a stranger types into a form may be a secret in the wrong field: it is not recorded.
  clientId: identity?.clientId ?? 'unknown',
  method,
  user: identity?.user ?? null,
  outcome,
})
