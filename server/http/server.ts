import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Door } from '#kernel/doors.ts'
import { hostOf } from '#kernel/hosts.ts'
import { lineWriter } from '#kernel/log.ts'
import { Refusal } from '#kernel/refusals.ts'
import { type Actor, anyone, authenticated, type Route, signedIn, stranger, type Tenancy } from '#kernel/routes.ts'
import type { RpcService } from '#kernel/rpc.ts'
import type { World } from '#kernel/world.ts'
import { type Asked, askedBy, sourceOf } from './asked.ts'
import { afterBody, takeBodies } from './body.ts'
import { clientErrorHandler } from './client-errors.ts'
import { knockOf, mountDoors } from './doors.ts'
import { bug, databaseAway, forbidden, freshSignInRequired, refusalOf, sendRefusal, sessionRequired } from './errors.ts'
import { stopSending } from './grpc.ts'
import { countConnections } from './guards/connections.ts'
import { type HttpLimits, http2Options, usualLimits } from './guards/limits.ts'
import { openPatience } from './guards/patience.ts'
import { type DatabasePresence, whilePresent } from './guards/present.ts'
import { openShares } from './guards/shares.ts'
import { countStrangersBodies } from './guards/strangers.ts'
import { countUnread } from './guards/unread.ts'
import { mountHealth } from './health.ts'
import { routedUrl, whyNoHost } from './host.ts'
import { watchRoutes } from './methods.ts'
import type { LoadNow, Metrics } from './metrics.ts'
import { callerOf, mountRoutes, type Sieve } from './mount.ts'
import type { ConsoleDoor } from './pages/console.ts'
import { mountDocs } from './pages/docs/mount.ts'
import { refuseForeignPages } from './pages/own-pages.ts'
import { asksWhatIsHere, sayWhatIsHere } from './pages/root.ts'
import { requestIdOf } from './request-ids.ts'
import { requestLine } from './request-line.ts'
import { admitToService, mountServices } from './rpc.ts'

export type ServerParts = {
  world: World
  log: Logger
  routes: readonly Route[]
  /** Services that are spoken to by gRPC. */
  services?: readonly RpcService[]
  /** Other protocols, each under its own prefix. */
  doors?: readonly Door[]
  /** The tenant of a host, or null. */
  tenantOf(host: string): Promise<Tenancy | null> | Tenancy | null
  /** Who an Authorization header, or else a cookie, speaks for; refuses what does not. */
  authenticate(asked: Asked): Promise<Actor> | Actor
  /** How a caller stands to a route by their permissions: let in as they are, or if what it is about is theirs. */
  standingTo(actor: Actor, route: Route): { asCaller: boolean; asOwner: boolean }
  /** A caller with what they may do besides, as the owner of what a request is about; else why they are refused. */
  asOwner(tenant: Tenancy, actor: Actor, route: Route, path: Record<string, string>): Promise<Actor | Refusal>
  /** What of a reply its caller may know. */
  sieve: Sieve
  /** Told of every request that is denied, before it is answered. */
  onDenied(asked: Asked, actor: Actor, refusal: Refusal): Promise<void>
  presence: DatabasePresence
  /** Why the clock is not believed, if it is not: told by `/readyz`. */
  clock: { readonly doubt: string | null; look(): Promise<void> }
  /** Whether the start is over: told by `/readyz`. */
  readiness: { readonly isReady: boolean }
  metrics: Metrics
  /** Called when a request to a tenant begins, and when it has ended. */
  onUsed?(): void
  trustedProxies: readonly string[]
  /** Which requests are logged; metrics count all of them. */
  logRequests: 'all' | 'failed' | 'none'
  /** The web console; where there is none, its addresses are unknown ones. */
  console?: ConsoleDoor
  tls: { cert: string | Buffer; key: string | Buffer } | null
  limits?: Partial<HttpLimits>
}

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
const sweepMs = 20

