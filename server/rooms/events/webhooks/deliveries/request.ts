import { strike } from '#kernel/outgoing/secret-url.ts'
import type { Delivery } from './delivery.ts'
import { events } from './source.ts'

export const webhookVersion = 'v1'
const removed = '[removed]'
const typePrefix = 'type.googleapis.com/'

type Of = Pick<Delivery, 'webhookId' | 'source' | 'payload'>

/** The body that is sent: the same bytes for every attempt. */
export const bodyOf = ({ webhookId, source, payload }: Of, callbackUrl: string): string =>
  JSON.stringify({
    version: webhookVersion,
    webhookId,
    callbackUrl,
    event: events[source],
    payload: { '@type': `${typePrefix}${events[source]}`, ...(JSON.parse(payload) as object) },
  })

/** The same, formatted for people. */
export const shownBody = (delivery: Of): string => bodyOf(delivery, removed)

const bodyMax = 16_384
/** The body of a response as stored: text that PostgreSQL can hold, up to a limit. */
export const keptBody = (body: Buffer, secrets: readonly string[]): string =>
  strike(body.toString('utf8'), secrets).replaceAll('\0', '\u{FFFD}').slice(0, bodyMax).toWellFormed()

const headersMax = 50
const headerLength = 1_000
const secretHeaders = /cookie|auth|token|secret|key/i

/** Headers as stored: values that may be secret are removed. */
export const keptHeaders = (
  headers: { readonly [name: string]: string | readonly string[] | undefined },
  secrets: readonly string[],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, headersMax)
      .map(([name, value]) => [
        name,
        secretHeaders.test(name)
          ? removed
          : keptBody(Buffer.from(String(value ?? '')), secrets)
              .slice(0, headerLength)
              .toWellFormed(),
      ]),
  )
