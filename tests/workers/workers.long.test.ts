import { rmSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '#database/open.ts'
import { run, type Served, serve, serveOn } from '../cli/command.ts'
import { makeFolder } from '../fixture/folder.ts'
import { dataFolder, later, postmastersOf, until } from '../fixture/later.ts'
import { makeDatabase } from '../fixture/server.ts'
import { childrenOf, hasSpare, isAlive, logOf, type Sent, sendOn, servingPids } from './team.ts'

let data: { url: string; drop(): Promise<void>; folder: string }
let served: Served
let joined: Database
beforeAll(async () => {
  data = { ...(await makeDatabase()), folder: await makeFolder() }
  served = await serveOn(['--database-url', data.url, '--data-dir', data.folder, '--workers', '2'])
  joined = await openDatabase({ from: { url: data.url }, connectionsMax: 1 })
})
afterAll(async () => {
  await joined?.close()
  served?.child.kill('SIGKILL')
  await served?.exit
  await data.drop()
  rmSync(data.folder, { recursive: true, force: true })
})

const primary = (): number => served.child.pid as number
const countIn = (text: string, name: string): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(name) && !line.startsWith('#'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
const metrics = async (): Promise<string> => (await fetch(served.metricsUrl)).text()
const jwksCount = 'bailiwick_http_request_seconds_count{method="GET",route="/auth/v1/jwks"'
/** All places are taken, and one waits to take the next. */
const spareIsReady = (): Promise<void> =>
  until(() => [...servingPids(served).values()].every(isAlive) && hasSpare(served))
const ownerOf = async (): Promise<number | null> => {
  const [row] = await joined.db<{ owner: string }[]>`
    select owner from leases where name = 'regular work' and until > clock_timestamp()`
  return row ? Number(/ process (\d+)/.exec(row.owner)?.[1]) : null
}

/** The workers that have answered requests of this path so far: how many requests that takes is up to the kernel. */
const workersAt = (path: string): Set<unknown> =>
  new Set(logOf(served).flatMap((line) => (line['path'] === path ? [line.worker] : [])))

let asked = 0
test('several workers serve one port, say so once, and each line of the log says which', async () => {
  expect(served.said().stdout.match(/Listening/g)).toHaveLength(1)
  expect(new Set(servingPids(served).keys())).toEqual(new Set([1, 2]))
  await until(async () => {
    const sending = Array.from({ length: 20 }, () => sendOn(served.url, asked++, { isOver: () => false, requests: 1 }))
    const sent = (await Promise.all(sending)).flat()
    expect(sent.filter(({ failure }) => failure !== null)).toEqual([])
    return workersAt('/auth/v1/jwks').size === 2
  })
  await until(() => logOf(served).filter(({ path }) => path === '/auth/v1/jwks').length === asked)
})

test('metrics are sums over the workers', async () => {
  await expect.poll(async () => countIn(await metrics(), jwksCount)).toBe(asked)
  const text = await metrics()
  expect(text).toContain('bailiwick_workers 2')
  expect(text).toContain('bailiwick_database_up 1')
  expect(text.match(/^process_start_time_seconds /gm)).toHaveLength(1)
  expect(text.match(/^bailiwick_systemlog_seal_lag_seconds /gm)).toHaveLength(1)
})

test('kill -9 of a worker under load loses what was in it, and nothing else; another takes its place', async () => {
  await spareIsReady()
  const [number, victim] = [...servingPids(served)][0] as [number, number]
  let isOver = false
  let connections = 1000
  const all: Sent[] = []
  const keepAlive = async (): Promise<void> => {
    while (!isOver) all.push(...(await sendOn(served.url, connections++, { isOver: () => isOver })))
  }
  const short = async (): Promise<void> => {
    while (!isOver) all.push(...(await sendOn(served.url, connections++, { isOver: () => isOver, requests: 1 })))
  }
  const load = [keepAlive, keepAlive, keepAlive, keepAlive, keepAlive, keepAlive, short, short, short, short]
  const loading = Promise.all(load.map((each) => each()))
  await until(() => all.length > 100)
  const before = countIn(await metrics(), jwksCount)
  process.kill(victim, 'SIGKILL')
  await until(() => !isAlive(victim))
  const killedAt = performance.now()
  await until(() => servingPids(served).get(number) !== victim)
  const soFar = connections
  await until(() => connections > soFar + 20)
  isOver = true
  await loading

  // On a connection that had been served by another worker nothing fails, and nothing on one that was opened after the
  // kill. Who still has a connection to the killed worker may learn of its end by the next request on it.
  const failed = all.filter(({ failure }) => failure !== null)
  const openedAt = new Map(all.toReversed().map(({ connection, beganAt }) => [connection, beganAt]))
  expect(failed.filter(({ connection }) => (openedAt.get(connection) as number) > killedAt)).toEqual([])
  const workerOf = new Map(logOf(served).map(({ requestId, worker }) => [requestId, worker]))
  const lost = new Set(failed.map(({ connection }) => connection))
  const servedBefore = all.filter(({ connection, failure }) => lost.has(connection) && failure === null)
  const by = new Set(servedBefore.map(({ id }) => workerOf.get(id)))
  // What the killed worker had not written to the log yet is lost with it.
  by.delete(undefined)
  expect([...by].filter((worker) => worker !== number)).toEqual([])
  expect(failed.length).toBeLessThanOrEqual(load.length)
  expect(all.length).toBeGreaterThan(200)

  const log = logOf(served)
  const ended = log.find(({ msg, pid }) => msg === 'a worker exited; another replaces it' && pid === victim)
  expect(ended).toMatchObject({ worker: number, how: 'SIGKILL' })
  // What a worker had counted when it last reported stays counted: no counter goes back.
  const after = await metrics()
  expect(countIn(after, jwksCount)).toBeGreaterThanOrEqual(before)
  expect(countIn(after, 'bailiwick_workers_replaced_total')).toBeGreaterThanOrEqual(1)
})

test('one worker owns the regular work; when it is killed, the spare serves in its place and another owns the work', async () => {
  await spareIsReady()
  await until(async () => (await ownerOf()) !== null)
  const owner = (await ownerOf()) as number
  const [number] = [...servingPids(served)].find(([, pid]) => pid === owner) as [number, number]
  process.kill(owner, 'SIGKILL')
  await until(async () => ![null, owner].includes(await ownerOf()))
  await until(() => servingPids(served).get(number) !== owner)
  const ended = logOf(served).find(({ msg, pid }) => msg === 'a worker exited; another replaces it' && pid === owner)
  expect(ended).toMatchObject({ worker: number, how: 'SIGKILL' })
  expect(countIn(await metrics(), 'bailiwick_workers_replaced_total')).toBeGreaterThanOrEqual(1)
  // And does it: the link that the first start made has expired, and is removed.
  await joined.db`update sign_in_links set expires_at = now() - interval '1 day'`
  await until(async () => (await joined.db`select 1 from sign_in_links`).length === 0)
})

test('guesses that reach several workers are slowed as if they had reached one', async () => {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'guessed@localhost/pcc',
    client_secret: 'secret-token:x:wrong',
  })
  const begin = performance.now()
  const guess = async (): Promise<number> => {
    const reply = await fetch(`${served.url}/auth/v1/token`, { method: 'POST', body, headers: { connection: 'close' } })
    await reply.arrayBuffer()
    return reply.status
  }
  const statuses: number[] = []
  await until(async () => {
    statuses.push(...(await Promise.all(Array.from({ length: 60 }, guess))))
    return statuses.includes(429) && workersAt('/auth/v1/token').size === 2
  })
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  // One is given back each second.
  const refilled = Math.ceil((performance.now() - begin) / 1000)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(50 + refilled)
})

