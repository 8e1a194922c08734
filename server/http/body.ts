import type { IncomingMessage } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { jsonExcess } from '#kernel/json.ts'
import { Refusal } from '#kernel/refusals.ts'
import { stranger } from '#kernel/routes.ts'
import { startWait } from '#kernel/waiting.ts'
import type { Held, StrangersBodies } from './guards/strangers.ts'
import { isStreamed } from './stream.ts'

const bodyBytesMax = 1024 * 1024

/** For strangers: a form of the token endpoint has ten parameters, and nothing else that they send is longer. */
const strangersBytesMax = 64 * 1024
const parametersMax = 100
// The longest list in any request has 10,000 references with two fields each; annotations are at most 100.
const jsonLimits = { depthMax: 100, namesMax: 25_000, namesPerObjectMax: 1_000 }

const utf8 = new TextDecoder('utf-8', { fatal: true })

const malformed = (why: string): Refusal => new Refusal('BODY_MALFORMED', `The body ${why}.`)
const tooSlow = (): Refusal => new Refusal('REQUEST_TIMEOUT', 'The request took too long to arrive.')
const tooLarge = (bytesMax: number): Refusal =>
  new Refusal(
    'BODY_TOO_LARGE',
    `The body is larger than ${bytesMax === bodyBytesMax ? '1 MiB' : `${bytesMax / 1024} KiB`}.`,
  )
const unsupported = (type: string): Refusal =>
  new Refusal('CONTENT_TYPE_UNSUPPORTED', `The body must be sent as ${type}.`)

function parseJson(body: Buffer): object {
  if (body.length === 0) return {}
  let json: unknown
  try {
    const text = utf8.decode(body)
    const excess = jsonExcess(text, jsonLimits)
    if (excess) throw malformed(excess)
    json = JSON.parse(text)
  } catch (error) {
    if (error instanceof Refusal) throw error
    // V8 quotes the text around the mistake: it may contain a secret, so only the position is shown.
    const place = /at position (\d+)/.exec((error as Error).message)?.[1]
    throw malformed(`is not JSON in UTF-8${place ? ` (position ${place})` : ''}`)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed('must be a JSON object')
  return json
}

type BodyLimits = { bytesMax: number; timeMs: number; held?: Held | null }
type Done = (error: Error | null, body?: unknown) => void

/**
 * Reads a body and parses it. Not left to Fastify: if a client disconnects, its error, `ECONNRESET`, would be taken for
 * one of the database.
 */
function read(from: IncomingMessage, limits: BodyLimits, overflow: () => Refusal, parse: (body: Buffer) => object) {
  return (done: Done): void => {
    const { bytesMax, timeMs, held } = limits
    if (Number(from.headers['content-length']) > bytesMax) return done(overflow())
    const chunks: Buffer[] = []
    let bytes = 0
    // Node has such a timeout for HTTP/1.1 only, none for HTTP/2, and includes the time in which it did not read.
    const wait = startWait(timeMs, () => finish(tooSlow()))
    const finish = (error: Error | null, body?: object): void => {
      wait.stop()
      held?.release()
      from.off('data', take).off('end', end).off('error', lose).off('close', lose)
      // An `error` without a listener would end the process.
      from.on('error', () => {})
      done(error, body)
    }
    const take = (chunk: Buffer): void => {
      bytes += chunk.length
      if (bytes > bytesMax) return finish(overflow())
      try {
        held?.add(chunk.length)
      } catch (error) {
        return finish(error as Error)
      }
      chunks.push(chunk)
    }
    const lose = (): void => finish(malformed('broke off'))
    const end = (): void => {
      try {
        finish(null, parse(Buffer.concat(chunks, bytes)))
      } catch (error) {
        finish(error as Error)
      }
    }
    from.on('data', take).on('end', end).on('error', lose).on('close', lose)
  }
}

// RFC 8693 section 2.1, RFC 8707 section 2: these may be repeated, and are lists.
const repeatable: readonly string[] = ['audience', 'resource']

// RFC 6749 section 3.2: no other parameter more than once, and one without a value counts as missing.
function parseForm(body: Buffer): object {
  const form: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  const text = body.toString()
  // Split no further than the maximum: 64 KiB of `&` are 64 Ki parameters, and each is decoded.
  if (text.split('&', parametersMax + 1).length > parametersMax)
    throw malformed(`has more than ${parametersMax} parameters`)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = form[name]
    if (repeatable.includes(name)) {
      if (value !== '') form[name] = [before ?? [], value].flat()
    } else if (before !== undefined) throw malformed('names a parameter more than once')
    else if (value !== '') form[name] = value
  }
  return form
}

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const typesOf = ({ routeOptions: { config } }: FastifyRequest): readonly string[] =>
  config.passesOn ?? config.door?.types ?? config.route?.stream ?? (config.route?.form ? [form] : [json])

