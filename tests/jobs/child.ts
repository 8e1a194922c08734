import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { jobKind, jobName } from '#kernel/jobs.ts'
import { transact } from '#kernel/sql.ts'
import { serve } from '#server/main.ts'
import { jobKinds } from '#server/registry/jobs.ts'
import { readServeConfig } from '#server/settings/config.ts'

// The real server, with two kinds of jobs: one that may be repeated, and one that may not. It is there to be killed.
const shared = { limitPerTenant: 4, attemptMs: 60_000, retry: { firstMs: 50, maxMs: 200, attemptsMax: 1000 } }
const kinds = [
  jobKind(jobName<{ n: number }>('test.effect'), {
    ...shared,
    title: 'Write a row',
    afterUnknown: 'retry',
    handle: ({ db, job, finishIn }) =>
      transact(db, async (tx) => {
        await tx`insert into test_effects (n) values (${job.payload.n})`
        await sleep(Math.random() * 40)
        await finishIn(tx)
      }),
  }),
  jobKind(jobName<{ n: number }>('test.once'), {
    ...shared,
    title: 'Write a row outside',
    afterUnknown: 'stuck',
    async handle({ db, job }) {
      await db`insert into test_onces (n) values (${job.payload.n})`
      await sleep(Math.random() * 40)
    },
  }),
]

const flags = JSON.parse(process.argv[2] ?? '{}') as Record<string, string | boolean>
const config = readServeConfig({ port: '0', 'metrics-port': '0', empty: true, ...flags }, {})
const serving = await serve(config, undefined, {
  jobKinds: [...jobKinds, ...kinds],
  jobLimits: { leaseMs: 1_000, idleMs: { least: 20, most: 100 } },
})
writeSync(1, `${serving.url}\n`)
