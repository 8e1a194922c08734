import type { Outgoing } from '#kernel/outgoing/send.ts'
import { isSameIssuer, normalIssuer } from '../decide.ts'

/** Where to fetch the keys of a provider. */
export type KeySource = { issuerUrl: string; bundleEndpointUrl: string }
/** A key as the issuer publishes it (RFC 7517). */
export type Jwk = { readonly [name: string]: unknown }

/** Why there are no keys, in words for the person who set up the provider. */
export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

// GitHub's set has 10 kB, GitLab's 2; discovery documents have 2.
const documentBytesMax = 64 * 1024
const keySetBytesMax = 256 * 1024
const keysMax = 100
/** For both requests together: short enough that a client waiting for a token has not given up. */
const fetchMs = 5_000

/**
 * Fetches the keys that an issuer publishes now: by OpenID Connect Discovery, or from the bundle of a SPIFFE trust domain.
 */
export async function fetchKeys(outgoing: Outgoing, { issuerUrl, bundleEndpointUrl }: KeySource): Promise<Jwk[]> {
  const signal = AbortSignal.timeout(fetchMs)
  const isBundle = bundleEndpointUrl !== ''
  const url = isBundle ? bundleEndpointUrl : await discover(outgoing, issuerUrl, signal)
  const { keys } = await getJson(outgoing, url, isBundle ? 'trust bundle' : 'key set', keySetBytesMax, signal)
  if (!Array.isArray(keys)) throw new KeysUnavailable(`${hostOf(url)} serves a key set without keys.`)
  if (keys.length > keysMax) throw new KeysUnavailable(`${hostOf(url)} serves more than ${keysMax} keys.`)
  const isKey = (key: unknown): key is Jwk => typeof key === 'object' && key !== null && !Array.isArray(key)
  // SPIFFE-Trust-Domain-and-Bundle section 4.2.2: keys for tokens and keys for certificates are distinguished by their use.
  return keys.filter(isKey).filter(({ use }) => (isBundle ? use === 'jwt-svid' : use === undefined || use === 'sig'))
}

/** OpenID Connect Discovery 1.0 section 4.3: a document that names another issuer is not valid for this one. */
async function discover(outgoing: Outgoing, issuerUrl: string, signal: AbortSignal): Promise<string> {
  const url = `${normalIssuer(issuerUrl)}/.well-known/openid-configuration`
  const { issuer, jwks_uri } = await getJson(outgoing, url, 'discovery document', documentBytesMax, signal)
  if (typeof issuer !== 'string' || !isSameIssuer(issuer, issuerUrl))
    throw new KeysUnavailable(`The discovery document of ${hostOf(url)} belongs to another issuer.`)
  if (typeof jwks_uri !== 'string')
    throw new KeysUnavailable(`The discovery document of ${hostOf(url)} has no jwks_uri.`)
  return jwks_uri
}

async function getJson(
  outgoing: Outgoing,
  url: string,
  what: string,
  replyBytesMax: number,
  signal: AbortSignal,
): Promise<{ readonly [name: string]: unknown }> {
  const headers = { accept: 'application/json' }
  const { status, body } = await outgoing
    .send({ method: 'GET', url, headers, replyBytesMax, timeoutMs: fetchMs, signal })
    .catch((error: unknown) => {
      // Its message names the host, but neither path nor query.
      throw new KeysUnavailable((error as Error).message)
    })
  if (status !== 200) throw new KeysUnavailable(`${hostOf(url)} answers ${status} for its ${what}.`)
  try {
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>
  } catch {
    // Not JSON.
  }
  throw new KeysUnavailable(`${hostOf(url)} serves a ${what} that is not a JSON object.`)
}

const hostOf = (url: string): string => URL.parse(url)?.host ?? 'the issuer'
