import { encoded, fromBase64Url, toBase64Url } from './base64url.ts'
import { newProver } from './dpop.ts'
import { askToken, type Endpoint, headersFor, type Token } from './token.ts'

/** How a client proves who it is. */
export type SignIn = {
  /** The host of the tenant, if the credential contains it. */
  readonly host: string
  /** The headers of a request: an access token, which is requested if there is no valid one. */
  headers(at: Endpoint, request: { method: string; url: string }): Promise<Record<string, string>>
  /** The server refused the token: whether another one can be had. */
  renew(): boolean
  /** Called with the headers of each reply. */
  hear?(headers: Headers): void
}
export type Credential = { clientId: string; clientSecret: string }
export type SignInOptions = {
  /**
   * Bind access tokens to a key that stays in this program (DPoP, RFC 9449): a copied token is worthless elsewhere. Required by
   * credentials with `requireDpop`. Needs a server that is called by the address that it knows itself by.
   */
  dpop?: boolean
}

/** By an API credential, whose secret goes to the token endpoint. */
export const bySecret = ({ clientId, clientSecret }: Credential, options: SignInOptions = {}): SignIn =>
  byGrant(
    clientId,
    async () => ({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
    options,
  )

/** By an API credential, whose secret stays here: it signs an assertion (RFC 7523). Needs Ed25519 in Web Crypto. */
export const byAssertion = ({ clientId, clientSecret }: Credential, options: SignInOptions = {}): SignIn =>
  byGrant(
    clientId,
    async () => ({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertionOf(clientId, clientSecret),
    }),
    options,
  )

export type Federation = {
  /** The client id of a federation trust, which ends in `/wfe`. */
  clientId: string
  /** The token of the other issuer, or a function that gets one: it is asked each time that an access token is needed. */
  subjectToken: string | (() => string | Promise<string>)
}

/** Without a secret: a token of another issuer, such as that of a CI job, is exchanged for an access token (RFC 8693). */
export const byExchange = ({ clientId, subjectToken }: Federation, options: SignInOptions = {}): SignIn =>
  byGrant(
    clientId,
    async () => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_id: clientId,
      subject_token: typeof subjectToken === 'string' ? subjectToken : await subjectToken(),
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    }),
    options,
  )

/** With an access token that is had in another way. A function is asked each time. */
export const byToken = (token: string | (() => string | Promise<string>)): SignIn => ({
  host: '',
  headers: async () => ({ authorization: `Bearer ${typeof token === 'string' ? token : await token()}` }),
  renew: () => typeof token === 'function',
})

/** Another site cannot send it, so the server knows that it is the console. */
export const sessionHeaders = { 'x-bailiwick-console': '1' }

/** As the person who is signed in to the console, from its own pages: the browser sends the cookie. */
export const bySession = (): SignIn => ({ host: '', headers: async () => sessionHeaders, renew: () => false })

/** Tokens of the token endpoint, renewed before they expire. Concurrent requests share one token request. */
function byGrant(clientId: string, form: () => Promise<Record<string, string>>, { dpop }: SignInOptions): SignIn {
  const prover = dpop ? newProver() : null
  let kept: Token | null = null
  let asking: Promise<Token> | null = null
  return {
    host: hostOf(clientId),
    async headers(at, request) {
      if (kept === null || kept.renewAt <= Date.now()) {
        asking ??= form()
          .then((fields) => askToken(at, fields, prover))
          .finally(() => {
            asking = null
          })
        kept = await asking
      }
      return headersFor(kept.text, request, prover)
    },
    renew() {
      kept = null
      return true
    },
    ...(prover && { hear: prover.hear }),
  }
}

/** Of `4c3f0f2d3ba93d4541bf@access.example.com/pcc`, `access.example.com`. */
const hostOf = (clientId: string): string => /@([^/]+)\//.exec(clientId)?.[1] ?? ''

const assertionSeconds = 120

async function assertionOf(clientId: string, clientSecret: string): Promise<string> {
  const jwk = JSON.parse(new TextDecoder().decode(fromBase64Url(clientSecret.split(':').at(-1) ?? ''))) as JsonWebKey
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['sign'])
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: hostOf(clientId),
    iat: now,
    exp: now + assertionSeconds,
    jti: crypto.randomUUID(),
  }
  const signed = [{ alg: 'EdDSA' }, claims].map((part) => toBase64Url(encoded(JSON.stringify(part)))).join('.')
  const signature = await crypto.subtle.sign({ name: 'Ed25519' }, key, encoded(signed))
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`
}
