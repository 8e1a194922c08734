import { type ReactNode, useRef } from 'react'
import { jobDrop, jobGet, jobList, jobRetry } from '#client/api/operations.ts'
import type { Job } from '#client/api/types.ts'
import { useChange } from '../../client/queries.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { nameOf } from './words.tsx'

export type JobChange = { job: Job; verb: 'Retry' | 'Delete' }
type ChangeJobProps = { change: JobChange | null; onClose: () => void }

const changes = [jobList, jobGet]

/** Asks before a job is run again, or never. */
export function ChangeJob({ change, onClose }: ChangeJobProps): ReactNode {
  // The words stay while the dialog closes.
  const last = useRef(change)
  if (change) last.current = change
  const { job, verb } = last.current ?? {}
  const name = job ? nameOf(job) : ''
  const retry = useChange(jobRetry, { changes, done: `Retrying: ${name}`, onDone: onClose })
  const drop = useChange(jobDrop, { changes, done: `Deleted: ${name}`, onDone: onClose })
  const asked = verb === 'Delete' ? drop : retry
  return (
    <Confirm
      opened={change !== null}
      onClose={() => {
        asked.reset()
        onClose()
      }}
      title={verb === 'Delete' ? 'Delete this job?' : 'Retry this job now?'}
      verb={verb ?? ''}
      isPending={asked.isPending}
      error={asked.error}
      onConfirm={() => change && asked.mutate({ path: { job_id: change.job.id }, body: {} })}
    >
      {verb === 'Delete'
        ? `“${name}” is deleted and its work is not done. This cannot be undone.`
        : `“${name}” runs again immediately, with all its attempts.`}
    </Confirm>
  )
}
