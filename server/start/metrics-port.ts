import type { Logger } from 'pino'
import { serveMetrics } from '#http/metrics.ts'
import { metricsPortTaken } from './ports.ts'

const metricsPortDefault = 9464

// Two servers on one machine should not conflict over a port that was not configured.
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
