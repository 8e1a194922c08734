import { randomBytes, randomInt } from 'node:crypto'

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** How long a code can be approved and redeemed. */
export const requestSeconds = 900
/** How often a program polls for approval; RFC 8628 section 3.5 adds 5 if it polls too soon. */
export const firstIntervalSeconds = 5
const intervalStepSeconds = 5
const intervalSecondsMax = 60
/** How long a request that led to no token is remembered after its end: its program gets the reason. */
export const rememberedMs = 3_600_000

/** The access token of a device lasts for one working day; longer use needs an API credential, which it can create. */
export const deviceTokenSeconds = 8 * 3600

/** RFC 8628 section 6.1: no vowels, so that no words are formed; 20^8 codes are 34.5 bits. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const userCodeLength = 8
const userCodeForm = new RegExp(`^[${letters}]{${userCodeLength}}$`)

export const newDeviceCode = (): string => randomBytes(32).toString('base64url')
export const newUserCode = (): string =>
  Array.from({ length: userCodeLength }, () => letters[randomInt(letters.length)]).join('')

/** As shown to people: `BCDF-GHJK`. */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** What someone typed, as a code: case, spaces and dashes do not matter. Null if it cannot be one. */
export function typedCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
  return userCodeForm.test(code) ? code : null
}

type Polled = { intervalSeconds: number; polledAt: Date | null }

/**
 * Whether a program polls again too soon: after less than half of the interval, because requests take their time, and
 * cone gives up when it gets `slow_down`.
 */
export const isTooSoon = ({ intervalSeconds, polledAt }: Polled, now: Date): boolean =>
  polledAt !== null && now.getTime() - polledAt.getTime() < (intervalSeconds * 1000) / 2

export const slower = (intervalSeconds: number): number =>
  Math.min(intervalSecondsMax, intervalSeconds + intervalStepSeconds)

/** RFC 6749 appendix A.1: visible characters. */
const clientIdForm = /^[\x21-\x7e]{1,200}$/
export const isClientId = (text: string): boolean => clientIdForm.test(text)

/** Programs whose ids are known. Anyone can use them: the program itself sends the id. */
const knownClients: Readonly<Record<string, string>> = { '2RGdOS94VDferT9e80mdgntl36K': 'cone' }
export const clientName = (clientId: string): string =>
  Object.hasOwn(knownClients, clientId) ? (knownClients[clientId] as string) : clientId

const userAgentLengthMax = 300
/** What is shown to people: no control characters. */
export const userAgentIn = (header: string | string[] | undefined): string =>
  String(header ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, userAgentLengthMax)

/**
 * RFC 6749 section 3.3: names separated by spaces. Here they are ids of roles, to which the token is limited. A scope
 * of only spaces is not a missing scope: the caller meant to limit the token, and must not get one without limits.
 */
export function scopesIn(scope: string): string[] {
  const names = [...new Set(scope.split(' ').filter((name) => name !== ''))]
  return names.length === 0 && scope !== '' ? [scope] : names
}
export const scopesMax = 20
