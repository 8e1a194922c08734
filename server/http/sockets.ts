import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Connections } from './guards/connections.ts'
import type { Patience } from './guards/patience.ts'

const sweepMs = 20

type Guards = { connections: Connections; patience: Patience; isTls: boolean }

/** Knows which connections are open, so that the server can stop without waiting for those that do nothing. */
export function watchSockets(app: FastifyInstance, { connections, patience, isTls }: Guards) {
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
