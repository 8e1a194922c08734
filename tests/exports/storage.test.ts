import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { later } from '../fixture/later.ts'
import type { Bend } from './receiver.ts'
import { idsIn, idsInLog, openExports, plainText } from './scene.ts'

const scene = openExports()

function bend(how: Bend): void {
  scene.storage.bend = how
  later(() => {
    scene.storage.bend = null
  })
}

const keysOf = (id: string): string[] =>
  [...scene.storage.objects.keys()].filter((key) => key.includes(id) && key.includes('.ocsf.json.')).toSorted()
const idsOf = (id: string): string[] =>
  idsIn(keysOf(id).map((key) => plainText(key, scene.storage.objects.get(key) as Buffer)))

test('objects hold all events in the order of the chain, below the bucket, the prefix and the tenant', async () => {
  await scene.act(20)
  const id = await scene.create('storage', { datasource: { datasourceId: 'storage', prefix: 'p@1' } })
  await scene.run(id)
  expect(keysOf(id)[0]?.startsWith(`/the-bucket/logs/${scene.access.tenant.publicId}/p@1/${id}/`)).toBe(true)
  expect(idsOf(id)).toEqual((await idsInLog(scene)).slice(0, idsOf(id).length))
  const put = scene.storage.received.find(({ method }) => method === 'PUT')
  expect(put?.headers['if-none-match']).toBe('*')
  expect(put?.headers.authorization).toContain('/eu-central-1/s3/aws4_request')
  expect(JSON.stringify(scene.storage.received.map(({ headers, url }) => [headers, url]))).not.toContain(
    'storage-secret',
  )
  await scene.remove(id)
})

test('a bucket with object lock, which refuses objects without a checksum, gets one with each', async () => {
  bend(({ method, headers, body }, response) => {
    const isRight = headers['content-md5'] === createHash('md5').update(body).digest('base64')
    if (method !== 'PUT' || isRight) return false
    response.writeHead(400, { 'content-type': 'application/xml' }).end('<Error><Code>InvalidRequest</Code></Error>')
    return true
  })
  const id = await scene.create('storage')
  expect((await scene.run(id)).error).toBe('')
  expect(keysOf(id).length).toBeGreaterThan(0)
  await scene.remove(id)
})

test.each([true, false])(
  'an object that was stored before a crash is recognised (conditional writes: %s)',
  async (known) => {
    scene.storage.knowsConditions = known
    later(() => {
      scene.storage.knowsConditions = true
    })
    const id = await scene.create('storage')
    await scene.run(id)
    const before = new Map(scene.storage.objects)
    await scene.server.db`update systemlog_export_files set done_at = null where export_id = ${id}`
    await scene.server.db`update systemlog_exports set seal_number = 0, seal_position = 0 where export_id = ${id}`
    await scene.act(3)
    expect((await scene.run(id)).error).toBe('')
    for (const [key, bytes] of before) expect(scene.storage.objects.get(key)?.equals(bytes)).toBe(true)
    expect(new Set(idsOf(id)).size).toBe(idsOf(id).length)
    await scene.remove(id)
  },
)

const answer =
  (status: number, code: string): Bend =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
    return true
  }

test.each<[name: string, how: Bend, says: string]>([
  ['has no such bucket', answer(404, 'NoSuchBucket'), 'the bucket does not exist'],
  ['denies access', answer(403, 'AccessDenied'), 'access is denied'],
  ['does not accept the signature', answer(403, 'SignatureDoesNotMatch'), 'the secret key is wrong'],
  ['is full', answer(507, 'XMinioStorageFull'), 'the storage is full'],
  ['redirects', answer(307, 'TemporaryRedirect'), 'answered with a redirect (307), which is not followed'],
  [
    'keeps nothing',
    ({ method }, response) => {
      if (method !== 'PUT') return false
      response.writeHead(200).end()
      return true
    },
    'was written, but is missing',
  ],
  [
    'keeps something else',
    ({ method, url }, response) => {
      if (method !== 'GET' || !scene.storage.objects.has(decodeURIComponent(url))) return false
      response.writeHead(200).end('something else')
      return true
    },
    // The second attempt finds it there already.
    'different content',
  ],
  [
    'answers a read with 100 MB',
    ({ method }, response) => {
      if (method !== 'GET') return false
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
    'is larger than 32768 KiB',
  ],
])('storage that %s: the export fails with words, and goes on when that is over', async (_, how, says) => {
  bend(how)
  const id = await scene.create('storage')
  const { error } = await scene.fails(id)
  expect(error).toContain(says)
  expect(error).not.toContain('storage-secret')
  scene.storage.bend = null
  expect((await scene.run(id)).error).toBe('')
  expect(idsOf(id)).toEqual((await idsInLog(scene)).slice(0, idsOf(id).length))
  await scene.remove(id)
})

test('an object with other content is not replaced, also by storage that ignores the condition of a write', async () => {
  const id = await scene.create('storage')
  await scene.run(id)
  const key = keysOf(id).at(-1) ?? ''
  const other = Buffer.from('other')
  await scene.forgetLast(id)
  scene.storage.objects.set(key, other)
  bend((received, response) => {
    if (received.method !== 'PUT') return false
    scene.storage.objects.set(decodeURIComponent(received.url), received.body)
    response.writeHead(200).end()
    return true
  })
  expect((await scene.fails(id)).error).toContain('another file is at')
  expect(scene.storage.objects.get(key)).toBe(other)
  await scene.remove(id)
})
