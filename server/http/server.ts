import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { lineWriter } from '#kernel/log.ts'
import { stranger } from '#kernel/routes.ts'
import { admitThen, type Gate } from './admit.ts'
import { type Answering, answerUnrouted, onError, recordRequest, stamp } from './answer.ts'
import { sourceOf } from './asked.ts'
import { takeBodies } from './body.ts'
import { clientErrorHandler } from './client-errors.ts'
import { mountDoors } from './doors.ts'
import { databaseAway } from './errors.ts'
import { stopSending } from './grpc.ts'
import { countConnections } from './guards/connections.ts'
import { type HttpLimits, http2Options, usualLimits } from './guards/limits.ts'
import { openPatience } from './guards/patience.ts'
import { openShares } from './guards/shares.ts'
import { countStrangersBodies } from './guards/strangers.ts'
import { countUnread } from './guards/unread.ts'
import { mountHealth } from './health.ts'
import { routedUrl, whyNoHost } from './host.ts'
import { watchRoutes } from './methods.ts'
import type { LoadNow } from './metrics.ts'
import { mountRoutes } from './mount.ts'
import { mountDocs } from './pages/docs/mount.ts'
import { sayWhatIsHere } from './pages/root.ts'
import { requestIdOf } from './request-ids.ts'
import { mountServices } from './rpc.ts'
import type { ServerParts } from './server-parts.ts'
import { trackSockets } from './sockets.ts'

type Patience = ReturnType<typeof openPatience>
type Sockets = ReturnType<typeof trackSockets>

export type HttpServer = {
  /** Has the routes ready; `listen` does so too. */
  prepare(): Promise<void>
  listen(host: string, port: number): Promise<AddressInfo>
  /** Stops accepting, lets what is under way finish, and cuts off what has not after `graceMs`. */
  stop(graceMs: number): Promise<void>
  /** What is going on now. */
  readonly load: LoadNow & { served(): number }
}

// How often Node looks for requests that take too long to arrive.
const looksMs = 1000
const pathParameterLengthMax = 256

export function createServer(parts: ServerParts): HttpServer {
  const limits: HttpLimits = { ...usualLimits, ...parts.limits }
  const patience = openPatience(limits)
  const connections = countConnections({
    limits: limits.connections,
    trustedProxies: parts.trustedProxies,
    log: parts.log,
    onRefused: parts.metrics.refuseConnection,
  })
  const shares = openShares(limits.shares, parts.metrics.refuseRequest)
  const heavy = openShares(limits.heavy, parts.metrics.refuseRequest)
  // Those that wait have not begun: they may be told so.
  parts.presence.onAway(() => {
    shares.refuseWaiting(databaseAway)
    heavy.refuseWaiting(databaseAway)
  })
  const answering: Answering = { parts, limits, writeLine: lineWriter(parts.log) }
  const app = openFastify(parts, limits, patience, (error, reply) => answerUnrouted(answering, error, reply))
  const sockets = trackSockets(app, parts.tls !== null, patience, connections)
  app.decorateRequest('tenant', null)
  app.decorateRequest('actor')
  app.decorateRequest('admitted', null)
  app.decorateRequest('sourceAddress', '')
  app.decorateRequest('sendHeader')
  takeBodies(app, limits.requestMs, countStrangersBodies(limits.strangers, parts.metrics.refuseRequest))
  const whyUnrouted = watchRoutes(app)
  app.setErrorHandler(onError(answering, whyUnrouted))
  addHooks(app, sockets, { parts, shares, whyUnrouted }, answering)
  const { console } = parts
  app.setNotFoundHandler((request, reply) =>
    console?.takes(request) ? console.answer(request, reply) : sayWhatIsHere(reply),
  )
  mountHealth(app, parts)
  mountDocs(app, parts.routes)
  mountServices(app, parts.services ?? [], shares)
  const guarded = { ...parts, shares, heavy, unread: countUnread(limits.unread, parts.metrics.refuseRequest), limits }
  mountRoutes(app, guarded)
  mountDoors(app, parts.doors ?? [], guarded)

  // RFC 9110 section 10.1.1: an expectation that is not known may be ignored; Node would answer it with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  return {
    async prepare() {
      await app.ready()
    },
    async listen(host, port) {
      await app.listen({ host, port })
      return app.server.address() as AddressInfo
    },
    stop: sockets.stop,
    load: {
      connections: () => connections.count,
      running: () => shares.running,
      waiting: () => shares.waiting,
      served: () => shares.entered,
    },
  }
}

/** What is done when a request begins and when it has been answered. */
function addHooks(app: FastifyInstance, sockets: Sockets, gate: Gate, answering: Answering): void {
  const { parts } = gate
  app.addHook('onRequest', (request, reply, done) => {
    sockets.use(request.raw.socket)
    request.actor = stranger
    request.sourceAddress = sourceOf(request)
    request.sendHeader = (name, value) => void reply.header(name, value)
    stamp(parts, reply)
    const refusal = whyNoHost(request.raw)
    if (refusal) done(refusal)
    else if (request.routeOptions.config.ofNoTenant) done()
    else {
      parts.onUsed?.()
      admitThen(gate, request, done)
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    stopSending(request.raw)
    if (!request.routeOptions.config.ofNoTenant) parts.onUsed?.()
    recordRequest(
      answering,
      reply,
      request.routeOptions.url ?? (request.is404 && reply.statusCode === 200 ? 'console' : 'unknown'),
    )
    done()
  })
}

/** Fastify, by HTTP/1.1 or, with TLS, also by HTTP/2. */
function openFastify(
  parts: ServerParts,
  limits: HttpLimits,
  patience: Patience,
  onUnrouted: (error: Error, reply: FastifyReply) => void,
): FastifyInstance {
  const times = {
    // Bodies are waited for by body.ts and stream.ts; this ends what nobody reads, such as the body of a GET.
    requestTimeout: 2 * limits.requestMs,
    headersTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(looksMs, limits.requestMs / 4),
  }
  const options = {
    logger: false,
    genReqId: requestIdOf,
    rewriteUrl: routedUrl,
    requestTimeout: 2 * limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    http2SessionTimeout: limits.idleMs,
    trustProxy: parts.trustedProxies.length > 0 ? [...parts.trustedProxies] : false,
    routerOptions: { maxParamLength: pathParameterLengthMax },
    // Refused with a body, as everything is: see host.ts.
    http: { requireHostHeader: false, ...times },
    // What comes on an open connection while we stop is still served.
    return503OnClosing: false,
    frameworkErrors: (error: Error, _request: unknown, reply: unknown) => onUnrouted(error, reply as FastifyReply),
    clientErrorHandler: clientErrorHandler(parts.log, patience.wasAway),
  } as const
  // Fastify types a server of HTTP/2 as another kind; to us it is the same.
  return (parts.tls
    ? Fastify({ ...options, http2: true, https: { ...parts.tls, ...tlsOptions(limits), ...times } } as never)
    : Fastify(options)) as unknown as FastifyInstance
}

const tlsOptions = ({ handshakeMs }: HttpLimits) => ({
  allowHTTP1: true,
  handshakeTimeout: handshakeMs,
  ...http2Options,
})
