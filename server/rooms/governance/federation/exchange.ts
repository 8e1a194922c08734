import { identities } from '#rooms/identity/credentials/index.ts'
import type { Exchange, Exchanged } from '#rooms/identity/tokens/index.ts'
import { attemptNotes, type Outcome } from './attempts/notes.ts'
import type { ClaimSet } from './checking/jwt.ts'
import { checkToken, standingOf, type Verdict } from './checking/steps.ts'

const passedMax = 1024
/** How often to retry while keys cannot be fetched. */
const retryAfterSeconds = 15

/** For the token endpoint: finds the identity for a token of another issuer. */
export const exchangeToken: Exchange = async (call, { clientId, subjectToken }): Promise<Exchanged> => {
  const { tenant, sourceAddress } = call
  const identity = await call.memory(identities).find(tenant.id, clientId)
  if (!identity?.trust || identity.isDeleted)
    return { refused: 'trust_not_found', detail: 'There is no such trust.', identity: null }
  const { trust, credentialId } = identity
  const note = (refused: Outcome, claims: ClaimSet | null): void =>
    call.memory(attemptNotes).note({ tenantId: tenant.id, credentialId, refused, claims, sourceAddress })
  // Checked before any expensive work.
  const standing = standingOf(identity, call.now())
  if (standing) {
    note({ step: 'subjectValidation', reason: standing.reason, detail: standing.detail }, null)
    return { refused: standing.reason, detail: standing.detail, identity }
  }
  const asking = { tenant, token: subjectToken, sourceAddress, asker: null, isThorough: false }
  const verdict = await checkToken(call, { ...asking, identity: { ...identity, trust } })
  const claims = verdict.isSigned ? (verdict.decoded?.claims ?? null) : null
  const refused = outcomeOf(verdict)
  note(refused, claims)
  if (refused || !claims)
    return {
      refused: refused?.reason ?? 'signature_invalid',
      detail: refused?.detail ?? '',
      identity,
      ...(verdict.isUnavailable && { retryAfterSeconds }),
    }
  const subject = { issuer: trust.provider.issuerUrl, subject: String(claims['sub']).slice(0, passedMax) }
  return { identity, subject, passed: passedOf(claims, trust.terms.passthroughClaims) }
}

const outcomeOf = ({ failed }: Verdict): Outcome =>
  failed && { step: failed.name, reason: failed.step.reason, detail: failed.step.detail }

/** As published: only texts are passed. */
function passedOf(claims: ClaimSet, names: readonly string[]): Record<string, string> {
  const passed: Record<string, string> = {}
  for (const name of names) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined
    if (typeof value === 'string' && value.length <= passedMax && name !== '__proto__') passed[name] = value
  }
  return passed
}
