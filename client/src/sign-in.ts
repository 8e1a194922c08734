import { SignInError } from './api-error.ts'

/** How a client proves who it is. */
export type SignIn = {
  /** The host of the tenant, where what is known says it. */
  readonly host: string
  /** What goes with each request: an access token, which is asked for where there is none that is good. */
  headers(at: Endpoint): Promise<Record<string, string>>
  /** The server refused the token: whether another one can be had. */
  renew(): boolean
}
/** Where tokens are asked for, and by what. */
export type Endpoint = { url: string; fetch: typeof fetch; signal: AbortSignal }
export type Credential = { clientId: string; clientSecret: string }

/** By an API credential, whose secret goes to the token endpoint. */
export const bySecret = ({ clientId, clientSecret }: Credential): SignIn =>
  byGrant(clientId, async () => ({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  }))

/** By an API credential, whose secret stays here: it signs an assertion (RFC 7523). Needs Ed25519 in Web Crypto. */
export const byAssertion = ({ clientId, clientSecret }: Credential): SignIn =>
  byGrant(clientId, async () => ({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertionOf(clientId, clientSecret),
  }))

export type Federation = {
  /** The client id of a federation trust, which ends in `/wfe`. */
  clientId: string
  /** The token of the other issuer, or a function that gets one: it is asked each time that an access token is needed. */
  subjectToken: string | (() => string | Promise<string>)
}

/** Without a secret: a token of another issuer, such as that of a CI job, is exchanged for an access token (RFC 8693). */
export const byExchange = ({ clientId, subjectToken }: Federation): SignIn =>
  byGrant(clientId, async () => ({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    client_id: clientId,
    subject_token: typeof subjectToken === 'string' ? subjectToken : await subjectToken(),
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  }))

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

type Kept = { token: string; renewAt: number }
const renewBeforeSeconds = 60

/** Tokens of the token endpoint, renewed before they expire. Several requests at once ask for one token. */
function byGrant(clientId: string, form: () => Promise<Record<string, string>>): SignIn {
  let kept: Kept | null = null
  let asking: Promise<Kept> | null = null
  return {
    host: hostOf(clientId),
    async headers(at) {
      if (kept === null || kept.renewAt <= Date.now()) {
        asking ??= form()
          .then((fields) => askToken(at, fields))
          .finally(() => {
            asking = null
          })
        kept = await asking
      }
      return { authorization: `Bearer ${kept.token}` }
    },
    renew() {
      kept = null
      return true
    },
  }
}

async function askToken({ url, fetch, signal }: Endpoint, fields: Record<string, string>): Promise<Kept> {
  const askedAt = Date.now()
  const response = await fetch(`${url}/auth/v1/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    // A secret goes to whom it was meant for, and to nobody that they name.
    redirect: 'error',
    signal,
  })
  const reply = (await response.json().catch(() => ({}))) as { access_token?: string; expires_in?: number }
  const { access_token: token, expires_in: seconds = 0 } = reply
  if (response.status !== 200 || !token) throw new SignInError(response.status, reply as object)
  const early = Math.min(renewBeforeSeconds, seconds / 5)
  return { token, renewAt: askedAt + (seconds - early) * 1000 }
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

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
