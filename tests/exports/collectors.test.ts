import type { ServerResponse } from 'node:http'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { later } from '../fixture/later.ts'
import { answering, type Bend } from './receiver.ts'
import { idsIn, idsInLog, openExports } from './scene.ts'

const scene = openExports()

/** Until the test is over. */
function bend(how: Bend): void {
  scene.collector.bend = how
  later(() => {
    scene.collector.bend = null
  })
}
const at = (path: string) => scene.collector.received.filter(({ url }) => url === path)

test('an HTTP collector gets lines of OCSF, compressed, with its token and an id of the request', async () => {
  await scene.act(20)
  const id = await scene.create('collector')
  await scene.run(id)
  await scene.act(3)
  await scene.run(id)
  const requests = at('/events')
  expect(requests.length).toBeGreaterThan(1)
  const [first] = requests
  expect(first?.headers).toMatchObject({
    authorization: 'Bearer collector-token',
    'content-encoding': 'gzip',
    'content-type': 'application/x-ndjson',
  })
  const ids = idsIn(requests.map(({ body }) => gunzipSync(body).toString()))
  expect(ids).toEqual((await idsInLog(scene)).slice(0, ids.length))
  expect(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(requests.length)
  await scene.remove(id)
})

test('Splunk gets each event wrapped, under its own scheme of tokens', async () => {
  const id = await scene.create('splunk', {
    datasource: { datasourceId: 'splunk', format: 'EXPORT_FORMAT_OCSF_JSON_ZSTD' },
  })
  await scene.run(id)
  const [request] = at('/splunk')
  expect(request?.headers.authorization).toBe('Splunk collector-token')
  const [line = ''] = zstdDecompressSync(request?.body ?? Buffer.alloc(0))
    .toString()
    .split('\n')
  const { time, event } = JSON.parse(line) as { time: number; event: { time: number; metadata: { uid: string } } }
  expect(time).toBeCloseTo(event.time / 1000, 3)
  expect(event.metadata.uid).toBe((await idsInLog(scene))[0])
  await scene.remove(id)
})

test('an OpenTelemetry collector gets log records; rejected ones are reported', async () => {
  bend((received, response) => {
    const partialSuccess = { rejectedLogRecords: '2', errorMessage: 'too old' }
    scene.collector.received.push(received)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ partialSuccess }))
    return true
  })
  const id = await scene.create('otlp')
  await scene.run(id)
  const [request] = at('/v1/logs')
  const logs = JSON.parse(gunzipSync(request?.body ?? Buffer.alloc(0)).toString()) as {
    resourceLogs: {
      resource: { attributes: { key: string; value: { stringValue: string } }[] }
      scopeLogs: {
        logRecords: { timeUnixNano: string; severityNumber: number; body: object; attributes: object[] }[]
      }[]
    }[]
  }
  const [{ resource, scopeLogs } = { resource: { attributes: [] }, scopeLogs: [] }] = logs.resourceLogs
  expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'bailiwick' } })
  const records = scopeLogs[0]?.logRecords ?? []
  const [firstId] = await idsInLog(scene)
  expect(records[0]?.timeUnixNano).toMatch(/^\d{19}$/)
  expect(records[0]?.attributes).toContainEqual({ key: 'log.record.uid', value: { stringValue: firstId } })
  expect(records[0]?.body).toHaveProperty('kvlistValue')
  expect((await scene.files(id))[0]?.note).toBe('The collector rejected 2 events: too old')
  await scene.remove(id)
})

test.each<[name: string, how: Bend, says: string]>([
  ['answers 500', answering(500), 'answered 500. It will be retried.'],
  ['refuses the token', answering(403), 'refused the token (403)'],
  [
    'redirects',
    answering(302, { location: 'http://169.254.169.254/' }),
    'answered with a redirect (302), which is not followed',
  ],
  [
    'sends 100 MB',
    (_, response) => {
      response.writeHead(200)
      const piece = Buffer.alloc(1_000_000)
      let left = 100
      const send = (): void => {
        if (left-- > 0 && !response.destroyed) response.write(piece, send)
        else response.end()
      }
      send()
      return true
    },
    'is larger than 256 KiB',
  ],
  [
    'closes the connection',
    (_, response) => {
      response.destroy()
      return true
    },
    'was closed before the response was complete',
  ],
])(
  'a collector that %s: the export fails with words, goes on later, and loses and repeats nothing',
  async (_, how, says) => {
    const before = at('/events').length
    // First: an export begins as soon as it is created.
    bend(how)
    const id = await scene.create('collector')
    const { error, exporter } = await scene.fails(id)
    expect(error).toMatch(/^Datasource collector: /)
    expect(error).toContain(says)
    expect(error).not.toContain('collector-token')
    expect(error).not.toContain('/events')
    expect(exporter.watermarkEventId).toBe('')
    scene.collector.bend = null
    await scene.run(id)
    const ids = idsIn(
      at('/events')
        .slice(before)
        .map(({ body }) => gunzipSync(body).toString()),
    )
    expect(ids).toEqual((await idsInLog(scene)).slice(0, ids.length))
    await scene.remove(id)
  },
)

test('a request that was not answered is repeated with the same id and the same bytes', async () => {
  const seen: { key: unknown; body: Buffer }[] = []
  bend(({ headers, body }, response) => {
    seen.push({ key: headers['idempotency-key'], body })
    response.destroy()
    return true
  })
  const id = await scene.create('collector')
  await scene.fails(id)
  await scene.act(4)
  await scene.fails(id)
  const [first, last] = [seen[0], seen.at(-1)]
  expect(seen.length).toBeGreaterThan(1)
  expect(last?.key).toBe(first?.key)
  expect(last?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  await scene.remove(id)
})

test('a collector that asks to wait is left alone for so long', async () => {
  bend(answering(429, { 'retry-after': '600' }))
  const id = await scene.create('collector')
  const { nextRunAt } = await scene.fails(id)
  expect(new Date(nextRunAt).getTime()).toBeGreaterThan(Date.now() + 500_000)
  await scene.remove(id)
})

test('a collector that hangs does not hold up other exports of the tenant', async () => {
  const hanging: ServerResponse[] = []
  later(() => {
    for (const response of hanging) response.destroy()
  })
  bend(({ url }, response) => {
    if (url === '/events') hanging.push(response)
    return url === '/events'
  })
  const slow = await scene.create('collector')
  await scene.ask(`/api/v1/systemlog/exports/${slow}/run`, {})
  const quick = await scene.create('archive')
  expect((await scene.run(quick)).error).toBe('')
  expect((await scene.status(slow)).exporter.state).toBe('EXPORT_STATE_EXPORTING')
  await scene.remove(slow)
  await scene.remove(quick)
})
