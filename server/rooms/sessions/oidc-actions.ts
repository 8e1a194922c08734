import { timingSafeEqual } from 'node:crypto'
import type { Configuration } from 'openid-client'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, change, record } from '#rooms/systemlog/index.ts'
import { findUserByEmail } from '#rooms/users/index.ts'
import { beginSession, countBeginning, giveCookie, refuseSignIn } from './begin.ts'
import { cookieIn, cookieText } from './cookie.ts'
import { oidcMsMax, pathWithin } from './decide.ts'
import { openid, providers, sealClientSecret } from './oidc-provider.ts'
import { findPerson, type Person } from './person.ts'
import { hashOf, newSecret } from './secret.ts'
import { insertChallenge, takeChallenge } from './store-challenges.ts'
import { deleteOidc, putOidc } from './store-oidc.ts'

export type OidcWanted = { issuer: string; clientId: string; clientSecret: string | null }

/** Lets the people of a tenant sign in with this provider, in place of any before. */
export async function setOidc(tx: Tx, world: World, cause: Cause, wanted: OidcWanted): Promise<void> {
  const { issuer, clientId, clientSecret } = wanted
  const sealed = clientSecret === null ? null : sealClientSecret(world, cause.tenant.id, wanted, clientSecret)
  const row = { issuer, clientId, sealedClientSecret: sealed, updatedAt: world.now() }
  await putOidc(tx, cause.tenant.id, row)
  const message = `Set the OpenID Connect provider to ${issuer}`
  await record(tx, world, cause, change(cause, 'update', message, [touched(cause, { issuer, clientId })]))
}

/** Whether there was one. */
export async function removeOidc(tx: Tx, world: World, cause: Cause): Promise<boolean> {
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

/** What the answer of the provider is checked with: sealed, since the answer could be forged with it. */
type Flow = { nonce: string; verifier: string; browserSha256: string; redirectUri: string; returnTo: string }
const purpose = 'oidc flow'

/** Why someone who came back from the provider is not signed in; the sign-in page has words for each. */
type Code =
  | 'OIDC_NOT_SET_UP'
  | 'OIDC_EXPIRED'
  | 'OIDC_REFUSED'
  | 'OIDC_UNREACHABLE'
  | 'EMAIL_UNVERIFIED'
  | 'USER_UNKNOWN'

async function refuse(call: Call, code: Code, reason: string, user: Person | null = null): Promise<Refusal> {
  const refusal = await refuseSignIn(call, 'oidc', user, reason)
  const isOwn = refusal.reason === 'SIGN_IN_REFUSED'
  return isOwn ? new Refusal(refusal.reason, `Signing in failed: ${reason}.`, { metadata: { code } }) : refusal
}

async function getProvider(call: Call): Promise<Configuration> {
  const found = await call
    .memory(providers)
    .find(call.tenant.id)
    .catch(async (error: unknown) => {
      throw await unreachable(call, error)
    })
  if (!found) throw await refuse(call, 'OIDC_NOT_SET_UP', 'no OpenID Connect provider is set up')
  return found
}

// Without its cause, which may hold what the provider answered.
async function unreachable(call: Call, error: unknown): Promise<Refusal> {
  const { name, code, message } = error as Error & { code?: string }
  call.log.warn({ requestId: call.requestId, error: { name, code, message } }, 'the OpenID Connect provider failed')
  return refuse(call, 'OIDC_UNREACHABLE', 'the OpenID Connect provider did not answer as it should')
}

/** Where the browser is to go: to the provider, with a code challenge (RFC 7636), a state and a nonce. */
export async function startOidc(call: Call, returnTo: string): Promise<string> {
  countBeginning(call)
  const provider = await getProvider(call)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } = await openid()
  const state = newSecret()
  const browser = newSecret()
  const flow: Flow = {
    nonce: newSecret(),
    verifier: randomPKCECodeVerifier(),
    browserSha256: hashOf(browser).toString('hex'),
    redirectUri: `${call.origin}/auth/v1/oidc/callback`,
    returnTo: pathWithin(returnTo),
  }
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: flow.redirectUri,
    scope: 'openid email',
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    state,
    nonce: flow.nonce,
  })
  const challengeSha256 = hashOf(state)
  const context = challengeSha256.toString('hex')
  await insertChallenge(call.db, call.tenant.id, {
    challengeSha256,
    kind: 'oidc',
    userId: '',
    sealed: call.seals.seal(purpose, String(call.tenant.id), Buffer.from(JSON.stringify(flow)), context),
    expiresAt: new Date(call.now().getTime() + oidcMsMax),
  })
  call.sendHeader('set-cookie', flowCookie(call, browser))
  return url.href
}

