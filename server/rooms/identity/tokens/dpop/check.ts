import { hash } from 'node:crypto'
import { compactVerify, decodeProtectedHeader } from 'jose'
import { Refusal } from '#kernel/refusals.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { assertionUses } from '../assertion-uses.ts'
import { claimsProblem, type Expected, isInTime, type ProofClaims, pastSeconds } from './decide.ts'
import { readProofKey } from './key.ts'
import { newNonce, readNonce } from './nonce.ts'

/** Algorithms that proofs may have: all of key pairs, none of a shared secret, and not `none`. */
export const proofAlgorithms = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256'] as const

/** The proof that came with a request, and what it must refer to: see http/asked.ts. */
export type DpopAsked = { readonly proof: string | undefined; readonly method: string; readonly url: string }

type Checking = World & { tenant: Tenancy; sendHeader: (name: string, value: string) => void }
type Wanted = {
  /** The holder of the proofs: each proof is remembered with it. */
  holderId: string
  accessToken: string | null
  /** The thumbprint of the key that the access token is bound to; null at the token endpoint, where any key is accepted. */
  jkt: string | null
}

/** The challenge of RFC 9449 section 7.1. */
const challenge = (error: string): string => `DPoP error="${error}", algs="${proofAlgorithms.join(' ')}"`

/** The refusal of a token that is bound to a key, or should be. */
export const boundTokenRefused = (message: string): Refusal =>
  new Refusal('TOKEN_INVALID', message, { headers: { 'www-authenticate': challenge('invalid_token') } })

const refused = (why: string): Refusal =>
  new Refusal('DPOP_PROOF_INVALID', `The DPoP proof is not accepted: ${why}.`, {
    headers: { 'www-authenticate': challenge('invalid_dpop_proof') },
  })

export const proofRequired = (): Refusal => refused('the DPoP header is missing, and this credential requires DPoP')

/**
 * Checks a proof of possession by RFC 9449 section 4.3, and that it is its first use. Returns the thumbprint of its
 * key. Its time is `iat`, which must be within a minute; or, for clients whose clock is wrong, that of a nonce from
 * this server.
 */
export async function checkProof(world: Checking, asked: DpopAsked, wanted: Wanted): Promise<string> {
  const { proof, method, url } = asked
  if (proof === undefined) throw refused('the DPoP header is missing')
  const { claims, jkt } = await readProof(proof, { method, url, accessToken: wanted.accessToken })
  if (wanted.jkt !== null && jkt !== wanted.jkt)
    throw refused('its key is not the one that the access token is bound to')
  const expiresAt = endOf(world, claims)
  // As a hash: a jti may contain anything, and must differ from that of an assertion.
  const jti = `dpop ${hash('sha256', `${jkt} ${claims['jti'] as string}`, 'base64url')}`
  const use = { credentialId: wanted.holderId, jti, expiresAt }
  if (!(await world.memory(assertionUses).useOnce(world.tenant.id, use))) throw refused('its jti was used before')
  return jkt
}

async function readProof(proof: string, expected: Expected): Promise<{ claims: ProofClaims; jkt: string }> {
  const { typ, jwk } = headerOf(proof)
  if (typ !== 'dpop+jwt') throw refused('typ must be dpop+jwt')
  const read = readProofKey(jwk)
  if (typeof read === 'string') throw refused(read)
  const claims = await verified(proof, read.key)
  const problem = claimsProblem(claims, expected)
  if (problem) throw refused(problem)
  return { claims, jkt: read.jkt }
}

function headerOf(proof: string): { typ?: unknown; jwk?: unknown } {
  try {
    return decodeProtectedHeader(proof)
  } catch {
    throw refused('it must be one signed JWT')
  }
}

async function verified(proof: string, key: Parameters<typeof compactVerify>[1]): Promise<ProofClaims> {
  try {
    const { payload } = await compactVerify(proof, key, { algorithms: [...proofAlgorithms] })
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
    if (typeof claims === 'object' && claims !== null && !Array.isArray(claims)) return claims as ProofClaims
  } catch {
    // Any error is refused below.
  }
  throw refused(`it must be signed by the key in jwk, with one of ${proofAlgorithms.join(', ')}`)
}

/** Until when a proof has to be remembered; refuses one that has expired or is not valid yet. */
function endOf(world: Checking, { iat, nonce }: ProofClaims): Date {
  const now = world.now()
  if (nonce === undefined && isInTime(iat as number, now)) return new Date(((iat as number) + pastSeconds) * 1000)
  const known = readNonce(world.seals, world.tenant.id, nonce, now)
  if (!known)
    throw new Refusal(
      'DPOP_NONCE_REQUIRED',
      nonce === undefined
        ? 'The iat of the DPoP proof is not within a minute of now. Use the nonce in the DPoP-Nonce header, or set the clock.'
        : 'The nonce of the DPoP proof is not known or has expired. Use the one in the DPoP-Nonce header.',
      {
        headers: {
          'www-authenticate': challenge('use_dpop_nonce'),
          'dpop-nonce': newNonce(world.seals, world.tenant.id, now),
        },
      },
    )
  // RFC 9449 section 8.2: the next one is sent before this one expires.
  if (known.isOld) world.sendHeader('dpop-nonce', newNonce(world.seals, world.tenant.id, now))
  return known.endsAt
}
