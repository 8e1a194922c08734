import type { JobCause, JobSubject } from '#kernel/jobs.ts'

/** A job as operators see it: never its payload. */
export type Job = {
  id: string
  kind: string
  state: 'waiting' | 'running' | 'stuck'
  subject: JobSubject
  cause: JobCause
  key: string | null
  lane: string | null
  attempts: number
  lastError: string
  createdAt: Date
  startedAt: Date | null
  /** When it runs next, or when its lease ends; null for one that is stuck. */
  dueAt: Date | null
  deadlineAt: Date | null
  /** Host and process ID of the server that runs it: for operators of the machine, not for the tenant's administrators. */
  holder: string
}
