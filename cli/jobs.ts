import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { dropJob, getJob, type Job, listJobs, retryJob } from '#rooms/foundation/jobs/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { type FlagValues, UsageError } from '#server/settings/config.ts'
import type { Given, Run } from './command.ts'
import { asUsage, chooseTenant, operate } from './operate.ts'
import { print, printJson, printTable } from './print.ts'
import { jobStates, listMax } from './values.ts'

const time = (at: Date | null): string => at?.toISOString() ?? ''
const subjectOf = ({ subject }: Job): string => (subject.type === '' ? '' : `${subject.type} ${subject.id}`)

export const jobsList: Run = ({ flags }) =>
  operate(flags, async (world) => {
    const filter = { kind: (flags['kind'] as string | undefined) ?? '', state: stateIn(flags) }
    const tenant = await chooseTenant(world, flags)
    const jobs = await listJobs(world.db, tenant.id, filter, { after: null, limit: listMax })
    if (flags['json']) printJson(jobs)
    else if (jobs.length === 0) print('No jobs.')
    else
      printTable(
        ['ID', 'KIND', 'STATE', 'ATTEMPTS', 'NEXT', 'SUBJECT', 'LAST ERROR'],
        jobs.map((job) => [
          job.id,
          job.kind,
          job.state,
          String(job.attempts),
          time(job.dueAt),
          subjectOf(job),
          job.lastError,
        ]),
      )
    return 0
  })

function stateIn(flags: FlagValues): Job['state'] | null {
  const given = flags['state'] as string | undefined
  if (given === undefined) return null
  const state = jobStates.find((each) => each === given)
  if (!state) throw new UsageError(`--state ${JSON.stringify(given)} is not one of ${jobStates.join(', ')}`)
  return state
}

export const jobsShow: Run = (given) =>
  withJob(given, async (world, tenant, id) => {
    const job = await getJob(world.db, tenant.id, id)
    if (given.flags['json']) return printJson(job)
    const facts: [string, string][] = [
      ['ID', job.id],
      ['Kind', job.kind],
      ['State', job.state],
      ['Subject', subjectOf(job)],
      ['Lane', job.lane ?? ''],
      ['Attempts', String(job.attempts)],
      ['Last error', job.lastError],
      ['Created', time(job.createdAt)],
      ['Last attempt', time(job.startedAt)],
      [job.state === 'running' ? 'Lease until' : 'Next attempt', time(job.dueAt)],
      ['Deadline', time(job.deadlineAt)],
      ['Server', job.holder],
      ['Caused by', [job.cause.operation, job.cause.userId, job.cause.requestId].filter(Boolean).join(', ')],
    ]
    for (const [name, value] of facts) if (value !== '') print(`${`${name}:`.padEnd(14)}${value}`)
  })

export const jobsRetry: Run = (given) =>
  withJob(given, async (world, tenant, id) => {
    const job = await transact(world.db, (tx) => retryJob(tx, world, operatorCause(tenant, 'jobs retry'), id))
    print(`The job ${job.id} (${job.kind}) will run as soon as a server is free.`)
  })

export const jobsDrop: Run = (given) =>
  withJob(given, async (world, tenant, id) => {
    const job = await transact(world.db, (tx) => dropJob(tx, world, operatorCause(tenant, 'jobs drop'), id))
    print(`Deleted the job ${job.id} (${job.kind}).`)
  })

const withJob = (
  { flags, positionals }: Given,
  work: (world: World, tenant: Tenant, id: string) => Promise<void>,
): Promise<number> =>
  operate(flags, async (world) => {
    await asUsage(work(world, await chooseTenant(world, flags), positionals[0] as string))
    return 0
  })
