import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { ask } from './client.ts'
import { testRoutes } from './routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ extraRoutes: testRoutes })
})
afterAll(() => server.stop())

test.each([['/healthz'], ['/readyz']])('%s answers on any host, and on none', async (path) => {
  for (const host of ['localhost', 'nobody.example', '', '10.0.0.1:8080']) {
    const reply = await ask(server.url + path, { headers: { host } })
    expect(reply).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    expect(reply.headers['content-type']).toBe('application/json')
  }
})

const metrics = async (): Promise<string> => {
  const reply = await ask(server.serving.metricsUrl as string)
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  return reply.text
}

test('metrics are served on a separate loopback port, in the Prometheus text format', async () => {
  expect(server.serving.metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  await ask(`${server.url}/test/things/one`)
  await ask(`${server.url}/test/things/two`)
  await ask(`${server.url}/nowhere/at/all`)
  await ask(`${server.url}/%ZZ`)
  const text = await metrics()
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#')))
    expect(line).toMatch(/^[a-z_:][a-z0-9_:]*(\{([a-z_]+="[^"]*",?)*\})? [-+0-9.eEINaf]+$/i)
  // By route, not by path: ids would make a series each.
  expect(text).toMatch(
    /bailiwick_http_request_seconds_count\{method="GET",route="\/test\/things\/:thing_id",status="200"\} 2/,
  )
  expect(text).toMatch(/bailiwick_http_request_seconds_count\{method="GET",route="unknown",status="404"\} 1/)
  expect(text).toMatch(/bailiwick_http_request_seconds_count\{method="GET",route="unknown",status="400"\} 1/)
  expect(text).not.toMatch(/nowhere|\/two/)
  expect(text).toContain('bailiwick_database_up 1')
  expect(text).toContain('process_cpu_seconds_total')
})

test('metrics are not told on the main port, and nothing else on theirs', async () => {
  expect((await ask(`${server.url}/metrics`)).status).toBe(404)
  expect((await ask(new URL('/healthz', server.serving.metricsUrl as string).href)).status).toBe(404)
})

test('a connection to the database that breaks costs its own request, and no other', async () => {
  const others = Array.from({ length: 5 }, () => ask(`${server.url}/test/wait?ms=400`))
  const asking = ask(`${server.url}/test/ask?ms=60000`)
  const end = () => server.db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where query like 'select pg_sleep(%' and state = 'active' and datname = current_database()`
  await until(async () => (await end()).length > 0)
  expect(await asking).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
})