test('a token that was revoked through one worker is refused by the others too', async () => {
  const created = await run([
    'credential',
    'create',
    '--user',
    'admin@localhost',
    '--name',
    'revoked',
    '--json',
    ...['--database-url', data.url, '--data-dir', data.folder],
  ])
  const { clientId, clientSecret } = JSON.parse(created.stdout) as { clientId: string; clientSecret: string }
  const client = { client_id: clientId, client_secret: clientSecret }
  const post = (path: string, form: Record<string, string>): Promise<Response> =>
    fetch(`${served.url}${path}`, { method: 'POST', body: new URLSearchParams(form) })
  const issued = await post('/auth/v1/token', { grant_type: 'client_credentials', ...client })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  // On connections of their own, so that all workers have seen it, and remember it.
  const ask = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    const reply = await fetch(`${served.url}/api/v1/auth/introspect`, { headers })
    await reply.arrayBuffer()
    return reply.status
  }
  const askAll = async (): Promise<Set<number>> => new Set(await Promise.all(Array.from({ length: 24 }, ask)))
  expect(await askAll()).toEqual(new Set([200]))
  expect((await post('/auth/v1/revoke', { token, ...client })).status).toBe(200)
  await until(async () => (await ask()) === 401)
  await until(async () => !(await askAll()).has(200))
})

