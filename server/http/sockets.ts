import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { countConnections } from './guards/connections.ts'
import type { openPatience } from './guards/patience.ts'

type Patience = ReturnType<typeof openPatience>
type Connections = ReturnType<typeof countConnections>

// While the server stops: how often idle connections are closed.
const sweepMs = 20

/** The connections of a server, which it closes when it stops. */
export function trackSockets(app: FastifyInstance, isTls: boolean, patience: Patience, connections: Connections) {
  const sockets = new Set<Socket>()
  /** Those on which no request has come yet: browsers open some ahead of need. */
  const unused = new Set<Socket>()
  const sessions = new Set<ServerHttp2Session>()

  // Before TLS: a handshake that does not end is a connection too.
  app.server.on('connection', (socket: Socket) => {
    if (connections.take(socket)) patience.watchSocket(socket)
  })
  app.server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket & { alpnProtocol?: string }) => {
    sockets.add(socket)
    if (socket.alpnProtocol !== 'h2') unused.add(socket)
    socket.on('close', () => {
      sockets.delete(socket)
      unused.delete(socket)
    })
  })
  if (isTls)
    (app.server as unknown as Http2SecureServer).on('session', (session) => {
      sessions.add(session)
      patience.watchSession(session)
      session.on('close', () => sessions.delete(session))
    })

  return {
    /** A request came on it. */
    use: (socket: Socket): void => void unused.delete(socket),
    /** Lets what is under way finish, and cuts off what has not after `graceMs`. */
    async stop(graceMs: number): Promise<void> {
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
  }
}
