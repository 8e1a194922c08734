import type { World } from '#kernel/world.ts'
import { alerts } from './alerts.ts'
import { ledger } from './chain/ledger.ts'
import { missingCount } from './report.ts'

type Counted = {
  name: string
  help: string
  kind: 'gauge' | 'counter'
  values: { label?: readonly [string, string]; value: number }[]
}

/** The metrics of the system log for the operator. */
export const logMetrics = (world: World): Counted[] => [
  {
    name: 'bailiwick_systemlog_seal_lag_seconds',
    help: 'How long the oldest event of this server has been waiting to be sealed',
    kind: 'gauge',
    values: [{ value: world.memory(ledger).lagMs() / 1000 }],
  },
  {
    name: 'bailiwick_systemlog_missing_events_total',
    help: 'Recorded events that this server found to be missing',
    kind: 'counter',
    values: [{ value: world.memory(missingCount).events }],
  },
  {
    name: 'bailiwick_systemlog_alerts_total',
    help: 'Events of high severity, such as changes of roles, by operation',
    kind: 'counter',
    // With one that is always included, so that the first of its kind is a visible change.
    values: [
      { label: ['operation', 'bailiwick user set-roles'], value: 0 },
      ...[...world.memory(alerts).counts()].map(([operation, value]) => ({
        label: ['operation', operation] as const,
        value,
      })),
    ],
  },
]
