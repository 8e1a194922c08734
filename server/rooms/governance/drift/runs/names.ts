import { jobName } from '#kernel/jobs.ts'

/** Applies the remedy of a run to its remaining items, or undoes it. */
export const driftRun = jobName<{ runId: string }>('drift.run')

export const runOf = (runId: string) => ({ payload: { runId }, subject: { type: 'drift_run', id: runId } })
