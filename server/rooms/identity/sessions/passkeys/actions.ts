import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { May } from '#authority/proof.ts'
import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { causeOf, change, isSetAside, record, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { type Begun, beginSession, countBeginning, countOwnChange, giveCookie, refuseSignIn } from '../begin.ts'
import { takeChallenge } from '../challenges/challenges.ts'
import { type ChallengeKind, insertChallenge } from '../challenges/store.ts'
import { findPolicy } from '../current-policy.ts'
import { passkeyChallengeMsMax, passkeyHost, passkeyNameProblem, passkeysMax } from '../decide.ts'
import { identified } from '../identified.ts'
import { findPerson, type Person } from '../person.ts'
import { hashOf } from '../secret.ts'
import {
  deletePasskey,
  insertPasskey,
  isAuthenticPasskey,
  listPasskeysOf,
  lockPasskey,
  lockPasskeyByCredential,
  type Passkey,
  type PasskeyKey,
  type PasskeyRow,
  updatePasskey,
} from './store.ts'

// Takes a quarter of a second to load: only for those who use passkeys.
const webauthn = () => import('@simplewebauthn/server')

// COSE's numbers of EdDSA, ES256 and RS256. The library's default tries experimental features of Node, with a warning.
const algorithms = [-8, -7, -257]

type Struct = { readonly [name: string]: unknown }

function hostOf(call: Call): string {
  const host = passkeyHost(call.origin)
  if (host === null)
    throw new Refusal(
      'PASSKEYS_UNAVAILABLE',
      `Browsers do not support passkeys at ${call.origin}: use a host name instead of an IP address, and HTTPS except for localhost.`,
    )
  return host
}

async function keepChallenge(call: Call, kind: ChallengeKind, challenge: string, userId = ''): Promise<void> {
  await insertChallenge(call.db, call.seals, call.tenant.id, {
    challengeSha256: hashOf(challenge),
    kind,
    userId,
    sealed: null,
    expiresAt: new Date(call.now().getTime() + passkeyChallengeMsMax),
  })
}

/** The challenge that an authenticator's response refers to. */
function challengeIn(response: Struct | null): string {
  const { clientDataJSON } = (response?.['response'] ?? {}) as Struct
  try {
    const data = JSON.parse(Buffer.from(String(clientDataJSON), 'base64url').toString()) as Struct | null
    return typeof data?.['challenge'] === 'string' ? data['challenge'] : ''
  } catch {
    return ''
  }
}

const stale = 'The response came too late or was already used; try again.'
const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const refused = (why: string): Refusal => new Refusal('PASSKEY_REFUSED', `The passkey is not accepted: ${why}`)

/** The options with which a browser signs in with an authenticator. */
export async function passkeySignInOptions(call: Call): Promise<object> {
  const rpID = hostOf(call)
  countBeginning(call)
  const { generateAuthenticationOptions } = await webauthn()
  // Lists no passkeys: the authenticator offers those it has, and nobody learns which exist.
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: randomBytes(32),
    timeout: passkeyChallengeMsMax,
    userVerification: 'required',
  })
  await keepChallenge(call, 'passkey sign-in', options.challenge)
  return options
}

const unknownPasskey = 'This passkey is unknown, or its response is wrong.'

/** Whether this program wrote the row; if not, this is reported. */
async function isOurs(call: Call, row: PasskeyRow): Promise<boolean> {
  if (isAuthenticPasskey(call.seals, call.tenant.id, row)) return true
  await reportForged(call, call, { type: 'passkey', id: row.id })
  return false
}

