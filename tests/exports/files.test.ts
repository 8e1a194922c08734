import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ask, eventually, getToken } from '../fixture/access.ts'
import { later } from '../fixture/later.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { startServer } from '../fixture/server.ts'
import { filesBelow, idsIn, idsInLog, openExports, plainText, readFolder } from './scene.ts'

const scene = openExports()
const archive = (): string => join(scene.folder, 'archive')

test('files in a folder hold all sealed events, each once and in the order of the chain, as the log lists them', async () => {
  await scene.act(30)
  const id = await scene.create('archive', {
    datasource: { datasourceId: 'archive', prefix: 'a/b=c/', format: 'EXPORT_FORMAT_OCSF_JSON_ZSTD' },
  })
  const { exporter } = await scene.run(id)
  await scene.act(5)
  await scene.run(id)
  const ids = idsIn(readFolder(archive(), id))
  const log = await idsInLog(scene)
  expect(ids).toEqual(log.slice(0, ids.length))
  expect(ids.length).toBeGreaterThan(30)
  expect(exporter.watermarkEventId).toBe(ids[ids.indexOf(exporter.watermarkEventId)])
  const [file] = await scene.files(id)
  const name = file?.name ?? ''
  expect(name.startsWith(`${scene.access.tenant.publicId}/a/b=c/${id}/`)).toBe(true)
  expect(name).toMatch(/\/\d{4}\/\d\d\/\d\d\/\d{12}\.\d{4}-\d{12}\.\d{4}-[0-9a-f]{8}\.ocsf\.json\.zst$/)
  // As the API lists it, byte for byte what it was written as.
  const [listed] = await scene.server.db<{ event: string }[]>`
    select event from systemlog_events where event_id = ${ids[3] as string}`
  expect(readFolder(archive(), id).join('').split('\n')[3]).toBe(listed?.event)
  // Nothing half-written is left.
  expect(filesBelow(archive()).filter((each) => each.includes('.part'))).toEqual([])
  await scene.remove(id)
})

test('a crash between the upload and the watermark: the same bytes are written again under the same name', async () => {
  const id = await scene.create('archive')
  await scene.run(id)
  const before = new Map(filesBelow(archive()).map((name) => [name, readFileSync(join(archive(), name))]))
  await scene.forgetLast(id)
  await scene.act(10)
  await scene.run(id)
  for (const [name, bytes] of before) expect(readFileSync(join(archive(), name)).equals(bytes), name).toBe(true)
  const ids = idsIn(readFolder(archive(), id))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual((await idsInLog(scene)).slice(0, ids.length))
  await scene.remove(id)
})

test('a file that is there with other content is not overwritten, and the export says so', async () => {
  const id = await scene.create('archive')
  await scene.run(id)
  const [file] = await scene.files(id)
  const path = join(archive(), file?.name ?? '')
  await scene.server.db`delete from systemlog_export_files where export_id = ${id}`
  await scene.server.db`update systemlog_exports set seal_number = 0, seal_position = 0 where export_id = ${id}`
  const other = gzipSync('{}\n')
  // The cut is another one now: all names that it may have are taken.
  rmSync(path)
  const again = await scene.run(id)
  expect(again.error).toBe('')
  const [rewritten] = await scene.files(id)
  await scene.server.db`delete from systemlog_export_files where export_id = ${id}`
  await scene.server.db`update systemlog_exports set seal_number = 0, seal_position = 0 where export_id = ${id}`
  for (const name of filesBelow(archive()).filter((each) => each.includes(id)))
    writeFileSync(join(archive(), name), other)
  const { error } = await scene.fails(id)
  expect(error).toContain('with different content')
  expect(readFileSync(join(archive(), rewritten?.name ?? '')).equals(other)).toBe(true)
  await scene.remove(id)
  for (const name of filesBelow(archive()).filter((each) => each.includes(id))) rmSync(join(archive(), name))
})

test('a folder that is not there is not created; when it is there, the export goes on', async () => {
  const id = await scene.create('absent')
  const { error } = await scene.fails(id)
  expect(error).toBe(
    'Datasource absent: the folder does not exist. Ask the operator of this server whether its disk is mounted.',
  )
  expect(existsSync(join(scene.folder, 'not-there'))).toBe(false)
  const { failures, nextRunAt } = await scene.fails(id)
  expect(Number(failures)).toBeGreaterThanOrEqual(2)
  expect(new Date(nextRunAt).getTime()).toBeGreaterThan(Date.now() + 40_000)
  mkdirSync(join(scene.folder, 'not-there'))
  expect((await scene.run(id)).error).toBe('')
  expect(idsIn(readFolder(join(scene.folder, 'not-there'), id)).length).toBeGreaterThan(10)
  await scene.remove(id)
})

