import { encoded, toBase64Url } from './base64url.ts'

/** Proves with each request that the access token is used by the client that it was issued to: DPoP, RFC 9449. */
export type Prover = {
  /** The DPoP header of a request; with an access token, if the request has one. */
  proof(method: string, url: string, token?: string): Promise<string>
  /** Takes the nonce for the next proofs from a reply, where it has one. */
  hear(headers: Headers): void
}

type Key = { privateKey: CryptoKey; jwk: JsonWebKey }

/**
 * The private key is created here, at the first use, and cannot be exported: neither by this program nor by injected code.
 */
async function newKey(): Promise<Key> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey)
  return { privateKey, jwk: { kty, crv, x, y } as JsonWebKey }
}

export function newProver(): Prover {
  let key: Promise<Key> | null = null
  let nonce: string | null = null
  return {
    async proof(method, url, token) {
      key ??= newKey()
      const { privateKey, jwk } = await key
      const claims = {
        jti: crypto.randomUUID(),
        htm: method,
        htu: url.replace(/[?#].*$/s, ''),
        iat: Math.floor(Date.now() / 1000),
        ...(token !== undefined && { ath: await hashOf(token) }),
        ...(nonce !== null && { nonce }),
      }
      const header = { typ: 'dpop+jwt', alg: 'ES256', jwk }
      const signed = [header, claims].map((part) => toBase64Url(encoded(JSON.stringify(part)))).join('.')
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, encoded(signed))
      return `${signed}.${toBase64Url(new Uint8Array(signature))}`
    },
    hear(headers) {
      nonce = headers.get('dpop-nonce') ?? nonce
    },
  }
}

const hashOf = async (token: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', encoded(token))))
