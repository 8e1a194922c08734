import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { makeCertificate } from './certificate.ts'
import { http2Options } from './guards/limits.ts'

/*
 * How programs that this server runs call it: by TLS on the loopback interface, regardless of the address and the certificate of the
 * server. The certificate is made for this process, and its key is in no file.
 */

export type InsideDoor = { port: number; close(): Promise<void> }
export type Inside = {
  /** The certificate, which programs have to trust. */
  certificate(): string
  /** Listens for programs of one host: what is asked for there is asked of that host, and only these paths are served. */
  open(host: string, paths: readonly string[]): Promise<InsideDoor>
}

const days = 820
const connectionsMax = 32
const handshakeMs = 10_000
const idleMs = 72_000

export function openInside(app: FastifyInstance, now: () => Date): Inside {
  let made: { cert: string; key: string } | null = null
  const pair = () => (made ??= makeCertificate(['localhost', '127.0.0.1'], now(), days))
  return {
    certificate: () => pair().cert,
    async open(host, paths) {
      const served = new Set(paths)
      const sessions = new Set<ServerHttp2Session>()
      const server: Http2SecureServer = createSecureServer(
        { ...pair(), ...http2Options, allowHTTP1: true, handshakeTimeout: handshakeMs },
        (request, response) => {
          const { headers } = request
          if (!served.has((request.url ?? '').split('?', 1)[0] as string)) {
            response.writeHead(404).end()
            return
          }
          // Nobody is in front of this port who could say where a request comes from.
          for (const name of Object.keys(headers)) if (/^(?:x-forwarded-|forwarded$)/.test(name)) delete headers[name]
          if (request.httpVersionMajor >= 2) {
            headers[':authority'] = host
            delete headers.host
          } else headers.host = host
          app.routing(request as never, response as never)
        },
      )
      server.maxConnections = connectionsMax
      server.setTimeout(idleMs)
      server.on('session', (session) => {
        sessions.add(session)
        session.once('close', () => sessions.delete(session))
      })
      server.on('error', () => {})
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(0, '127.0.0.1', () => {
          server.off('error', reject)
          resolve()
        })
      })
      return {
        port: (server.address() as AddressInfo).port,
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve())
            for (const session of sessions) session.destroy()
          }),
      }
    },
  }
}