test('a folder that is not writable is reported without its path, and does not affect other exports', async () => {
  const blocked = join(archive(), scene.access.tenant.publicId, 'blocked')
  mkdirSync(join(archive(), scene.access.tenant.publicId), { recursive: true })
  // A file stands where a folder has to be; who runs tests as root may write everywhere else.
  writeFileSync(blocked, '')
  chmodSync(blocked, 0o400)
  later(() => rmSync(blocked))
  const id = await scene.create('archive', { datasource: { datasourceId: 'archive', prefix: 'blocked' } })
  const other = await scene.create('archive')
  const { error } = await scene.fails(id)
  expect(error).toMatch(/^Datasource archive: /)
  expect(error).not.toContain(scene.folder)
  expect((await scene.run(other)).error).toBe('')
  await scene.remove(id)
  await scene.remove(other)
})

longTest('two servers export at once: every event is in one file, and no file holds another one', async () => {
  const beside = await startServer({ flags: scene.flags, beside: scene.server })
  later(() => beside.stop())
  const ids = [await scene.create('archive'), await scene.create('archive')]
  for (let round = 0; round < fewOrMany(2, 4); round++) {
    await scene.act(15)
    await Promise.all(ids.map((id) => scene.run(id)))
  }
  for (const id of ids) {
    const exported = idsIn(readFolder(archive(), id))
    expect(new Set(exported).size).toBe(exported.length)
    expect(exported).toEqual((await idsInLog(scene)).slice(0, exported.length))
    await scene.remove(id)
  }
})

test('the files of a tenant hold no event of another, and lie in a folder of its own', async () => {
  const host = 'second.example.com'
  const tenant = await scene.access.makeTenant(host)
  const token = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, tenant), { host })
  const made = await ask(scene.server, '/api/v1/systemlog/exports', {
    token,
    host,
    body: { displayName: 'Theirs', datasource: { datasourceId: 'archive' } },
  })
  expect(made.status, made.text).toBe(200)
  const id = (made.json['exporter'] as { exportId: string }).exportId
  expect(await eventually(async () => readFolder(archive(), id).length > 0)).toBe(true)
  const theirs = new Set(await idsInLog(scene, tenant.id))
  expect(idsIn(readFolder(archive(), id)).every((each) => theirs.has(each))).toBe(true)
  expect(
    filesBelow(archive())
      .filter((name) => name.includes(id))
      .every((name) => name.startsWith(tenant.publicId)),
  ).toBe(true)
  expect((await scene.ask(`/api/v1/systemlog/exports/${id}`)).status).toBe(404)
  expect((await scene.ask(`/api/v1/systemlog/exports/${id}`, {}, 'DELETE')).status).toBe(404)
})

test('the chain file beside each file says where its events stand', async () => {
  const id = await scene.create('archive')
  await scene.run(id)
  const name = filesBelow(archive()).find((each) => each.includes(id) && each.includes('.chain.json.')) ?? ''
  const chain = JSON.parse(plainText(name, readFileSync(join(archive(), name)))) as {
    rows: unknown[]
    events: number
    first: number[]
    before: unknown
  }
  expect(chain.before).toBeNull()
  expect(chain.first).toEqual([1, 1])
  expect(chain.rows).toHaveLength(chain.events)
  await scene.remove(id)
})

// The last: what it makes would be exported by all others too.
longTest('a file holds at most 2.5 MB before compression, and a larger event is a file by itself', async () => {
  await scene.act(12, 400_000)
  await scene.act(1, 3_000_000)
  const id = await scene.create('archive')
  await scene.run(id)
  const texts = readFolder(archive(), id)
  expect(texts.length).toBeGreaterThan(2)
  for (const text of texts)
    expect(Buffer.byteLength(text) <= 2_500_000 || text.trim().split('\n').length === 1).toBe(true)
  const ids = idsIn(texts)
  expect(ids).toEqual((await idsInLog(scene)).slice(0, ids.length))
  await scene.remove(id)
})
