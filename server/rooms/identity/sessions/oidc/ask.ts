import type { Configuration } from 'openid-client'
import type { Call } from '#kernel/routes.ts'
import type { AtProvider } from '../linked-identities/actions.ts'
import { configurations, openid } from '../providers/client.ts'
import type { ProviderRow } from '../providers/store.ts'
import type { Flow } from './flow.ts'
import { type Refused, unreachable } from './refused.ts'

export type OidcAnswer = { readonly [parameter: string]: string }

export async function configure(call: Call, row: ProviderRow): Promise<Configuration | Refused> {
  try {
    return await call.memory(configurations).of(call.tenant.id, row)
  } catch (error) {
    return unreachable(call, error)
  }
}

/** The person who signed in at the provider, and the email address that it has verified. */
export async function askProvider(
  call: Call,
  row: ProviderRow,
  flow: Flow,
  answer: OidcAnswer,
): Promise<AtProvider | Refused> {
  const configuration = await configure(call, row)
  if ('code' in configuration) return configuration
  const { authorizationCodeGrant, AuthorizationResponseError, fetchUserInfo } = await openid()
  const came = new URL(flow.redirectUri)
  for (const [name, value] of Object.entries(answer)) if (value !== '') came.searchParams.set(name, value)
  try {
    // Checks the `iss` of the response (RFC 9207), and of the ID token the signature, iss, aud, azp, exp, iat and nonce.
    const tokens = await authorizationCodeGrant(configuration, came, {
      pkceCodeVerifier: flow.verifier,
      expectedState: answer['state'] ?? '',
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    // Core section 3.1.3.7, step 5. The library checks it only if there are several audiences.
    if (claims?.['azp'] !== undefined && claims['azp'] !== row.clientId)
      throw new Error('the ID token was issued to another client')
    // Core section 5.4: with a code, the email's claims may come from the UserInfo endpoint only.
    if (!claims || claims['email'] !== undefined) return personIn(row, claims ?? {}, claims?.['auth_time'])
    const info = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
    // When they were authenticated is said by the ID token alone (Core section 2).
    return personIn(row, info, claims['auth_time'])
  } catch (error) {
    return error instanceof AuthorizationResponseError
      ? { code: 'OIDC_REFUSED', reason: 'the OpenID Connect provider refused it', user: null }
      : unreachable(call, error)
  }
}

type Claims = { readonly [name: string]: unknown }

// The latest time of a Date.
const secondsMax = 8.64e12

function personIn({ issuer }: ProviderRow, claims: Claims, authTime: unknown): AtProvider | Refused {
  const { sub: subject, email } = claims
  if (typeof subject !== 'string' || subject === '' || !isStorable(subject))
    return { code: 'OIDC_UNREACHABLE', reason: 'the OpenID Connect provider did not say who it is', user: null }
  const address = typeof email === 'string' && isStorable(email) ? email : ''
  const seconds = Number(authTime)
  const authenticatedAt = seconds > 0 && seconds < secondsMax ? new Date(seconds * 1000) : null
  return { issuer, subject, address, email: claims['email_verified'] === true ? address : '', authenticatedAt }
}

// PostgreSQL's text can contain neither U+0000 nor half of a surrogate pair; no address, and no subject, is longer than
// this.
const isStorable = (text: string): boolean => text.length <= 320 && !text.includes('\0') && text.isWellFormed()
