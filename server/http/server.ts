import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import { type Actor, type Route, stranger, type Tenancy } from '#kernel/routes.ts'
import { openAdmission } from './admission.ts'
import { openAnswering } from './answering.ts'
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
import type { ServerParts } from './parts.ts'
import { requestIdOf } from './request-ids.ts'
import { mountServices } from './rpc.ts'
import { watchSockets } from './sockets.ts'

export type HttpServer = {
  /** Prepares the routes; `listen` does so too. */
  prepare(): Promise<void>
  listen(host: string, port: number): Promise<AddressInfo>
  /** Stops accepting, lets running requests finish, and ends those that have not after `graceMs`. */
  stop(graceMs: number): Promise<void>
  /** What is running now. */
  readonly load: LoadNow & { served(): number }
}

// How often Node checks for requests that take too long to arrive.
const looksMs = 1000
const pathParameterLengthMax = 256

export function createServer(parts: ServerParts): HttpServer {
  const limits: HttpLimits = { ...usualLimits, ...parts.limits }
  const { refuseRequest, refuseConnection } = parts.metrics
  const patience = openPatience(limits)
  const shares = openShares(limits.shares, refuseRequest)
  const heavy = openShares(limits.heavy, refuseRequest)
  // Waiting requests have not begun: they can be refused.
  parts.presence.onAway(() => {
    shares.refuseWaiting(databaseAway)
    heavy.refuseWaiting(databaseAway)
  })
  const connections = countConnections({
    limits: limits.connections,
    trustedProxies: parts.trustedProxies,
    log: parts.log,
    onRefused: refuseConnection,
  })
  const answering = openAnswering(parts, limits)
  const app = openApp(parts, limits, {
    frameworkErrors: (error, _request, reply) => answering.answerUnrouted(error, reply),
    clientErrorHandler: clientErrorHandler(parts.log, patience.wasAway),
  })
  decorate(app)
  takeBodies(app, limits.requestMs, countStrangersBodies(limits.strangers, refuseRequest))
  const { whyUnrouted, refuseSiblings } = watchRoutes(app)
  app.setErrorHandler((error, request, reply) => answering.onError(error, request, reply, whyUnrouted))
  const sockets = watchSockets(app, { connections, patience, isTls: parts.tls !== null })
  const admit = openAdmission({ ...parts, shares, whyUnrouted })
  addHooks(app, parts, { admit, answering, sockets })
  mountHealth(app, parts)
  mountDocs(app, parts.routes)
  mountServices(app, parts.services ?? [], shares)
  const guarded = { ...parts, shares, heavy, unread: countUnread(limits.unread, refuseRequest), limits }
  mountRoutes(app, guarded)
  mountDoors(app, parts.doors ?? [], guarded)
  refuseSiblings()
  // RFC 9110 section 10.1.1: an unknown expectation may be ignored; Node would respond with a bare 417.
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

type Handlers = Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>

function openApp({ tls, trustedProxies }: ServerParts, limits: HttpLimits, handlers: Handlers): FastifyInstance {
  const times = {
    // The timeouts of bodies are in body.ts and stream.ts; this ends what nothing reads, such as the body of a GET.
    requestTimeout: 2 * limits.requestMs,
    headersTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(looksMs, limits.requestMs / 4),
  }
  const options = {
    ...handlers,
    logger: false,
    genReqId: requestIdOf,
    rewriteUrl: routedUrl,
    requestTimeout: 2 * limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    http2SessionTimeout: limits.idleMs,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    routerOptions: { maxParamLength: pathParameterLengthMax },
    // Refused with a body, as everything is: see host.ts.
    http: { requireHostHeader: false, ...times },
    // Requests on an open connection are still served while the server stops.
    return503OnClosing: false,
  } as const
  // Fastify has a different type for a server of HTTP/2; the difference does not matter here.
  return (tls
    ? Fastify({ ...options, http2: true, https: { ...tls, ...tlsOptions(limits), ...times } } as never)
    : Fastify(options)) as unknown as FastifyInstance
}

function decorate(app: FastifyInstance): void {
  app.decorateRequest('tenant', null)
  app.decorateRequest('actor')
  app.decorateRequest('admitted', null)
  app.decorateRequest('sourceAddress', '')
  app.decorateRequest('sendHeader')
}

type Hooks = {
  admit: ReturnType<typeof openAdmission>
  answering: ReturnType<typeof openAnswering>
  sockets: ReturnType<typeof watchSockets>
}

/** What is done with every request, before and after it is handled. */
function addHooks(app: FastifyInstance, parts: ServerParts, { admit, answering, sockets }: Hooks): void {
  const { console, onUsed, readiness } = parts
  /** Whether a person opens the console before the start is over. */
  const isOpeningEarly = (request: FastifyRequest): boolean =>
    !readiness.isReady && request.is404 && (console?.isOpening(request) ?? false)
  app.addHook('onRequest', (request, reply, done) => {
    sockets.use(request.raw.socket)
    request.actor = stranger
    request.sourceAddress = sourceOf(request)
    request.sendHeader = (name, value) => void reply.header(name, value)
    answering.stamp(reply)
    const refusal = whyNoHost(request.raw)
    if (refusal) done(refusal)
    else if (request.routeOptions.config.ofNoTenant) done()
    // The first tenant may not exist yet.
    else if (isOpeningEarly(request)) done()
    else {
      onUsed?.()
      admit(request, done)
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    stopSending(request.raw)
    if (!request.routeOptions.config.ofNoTenant) onUsed?.()
    const url = request.routeOptions.url ?? (request.is404 && reply.statusCode === 200 ? 'console' : 'unknown')
    answering.record(reply, url)
    done()
  })
  app.setNotFoundHandler((request, reply) => {
    if (console && isOpeningEarly(request)) return console.answerStarting(reply)
    return console?.takes(request) ? console.answer(request, reply) : sayWhatIsHere(reply)
  })
}

const tlsOptions = ({ handshakeMs }: HttpLimits) => ({
  allowHTTP1: true,
  handshakeTimeout: handshakeMs,
  ...http2Options,
})

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served on any host, and also while the database is unavailable. */
    ofNoTenant?: boolean
    route?: Route
    /** Media types of bodies that are passed on unread. */
    passesOn?: readonly string[]
  }
  interface FastifyRequest {
    tenant: Tenancy | null
    actor: Actor
    sourceAddress: string
    sendHeader: (name: string, value: string) => void
  }
}