const unknownType = 'application/octet-stream'
const isOpenStream = (raw: IncomingMessage & { stream?: ServerHttp2Stream }): boolean =>
  raw.stream?.endAfterHeaders === false

/** Callers without a token, a cookie, or a secret in the address. */
const isStranger = ({ actor, routeOptions: { config } }: FastifyRequest): boolean =>
  actor === stranger && !config.route?.admits

/** A route takes JSON, or a form or a stream if it says so; a missing body is an empty message, with any content type. */
export function takeBodies(app: FastifyInstance, timeMs: number, strangers: StrangersBodies): void {
  app.removeAllContentTypeParsers()
  const take = (type: string, parse: (body: Buffer) => object): void => {
    app.addContentTypeParser(type, (request, payload, done) => {
      if (isStreamed(request)) done(null, payload)
      else if (typesOf(request).includes(type)) {
        const held = isStranger(request) ? strangers.hold(request.sourceAddress) : null
        const bytesMax = held || type === form ? strangersBytesMax : bodyBytesMax
        read(payload, { bytesMax, timeMs, held }, () => tooLarge(bytesMax), parse)(done)
      } else
        read(
          payload,
          { bytesMax: 0, timeMs },
          () => unsupported(typesOf(request).join(' or ')),
          () => ({}),
        )(done)
    })
  }
  take(json, parseJson)
  take('application/scim+json', parseJson)
  take(form, parseForm)
  take('*', () => ({}))
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, raw } = request
    // An empty body has no type, whatever `curl -d ''` sends.
    if (headers['content-length'] === '0') delete headers['content-type']
    // With HTTP/2 a body need not declare its length; Fastify ignores one that does not declare its type either.
    else if (headers['content-type'] === undefined && isOpenStream(raw)) headers['content-type'] = unknownType
    done()
  })
}

// How much of an unwanted body is still read: more than anyone sends by mistake.
const unwantedBytesMax = 64 * 1024 * 1024

/**
 * Calls back when the rest of the request's body has arrived, and with whether it has. A server that replies and closes
 * before that resets the connection, and the client may lose the reply. With HTTP/2 the client is asked to stop
 * (grpc.ts).
 */
export function afterBody(raw: IncomingMessage, timeMs: number, then: (isWhole: boolean) => void): void {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
  if (!hasBody || raw.complete || raw.destroyed || raw.httpVersionMajor > 1) return then(raw.complete || !hasBody)
  let bytes = 0
  const skip = (chunk: Buffer): void => {
    bytes += chunk.length
    if (bytes > unwantedBytesMax) finish()
  }
  const wait = startWait(timeMs, () => finish())
  const finish = (): void => {
    wait.stop()
    raw.off('data', skip).off('end', finish).off('error', finish).off('close', finish)
    raw.on('error', () => {})
    then(raw.complete)
  }
  raw.on('data', skip).on('end', finish).on('error', finish).on('close', finish)
}
