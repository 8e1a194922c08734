import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { authentication, grouped } from '#rooms/foundation/systemlog/index.ts'
import { type Identity, lastUsed } from '#rooms/identity/credentials/index.ts'
import { issueToken } from './access-token.ts'
import { scopeFor, scopeReply } from './asked-for.ts'
import { checkProof } from './dpop/check.ts'
import { proofAtTokenEndpoint } from './dpop/token-endpoint.ts'
import { badRequest, type ClientForm, countIssued, refuse, refuseCredentialsInHeader } from './token-endpoint.ts'

export type ExchangeForm = ClientForm & {
  readonly subject_token: string
  readonly subject_token_type: string
  readonly requested_token_type: string
  readonly actor_token: string
  readonly scope: string
}

/** The identity that a subject token proves, or why it proves none. */
export type Exchanged =
  | {
      identity: Identity
      subject: { issuer: string; subject: string }
      /** Claims that are copied to our token. */
      passed: { readonly [claim: string]: string }
    }
  | {
      refused: string
      /** In words, for the system log: contains nothing that the issuer did not sign. */
      detail: string
      identity: Identity | null
      /** Set if another attempt may succeed. */
      retryAfterSeconds?: number
    }

/** Passed in where the rooms meet: trusts are defined in a room that imports this one. */
export type Exchange = (call: Call, asked: { clientId: string; subjectToken: string }) => Promise<Exchanged>

const tokenType = 'urn:ietf:params:oauth:token-type:'
const subjectTypes = ['jwt', 'id_token'].map((name) => `${tokenType}${name}`)
const accessTokenType = `${tokenType}access_token`

/**
 * Long runs exchange the same subject token again when ours expires, and that is refused once it is ten minutes old. As
 * disabling a trust, a provider or a principal ends tokens at once, a longer lifetime is no risk.
 */
const lifetimeSecondsMin = 1800

// One response for everything that can be wrong: those who may know more find it in the system log and with the
// operation `test`.
const told = 'The client is unknown, or the subject token is not accepted.'

export type ExchangeReply = {
  access_token: string
  issued_token_type: string
  token_type: 'Bearer' | 'DPoP'
  expires_in: number
  scope?: string
}

export async function grantByExchange(call: Call, form: ExchangeForm, exchange: Exchange): Promise<ExchangeReply> {
  refuseCredentialsInHeader(call)
  requireFields(form)
  const { client_id: clientId, subject_token: subjectToken } = form
  const exchanged = await exchange(call, { clientId, subjectToken })
  if ('refused' in exchanged) {
    const { refused, detail, identity, retryAfterSeconds } = exchanged
    const answer =
      retryAfterSeconds === undefined
        ? new Refusal('SUBJECT_TOKEN_REFUSED', told)
        : new Refusal('ISSUER_UNAVAILABLE', 'The subject token cannot be checked now; try again later.', {
            retryAfterSeconds,
          })
    return refuse(call, form, 'token_exchange', identity, { reason: `${refused}: ${detail}`, answer })
  }
  const { identity, subject, passed } = exchanged
  const scope = await scopeFor(call, form.scope, identity)
  const dpop = proofAtTokenEndpoint(call)
  const jkt =
    dpop.proof === undefined
      ? null
      : await checkProof(call, dpop, { holderId: identity.credentialId, accessToken: null, jkt: null })
  countIssued(call, identity)
  const issued = await issueToken(call, call.tenant, identity, {
    jkt,
    scope,
    lifetimeSeconds: Math.max(lifetimeSecondsMin, call.settings.tokenLifetimeSeconds),
    ...(Object.keys(passed).length > 0 && { claims: { c1wfc: passed } }),
  })
  const { tenant, requestId, sourceAddress } = call
  const event = authentication({
    tenant,
    requestId,
    sourceAddress,
    clientId: identity.clientId,
    method: 'token_exchange',
    user: identity.user,
    outcome: { tokenId: issued.tokenId, expiresAt: issued.expiresAt },
    subject,
  })
  const [signed] = await Promise.all([issued.token, call.memory(grouped).record(tenant.id, event)])
  call.memory(lastUsed).note(tenant.id, identity.credentialId)
  return {
    access_token: signed,
    issued_token_type: accessTokenType,
    token_type: jkt === null ? 'Bearer' : 'DPoP',
    expires_in: issued.lifetimeSeconds,
    ...scopeReply(scope, identity.limits.roleIds),
  }
}

function requireFields(form: ExchangeForm): void {
  if (form.client_id === '') throw badRequest('client_id is missing.')
  if (form.client_secret !== '' || form.client_assertion !== '')
    throw badRequest('A token exchange has no client secret or assertion: the subject token proves who asks.')
  if (form.subject_token === '') throw badRequest('subject_token is missing.')
  if (!subjectTypes.includes(form.subject_token_type))
    throw badRequest(`subject_token_type must be ${subjectTypes.join(' or ')}.`)
  if (form.requested_token_type !== '' && form.requested_token_type !== accessTokenType)
    throw badRequest(`requested_token_type must be ${accessTokenType}, or be omitted.`)
  if (form.actor_token !== '') throw badRequest('actor_token is not supported.')
}
