import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Connections } from './guards/connections.ts'
import type { Patience } from './guards/patience.ts'

const sweepMs = 20

type Guards = { connections: Connections; patience: Patience; isTls: boolean }

/** Tracks which connections are open, so that the server can stop without waiting for idle ones. */
export function watchSockets(app: FastifyInstance, { connections, patience, isTls }: Guards) {
  const sockets = new Set<Socket>()
  /** Those without a request so far: browsers open some in advance. */
  const unused = new Set<Socket>()
  const sessions = new Set<ServerHttp2Session>()

  // Before TLS: an incomplete handshake is a connection too.
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
    /** It has had a request. */
    use: (socket: Socket): void => void unused.delete(socket),
    async stop(graceMs: number): Promise<void> {
      const cutOff = setTimeout(() => {
        for (const socket of sockets) socket.destroy()
        connections.closeAll()
      }, graceMs)
      // A connection whose last request ends in the meantime would otherwise be kept alive, and this process with it.
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
