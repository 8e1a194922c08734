import { timingSafeEqual } from 'node:crypto'
import type { Call } from '#kernel/routes.ts'
import { takeChallenge } from '../challenges/challenges.ts'
import { insertChallenge } from '../challenges/store.ts'
import { cookieIn, cookieText } from '../cookie.ts'
import { oidcMsMax } from '../decide.ts'
import { hashOf, newSecret } from '../secret.ts'

/** What is needed to check the provider's response: sealed, since a response could be forged with it. */
export type Flow = {
  providerId: string
  /** As the provider was when the browser was sent there: with other settings the response is not accepted. */
  providerAt: string
  nonce: string
  verifier: string
  browserSha256: string
  redirectUri: string
  returnTo: string
  /** The session that the browser had; empty if it had none. */
  sessionId: string
  /** The user to link with the person who signs in at the provider; empty for a normal sign-in. */
  linkUserId: string
  /** The user who confirms their identity by signing in at the provider again; empty for a normal sign-in. */
  confirmUserId: string
  /** The administrator who tests the provider: nobody is signed in. Empty if it is not a test. */
  testUserId: string
  startedAt: number
}
const purpose = 'oidc flow'

/** Keeps what the response is checked against, and binds it to the browser; the state for the request. */
export async function keepFlow(call: Call, flow: Omit<Flow, 'browserSha256'>): Promise<string> {
  const state = newSecret()
  const browser = newSecret()
  const kept: Flow = { ...flow, browserSha256: hashOf(browser).toString('hex') }
  const challengeSha256 = hashOf(state)
  const context = challengeSha256.toString('hex')
  await insertChallenge(call.db, call.seals, call.tenant.id, {
    challengeSha256,
    kind: 'oidc',
    userId: '',
    sealed: call.seals.seal(purpose, String(call.tenant.id), Buffer.from(JSON.stringify(kept)), context),
    expiresAt: new Date(call.now().getTime() + oidcMsMax),
  })
  call.sendHeader('set-cookie', flowCookie(call, browser))
  return state
}

// Lax: the browser returns from the provider's site, and must send the cookie.
const flowCookie = ({ origin }: Call, value: string): string =>
  cookieText({ name: 'bailiwick-oidc', value, maxAgeSeconds: oidcMsMax / 1000, sameSite: 'Lax' }, origin)

/** The flow that this browser began; it can be taken once. */
export async function takeFlow(call: Call, state: string): Promise<Flow | null> {
  call.sendHeader('set-cookie', flowCookie(call, ''))
  const challengeSha256 = hashOf(state)
  const asked = await takeChallenge(call, 'oidc', challengeSha256)
  if (!asked?.sealed) return null
  const plain = call.seals.open(purpose, String(call.tenant.id), asked.sealed, challengeSha256.toString('hex'))
  if (!plain) return null
  const flow = JSON.parse(plain.toString()) as Flow
  const browser = cookieIn(call.headers['cookie'] as string | undefined, 'bailiwick-oidc', call.origin) ?? ''
  return timingSafeEqual(hashOf(browser), Buffer.from(flow.browserSha256, 'hex')) ? flow : null
}
