import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { lagSampling } from '#kernel/lag-sampling.ts'

export type Metrics = {
  observe(method: string, route: string, status: number, milliseconds: number): void
  /** A connection that was closed at once: `all` are too many, or those from one network. */
  refuseConnection(why: string): void
  /** A request for which there was no room: its user, its tenant, or the server has too many. */
  refuseRequest(of: string): void
  /** An error that no code handled. */
  countUnhandled(kind: string): void
  registry: Registry
}

/** What other parts of the program count: a number by name, or by name and labels. */
export type Counted = {
  name: string
  help: string
  kind: 'gauge' | 'counter'
  values: readonly { label?: readonly [string, string]; labels?: Readonly<Record<string, string>>; value: number }[]
  /** How values of several processes become one; they are added by default. */
  across?: 'max'
}

/** What is read whenever metrics are read. */
export type LoadNow = { connections(): number; running(): number; waiting(): number }

export function openMetrics(
  isDatabaseHere: () => boolean,
  isClockBelieved: () => boolean,
  now?: LoadNow,
  counted: () => readonly Counted[] = () => [],
): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, ...lagSampling })
  const requests = new Histogram({
    name: 'bailiwick_http_request_seconds',
    help: 'How long requests took, by method, route and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'bailiwick_database_up',
    help: 'Whether the database is available',
    // Over several workers, the least value: 0 if one of them cannot reach it.
    aggregator: 'min',
    registers: [registry],
    collect() {
      this.set(isDatabaseHere() ? 1 : 0)
    },
  })
  const gauge = (name: string, help: string, read: (() => number) | undefined): void => {
    if (!read) return
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  }
  gauge('bailiwick_http_connections', 'Open connections', now?.connections)
  gauge('bailiwick_http_requests_running', 'Requests that are being served', now?.running)
  gauge('bailiwick_http_requests_waiting', 'Requests that are waiting', now?.waiting)
  const counter = <L extends string>(name: string, help: string, label: L) =>
    new Counter({ name, help, labelNames: [label], registers: [registry] })
  const refusedConnections = counter(
    'bailiwick_http_connections_refused_total',
    'Connections that were closed because there were too many, in total or from one network',
    'why',
  )
  const refusedRequests = counter(
    'bailiwick_http_requests_refused_total',
    'Requests that were refused because too many were waiting, or because their turn did not come: of a user, of a tenant or in total',
    'of',
  )
  const unhandled = counter('bailiwick_unhandled_errors_total', 'Unhandled errors, by kind', 'kind')
  new Gauge({
    name: 'bailiwick_clock_believed',
    aggregator: 'min',
    help: 'Whether the clock runs evenly and agrees with the clock of the database; nothing expires while it does not',
    registers: [registry],
    collect() {
      this.set(isClockBelieved() ? 1 : 0)
    },
  })
  addCounted(registry, counted)
  return {
    registry,
    refuseConnection: (why) => refusedConnections.inc({ why }),
    refuseRequest: (of) => refusedRequests.inc({ of }),
    countUnhandled: (kind) => unhandled.inc({ kind }),
    observe: (method, route, status, milliseconds) => requests.observe({ method, route, status }, milliseconds / 1000),
  }
}

/** Adds what other parts of the program count. */
export function addCounted(registry: Registry, counted: () => readonly Counted[]): void {
  const labelsOf = ({ label, labels }: Counted['values'][number]): Record<string, string> =>
    label ? { [label[0]]: label[1] } : { ...labels }
  for (const { name, help, kind, values, across } of counted()) {
    const labels = [...new Set(values.flatMap((each) => Object.keys(labelsOf(each))))]
    const valuesNow = () => counted().find((each) => each.name === name)?.values ?? []
    const aggregator = across ?? (kind === 'gauge' ? ('max' as const) : ('sum' as const))
    const shared = { name, help, labelNames: labels, registers: [registry], aggregator }
    if (kind === 'gauge')
      new Gauge({
        ...shared,
        collect() {
          if (labels.length > 0) this.reset()
          for (const each of valuesNow()) this.set(labelsOf(each), each.value)
        },
      })
    else
      new Counter({
        ...shared,
        // Counted elsewhere: it only grows there.
        collect() {
          this.reset()
          for (const each of valuesNow()) this.inc(labelsOf(each), each.value)
        },
      })
  }
}

/** Serves them on the loopback address only: they are for the machine's own collector. */
export async function serveMetrics(
  { registry }: { registry: Pick<Registry, 'metrics' | 'contentType'> },
  port: number,
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    const send = (text: string) => response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    registry.metrics().then(send, () => response.writeHead(500).end())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
