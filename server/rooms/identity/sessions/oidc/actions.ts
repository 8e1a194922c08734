import type { Call } from '#kernel/routes.ts'
import { type Tx, transact } from '#kernel/sql.ts'
import { type Begun, beginSession, countBeginning, giveCookie } from '../begin.ts'
import { findPolicy } from '../current-policy.ts'
import { isSince, pathWithin } from '../decide.ts'
import { presentedBy } from '../end.ts'
import { findAuthentic } from '../find.ts'
import { identified } from '../identified.ts'
import { type AtProvider, anotherUser, findLinked, findToLink, linkIdentity } from '../linked-identities/actions.ts'
import { findPerson, type Person } from '../person.ts'
import { chooseForStranger, chooseForUser } from '../providers/choose.ts'
import { openid } from '../providers/client.ts'
import { covers } from '../providers/decide.ts'
import { findProvider } from '../providers/find.ts'
import type { ProviderRow } from '../providers/store.ts'
import { newSecret } from '../secret.ts'
import { askProvider, configure, type OidcAnswer } from './ask.ts'
import { type Flow, keepFlow, takeFlow } from './flow.ts'
import { type Refused, refuse, unreachable } from './refused.ts'
import { keepTest } from './testing.ts'

type Going = { returnTo: string; linkUserId?: string; confirmUserId?: string; testUserId?: string; email?: string }

/** Where the browser is sent for a sign-in: to the provider for the domain of an address, or to the only one. */
export async function startOidc(
  call: Call,
  { returnTo, email, userId }: { returnTo: string; email: string; userId: string },
): Promise<string> {
  await refuseUnlessAllowed(call)
  const row = userId === '' ? await chooseForStranger(call, call.db, call, email) : await chooseForCaller(call, userId)
  if (row) return sendTo(call, row, { returnTo, confirmUserId: userId, email })
  const reason =
    email === '' ? 'no OpenID Connect provider is configured for it' : 'no provider is configured for this mail domain'
  throw await refuse(call, { code: 'OIDC_NOT_SET_UP', reason, user: null })
}

/** Where a signed-in user is sent to link their identity there. */
export async function startLinking(call: Call, returnTo: string): Promise<string> {
  await refuseUnlessAllowed(call)
  const row = await chooseForUser(call, call.db, call, call.actor)
  if (row) return sendTo(call, row, { returnTo, linkUserId: call.actor.userId })
  const reason = 'no OpenID Connect provider is configured for your mail domain'
  throw await refuse(call, { code: 'OIDC_NOT_SET_UP', reason, user: null })
}

async function refuseUnlessAllowed(call: Call): Promise<void> {
  countBeginning(call)
  const { methods } = await findPolicy(call, call.db, call)
  if (methods.includes('oidc')) return
  const reason = 'the sign-in policy does not allow the OpenID Connect provider'
  throw await refuse(call, { code: 'OIDC_NOT_SET_UP', reason, user: null })
}

/** Of someone who confirms their identity: only in a browser in which they are signed in, since it shows where they are linked. */
async function chooseForCaller(call: Call, userId: string): Promise<ProviderRow | null> {
  const presented = presentedBy(call)
  const session = presented && (await findAuthentic(call, call.db, call, presented.sessionId))
  const user = session?.userId === userId ? await findPerson(call.db, call.tenant.id, userId, call.now()) : null
  return user
    ? chooseForUser(call, call.db, call, { userId, email: user.email })
    : chooseForStranger(call, call.db, call, '')
}

/** To the provider, with a code challenge (RFC 7636), a state and a nonce. */
export async function sendTo(
  call: Call,
  row: ProviderRow,
  { returnTo, linkUserId = '', confirmUserId = '', testUserId = '', email = '' }: Going,
): Promise<string> {
  const configuration = await configure(call, row)
  if ('code' in configuration) throw await refuse(call, configuration)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomPKCECodeVerifier } = await openid()
  const flow = {
    providerId: row.id,
    providerAt: row.updatedAt.toISOString(),
    nonce: newSecret(),
    verifier: randomPKCECodeVerifier(),
    redirectUri: `${call.origin}/auth/v1/oidc/callback`,
    returnTo: pathWithin(returnTo),
    sessionId: presentedBy(call)?.sessionId ?? '',
    linkUserId,
    confirmUserId,
    testUserId,
    startedAt: call.now().getTime(),
  }
  const wanted = {
    redirect_uri: flow.redirectUri,
    scope: 'openid email',
    code_challenge: await calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    state: await keepFlow(call, flow),
    nonce: flow.nonce,
    ...(email !== '' && { login_hint: email }),
    ...(confirmUserId !== '' && again(row.issuer)),
  }
  // The browser goes wherever the provider's metadata names: the library throws if that is not a web address.
  const url = attempt(() => buildAuthorizationUrl(configuration, wanted))
  if (url instanceof URL && (url.protocol === 'https:' || url.protocol === new URL(row.issuer).protocol))
    return url.href
  throw await refuse(call, unreachable(call, url instanceof URL ? new Error('an unsafe authorization endpoint') : url))
}