export async function signInByPasskey(
  call: Call,
  response: Struct | null,
  /** The user it must be, if someone who is signed in confirms their identity. */
  expectedUserId: string,
): Promise<Begun> {
  const rpID = hostOf(call)
  const challenge = challengeIn(response)
  const asked = await takeChallenge(call, 'passkey sign-in', hashOf(challenge))
  if (!asked) throw await refuseSignIn(call, 'passkey', null, 'the challenge is unknown, old or used', stale)
  const outcome = await transact(
    call.db,
    async (tx): Promise<Begun | { user: Person | null; reason: string; told?: string }> => {
      const passkey = await lockPasskeyByCredential(tx, call.tenant.id, String(response?.['id']))
      if (!passkey) return { user: null, reason: 'the passkey is unknown' }
      if (!(await isOurs(call, passkey))) return { user: null, reason: 'the passkey was not added by this program' }
      const user = await findPerson(tx, call.tenant.id, passkey.userId, call.now())
      if (!user?.isEnabled) return { user, reason: 'the user is disabled' }
      if (isSetAside(call, call.tenant.id, { ...passkey, approvalMac: null }))
        return { user, reason: 'the passkey is from before the restore' }
      if (expectedUserId !== '' && expectedUserId !== user.id)
        return { user, reason: 'the passkey belongs to another user than the one who is signed in' }
      const { methods } = await findPolicy(call, tx, call)
      if (!methods.includes('passkey')) return { user, reason: 'the sign-in policy does not allow passkeys' }
      const used = await verifyUse(response, passkey, { challenge, rpID, origin: call.origin })
      if ('reason' in used) return { user, reason: used.reason }
      await updatePasskey(tx, call.seals, call.tenant.id, { ...passkey, ...used, lastUsedAt: call.now() })
      return beginSession(tx, call, identified(user, 'passkey'))
    },
  )
  if ('reason' in outcome)
    throw await refuseSignIn(call, 'passkey', outcome.user, outcome.reason, outcome.told ?? unknownPasskey)
  giveCookie(call, outcome)
  return outcome
}

type Expected = { challenge: string; rpID: string; origin: string }

async function verifyUse(
  response: Struct | null,
  passkey: PasskeyKey,
  { challenge, rpID, origin }: Expected,
): Promise<Pick<PasskeyKey, 'signCount' | 'isBackedUp'> | { reason: string }> {
  const { userHandle } = (response?.['response'] ?? {}) as Struct
  // WebAuthn section 7.2, step 6: the user handle must be that of the passkey's owner.
  if (userHandle !== undefined && userHandle !== Buffer.from(passkey.userId).toString('base64url'))
    return { reason: 'the passkey belongs to another user' }
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
        transports: passkey.transports,
      },
    })
    return verified
      ? { signCount: info.newCounter, isBackedUp: info.credentialBackedUp }
      : { reason: 'the signature is wrong' }
  } catch (error) {
    // The library throws for whatever is wrong, with a message that contains what was sent.
    return { reason: whyOf(error).slice(0, 300) }
  }
}

/** The options with which a browser creates a passkey. */
export async function newPasskeyOptions(call: Call): Promise<object> {
  const rpID = hostOf(call)
  const { actor, tenant } = call
  const own = await listPasskeysOf(call.db, tenant.id, actor.userId, { after: null, limit: passkeysMax })
  if (own.length >= passkeysMax) throw tooMany()
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: `Bailiwick at ${tenant.domain}`,
    rpID,
    userID: new Uint8Array(Buffer.from(actor.userId)),
    userName: actor.email || actor.name,
    userDisplayName: actor.name,
    challenge: randomBytes(32),
    timeout: passkeyChallengeMsMax,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(call, 'passkey adding', options.challenge, actor.userId)
  return options
}

const tooMany = (): Refusal =>
  new Refusal('PASSKEYS_TOO_MANY', `A user has at most ${passkeysMax} passkeys; delete one.`)

