import { SignInError } from './api-error.ts'
import type { Prover } from './dpop.ts'

/** The token endpoint, and how it is called. */
export type Endpoint = { url: string; fetch: typeof fetch; signal: AbortSignal }
/** An access token, and when it is renewed. */
export type Token = { text: string; renewAt: number }

const renewBeforeSeconds = 60

/** One request of the token endpoint; and once more, where the server wants its nonce in the proof. */
export async function askToken(
  { url, fetch, signal }: Endpoint,
  fields: Record<string, string>,
  prover: Prover | null,
): Promise<Token> {
  const askedAt = Date.now()
  const address = `${url}/auth/v1/token`
  const send = async () => {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(prover && { dpop: await prover.proof('POST', address) }),
      },
      body: new URLSearchParams(fields).toString(),
      // A secret is sent only to the configured endpoint, and not to one that it redirects to.
      redirect: 'error',
      signal,
    })
    prover?.hear(response.headers)
    return { response, reply: (await response.json().catch(() => ({}))) as Reply }
  }
  let { response, reply } = await send()
  if (prover && reply.error === 'use_dpop_nonce') ({ response, reply } = await send())
  const { access_token: text, token_type: type, expires_in: seconds = 0 } = reply
  if (response.status !== 200 || !text) throw new SignInError(response.status, reply)
  // A token that is not bound to the key was not requested.
  if (prover && type !== 'DPoP')
    throw new SignInError(response.status, {
      error_description: 'The server issued an access token that is not bound by DPoP.',
    })
  const early = Math.min(renewBeforeSeconds, seconds / 5)
  return { text, renewAt: askedAt + (seconds - early) * 1000 }
}
type Reply = {
  access_token?: string
  token_type?: string
  expires_in?: number
  error?: string
  error_description?: string
}

/** The headers of a request: the token, and a proof if the token is bound. */
export const headersFor = async (
  token: string,
  { method, url }: { method: string; url: string },
  prover: Prover | null,
): Promise<Record<string, string>> =>
  prover
    ? { authorization: `DPoP ${token}`, dpop: await prover.proof(method, url, token) }
    : { authorization: `Bearer ${token}` }
