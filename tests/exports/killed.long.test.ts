import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { archiveIn } from '#rooms/events/exports/index.ts'
import { verifyLog } from '#rooms/foundation/systemlog/index.ts'
import { startChild } from '../tasks/start-child.ts'
import { filesBelow, idsIn, idsInLog, openExports, plainText, readFolder } from './scene.ts'

const scene = openExports()

test('kill -9 in the middle of exports: no event is missing, none is in two files, and no file is half-written', async () => {
  const archive = join(scene.folder, 'archive')
  const ids = await Promise.all(['archive', 'storage', 'collector'].map((name) => scene.create(name)))
  const [folder = '', storage = '', collector = ''] = ids
  // Slow enough to be killed in the middle.
  const slowly = (response: ServerResponse): void => {
    const { end } = response
    response.end = ((...all: Parameters<typeof end>) => {
      setTimeout(() => end.apply(response, all), 100)
      return response
    }) as typeof end
  }
  scene.storage.bend = (_, response) => {
    slowly(response)
    return false
  }
  scene.collector.bend = (_, response) => {
    slowly(response)
    return false
  }
  for (let round = 0; round < 4; round++) {
    const child = await startChild(scene.server, scene.flags)
    await scene.act(10, 300_000)
    for (const id of ids) await scene.ask(`/api/v1/systemlog/exports/${id}/run`, {})
    await sleep(100 + Math.random() * 400)
    await child.kill()
    // What the killed server had is taken up when its lease ends; here, at once.
    await scene.server.db`update jobs set due_at = now() where due_at is not null`
  }
  scene.storage.bend = null
  scene.collector.bend = null
  for (const id of ids) await scene.run(id)
  const log = await idsInLog(scene)
  const inFolder = idsIn(readFolder(archive, folder))
  expect(inFolder).toEqual(log.slice(0, inFolder.length))
  const keys = [...scene.storage.objects.keys()].filter((key) => key.includes(storage) && key.includes('.ocsf.'))
  const inStorage = idsIn(keys.toSorted().map((key) => plainText(key, scene.storage.objects.get(key) as Buffer)))
  expect(inStorage).toEqual(log.slice(0, inStorage.length))
  // A collector gets a request again whose answer was lost: with the same id and the same bytes.
  const byKey = new Map<string, Buffer>()
  for (const { headers, body } of scene.collector.received) {
    const key = String(headers['idempotency-key'])
    if (!key.includes(collector)) continue
    expect(byKey.get(key)?.equals(body) ?? true).toBe(true)
    byKey.set(key, body)
  }
  const sent = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const inCollector = idsIn(sent.map(([, body]) => gunzipSync(body).toString()))
  expect(inCollector).toEqual(log.slice(0, inCollector.length))
  expect(filesBelow(archive).filter((name) => name.endsWith('.part')).length).toBeLessThanOrEqual(4)
  const { world, tenant } = scene.access
  const verdict = await verifyLog(world, tenant.id, null, { archive: archiveIn(world, tenant, archive) })
  expect(verdict.findings).toEqual([])
})
