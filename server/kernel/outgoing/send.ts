import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { getCACertificates } from 'node:tls'
import { Refusal } from '../refusals.ts'
import { openTurns, type Turns } from '../turns.ts'
import { type MayCall, mayCallBy, type OutgoingRules } from './addresses.ts'
import { type FailureKind, OutgoingFailed } from './failed.ts'

export type OutgoingRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** From the beginning to the last byte of the reply. */
  timeoutMs?: number
  replyBytesMax?: number
  signal?: AbortSignal | undefined
  /** Which queue it waits in; by default, that of all requests to the host. */
  lane?: string
}

export type OutgoingReply = {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

export type Outgoing = {
  /**
   * Sends a request, and returns the reply, regardless of its status. Redirects are replies like others: they are not
   * followed.
   */
  send(request: OutgoingRequest): Promise<OutgoingReply>
  /** Ends the connections that are kept for further requests. */
  close(): void
}

const timeoutMsUsual = 30_000
const replyBytesUsual = 1024 * 1024
const urlLengthMax = 8_000

/** Limits all requests of a process: no host gets more than some of the connections. */
const turns = openTurns({ perKey: 8, inAll: 64, waitingMax: 200, waitMs: 60_000 })

/** For callers with their own limits for requests. */
export type OutgoingPool = {
  turns: Turns
  /** How many connections a host has at most, and how many are kept for further requests. */
  perHost: number
  keptPerHost: number
}
const usualPool: OutgoingPool = { turns, perHost: 8, keptPerHost: 2 }

/** Resolves a name to all its addresses. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  told: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

class Forbidden extends Error {}

const forbiddenHost = (host: string): string =>
  `The host ${host} has an address that is not public. The operator of this server can allow it with --outgoing-allow.`

/**
 * What is wrong with an address before anything is looked up; null if nothing is. A host that is an address is refused
 * here, because it is not looked up.
 */
export function urlProblem(text: string, rules: OutgoingRules): string | null {
  const url = text.length > urlLengthMax ? null : URL.parse(text)
  if (!url) return 'is not an address as in https://app.example.com/scim/v2'
  const isHttp = url.protocol === 'http:' && rules.isHttpAllowed
  if (url.protocol !== 'https:' && !isHttp) return 'must begin with https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  const host = bareHost(url)
  const isLiteral = /^[\d.]+$|:/.test(host)
  return isLiteral && !mayCallBy(rules)(host, host) ? `is not allowed. ${forbiddenHost(host)}` : null
}

const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Calls other hosts for the server. Every connection is checked when it is opened, by the addresses that the name has
 * at that moment: a name that changes between a check and the connection does not bypass it.
 */
export function openOutgoing(
  rules: OutgoingRules,
  resolve: Resolve = dnsLookup,
  { turns: door, perHost, keptPerHost }: OutgoingPool = usualPool,
): Outgoing {
  const mayCall = mayCallBy(rules)
  const lookup = checkedLookup(mayCall, resolve)
  const sockets = { maxSockets: perHost, maxFreeSockets: keptPerHost }
  const kept = { keepAlive: true, ...sockets, scheduling: 'lifo' as const, timeout: 60_000 }
  const agents = {
    // `lookup` is passed on to the socket. Our own agents use no proxy of the environment.
    http: new HttpAgent({ ...kept, lookup }),
    https: new HttpsAgent({
      ...kept,
      lookup,
      ...(rules.ca !== undefined && { ca: [...getCACertificates('default'), rules.ca] }),
    }),
  }
  return {
    async send(request) {
      const problem = urlProblem(request.url, rules)
      if (problem !== null) throw new OutgoingFailed('forbidden', `The address ${problem}.`, false)
      const url = new URL(request.url)
      const timeout = AbortSignal.timeout(request.timeoutMs ?? timeoutMsUsual)
      const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
      try {
        return await door.take(request.lane ?? url.host, signal, () =>
          exchange(url, request, { agents, signal, timeout, mayCall }),
        )
      } catch (error) {
        if (error instanceof OutgoingFailed) throw error
        if (error instanceof Refusal)
          throw new OutgoingFailed('timeout', `Too many requests to ${url.host} are in progress.`, false)
        // Aborted before its turn.
        throw failureOf(error as Error, url, { isSent: false, timeout })
      }
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

type Exchanging = {
  agents: { http: HttpAgent; https: HttpsAgent }
  signal: AbortSignal
  timeout: AbortSignal
  mayCall: MayCall
}

function exchange(
  url: URL,
  { method, headers = {}, body, replyBytesMax = replyBytesUsual }: OutgoingRequest,
  { agents, signal, timeout, mayCall }: Exchanging,
): Promise<OutgoingReply> {
  const { promise, resolve: done, reject } = Promise.withResolvers<OutgoingReply>()
  const isHttps = url.protocol === 'https:'
  let isSent = false
  const options = {
    method,
    agent: isHttps ? agents.https : agents.http,
    signal,
    headers: {
      ...headers,
      'accept-encoding': 'identity',
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    },
    // Limits what is read before there is a reply to limit.
    maxHeaderSize: 32 * 1024,
  }
  const fail = (error: Error): void => reject(failureOf(error, url, { isSent, timeout }))
  const outgoing = (isHttps ? requestHttps : requestHttp)(url, options, (reply) => {
    const encoding = reply.headers['content-encoding'] ?? 'identity'
    const pieces: Buffer[] = []
    let bytes = 0
    const giveUp = (kind: FailureKind, message: string): void => {
      reject(new OutgoingFailed(kind, message, true))
      reply.destroy()
    }
    if (encoding !== '' && encoding !== 'identity')
      return giveUp('broken', `${url.host} sent a compressed response, which was not requested.`)
    reply.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > replyBytesMax)
        giveUp('too large', `The reply of ${url.host} is larger than ${Math.ceil(replyBytesMax / 1024)} KiB.`)
      else pieces.push(piece)
    })
    reply.on('error', fail)
    reply.on('end', () =>
      reply.complete
        ? done({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(pieces, bytes) })
        : fail(new Error('the response is incomplete')),
    )
  })
  outgoing.on('socket', (socket: Socket) => {
    const onConnected = (): void => {
      // A second check: the look-up has refused it before.
      if (!mayCall(bareHost(url), socket.remoteAddress ?? ''))
        outgoing.destroy(new Forbidden(forbiddenHost(bareHost(url))))
      else isSent = true
    }
    if (!socket.connecting && !(isHttps && (socket as Socket & { secureConnecting?: boolean }).secureConnecting))
      onConnected()
    else socket.once(isHttps ? 'secureConnect' : 'connect', onConnected)
  })
  outgoing.on('error', fail)
  outgoing.end(body)
  return promise
}

/** Looks up all addresses of a name, and refuses it if one of them may not be called. */
function checkedLookup(mayCall: MayCall, resolve: Resolve): LookupFunction {
  return (host, options, told) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return told(error, '', 0)
      const isEvery = addresses.length > 0 && addresses.every(({ address }) => mayCall(host, address))
      if (!isEvery) return told(new Forbidden(forbiddenHost(host)), '', 0)
      if (options.all) return (told as unknown as (error: null, all: typeof addresses) => void)(null, addresses)
      const [first] = addresses
      told(null, first?.address ?? '', first?.family ?? 0)
    })
  }
}

type Failing = { isSent: boolean; timeout: AbortSignal }

function failureOf(error: NodeJS.ErrnoException, { host }: URL, { isSent, timeout }: Failing): OutgoingFailed {
  const failed = (kind: FailureKind, message: string): OutgoingFailed => new OutgoingFailed(kind, message, isSent)
  if (error instanceof Forbidden) return new OutgoingFailed('forbidden', error.message, false)
  if (timeout.aborted) return failed('timeout', `${host} did not respond in time.`)
  if (error.name === 'AbortError') return failed('aborted', `The request to ${host} was cancelled.`)
  const code = error.code ?? ''
  if (/^(ENOTFOUND|EAI_)/.test(code)) return failed('unresolved', `The host name ${host} could not be resolved.`)
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO/.test(code))
    return failed(
      'certificate',
      `The TLS connection to ${host} failed (${code}). To trust your own certificate authority, use --outgoing-ca.`,
    )
  if (isSent) return failed('broken', `The connection to ${host} was closed before the response was complete.`)
  return failed('unreachable', `${host} could not be reached${code === '' ? '' : ` (${code})`}.`)
}
