import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dataFolder, later, postmastersOf, until } from '../fixture/later.ts'
import { familyOf, startChild } from './child.ts'

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status
const isReady = (url: string) => async () => (await statusOf(`${url}/readyz`)) === 200

test('while the database is unavailable every request gets 503, and service resumes automatically', async () => {
  const dataDir = dataFolder()
  const { url, metricsUrl, logged, process: child, exit } = await startChild(dataDir)
  expect(await statusOf(`${url}/test/sleep?ms=1`)).toBe(200)
  const underWay = fetch(`${url}/test/sleep?ms=600000`)
  await until(async () => /^bailiwick_http_requests_running 1$/m.test(await (await fetch(metricsUrl)).text()))

  // Frozen rather than killed: nothing is answered, and nothing is refused either.
  const frozen = familyOf(postmastersOf(dataDir)[0] as number)
  const thaw = (): void => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }
  later(thaw)
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  expect((await underWay).status).toBe(503)

  const asked: [path: string, init?: RequestInit][] = [
    ['/readyz'],
    ['/docs'],
    ['/api/openapi.json'],
    ['/nowhere'],
    ['/test/sleep?ms=1'],
    ['/test/rows', { method: 'POST', body: '{"name":"x"}', headers: { 'content-type': 'application/json' } }],
    ['/test/rows', { method: 'POST', body: 'x'.repeat(2_000_000) }],
  ]
  for (const [path, init] of asked) {
    const reply = await fetch(url + path, init)
    expect(reply.status, path).toBe(503)
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(reply.headers.get('content-type')).toBe('application/json')
    expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]+$/)
    expect(await reply.json()).toMatchObject({ code: 14, details: [{ reason: 'DATABASE_AWAY' }] })
  }
  expect(await statusOf(`${url}/healthz`)).toBe(200)
  expect(await (await fetch(metricsUrl)).text()).toContain('bailiwick_database_up 0')

  thaw()
  await until(isReady(url))
  expect(await statusOf(`${url}/test/sleep?ms=1`)).toBe(200)
  expect(await (await fetch(metricsUrl)).text()).toContain('bailiwick_database_up 1')
  const told = logged.map((line) => (JSON.parse(line) as { msg?: string }).msg)
  expect(told).toContain('the database is unavailable')
  expect(told).toContain('the database is available again')
  expect(logged.join('')).not.toContain('"stack"')
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
})

test('kill -9 of PostgreSQL under load: only 200, 503 and, where nobody can know, 504, and service resumes', async () => {
  const dataDir = dataFolder()
  const { url, logged, process: child, exit } = await startChild(dataDir)
  await fetch(`${url}/test/sleep?ms=0`)
  let isOver = false
  const statuses = new Map<number, number>()
  const hammer = async (line: number): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const body = JSON.stringify({ name: `${line}-${n}` })
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      const { status } = await (line % 2 ? fetch(`${url}/test/rows`, init) : fetch(`${url}/test/sleep?ms=5`))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status !== 200) await sleep(20)
    }
  }
  const hammering = Promise.all([1, 2, 3, 4, 5, 6].map(hammer))
  for (let round = 0; round < 2; round++) {
    const soFar = statuses.get(200) ?? 0
    await until(() => (statuses.get(200) ?? 0) > soFar + 100)
    const [postmaster] = postmastersOf(dataDir)
    process.kill(postmaster as number, 'SIGKILL')
    await until(() => postmastersOf(dataDir).some((pid) => pid !== postmaster))
    await until(isReady(url))
  }
  isOver = true
  await hammering
  // Of writes that were being committed nobody can know; of all the rest it is known.
  expect(statuses.get(504) ?? 0).toBeLessThan((statuses.get(200) ?? 0) / 10)
  statuses.delete(504)
  expect([...statuses.keys()].toSorted((a, b) => a - b)).toEqual([200, 503])
  await until(async () => (await statusOf(`${url}/docs`)) === 200)
  expect(logged.join('')).not.toContain('"a bug"')
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
})
