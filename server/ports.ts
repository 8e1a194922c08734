import { type AddressInfo, createServer as createNetServer } from 'node:net'
import type { Logger } from 'pino'
import { serveMetrics } from '#http/metrics.ts'
import { type Config, UsageError } from './config.ts'

const metricsPortDefault = 9464

export function whyNotListening(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return new UsageError(`${host}:${port} is in use; choose another --port`)
  if (code === 'EACCES') return new UsageError(`port ${port} is not allowed for this user; choose another --port`)
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new UsageError(`--host ${host} is not an address of this machine`)
  return error
}

/** Answers the port that can be listened on. */
export async function assertFree({ host, port, metricsPort }: Config): Promise<number> {
  const free = await tryListening(host, port).catch((error: unknown) => {
    throw whyNotListening(error, { host, port })
  })
  if (metricsPort === null) return free
  await tryListening('127.0.0.1', metricsPort).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? metricsPortTaken(metricsPort) : error
  })
  return free
}

const metricsPortTaken = (port: number): UsageError => new UsageError(`--metrics-port ${port} is in use`)

function tryListening(host: string, port: number): Promise<number> {
  const server = createNetServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const found = (server.address() as AddressInfo).port
      server.close(() => resolve(found))
    })
  })
}

// Two servers on one machine need not agree on a port that nobody asked for.
export async function listenForMetrics(metrics: Parameters<typeof serveMetrics>[0], port: number | null, log: Logger) {
  try {
    return await serveMetrics(metrics, port ?? metricsPortDefault)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (port !== null) throw metricsPortTaken(port)
    log.warn(`port ${metricsPortDefault} is in use: no metrics are served; set another with --metrics-port`)
    return null
  }
}

export const metricsUrlOf = (server: { port: number } | null): string | null =>
  server && `http://127.0.0.1:${server.port}/metrics`