test('SIGTERM to a worker lets it finish and puts another in its place', async () => {
  await spareIsReady()
  const [number, pid] = [...servingPids(served)][1] as [number, number]
  process.kill(pid, 'SIGTERM')
  await until(() => !isAlive(pid))
  await until(() => servingPids(served).get(number) !== pid)
  const ended = () => logOf(served).find((line) => line.msg?.startsWith('a worker exited') && line.pid === pid)
  await until(() => ended() !== undefined)
  expect(ended()).toMatchObject({ how: 'code 0' })
})

test('a stop finishes what is under way, seals the log, and leaves no process behind', async () => {
  const children = childrenOf(primary())
  const ran = await served.stop()
  expect(ran).toMatchObject({ code: 0, signal: null })
  expect(ran.stdout).toContain('Stopping: finishing requests in progress.')
  expect(children.filter(isAlive)).toEqual([])
  expect(await joined.db`select 1 from systemlog_events where seal_number is null`).toEqual([])
})

test('TLS and HTTP/2 are served by all workers; when the primary is killed, nobody is left', async () => {
  const dataDir = dataFolder()
  const secure = await serve(['--data-dir', dataDir, '--empty', '--workers', '2', '--tls-self-signed'])
  const byHttp2 = async (): Promise<number> => {
    const session = connectHttp2(secure.url, { rejectUnauthorized: false })
    const stream = session.request({ ':path': '/auth/v1/jwks' })
    const status = await new Promise<number>((resolve, reject) => {
      stream.once('response', (headers) => resolve(Number(headers[':status'])))
      for (const each of [stream, session]) each.once('error', reject)
    })
    stream.resume()
    session.close()
    return status
  }
  const byHttp1 = (): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${secure.url}/readyz`, { rejectUnauthorized: false, agent: false }, (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      })
        .once('error', reject)
        .end()
    })
  expect(new Set(await Promise.all(Array.from({ length: 20 }, byHttp2)))).toEqual(new Set([200]))
  expect(new Set(await Promise.all(Array.from({ length: 20 }, byHttp1)))).toEqual(new Set([200]))
  await until(() => logOf(secure).filter(({ path }) => path === '/auth/v1/jwks').length === 20)
  expect(new Set(logOf(secure).flatMap(({ path, worker }) => (path ? [worker] : []))).size).toBe(2)

  const children = childrenOf(secure.child.pid as number)
  // PostgreSQL, its watcher, and two workers; the spare may be on its way.
  expect(children.length).toBeGreaterThanOrEqual(4)
  secure.child.kill('SIGKILL')
  await until(() => children.filter(isAlive).length === 0)
  await until(() => postmastersOf(dataDir).length === 0)
  expect(await fetch(`${secure.url.replace('https', 'http')}/readyz`).catch(() => 'refused')).toBe('refused')
})

test('workers that end as soon as they start are started more and more slowly, and then the server gives up', async () => {
  const { url, drop } = await makeDatabase()
  later(drop)
  const folder = await makeFolder()
  later(() => rmSync(folder, { recursive: true, force: true }))
  const running = await serve(['--database-url', url, '--data-dir', folder, '--workers', '2'])
  await until(() => hasSpare(running))
  // Those that serve are killed, and no other can start without the secret key.
  rmSync(join(folder, 'secret.key'))
  const children = childrenOf(running.child.pid as number)
  for (const pid of children) process.kill(pid, 'SIGKILL')
  expect(await running.exit).toMatchObject({ code: 70, signal: null })
  expect(children.filter(isAlive)).toEqual([])
  const log = logOf(running)
  expect(log.at(-1)?.msg ?? '').not.toBe('')
  expect(log.find(({ msg }) => msg === 'workers exit as soon as they start: the server stops')).toBeDefined()
  const starts = log.filter(({ why }) => String(why).includes('secret.key is missing'))
  expect(starts.length).toBeGreaterThanOrEqual(3)
  const times = starts.map(({ time }) => Date.parse(time))
  expect((times.at(-1) as number) - (times.at(0) as number)).toBeGreaterThan(500)
})
