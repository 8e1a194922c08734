import { setTimeout as sleep } from 'node:timers/promises'
import { jsonExcess, parseJson } from '#kernel/json.ts'
import { OutgoingFailed } from '#kernel/outgoing/failed.ts'
import type { Outgoing, OutgoingReply, OutgoingRequest } from '#kernel/outgoing/send.ts'
import { doubledMs, retryAfterMs } from '#kernel/retry.ts'
import { version } from '#kernel/version.ts'
import type { ScimAccess } from '../../scim-connection/connection.ts'
import { ScimFailed } from './failed.ts'
import { attribute, isObject, type Json, textOf } from './json.ts'

export type ScimLimits = {
  timeoutMs: number
  replyBytesMax: number
  /** How often a request is tried that may be repeated. */
  triesMax: number
  /** The longest wait if an app asks to wait; a longer one is left to the caller. */
  waitMsMax: number
}

export const usualLimits: ScimLimits = { timeoutMs: 30_000, replyBytesMax: 1024 * 1024, triesMax: 4, waitMsMax: 20_000 }

type Asked = {
  method: OutgoingRequest['method']
  /** Includes the query: /Users?count=1. */
  path: string
  body?: Json
  /** Whether it may be done twice: it is retried after an error of the app. */
  isRepeatable: boolean
  /** Whether it only reads: then it is retried after a lost reply. */
  isReading?: boolean
}

export type ScimClient = {
  /** Returns the app's response; null for one without content. Throws if the app refuses. */
  ask(asked: Asked): Promise<Json | null>
  get(path: string): Promise<Json>
}

const firstWaitMs = 500
const waitMsLongest = 3_600_000
const unreached: readonly string[] = ['unreachable', 'unresolved', 'timeout']
const jsonLimits = { depthMax: 64, namesMax: 10_000_000 }

/** A client of an app's SCIM 2.0 service (RFC 7644). */
export function scimClient(
  { baseUrl, token }: ScimAccess,
  outgoing: Outgoing,
  { signal, limits = usualLimits }: { signal?: AbortSignal; limits?: ScimLimits } = {},
): ScimClient {
  /** In a form that may be shown: an app can write anything into an error, even what it was sent. */
  const shown = (text: string): string =>
    text
      .replaceAll(token, '…')
      .replace(/\p{Cc}+/gu, ' ')
      .toWellFormed()
      .trim()
      .slice(0, 300)

  async function once({ method, path, body }: Asked): Promise<Json | null> {
    const [bare = ''] = path.split('?')
    const what = `${method} ${bare.length > 100 ? `${bare.slice(0, 100)}…` : bare}`
    const reply = await outgoing
      .send({
        method,
        url: `${baseUrl}${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/scim+json, application/json',
          'user-agent': `Bailiwick/${version}`,
          ...(body && { 'content-type': 'application/scim+json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        timeoutMs: limits.timeoutMs,
        replyBytesMax: limits.replyBytesMax,
        signal,
      })
      .catch((error: unknown) => {
        if (!(error instanceof OutgoingFailed)) throw error
        const { kind, mayHaveArrived } = error
        throw new ScimFailed(`${what}: ${error.message}`, {
          mayBeDone: mayHaveArrived,
          isTooLarge: kind === 'too large',
          isUnreached: !mayHaveArrived && unreached.includes(kind),
        })
      })
    if (reply.status >= 200 && reply.status < 300) return jsonIn(reply, what)
    throw refusalOf(reply, what, shown)
  }

  const client: ScimClient = {
    async ask(asked) {
      for (let tries = 1; ; tries++) {
        try {
          return await once(asked)
        } catch (error) {
          const waitMs = error instanceof ScimFailed ? waitBefore(error, asked, tries, limits) : null
          if (waitMs === null) throw error
          await sleep(waitMs, undefined, signal && { signal }).catch(() => {
            throw error
          })
        }
      }
    },
    async get(path) {
      const json = await client.ask({ method: 'GET', path, isRepeatable: true, isReading: true })
      if (json === null) throw new ScimFailed(`GET ${path.split('?')[0]} was answered without content.`)
      return json
    },
  }
  return client
}

/** How long to wait before a retry; null for no retry. */
function waitBefore(
  { is }: ScimFailed,
  asked: Asked,
  tries: number,
  { triesMax, waitMsMax }: ScimLimits,
): number | null {
  if (tries >= triesMax || is.isTooLarge) return null
  const waitMs = is.retryAfterMs ?? doubledMs(tries, { firstMs: firstWaitMs, maxMs: waitMsLongest })
  if (waitMs > waitMsMax) return null
  // It was not done: the app says so, or it was never reached.
  if (is.status === 429 || is.status === 503) return waitMs
  if (is.status >= 500 && is.status !== 501) return asked.isRepeatable ? waitMs : null
  return asked.isReading && is.status === 0 && (is.mayBeDone || is.isUnreached) ? waitMs : null
}

function jsonIn({ status, body }: OutgoingReply, what: string): Json | null {
  const text = body.toString('utf8').trim()
  if (status === 204 || text === '') return null
  const wrong = (why: string): ScimFailed => new ScimFailed(`${what}: the reply ${why}`, { status, mayBeDone: true })
  const excess = jsonExcess(text, jsonLimits)
  if (excess) throw wrong(`${excess}.`)
  let json: unknown
  try {
    json = parseJson(text)
  } catch {
    throw wrong('is not JSON. Check the base URL: it usually ends in /scim/v2.')
  }
  if (!isObject(json)) throw wrong('is not a JSON object.')
  return json
}

const meanings: Readonly<Record<number, string>> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  409: 'conflict',
  429: 'too many requests',
  501: 'not implemented',
  503: 'unavailable',
}

function refusalOf(reply: OutgoingReply, what: string, shown: (text: string) => string): ScimFailed {
  const { status } = reply
  if (status >= 300 && status < 400)
    return new ScimFailed(
      `${what} was answered with a redirect (${status}), which is not followed. Set the base URL to the final address.`,
      { status },
    )
  const told = errorIn(reply)
  const meaning = meanings[status] ? ` (${meanings[status]})` : ''
  const detail = shown(told.detail)
  return new ScimFailed(`${what} was answered with ${status}${meaning}${detail === '' ? '.' : `: ${detail}`}`, {
    status,
    scimType: told.scimType,
    retryAfterMs: retryAfterMs(reply.headers['retry-after'], { nowMs: Date.now(), maxMs: waitMsLongest }),
    // After a gateway's timeout the outcome is unknown; 503 says that nothing was done.
    mayBeDone: status >= 500 && status !== 501 && status !== 503,
  })
}

function errorIn({ body }: OutgoingReply): { detail: string; scimType: string } {
  const none = { detail: '', scimType: '' }
  if (body.length > 64 * 1024) return none
  try {
    const json = parseJson(body.toString('utf8'))
    if (!isObject(json)) return none
    // Some apps wrap it once more.
    const errors = attribute(json, 'Errors')
    const error = Array.isArray(errors) && isObject(errors[0]) ? errors[0] : json
    return { detail: textOf(error, 'detail') || textOf(error, 'description'), scimType: textOf(error, 'scimType') }
  } catch {
    return none
  }
}
