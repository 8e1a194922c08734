import { route } from '#authority/route.ts'
import type { JobKind } from '#kernel/jobs.ts'
import type { Route } from '#kernel/routes.ts'
import { transact } from '#kernel/sql.ts'
import { described, empty, message, oneOf, text } from '#kernel/wire.ts'
import { causeOf } from '#rooms/foundation/systemlog/index.ts'
import { dropJob, getJob, retryJob } from './actions.ts'
import { listJobs } from './store.ts'
import { jobReply, jobsReply, stateOf, states, viewJob } from './view.ts'

export function jobRoutes(kinds: readonly JobKind[]): Route[] {
  const titles = new Map(kinds.map(({ kind, title }) => [kind, title]))
  return [
    route({
      id: 'job.v1.JobService.List',
      at: 'GET /api/v1/jobs',
      summary: 'List waiting, running and stuck jobs, newest first.',
      rule: 'jobs.read',
      paged: true,
      query: message('job.v1.JobServiceListRequest', {
        kind: described(text({ maxLength: 100 }), 'Only jobs of this kind.'),
        state: described(oneOf(states), 'Only jobs in this state.'),
      }),
      reply: jobsReply('job.v1.JobServiceListResponse'),
      async handle(call, { query, page }) {
        const filter = { kind: query.kind, state: stateOf(query.state) }
        const rows = await listJobs(call.db, call.tenant.id, filter, page)
        return page.cut(
          rows,
          (row) => [row.id],
          (row) => viewJob(titles, row),
        )
      },
    }),
    route({
      id: 'job.v1.JobService.Get',
      at: 'GET /api/v1/jobs/{job_id}',
      summary: 'Get a waiting, running or stuck job.',
      rule: 'jobs.read',
      reply: jobReply('job.v1.JobServiceGetResponse'),
      handle: async (call, { path }) => ({ job: viewJob(titles, await getJob(call.db, call.tenant.id, path.job_id)) }),
    }),
    route({
      id: 'job.v1.JobService.Retry',
      at: 'POST /api/v1/jobs/{job_id}/retry',
      summary: 'Retry a stuck or waiting job now.',
      rule: 'jobs.manage',
      body: message('job.v1.JobServiceRetryRequestInput', {}),
      reply: jobReply('job.v1.JobServiceRetryResponse'),
      async handle(call, { path }) {
        const job = await transact(call.db, (tx) => retryJob(tx, call, causeOf(call), path.job_id))
        return { job: viewJob(titles, job) }
      },
    }),
    route({
      id: 'job.v1.JobService.Drop',
      at: 'DELETE /api/v1/jobs/{job_id}',
      summary: 'Delete a stuck or waiting job. Its work is not done.',
      rule: 'jobs.manage',
      body: message('job.v1.JobServiceDropRequestInput', {}),
      reply: empty,
      async handle(call, { path }) {
        await transact(call.db, (tx) => dropJob(tx, call, causeOf(call), path.job_id))
        return {}
      },
    }),
  ]
}
