import { SignInError } from './api-error.ts'
import { newProver } from './dpop.ts'
import { sleep } from './repeat.ts'
import type { SignIn, SignInOptions } from './sign-in.ts'
import { askToken, headersFor, type Token } from './token.ts'

/** What to show to the person who approves the sign-in. */
export type DeviceCode = {
  /** As in `BCDF-GHJK`. */
  userCode: string
  /** Where they enter it; with the code in the address in the second. */
  verificationUri: string
  verificationUriComplete: string
  expiresAt: Date
}

export type DeviceOptions = SignInOptions & {
  /** The address of the tenant. */
  url: string
  /** What the program calls itself; the person sees it. */
  clientId: string
  /** Shows the code. */
  show(code: DeviceCode): void | Promise<void>
  /** Ids of roles that the token is to be limited to. By default it has all permissions of the person. */
  roles?: readonly string[]
  /** Stops waiting. */
  signal?: AbortSignal
  fetch?: typeof fetch
}

const slowDownSeconds = 5

/**
 * As a person who approves it in the console, on this or another device (RFC 8628). Waits for that, for 15 minutes at most; a refusal
 * is thrown as `SignInError`. The access token lasts for hours and is not renewed: then the person is asked again.
 */
export async function byDevice({
  url: address,
  clientId,
  show,
  roles = [],
  ...options
}: DeviceOptions): Promise<SignIn> {
  const url = address.replace(/\/+$/, '')
  const signal = options.signal ?? new AbortController().signal
  const at = { url, fetch: options.fetch ?? ((...args: Parameters<typeof fetch>) => fetch(...args)), signal }
  const prover = options.dpop ? newProver() : null
  const begun = await begin(at, { client_id: clientId, ...(roles.length > 0 && { scope: roles.join(' ') }) })
  const expiresAt = new Date(Date.now() + begun.expires_in * 1000)
  await show({
    userCode: begun.user_code,
    verificationUri: begun.verification_uri,
    verificationUriComplete: begun.verification_uri_complete,
    expiresAt,
  })
  const fields = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: clientId,
    device_code: begun.device_code,
  }
  const token = await wait(() => askToken(at, fields, prover), begun.interval, expiresAt, signal)
  return {
    host: new URL(url).host,
    headers: (_, request) => headersFor(token.text, request, prover),
    renew: () => false,
    ...(prover && { hear: prover.hear }),
  }
}

type Begun = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

async function begin({ url, ...at }: Parameters<typeof askToken>[0], fields: Record<string, string>): Promise<Begun> {
  const response = await at.fetch(`${url}/auth/v1/device_authorization`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'error',
    signal: at.signal,
  })
  const reply = (await response.json().catch(() => ({}))) as Partial<Begun> & { error?: string }
  if (response.status !== 200 || !reply.device_code) throw new SignInError(response.status, reply)
  return reply as Begun
}

/** Asks again and again, as often as the server says; half as often after each failure of the network (RFC 8628 section 3.5). */
async function wait(ask: () => Promise<Token>, interval: number, expiresAt: Date, signal: AbortSignal): Promise<Token> {
  for (let seconds = interval; ; ) {
    await sleep(seconds * 1000, signal)
    try {
      return await ask()
    } catch (error) {
      const code = error instanceof SignInError ? error.error : ''
      if (code === 'slow_down') seconds += slowDownSeconds
      else if (error instanceof TypeError && Date.now() < expiresAt.getTime()) seconds *= 2
      else if (code !== 'authorization_pending') throw error
    }
  }
}
