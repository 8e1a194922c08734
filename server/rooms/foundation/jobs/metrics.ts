import type { JobKind } from '#kernel/jobs.ts'
import { slot } from '#kernel/memory.ts'
import type { Again } from '#kernel/wakes.ts'
import type { World } from '#kernel/world.ts'
import { countJobs, type JobTotals } from './store.ts'

/** The totals at the last count. Run by the engine: reading metrics reads no tables. */
export const jobTotals = slot(() => {
  let totals: readonly JobTotals[] = []
  return {
    read: (): readonly JobTotals[] => totals,
    async count({ db }: Pick<World, 'db'>): Promise<Again | void> {
      totals = await countJobs(db)
      // How late they are grows, even if nothing is changed.
      if (totals.some(({ lateSeconds }) => lateSeconds > 0)) return 'again'
    },
  }
})

type Attempts = Iterable<{ kind: string; outcome: string; count: number; seconds: number }>
type Labelled = { labels: Record<string, string>; value: number }
type Counted = { name: string; help: string; kind: 'gauge' | 'counter'; values: Labelled[]; across?: 'max' }

const states = ['waiting', 'running', 'stuck'] as const

/**
 * The metrics of jobs for the operator. Every kind is always included, so that the first of its kind is a visible
 * change.
 */
export function jobMetrics(world: World, kinds: readonly JobKind[], attempts: Attempts): Counted[] {
  const totals = world.memory(jobTotals).read()
  const names = [...new Set([...kinds.map(({ kind }) => kind), ...totals.map(({ kind }) => kind)])]
  const of = (kind: string, state: string): JobTotals | undefined =>
    totals.find((each) => each.kind === kind && each.state === state)
  const ended = [...kinds.map(({ kind }) => ({ kind, outcome: 'done', count: 0, seconds: 0 })), ...attempts]
  const byOutcome = (read: (each: { count: number; seconds: number }) => number): Labelled[] => [
    ...new Map(
      ended.map((each) => {
        const { kind, outcome } = each
        return [`${kind} ${outcome}`, { labels: { kind, outcome }, value: read(each) }]
      }),
    ).values(),
  ]
  return [
    {
      name: 'bailiwick_jobs',
      help: 'Jobs in the database, by kind and state',
      kind: 'gauge',
      across: 'max',
      values: names.flatMap((kind) =>
        states.map((state) => ({ labels: { kind, state }, value: of(kind, state)?.count ?? 0 })),
      ),
    },
    {
      name: 'bailiwick_jobs_oldest_due_seconds',
      help: 'How long the oldest job that could run has been waiting, by kind',
      kind: 'gauge',
      across: 'max',
      values: names.map((kind) => ({ labels: { kind }, value: of(kind, 'waiting')?.lateSeconds ?? 0 })),
    },
    {
      name: 'bailiwick_jobs_attempts_total',
      help: 'Attempts that ended on this server, by kind and outcome: done, retried, stuck, released or lost',
      kind: 'counter',
      values: byOutcome(({ count }) => count),
    },
    {
      name: 'bailiwick_jobs_attempt_seconds_total',
      help: 'How long those attempts took together',
      kind: 'counter',
      values: byOutcome(({ seconds }) => seconds),
    },
  ]
}
