import type { FastifyReply } from 'fastify'
import { cut } from '#kernel/log.ts'

let lastMs = 0
let lastTime = ''
function isoTime(): string {
  const now = Date.now()
  if (now !== lastMs) {
    lastMs = now
    lastTime = new Date(now).toISOString()
  }
  return lastTime
}

// The same hosts and methods occur again and again.
const quotedMax = 1_000
const known = new Map<string, string>()
function quotedOnce(text: string): string {
  const found = known.get(text)
  if (found) return found
  const quoted = JSON.stringify(text)
  if (known.size < quotedMax && text.length <= 100) known.set(text, quoted)
  return quoted
}

// A request's head may have 16 KiB. These are longer than any path or host that is served, and short enough for a line
// to be written at once: see log.ts.
const pathMax = 1_000
const hostMax = 255
const fromMax = 100

/** 256 bits in base64url, as a segment of a path: a secret that permits something, as in the address of a callback. */
const secretSegment = /(?<=\/)[\w-]{43}(?=\/|$)/g
const secretPathMin = 44

const withoutSecrets = (path: string): string =>
  path.length < secretPathMin ? path : path.replace(secretSegment, '[removed]')

/** The line of a request, as pino would write it, in an eighth of the time: 0.3 µs rather than 2.2. */
export function requestLine({ request, statusCode, elapsedTime }: FastifyReply): string {
  const { id, method, url, headers } = request
  // Unknown for requests that are refused before they are routed.
  const from = request.sourceAddress as string | undefined
  const query = url.indexOf('?')
  // Without its query: page tokens and whatever else a caller writes there are private.
  const path = withoutSecrets(cut(query < 0 ? url : url.slice(0, query), pathMax))
  const host = (headers[':authority'] as string | undefined) ?? headers.host
  return (
    // An ID has no characters that need quoting: see request-ids.ts.
    `{"level":"info","time":"${isoTime()}","requestId":"${id}","method":${quotedOnce(method)},` +
    `"path":${JSON.stringify(path)},"status":${statusCode},"ms":${Math.round(elapsedTime * 10) / 10}` +
    `${host === undefined ? '' : `,"host":${quotedOnce(cut(host, hostMax))}`}${from === undefined ? '' : `,"from":${JSON.stringify(cut(from, fromMax))}`}}\n`
  )
}
