import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JobFailed } from '#kernel/jobs.ts'
import type { Tenant } from '#rooms/foundation/tenants/index.ts'
import { jobKinds } from '#server/registry/jobs.ts'
import { run } from '../cli/command.ts'
import {
  type Access,
  ask,
  getToken,
  type Json,
  openAccess,
  outcomeOf,
  type Reply,
  type RoleName,
} from '../fixture/access.ts'
import { patiently } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { jobsOf, put, testKind } from './support.ts'

let isMended = false
const done: string[] = []
const broken = testKind<{ token: string }>('test.broken', async ({ job }) => {
  if (!isMended) throw new JobFailed('The receiver is gone.', { mayRetry: false })
  done.push(job.id)
})
const gate = Promise.withResolvers<void>()
const held = testKind('test.held', () => gate.promise)

let server: TestServer
let access: Access
let other: Tenant
const tokens = {} as Record<'owner' | 'viewer' | 'user' | 'foreign', string>
beforeAll(async () => {
  server = await startServer({
    flags: { empty: true },
    extraJobKinds: [broken.kind, held.kind],
    jobLimits: { idleMs: { least: 20, most: 100 } },
  })
  access = await openAccess(server)
  other = await access.makeTenant('other.example.com')
  const tokenOf = async (role: RoleName, of?: Tenant) => getToken(server, await access.makeCaller([role], {}, of))
  tokens.owner = await tokenOf('system:owner')
  tokens.viewer = await tokenOf('system:viewer')
  tokens.user = await tokenOf('system:user')
  tokens.foreign = await tokenOf('system:owner', other)
})
afterAll(async () => {
  gate.resolve()
  await access.close()
  await server.stop()
})

const jobs = '/api/v1/jobs'
const list = async (query = '', token = tokens.owner): Promise<Json[]> => {
  const reply = await ask(server, `${jobs}${query}`, { token })
  expect(reply.status, reply.text).toBe(200)
  return reply.json['list'] as Json[]
}
const comesTo = async (kind: string, state: string, count: number): Promise<Json[]> => {
  const query = `?kind=${kind}&state=JOB_STATE_${state}`
  await patiently(async () => expect(await list(query)).toHaveLength(count))
  return list(query)
}
const stuck = async (count: number): Promise<Json[]> => {
  isMended = false
  await access.world.db`delete from jobs where kind = ${broken.name.kind}`
  const payload = { token: 'hunter2' }
  const subject = { type: 'app', id: 'a1' }
  await put(access.world, access.tenant, broken.name, ...Array.from({ length: count }, () => ({ payload, subject })))
  return comesTo(broken.name.kind, 'STUCK', count)
}
const retry = (id: unknown, token = tokens.owner, host?: string): Promise<Reply> =>
  ask(server, `${jobs}/${id as string}/retry`, { token, body: {}, ...(host !== undefined && { host }) })
const drop = (id: unknown, token = tokens.owner, host?: string): Promise<Reply> =>
  ask(server, `${jobs}/${id as string}`, { method: 'DELETE', token, body: {}, ...(host !== undefined && { host }) })

