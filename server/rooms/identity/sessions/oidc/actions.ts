import { timingSafeEqual } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { type Begun, beginSession, countBeginning, giveCookie, refuseSignIn } from '../begin.ts'
import { takeChallenge } from '../challenges/challenges.ts'
import { insertChallenge } from '../challenges/store.ts'
import { cookieIn, cookieText } from '../cookie.ts'
import { findPolicy } from '../current-policy.ts'
import { oidcMsMax, pathWithin } from '../decide.ts'
import { presentedBy } from '../end.ts'
import { identified } from '../identified.ts'
import { type AtProvider, findLinked, linkIdentity } from '../linked-identities/actions.ts'
import type { Person } from '../person.ts'
import { hashOf, newSecret } from '../secret.ts'
import { findOidc, openid, providers, sealClientSecret } from './provider.ts'
import { deleteOidc, type OidcRow, putOidc } from './store.ts'

export type OidcWanted = { issuer: string; clientId: string; clientSecret: string | null }

/** Lets the people of a tenant sign in with this provider, which replaces any previous one. */
export async function setOidc(tx: Tx, world: World, cause: CauseBy<'operator'>, wanted: OidcWanted): Promise<void> {
  const { issuer, clientId, clientSecret } = wanted
  const sealed = clientSecret === null ? null : sealClientSecret(world, cause.tenant.id, wanted, clientSecret)
  const row = { issuer, clientId, sealedClientSecret: sealed, updatedAt: world.now() }
  await putOidc(tx, world.seals, cause.tenant.id, row)
  const message = `Set the OpenID Connect provider to ${issuer}`
  await record(tx, world, cause, change(cause, 'update', message, [touched(cause, { issuer, clientId })]))
}

/** Whether there was one. */
export async function removeOidc(tx: Tx, world: World, cause: CauseBy<'operator'>): Promise<boolean> {
  const gone = await deleteOidc(tx, cause.tenant.id)
  if (!gone) return false
  const message = `Removed the OpenID Connect provider ${gone.issuer}`
  await record(tx, world, cause, change(cause, 'delete', message, [touched(cause, gone)]))
  return true
}

const touched = ({ tenant }: Cause, data: { issuer: string; clientId: string }) => ({
  type: 'oidc provider',
  id: tenant.publicId,
  name: data.issuer,
  data: { issuer: data.issuer, clientId: data.clientId },
})

/** What is needed to check the provider's response: sealed, since a response could be forged with it. */
type Flow = {
  nonce: string
  verifier: string
  browserSha256: string
  redirectUri: string
  returnTo: string
  issuer: string
  /** The session that the browser had; empty if it had none. */
  sessionId: string
  /** The user to link with the person who signs in at the provider; empty for a normal sign-in. */
  linkUserId: string
}
const purpose = 'oidc flow'

/** Why someone who returned from the provider is not signed in; the sign-in page has a message for each. */
type Code =
  | 'OIDC_NOT_SET_UP'
  | 'OIDC_EXPIRED'
  | 'OIDC_REFUSED'
  | 'OIDC_UNREACHABLE'
  | 'EMAIL_UNVERIFIED'
  | 'USER_UNKNOWN'
  | 'EMAIL_LINKED'
  | 'LINK_NEEDED'
  | 'IDENTITY_TAKEN'
  | 'ADDRESS_DENIED'

async function refuse(call: Call, code: Code, reason: string, user: Person | null = null): Promise<Refusal> {
  const refusal = await refuseSignIn(call, 'oidc', user, reason)
  const isOwn = refusal.reason === 'SIGN_IN_REFUSED'
  return isOwn ? new Refusal(refusal.reason, `Signing in failed: ${reason}.`, { metadata: { code } }) : refusal
}

type Known = { row: OidcRow; configuration: Configuration }

async function getProvider(call: Call): Promise<Known> {
  const { methods } = await findPolicy(call, call.db, call)
  if (!methods.includes('oidc'))
    throw await refuse(call, 'OIDC_NOT_SET_UP', 'the sign-in policy does not allow the OpenID Connect provider')
  const row = await findOidc(call, call.db, call)
  if (!row) throw await refuse(call, 'OIDC_NOT_SET_UP', 'no OpenID Connect provider is configured')
  try {
    return { row, configuration: await call.memory(providers).of(call.tenant.id, row) }
  } catch (error) {
    throw await unreachable(call, error)
  }
}

// Without its cause, which may contain the provider's response.
async function unreachable(call: Call, error: unknown): Promise<Refusal> {
  const { name, code, message } = error as Error & { code?: string }
  call.log.warn({ requestId: call.requestId, error: { name, code, message } }, 'the OpenID Connect provider failed')
  return refuse(call, 'OIDC_UNREACHABLE', 'the OpenID Connect provider did not respond as expected')
}

/** Where the browser is sent: to the provider, with a code challenge (RFC 7636), a state and a nonce. */
export async function startOidc(call: Call, returnTo: string, linkUserId = ''): Promise<string> {
  countBeginning(call)
  const { row, configuration } = await getProvider(call)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } = await openid()
  const state = newSecret()
  const browser = newSecret()
  const flow: Flow = {
    nonce: newSecret(),
    verifier: randomPKCECodeVerifier(),
    browserSha256: hashOf(browser).toString('hex'),
    redirectUri: `${call.origin}/auth/v1/oidc/callback`,
    returnTo: pathWithin(returnTo),
    issuer: row.issuer,
    sessionId: presentedBy(call)?.sessionId ?? '',
    linkUserId,
  }
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: flow.redirectUri,
    scope: 'openid email',
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    state,
    nonce: flow.nonce,
  })
  const challengeSha256 = hashOf(state)
  const context = challengeSha256.toString('hex')
  await insertChallenge(call.db, call.seals, call.tenant.id, {
    challengeSha256,
    kind: 'oidc',
    userId: '',
    sealed: call.seals.seal(purpose, String(call.tenant.id), Buffer.from(JSON.stringify(flow)), context),
    expiresAt: new Date(call.now().getTime() + oidcMsMax),
  })
  call.sendHeader('set-cookie', flowCookie(call, browser))
  return url.href
}