function attempt(build: () => URL): unknown {
  try {
    return build()
  } catch (error) {
    return error
  }
}

// Core section 3.1.2.1: to authenticate again, even if they are signed in at the provider. `auth_time` is then in the ID token.
// Google documents no prompt `login`.
const again = (issuer: string): Record<string, string> => ({
  max_age: '0',
  prompt: issuer === 'https://accounts.google.com' ? 'select_account' : 'login',
})

const expired = 'it took too long, or was started in another browser'

/** The browser returns from the provider: signs the person in, and returns where to go next. */
export async function finishOidc(call: Call, answer: OidcAnswer): Promise<string> {
  const flow = await takeFlow(call, answer['state'] ?? '')
  if (!flow) throw await refuse(call, { code: 'OIDC_EXPIRED', reason: expired, user: null })
  const row = await findProvider(call, call.db, call, flow.providerId)
  if (row?.updatedAt.toISOString() !== flow.providerAt)
    throw await refuse(call, { code: 'OIDC_EXPIRED', reason: 'the provider was changed in the meantime', user: null })
  const isTest = flow.testUserId !== ''
  if (!isTest && !row.isEnabled)
    throw await refuse(call, { code: 'OIDC_NOT_SET_UP', reason: 'the provider is disabled', user: null })
  const person = await askProvider(call, row, flow, answer)
  if (isTest) {
    const found =
      'code' in person ? person : await transact(call.db, (tx) => findSigningIn(tx, call, row, flow, person))
    await keepTest(call, row, flow, person, found)
    return flow.returnTo
  }
  if ('code' in person) throw await refuse(call, person)
  const outcome = await transact(call.db, (tx) => signInAs(tx, call, row, flow, person))
  if ('code' in outcome) throw await refuse(call, outcome)
  giveCookie(call, outcome)
  return flow.returnTo
}

/** Who would be signed in, and whether they are linked already. Changes nothing that counts. */
export type SigningIn = { user: Person; isLinked: boolean }

/**
 * The user who is linked with the identified person: by issuer and subject, which the provider never reassigns
 * (Core section 2). For someone who is not linked yet, the one with the email address that the provider has verified.
 */
async function findSigningIn(
  tx: Tx,
  call: Call,
  row: ProviderRow,
  flow: Flow,
  person: AtProvider,
): Promise<SigningIn | Refused> {
  const known = await findLinked(tx, call, person)
  if (known && flow.linkUserId !== '' && known.userId !== flow.linkUserId)
    return { code: 'IDENTITY_TAKEN', reason: 'the identity at the provider is linked with another user', user: null }
  if (known && flow.confirmUserId !== '' && known.userId !== flow.confirmUserId)
    return { code: 'ANOTHER_USER', reason: anotherUser, user: known.user }
  if (!known) {
    const found = await findToLink(tx, call, person, { ...flow, isCovered: covers(row, person.email), ...row })
    return 'code' in found ? found : { user: found, isLinked: false }
  }
  if (!known.user?.isEnabled)
    return { code: 'USER_UNKNOWN', reason: 'the user who is linked with the identity is disabled', user: known.user }
  return { user: known.user, isLinked: true }
}

async function signInAs(
  tx: Tx,
  call: Call,
  row: ProviderRow,
  flow: Flow,
  person: AtProvider,
): Promise<Begun | Refused> {
  if (isTooOld(flow, person))
    return { code: 'OIDC_NOT_RECENT', reason: 'the provider did not ask the person to sign in again', user: null }
  const found = await findSigningIn(tx, call, row, flow, person)
  if ('code' in found) return found
  const notLinked = found.isLinked ? null : await linkIdentity(tx, call, person, found.user)
  if (notLinked) return notLinked
  const begun = await beginSession(tx, call, identified(found.user, 'oidc'), {
    idBefore: flow.sessionId,
    authenticatedAt: person.authenticatedAt ?? call.now(),
  })
  return 'reason' in begun ? { code: 'ADDRESS_DENIED', reason: begun.reason, user: begun.user } : begun
}

/** Whether someone was to confirm their identity, and the provider did not ask them to sign in again. */
const isTooOld = (flow: Flow, { authenticatedAt }: AtProvider): boolean =>
  flow.confirmUserId !== '' && authenticatedAt !== null && !isSince(authenticatedAt, new Date(flow.startedAt))
