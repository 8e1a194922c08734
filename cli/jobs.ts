import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { dropJob, getJob, type Job, listJobs, retryJob } from '#rooms/foundation/jobs/index.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { dataSettings, type FlagValues, UsageError } from '#server/config.ts'
import type { Command, Given } from './command.ts'
import { asUsage, chooseTenant, operate, print, printJson, printTable, tenantFlag } from './operate.ts'

const states = ['waiting', 'running', 'stuck'] as const
const jsonFlag = { name: 'json', value: null, help: 'Print JSON.' }
const listMax = 1000

const time = (at: Date | null): string => at?.toISOString() ?? ''
const subjectOf = ({ subject }: Job): string => (subject.type === '' ? '' : `${subject.type} ${subject.id}`)

export const jobsList: Command = {
  name: 'jobs list',
  positionals: [],
  summary: `List the jobs of a tenant that wait, run or are stuck: the newest ${listMax}.`,
  settings: dataSettings,
  flags: [
    tenantFlag,
    { name: 'kind', value: 'KIND', help: 'Only jobs of this kind.' },
    { name: 'state', value: 'STATE', help: `Only jobs in this state: ${states.join(', ')}.` },
    jsonFlag,
  ],
  run: ({ flags }) =>
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
    }),
}

function stateIn(flags: FlagValues): Job['state'] | null {
  const given = flags['state'] as string | undefined
  if (given === undefined) return null
  const state = states.find((each) => each === given)
  if (!state) throw new UsageError(`--state ${JSON.stringify(given)} is not one of ${states.join(', ')}`)
  return state
}

export const jobsShow: Command = {
  name: 'jobs show',
  positionals: ['ID'],
  summary: 'Show a job.',
  settings: dataSettings,
  flags: [tenantFlag, jsonFlag],
  run: (given) =>
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
    }),
}

export const jobsRetry: Command = {
  name: 'jobs retry',
  positionals: ['ID'],
  summary: 'Run a job now that is stuck or waits for its next attempt. A running server does it.',
  settings: dataSettings,
  flags: [tenantFlag],
  run: (given) =>
    withJob(given, async (world, tenant, id) => {
      const job = await transact(world.db, (tx) => retryJob(tx, world, operatorCause(tenant, 'jobs retry'), id))
      print(`The job ${job.id} (${job.kind}) runs as soon as a server takes it.`)
    }),
}

export const jobsDrop: Command = {
  name: 'jobs drop',
  positionals: ['ID'],
  summary: 'Delete a job that is stuck or waits: its work is not done.',
  settings: dataSettings,
  flags: [tenantFlag],
  run: (given) =>
    withJob(given, async (world, tenant, id) => {
      const job = await transact(world.db, (tx) => dropJob(tx, world, operatorCause(tenant, 'jobs drop'), id))
      print(`Dropped the job ${job.id} (${job.kind}).`)
    }),
}

const withJob = (
  { flags, positionals }: Given,
  work: (world: World, tenant: Tenant, id: string) => Promise<void>,
): Promise<number> =>
  operate(flags, async (world) => {
    await asUsage(work(world, await chooseTenant(world, flags), positionals[0] as string))
    return 0
  })
