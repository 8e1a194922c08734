import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { lagSampling } from '#kernel/lag-sampling.ts'
import type { MetricsJson } from './messages.ts'
import type { Team } from './primary.ts'

export type TeamMetrics = {
  registry: Pick<Registry, 'metrics' | 'contentType'>
  /** Keeps the counts of a worker that exited, so that no counter decreases. */
  keep(metrics: MetricsJson): void
  countUnhandled(kind: string): void
}

const startTime = 'process_start_time_seconds'
/** What only grows. How much memory a worker had, and how many connections, went with it. */
const isKept = ({ type }: { type: unknown }): boolean => type === 'counter' || type === 'histogram'

/** One set of metrics: those of all workers and of the primary, added up. `own` are those that the primary counts itself. */
export function openTeamMetrics(team: () => Team | null, own: Registry): TeamMetrics {
  collectDefaultMetrics({ register: own, ...lagSampling })
  new Gauge({
    name: 'bailiwick_workers',
    help: 'Workers that serve requests',
    registers: [own],
    collect() {
      this.set(team()?.serving ?? 0)
    },
  })
  new Counter({
    name: 'bailiwick_workers_replaced_total',
    help: 'Workers that ended and were replaced',
    registers: [own],
    collect() {
      this.reset()
      this.inc(team()?.replaced ?? 0)
    },
  })
  const unhandled = new Counter({
    name: 'bailiwick_unhandled_errors_total',
    help: 'Unhandled errors, by kind',
    labelNames: ['kind'],
    registers: [own],
  })
  let departed: MetricsJson = []
  const sum = (parts: MetricsJson[]): Registry => AggregatorRegistry.aggregate(parts)
  // One after the other: a report belongs either to a worker or to those that have ended.
  let keeping: Promise<unknown> = Promise.resolve()

  return {
    countUnhandled: (kind) => unhandled.inc({ kind }),
    keep(metrics) {
      keeping = keeping.then(async () => {
        departed = await sum([departed, metrics.filter(isKept)]).getMetricsAsJSON()
      })
    },
    registry: {
      contentType: own.contentType,
      async metrics() {
        const reports = (await team()?.reports()) ?? []
        await keeping
        const ours = (await own.getMetricsAsJSON()) as unknown as MetricsJson
        // Of several processes there is no one time of start: that of the primary is the server's.
        const started = await own.getSingleMetricAsString(startTime)
        return `${await sum([ours, departed, ...reports]).metrics()}\n${started}\n`
      },
    },
  }
}