describe('operators', () => {
  test('see what is stuck, what it is about and why, but not its payload', async () => {
    const [job] = await stuck(1)
    expect(job).toMatchObject({
      kind: 'test.broken',
      state: 'JOB_STATE_STUCK',
      subjectType: 'app',
      subjectId: 'a1',
      attempts: 1,
      lastError: 'The receiver is gone.',
      runAt: null,
      causeOperation: 'bailiwick test',
    })
    const reply = await ask(server, `${jobs}/${job?.['id'] as string}`, { token: tokens.viewer })
    expect(reply.json['job']).toEqual(job)
    expect(reply.text).not.toContain('hunter2')
    expect(await list('?state=JOB_STATE_WAITING&kind=test.broken')).toEqual([])
  })

  test('retry and drop, each with an event that does not tell the payload either', async () => {
    const [first, second] = await stuck(2)
    isMended = true
    expect(outcomeOf(await retry(first?.['id']))).toBe('200')
    expect(outcomeOf(await drop(second?.['id']))).toBe('200')
    await patiently(() => expect(done).toContain(first?.['id']))
    expect(done).not.toContain(second?.['id'])
    await patiently(async () => expect(await list('?kind=test.broken')).toEqual([]))
    for (const again of [retry, drop]) expect(outcomeOf(await again(first?.['id']))).toBe('404/5 JOB_NOT_FOUND')
    const log = await ask(server, '/api/v1/systemlog/events', {
      token: tokens.owner,
      body: { sortDirection: 'SORT_DIRECTION_DESC', pageSize: 100 },
    })
    const told = (log.json['list'] as Json[]).filter(({ resources }) => (resources as Json[])?.[0]?.['type'] === 'job')
    expect(told.map(({ message, resources }) => [message, (resources as Json[])[0]?.['uid']])).toEqual([
      ['Deleted the job test.broken', second?.['id']],
      ['Retried the job test.broken', first?.['id']],
    ])
    expect(log.text).not.toContain('hunter2')
  })

  test('cannot touch a job that runs', async () => {
    await put(access.world, access.tenant, held.name, { payload: {} })
    const [job] = await comesTo(held.name.kind, 'RUNNING', 1)
    expect(job).toMatchObject({ attempts: 1, runAt: null })
    expect(Date.parse(job?.['leaseUntil'] as string)).toBeGreaterThan(Date.now())
    for (const change of [retry, drop]) expect(outcomeOf(await change(job?.['id']))).toBe('409/10 JOB_RUNNING')
  })

  test('of another tenant, and who may only read or not even that, change nothing', async () => {
    const [job] = await stuck(1)
    const id = job?.['id'] as string
    const host = 'other.example.com'
    for (const change of [retry, drop]) {
      expect(outcomeOf(await change(id, tokens.foreign, host))).toBe('404/5 JOB_NOT_FOUND')
      expect(outcomeOf(await change(id, tokens.viewer))).toBe('403/7 PERMISSION_DENIED')
      expect(outcomeOf(await change(id, tokens.user))).toBe('403/7 PERMISSION_DENIED')
    }
    expect(outcomeOf(await ask(server, `${jobs}/${id}`, { token: tokens.foreign, host }))).toBe('404/5 JOB_NOT_FOUND')
    const theirs = await ask(server, jobs, { token: tokens.foreign, host })
    expect(theirs.json['list']).toEqual([])
    expect((await list('?kind=test.broken'))[0]).toEqual(job)
  })

  test('who retry a stuck job while another waits under its key get that one', async () => {
    isMended = false
    const soon = { payload: { token: '' }, key: 'k' }
    await put(access.world, access.tenant, broken.name, soon)
    const first = await patiently(async () => {
      const job = (await jobsOf(access.world, access.tenant, broken.name.kind)).find(({ key }) => key === 'k')
      expect(job?.state).toBe('stuck')
      return job
    })
    await put(access.world, access.tenant, broken.name, { ...soon, runAt: new Date(Date.now() + 3_600_000) })
    isMended = true
    const reply = await retry(first?.id)
    expect(reply.status, reply.text).toBe(200)
    expect((reply.json['job'] as Json)['id']).not.toBe(first?.id)
    await patiently(async () =>
      expect((await jobsOf(access.world, access.tenant, broken.name.kind)).filter(({ key }) => key === 'k')).toEqual(
        [],
      ),
    )
  })

  test('filter by existing values, and refuse unknown ones', async () => {
    const reply = await ask(server, `${jobs}?state=DONE`, { token: tokens.owner })
    expect(outcomeOf(reply)).toBe('400/3 INPUT_INVALID')
    expect(await list('?kind=no.such')).toEqual([])
  })

  test('read in the metrics how many wait, run and are stuck, and how attempts ended', async () => {
    await stuck(2)
    const read = async (): Promise<string> => (await fetch(server.serving.metricsUrl as string)).text()
    await patiently(async () => expect(await read()).toContain('bailiwick_jobs{kind="test.broken",state="stuck"} 2'))
    const text = await read()
    expect(text).toMatch(/bailiwick_jobs_attempts_total\{kind="test.broken",outcome="stuck"\} [1-9]/)
    expect(text).toMatch(/bailiwick_jobs_attempt_seconds_total\{kind="test.broken",outcome="done"\} \d/)
    expect(text).toContain('bailiwick_jobs_oldest_due_seconds{kind="users.disabled"} 0')
  })
})

describe('the command', () => {
  const command = (...words: string[]) =>
    run([
      'jobs',
      ...words,
      ...['--tenant', access.tenant.domain],
      ...['--data-dir', server.config.dataDir, '--database-url', server.databaseUrl],
    ])

  test('lists, shows, retries and drops', async () => {
    const [first, second] = (await stuck(2)).map(({ id }) => id as string)
    const listed = await command('list', '--state', 'stuck')
    expect(listed, listed.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(listed.stdout).toContain(`${first}  test.broken  stuck`)
    expect(listed.stdout).not.toContain('hunter2')
    const shown = await command('show', second as string)
    expect(shown.stdout).toMatch(/^Last error: +The receiver is gone\.$/m)
    isMended = true
    expect(await command('retry', first as string)).toMatchObject({
      code: 0,
      stdout: `The job ${first} (test.broken) will run as soon as a server is free.\n`,
    })
    expect(await command('drop', second as string)).toMatchObject({
      code: 0,
      stdout: `Deleted the job ${second} (test.broken).\n`,
    })
    await patiently(() => expect(done).toContain(first))
    const gone = await command('show', second as string)
    expect(gone).toMatchObject({ code: 2, stdout: '' })
    expect(gone.stderr).toContain(`There is no job ${second}`)
  })

  longTest('refuses a state that there is not', async () => {
    expect((await command('list', '--state', 'done')).stderr).toContain('is not one of waiting, running, stuck')
  })
})

test('every kind of job has a short name, and no two have the same', () => {
  const titles = jobKinds.map(({ title }) => title)
  expect(titles.filter((title) => title.length > 50)).toEqual([])
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles).toEqual(expect.arrayContaining(['Task deadline', 'Delegation starts or ends']))
})
