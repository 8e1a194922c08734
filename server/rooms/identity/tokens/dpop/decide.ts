import { hash } from 'node:crypto'

/** The content of a proof, once its signature is checked: RFC 9449 section 4.2. */
export type ProofClaims = { readonly [name: string]: unknown }
/** What it must refer to. `accessToken` is null at the token endpoint, where there is none yet. */
export type Expected = { method: string; url: string; accessToken: string | null }

/** How old a proof may be that has no nonce from this server, and how far its clock may be ahead. */
export const pastSeconds = 60
const aheadSeconds = 30
const jtiLengthMax = 255

/** What is wrong with the claims, apart from their time; null if nothing is. RFC 9449 section 4.3. */
export function claimsProblem({ htm, htu, iat, jti, ath }: ProofClaims, expected: Expected): string | null {
  if (typeof jti !== 'string' || jti === '' || jti.length > jtiLengthMax)
    return `jti must be text of 1 to ${jtiLengthMax} characters`
  if (htm !== expected.method) return `htm must be ${expected.method}`
  if (typeof htu !== 'string' || placeOf(htu) !== placeCalled(expected.url))
    return `htu must be ${expected.url}; behind a proxy that ends TLS, see --trusted-proxy and X-Forwarded-Proto`
  if (typeof iat !== 'number' || !Number.isFinite(iat)) return 'iat must be a number of seconds'
  if (expected.accessToken !== null && ath !== hash('sha256', expected.accessToken, 'base64url'))
    return 'ath must be the SHA-256 hash of the access token'
  return null
}

export const isInTime = (iat: number, now: Date): boolean => {
  const seconds = now.getTime() / 1000
  return iat >= seconds - pastSeconds && iat <= seconds + aheadSeconds
}

/** The address as it was called. Not with dots that lead elsewhere: the path is routed as it was sent. */
function placeCalled(address: string): string | undefined {
  const place = placeOf(address)
  return place?.split('/').length === address.split('/').length ? place : undefined
}

const unreserved = /[\w.~-]/

/** The normal form of an address without query and fragment: RFC 3986 sections 6.2.2 and 6.2.3. */
function placeOf(address: string): string | null {
  const url = URL.parse(address)
  if (!url || url.username !== '' || url.password !== '') return null
  const path = url.pathname.replace(/%([0-9a-f]{2})/gi, (escaped, digits: string) => {
    const letter = String.fromCharCode(Number.parseInt(digits, 16))
    return unreserved.test(letter) ? letter : escaped.toUpperCase()
  })
  return url.origin + path
}