// Lax: the browser comes back from the provider's site, and must bring it along.
const flowCookie = ({ origin }: Call, value: string): string =>
  cookieText({ name: 'bailiwick-oidc', value, maxAgeSeconds: oidcMsMax / 1000, sameSite: 'Lax' }, origin)

export type OidcAnswer = { readonly [parameter: string]: string }

/** The browser comes back from the provider: signs its person in, and says where it is to go. */
export async function finishOidc(call: Call, answer: OidcAnswer): Promise<string> {
  call.sendHeader('set-cookie', flowCookie(call, ''))
  const flow = await takeFlow(call, answer['state'] ?? '')
  if (!flow) throw await refuse(call, 'OIDC_EXPIRED', 'it took too long, or was begun in another browser')
  const email = await verifiedEmail(call, flow, answer)
  const outcome = await transact(call.db, async (tx) => {
    const match = await findUserByEmail(tx, call.tenant.id, email)
    const user = match && (await findPerson(tx, call.tenant.id, match.id, call.now()))
    return user?.isEnabled ? beginSession(tx, call, user, 'oidc') : { user }
  })
  if ('user' in outcome)
    throw await refuse(call, 'USER_UNKNOWN', 'no enabled user has the email address of the provider', outcome.user)
  giveCookie(call, outcome)
  return flow.returnTo
}

/** The flow that this very browser began, once. */
async function takeFlow(call: Call, state: string): Promise<Flow | null> {
  const challengeSha256 = hashOf(state)
  const asked = await takeChallenge(call.db, call.tenant.id, 'oidc', challengeSha256, call.now())
  if (!asked?.sealed) return null
  const plain = call.seals.open(purpose, String(call.tenant.id), asked.sealed, challengeSha256.toString('hex'))
  if (!plain) return null
  const flow = JSON.parse(plain.toString()) as Flow
  const browser = cookieIn(call.headers['cookie'] as string | undefined, 'bailiwick-oidc', call.origin) ?? ''
  return timingSafeEqual(hashOf(browser), Buffer.from(flow.browserSha256, 'hex')) ? flow : null
}

/** The email address that the provider vouches for. */
async function verifiedEmail(call: Call, flow: Flow, answer: OidcAnswer): Promise<string> {
  const provider = await getProvider(call)
  const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo } = await openid()
  const came = new URL(flow.redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== '') came.searchParams.set(name, value)
  const claims = await authorizationCodeGrant(provider, came, {
    pkceCodeVerifier: flow.verifier,
    expectedState: answer['state'] ?? '',
    expectedNonce: flow.nonce,
    idTokenExpected: true,
  })
    .then(async (tokens) => {
      const told = tokens.claims()
      // Core section 5.4: with a code, the email's claims may come from the UserInfo endpoint only.
      if (!told || told['email'] !== undefined) return told
      return fetchUserInfo(provider, tokens.access_token, told.sub)
    })
    .catch(async (error: unknown) => {
      throw error instanceof AuthorizationResponseError
        ? await refuse(call, 'OIDC_REFUSED', 'the OpenID Connect provider refused it')
        : await unreachable(call, error)
    })
  const email = claims?.['email']
  if (typeof email !== 'string' || !isStorable(email) || claims?.['email_verified'] !== true)
    throw await refuse(call, 'EMAIL_UNVERIFIED', 'the OpenID Connect provider vouches for no email address')
  return email
}

// PostgreSQL's text holds neither U+0000 nor half of a surrogate pair; no address is longer than this.
const isStorable = (email: string): boolean => email.length <= 320 && !email.includes('\0') && email.isWellFormed()