export function createServer(parts: ServerParts): HttpServer {
  const writeLine = lineWriter(parts.log)
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
    frameworkErrors: (error: Error, _request: unknown, reply: unknown) => answerUnrouted(error, reply as FastifyReply),
    clientErrorHandler: clientErrorHandler(parts.log, patience.wasAway),
  } as const
  // Fastify types a server of HTTP/2 as another kind; to us it is the same.
  const app = (parts.tls
    ? Fastify({ ...options, http2: true, https: { ...parts.tls, ...tlsOptions(limits), ...times } } as never)
    : Fastify(options)) as unknown as FastifyInstance

  /** The one place where what was thrown becomes what is answered. */
  function answer(error: unknown, reply: FastifyReply): void {
    const refusal = refusalOf(error, parts.presence.isAbsence)
    if (!refusal) parts.log.error({ err: error, requestId: reply.request.id }, 'a bug')
    if (parts.presence.isAbsence(error)) parts.presence.suspect()
    // Who has sent too slowly is not waited for again.
    const restMs = refusal?.reason === 'REQUEST_TIMEOUT' ? 0 : limits.requestMs
    afterBody(reply.request.raw, restMs, (isWhole) => {
      // Fastify closes the connection after any error in a body: needless, where it has been read to its end.
      if (isWhole && reply.hasHeader('connection')) reply.removeHeader('connection')
      sendRefusal(reply, refusal ?? bug())
    })
  }

  /** For what Fastify refuses before it is a request with hooks. */
  function answerUnrouted(error: unknown, reply: FastifyReply): void {
    stamp(reply)
    reply.raw.once('finish', () => record(reply, 'unknown'))
    answer(error, reply)
  }

  function stamp(reply: FastifyReply): void {
    reply.header('x-request-id', reply.request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('cache-control', 'no-store')
    if (parts.tls) reply.header('strict-transport-security', 'max-age=31536000')
  }

  function record(reply: FastifyReply, route: string): void {
    const { request, statusCode: status } = reply
    parts.metrics.observe(request.method, route, status, reply.elapsedTime)
    if (parts.logRequests === 'none' || (parts.logRequests === 'failed' && status < 500)) return
    if (parts.log.isLevelEnabled('info')) writeLine(requestLine(reply))
  }

  /** Finds the tenant and the caller, and refuses who may not call. At once where nothing has to be read for it. */
  function admit(request: FastifyRequest): void | Promise<void> {
    if (!parts.presence.isHere) throw databaseAway()
    const tenant = parts.tenantOf(hostOf(request.headers))
    return tenant instanceof Promise
      ? whilePresent(parts.presence, () => tenant).then((found) => admitTo(found, request))
      : admitTo(tenant, request)
  }

  function admitTo(tenant: Tenancy | null, request: FastifyRequest): void | Promise<void> {
    request.tenant = tenant
    if (!tenant) throw new Refusal('TENANT_NOT_FOUND', 'No tenant is served at this host.')
    // Before the body is read: what nobody takes and strangers' bodies are not our work.
    if (request.is404) {
      if (parts.console?.takes(request) || asksWhatIsHere(request)) return
      throw whyUnrouted(request.method, request.url)
    }
    const { door, rpc } = request.routeOptions.config
    if (door) return admitAtDoor(request, door)
    if (rpc) return whilePresent(parts.presence, () => admitToService(request, rpc.service))
    const { allow = anyone, ownPages = false, needsFresh = false, admits } = request.routeOptions.config.route ?? {}
    if (ownPages) refuseForeignPages(request)
    if (allow !== anyone) return admitCaller(request, allow, needsFresh)
    if (admits) return admitBySecret(request, tenant, admits)
  }

  /** Who has the secret in the address, as a receiver of a webhook has. */
  async function admitBySecret(
    request: FastifyRequest,
    tenant: Tenancy,
    admits: NonNullable<Route['admits']>,
  ): Promise<void> {
    const leave = await shares.enter(tenant.id, callerOf(request))
    const path = request.params as Record<string, string>
    await whilePresent(parts.presence, () => admits({ ...parts.world, tenant }, path)).finally(leave)
  }

  async function admitAtDoor(request: FastifyRequest, door: Door): Promise<void> {
    const actor = door.authenticate(parts.world, knockOf(door, request))
    request.actor = actor instanceof Promise ? await whilePresent(parts.presence, () => actor) : actor
  }

  async function admitCaller(request: FastifyRequest, allow: string, needsFresh: boolean): Promise<void> {
    const actor = parts.authenticate(askedBy(request))
    request.actor = actor instanceof Promise ? await whilePresent(parts.presence, () => actor) : actor
    if (allow === signedIn && request.actor.sessionId === '') throw sessionRequired()
    if (allow !== authenticated && allow !== signedIn) await admitByPermission(request)
    if (needsFresh) refuseStale(request.actor)
  }

  function admitThen(request: FastifyRequest, done: (error?: Error) => void): void {
    let admitted: void | Promise<void>
    try {
      admitted = admit(request)
    } catch (error) {
      return done(error as Error)
    }
    if (admitted) admitted.then(() => done(), done)
    else done()
  }

  /** Of someone in the console, what makes rights that last is asked for a sign-in that is not long past. */
  function refuseStale({ sessionId, freshUntil }: Actor): void {
    if (sessionId !== '' && !(freshUntil && parts.world.now() < freshUntil)) throw freshSignInRequired()
  }

  /** What the request is about is looked up only where it matters whether it is theirs: for most it does not. */
  async function admitByPermission(request: FastifyRequest): Promise<void> {
    const { actor, tenant } = request
    const { route } = request.routeOptions.config
    if (!tenant || !route) throw new Error('a request of no tenant or route')
    const { asCaller, asOwner } = parts.standingTo(actor, route)
    if (!asOwner && !asCaller) throw forbidden(route.allow)
    if (!asOwner) return
    const path = request.params as Record<string, string>
    const leave = await shares.enter(tenant.id, callerOf(request))
    const owner = await whilePresent(parts.presence, () => parts.asOwner(tenant, actor, route, path)).finally(leave)
    if (!(owner instanceof Refusal)) request.actor = owner
    // Others are let in too, and see what is their own.
    else if (!asCaller) throw owner
  }

  const sockets = new Set<Socket>()
  /** Those on which no request has come yet: browsers open some ahead of need. */
  const unused = new Set<Socket>()

  app.decorateRequest('tenant', null)
  app.decorateRequest('actor')
  app.decorateRequest('admitted', null)
  app.decorateRequest('sourceAddress', '')
  app.decorateRequest('sendHeader')
  takeBodies(app, limits.requestMs, countStrangersBodies(limits.strangers, parts.metrics.refuseRequest))
  const { whyUnrouted, refuseSiblings } = watchRoutes(app)
  app.setErrorHandler(async (error, request, reply) => {
    const denied = error instanceof Refusal && (error.status === 401 || error.status === 403) && error
    let thrown: unknown = error
    const { route, door } = request.routeOptions.config
    if (door && request.tenant && error instanceof Refusal && request.actor !== stranger)
      door.onRefused(parts.world, request.tenant, request.actor, error)
    // A browser whose session has ended asks in the same way: it is shown the sign-in page, and was denied nothing.
    const isQuestion =
      route?.asksWhoIsThere && denied && (denied.reason === 'TOKEN_MISSING' || denied.detail.isExpected === true)
    if (denied && request.tenant && !route?.errors && !isQuestion)
      await parts.onDenied(askedBy(request), request.actor, denied).catch((cause: unknown) => {
        thrown = cause
      })
    // HTTP/2 lets through methods that nobody has heard of, and Fastify does not take them for requests.
    if ((error as { code?: string } | null)?.code === 'FST_ERR_NOT_FOUND')
      answerUnrouted(whyUnrouted(request.method, request.url), reply)
    else answer(thrown, reply)
    return reply
  })
  app.addHook('onRequest', (request, reply, done) => {
    unused.delete(request.raw.socket)
    request.actor = stranger
    request.sourceAddress = sourceOf(request)
    request.sendHeader = (name, value) => void reply.header(name, value)
    stamp(reply)
    const refusal = whyNoHost(request.raw)
    if (refusal) done(refusal)
    else if (request.routeOptions.config.ofNoTenant) done()
    else {
      parts.onUsed?.()
      admitThen(request, done)
    }
  })
  app.addHook('onResponse', (request, reply, done) => {
    stopSending(request.raw)
    if (!request.routeOptions.config.ofNoTenant) parts.onUsed?.()
    record(reply, request.routeOptions.url ?? (request.is404 && reply.statusCode === 200 ? 'console' : 'unknown'))
    done()
  })
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
  refuseSiblings()

  // RFC 9110 section 10.1.1: an expectation that is not known may be ignored; Node would answer it with a bare 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  // Before TLS: a handshake that does not end is a connection too.
  app.server.on('connection', (socket: Socket) => {
    if (connections.take(socket)) patience.watchSocket(socket)
  })
  app.server.on(parts.tls ? 'secureConnection' : 'connection', (socket: Socket & { alpnProtocol?: string }) => {
    sockets.add(socket)
    if (socket.alpnProtocol !== 'h2') unused.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      unused.delete(socket)
    })
  })
  const sessions = new Set<ServerHttp2Session>()
  if (parts.tls)
    (app.server as unknown as Http2SecureServer).on('session', (session) => {
      sessions.add(session)
      patience.watchSession(session)
      session.on('close', () => sessions.delete(session))
    })

  return {
    async prepare() {
      await app.ready()
    },
    async listen(host, port) {
      await app.listen({ host, port })
      return app.server.address() as AddressInfo
    },
    async stop(graceMs) {
      const cutOff = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
        connections.closeAll()
      }, graceMs)
      // A connection whose last request ends meanwhile would otherwise be kept alive, and we with it.
      const sweep = setInterval(() => {
        app.server.closeIdleConnections()
        for (const socket of unused) socket.destroy()
      }, sweepMs)
      for (const session of sessions) session.close()
      await app.close()
      clearTimeout(cutOff)
      clearInterval(sweep)
      patience.stop()
    },
    load: {
      connections: () => connections.count,
      running: () => shares.running,
      waiting: () => shares.waiting,
      served: () => shares.entered,
    },
  }
}

const tlsOptions = ({ handshakeMs }: HttpLimits) => ({
  allowHTTP1: true,
  handshakeTimeout: handshakeMs,
  ...http2Options,
})

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered on any host, and also while the database is away. */
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
