import { nextPageToken } from '#kernel/pages.ts'
import { described, int32, listOf, message, nested, oneOf, text, timestamp } from '#kernel/wire.ts'
import type { Job } from './job.ts'

export const states = ['JOB_STATE_UNSPECIFIED', 'JOB_STATE_WAITING', 'JOB_STATE_RUNNING', 'JOB_STATE_STUCK'] as const

const stateNames = { waiting: states[1], running: states[2], stuck: states[3] } as const

export const stateOf = (name: (typeof states)[number]): Job['state'] | null =>
  (Object.keys(stateNames) as Job['state'][]).find((state) => stateNames[state] === name) ?? null

const JobMessage = message(
  'job.v1.Job',
  {
    id: text(),
    kind: text(),
    title: described(text(), 'What jobs of this kind are called.'),
    state: oneOf(states),
    subjectType: described(text(), 'The type of its object; empty if it is about the whole tenant.'),
    subjectId: text(),
    lane: described(text(), 'Jobs of a kind in one lane run one after the other.'),
    attempts: int32(),
    lastError: described(text(), 'Why the last attempt failed.'),
    createdAt: timestamp(),
    startedAt: described(timestamp(), 'When the last attempt began.'),
    runAt: described(timestamp(), 'When a waiting job runs next.'),
    leaseUntil: described(
      timestamp(),
      'Until when a running job is reserved for its server, unless the server renews it.',
    ),
    deadlineAt: described(timestamp(), 'No attempt begins after this time.'),
    causeOperation: described(text(), 'The operation that enqueued it.'),
    causeRequestId: text(),
    causeUserId: text(),
  },
  'Background work. A job that is done is deleted.',
)

export const jobReply = (name: string) => message(name, { job: nested(JobMessage) })
export const jobsReply = (name: string) => message(name, { list: listOf(JobMessage), nextPageToken })

export const viewJob = (titles: ReadonlyMap<string, string>, job: Job) => ({
  id: job.id,
  kind: job.kind,
  title: titles.get(job.kind) ?? '',
  state: stateNames[job.state],
  subjectType: job.subject.type,
  subjectId: job.subject.id,
  lane: job.lane ?? '',
  attempts: job.attempts,
  lastError: job.lastError,
  createdAt: job.createdAt,
  startedAt: job.startedAt,
  runAt: job.state === 'waiting' ? job.dueAt : null,
  leaseUntil: job.state === 'running' ? job.dueAt : null,
  deadlineAt: job.deadlineAt,
  causeOperation: job.cause.operation,
  causeRequestId: job.cause.requestId,
  causeUserId: job.cause.userId,
})