// Lax: the browser returns from the provider's site, and must send the cookie.
const flowCookie = ({ origin }: Call, value: string): string =>
  cookieText({ name: 'bailiwick-oidc', value, maxAgeSeconds: oidcMsMax / 1000, sameSite: 'Lax' }, origin)

export type OidcAnswer = { readonly [parameter: string]: string }

type Refused = { code: Code; reason: string; user: Person | null }

/** The browser returns from the provider: signs the person in, and returns where to go next. */
export async function finishOidc(call: Call, answer: OidcAnswer): Promise<string> {
  call.sendHeader('set-cookie', flowCookie(call, ''))
  const flow = await takeFlow(call, answer['state'] ?? '')
  if (!flow) throw await refuse(call, 'OIDC_EXPIRED', 'it took too long, or was started in another browser')
  const person = await askProvider(call, flow, answer)
  const outcome = await transact(call.db, (tx) => signInAs(tx, call, flow, person))
  if ('code' in outcome) throw await refuse(call, outcome.code, outcome.reason, outcome.user)
  giveCookie(call, outcome)
  return flow.returnTo
}

/**
 * Signs in the user who is linked with the identified person: by issuer and subject, which the provider never reassigns
 * (Core section 2). Someone who is not linked yet is, by an email address that the provider has verified.
 */
async function signInAs(tx: Tx, call: Call, flow: Flow, person: AtProvider): Promise<Begun | Refused> {
  const known = await findLinked(tx, call, person)
  if (known && flow.linkUserId !== '' && known.userId !== flow.linkUserId)
    return { code: 'IDENTITY_TAKEN', reason: 'the identity at the provider is linked with another user', user: null }
  const linked = known ?? (await linkIdentity(tx, call, person, flow.linkUserId))
  if ('code' in linked) return linked
  if (!linked.user?.isEnabled)
    return { code: 'USER_UNKNOWN', reason: 'the user who is linked with the identity is disabled', user: linked.user }
  const begun = await beginSession(tx, call, identified(linked.user, 'oidc'), flow.sessionId)
  return 'reason' in begun ? { code: 'ADDRESS_DENIED', reason: begun.reason, user: begun.user } : begun
}

/** The flow that this browser began; it can be taken once. */
async function takeFlow(call: Call, state: string): Promise<Flow | null> {
  const challengeSha256 = hashOf(state)
  const asked = await takeChallenge(call, 'oidc', challengeSha256)
  if (!asked?.sealed) return null
  const plain = call.seals.open(purpose, String(call.tenant.id), asked.sealed, challengeSha256.toString('hex'))
  if (!plain) return null
  const flow = JSON.parse(plain.toString()) as Flow
  const browser = cookieIn(call.headers['cookie'] as string | undefined, 'bailiwick-oidc', call.origin) ?? ''
  return timingSafeEqual(hashOf(browser), Buffer.from(flow.browserSha256, 'hex')) ? flow : null
}

/** The person who signed in at the provider, and the email address that it has verified. */
async function askProvider(call: Call, flow: Flow, answer: OidcAnswer): Promise<AtProvider> {
  const { row, configuration } = await getProvider(call)
  if (row.issuer !== flow.issuer) throw await refuse(call, 'OIDC_EXPIRED', 'the provider was changed in the meantime')
  const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo } = await openid()
  const came = new URL(flow.redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== '') came.searchParams.set(name, value)
  // Checks the `iss` of the response (RFC 9207), and of the ID token the signature, iss, aud, azp, exp, iat and nonce.
  const claims = await authorizationCodeGrant(configuration, came, {
    pkceCodeVerifier: flow.verifier,
    expectedState: answer['state'] ?? '',
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  })
    .then(async (tokens) => {
      const told = tokens.claims()
      // Core section 3.1.3.7, step 5. The library checks it only if there are several audiences.
      if (told?.['azp'] !== undefined && told['azp'] !== row.clientId)
        throw new Error('the ID token was issued to another client')
      // Core section 5.4: with a code, the email's claims may come from the UserInfo endpoint only.
      if (!told || told['email'] !== undefined) return told
      return fetchUserInfo(configuration, tokens.access_token, told.sub)
    })
    .catch(async (error: unknown) => {
      throw error instanceof AuthorizationResponseError
        ? await refuse(call, 'OIDC_REFUSED', 'the OpenID Connect provider refused it')
        : await unreachable(call, error)
    })
  const subject = claims?.sub ?? ''
  if (subject === '' || !isStorable(subject))
    throw await refuse(call, 'OIDC_UNREACHABLE', 'the OpenID Connect provider did not say who it is')
  const email = claims?.['email']
  const isVouchedFor = typeof email === 'string' && isStorable(email) && claims?.['email_verified'] === true
  return { issuer: row.issuer, subject, email: isVouchedFor ? email : '' }
}

// PostgreSQL's text can contain neither U+0000 nor half of a surrogate pair; no address, and no subject, is longer than
// this.
const isStorable = (text: string): boolean => text.length <= 320 && !text.includes('\0') && text.isWellFormed()
