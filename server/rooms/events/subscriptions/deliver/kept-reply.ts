import type { IncomingHttpHeaders } from 'node:http'
import { redactedUrl, strike } from '#kernel/outgoing/secret-url.ts'
import type { KeptReply } from '../subscription.ts'

/** Useful headers without secrets: cookies and tokens that receivers send are not kept. */
const keptHeaders = ['content-type', 'content-length', 'date', 'server', 'retry-after', 'via', 'x-request-id']
const bodyMax = 4_096
const headerMax = 500

/**
 * The response as it is stored. Receivers that echo the request would have signatures stored: those are replaced, also as
 * JSON escapes them.
 */
export function keptReply(headers: IncomingHttpHeaders, body: Buffer, secrets: readonly string[]): KeptReply {
  const kept = Object.fromEntries(
    keptHeaders.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, strike(value, secrets).slice(0, headerMax)]] : []
    }),
  )
  if (headers.location !== undefined)
    kept['location'] = strike(redactedUrl(headers.location), secrets).slice(0, headerMax)
  // PostgreSQL's text contains neither U+0000 nor unpaired surrogates.
  const text = strike(body.toString().replaceAll('\0', '\ufffd'), secrets)
  return { headers: kept, body: text.slice(0, bodyMax).toWellFormed() }
}