export async function addPasskey(
  call: May<'own-sign-in.change'>,
  displayName: string,
  response: Struct | null,
): Promise<Passkey> {
  const problem = passkeyNameProblem(displayName)
  if (problem) throw invalid(problem)
  const rpID = hostOf(call)
  const challenge = challengeIn(response)
  const asked = await takeChallenge(call, 'passkey adding', hashOf(challenge))
  if (asked?.userId !== call.actor.userId) throw refused(stale)
  const made = await verifyNew(response, { challenge, rpID, origin: call.origin })
  const passkey: PasskeyKey = {
    ...made,
    id: call.newId(),
    userId: call.actor.userId,
    displayName: displayName.trim(),
    createdAt: call.now(),
    lastUsedAt: null,
  }
  await transact(call.db, async (tx) => {
    const own = await listPasskeysOf(tx, call.tenant.id, passkey.userId, { after: null, limit: passkeysMax })
    if (own.length >= passkeysMax) throw tooMany()
    if (!(await insertPasskey(tx, call.seals, call.tenant.id, passkey)))
      throw new Refusal('PASSKEY_EXISTS', 'This passkey has already been added.')
    const cause = causeOf(call)
    await record(tx, call, cause, change(cause, 'create', `Added a passkey of ${call.actor.name}`, [touched(passkey)]))
  })
  return passkey
}

// An id has at most 1,023 bytes (WebAuthn section 4), which are 1,364 characters.
const idLengthMax = 1364
const publicKeyBytesMax = 8192
const transport = /^[a-z-]{1,20}$/

async function verifyNew(
  response: Struct | null,
  { challenge, rpID, origin }: Expected,
): Promise<Pick<PasskeyKey, 'credentialId' | 'publicKey' | 'signCount' | 'transports' | 'isBackedUp'>> {
  const { verifyRegistrationResponse } = await webauthn()
  const verified = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch((error: unknown) => {
    throw refused(whyOf(error).slice(0, 300))
  })
  if (!verified.verified) throw refused('its answer could not be verified.')
  const { credential, credentialBackedUp } = verified.registrationInfo
  if (credential.id.length > idLengthMax || credential.publicKey.length > publicKeyBytesMax)
    throw refused('its id or its key is too long.')
  const { transports } = (response?.['response'] ?? {}) as Struct
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    signCount: credential.counter,
    transports: (Array.isArray(transports) ? transports : [])
      .filter((each): each is string => typeof each === 'string' && transport.test(each))
      .slice(0, 10),
    isBackedUp: credentialBackedUp,
  }
}

const notFound = (id: string): Refusal =>
  new Refusal('PASSKEY_NOT_FOUND', `There is no passkey ${id}.`, { metadata: { id } })

export async function changePasskeyName(
  call: May<'own-sign-in.rename'>,
  id: string,
  displayName: string,
): Promise<Passkey> {
  const problem = passkeyNameProblem(displayName)
  if (problem) throw invalid(problem)
  countOwnChange(call)
  return transact(call.db, async (tx) => {
    const before = await lockPasskey(tx, call.tenant.id, call.actor.userId, id)
    if (!before || !(await isOurs(call, before))) throw notFound(id)
    const passkey = { ...before, displayName: displayName.trim() }
    await updatePasskey(tx, call.seals, call.tenant.id, passkey)
    const cause = causeOf(call)
    await record(
      tx,
      call,
      cause,
      change(cause, 'update', `Renamed a passkey of ${call.actor.name}`, [touched(passkey)]),
    )
    return passkey
  })
}

export async function removePasskey(call: May<'own-sign-in.change'>, id: string): Promise<void> {
  await transact(call.db, async (tx) => {
    const passkey = await deletePasskey(tx, call.tenant.id, call.actor.userId, id)
    if (!passkey) throw notFound(id)
    const cause = causeOf(call)
    await record(
      tx,
      call,
      cause,
      change(cause, 'delete', `Deleted a passkey of ${call.actor.name}`, [touched(passkey)]),
    )
  })
}

const touched = ({ id, displayName, userId }: Passkey) => ({
  type: 'passkey',
  id,
  name: displayName,
  data: { userId },
})
