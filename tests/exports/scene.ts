import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { change, operatorCause, record, sealAll } from '#rooms/foundation/systemlog/index.ts'
import { type Access, ask, eventually, getToken, type Json, openAccess, type Reply } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Receiver, type Storage, startReceiver, startStorage } from './receiver.ts'

export type Exporter = Json & {
  exportId: string
  state: string
  watermarkEventId: string
  datasource: { datasourceId: string; prefix: string; format: string }
}
export type Status = { exporter: Exporter; error: string; failures: string; nextRunAt: string }
export type File = Json & { name: string; events: string; doneAt: string | null; note: string }

export const base = '/api/v1/systemlog/exports'
const flags = { empty: true, 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1'] }

export type Scene = {
  folder: string
  server: TestServer
  access: Access
  token: string
  collector: Receiver
  storage: Storage
  flags: Record<string, string | boolean | string[]>
  ask(path: string, body?: unknown, method?: string): Promise<Reply>
  /** An export of a datasource, by its name. */
  create(datasourceId: string, more?: Json): Promise<string>
  status(id: string): Promise<Status>
  files(id: string): Promise<File[]>
  /** Has it run until it is up to date. */
  run(id: string): Promise<Status>
  /** Has it run until it fails; answers what it says. */
  fails(id: string): Promise<Status>
  /** Makes so many events. */
  act(count: number, size?: number): Promise<void>
  remove(id: string): Promise<void>
  /** As if the server had been killed before it noted that the last file is there. */
  forgetLast(id: string): Promise<void>
}

/** A server with a datasource of each kind, for the tests of a file. */
export function openExports(): Scene {
  const scene = {} as Scene
  beforeAll(async () => {
    scene.folder = mkdtempSync(join(tmpdir(), 'bailiwick-exports-'))
    mkdirSync(join(scene.folder, 'archive'))
    scene.collector = await startReceiver()
    scene.storage = await startStorage()
    writeFileSync(join(scene.folder, 'token'), 'collector-token\n')
    writeFileSync(join(scene.folder, 'secret'), 'storage-secret\n')
    writeFileSync(join(scene.folder, 'datasources.json'), JSON.stringify(datasources(scene)))
    scene.flags = { ...flags, 'datasources-file': join(scene.folder, 'datasources.json') }
    scene.server = await startServer({ flags: scene.flags })
    scene.access = await openAccess(scene.server)
    scene.token = await getToken(scene.server, await scene.access.makeCaller(['system:owner']))
  })
  afterAll(async () => {
    await scene.access?.close()
    await scene.server?.stop()
    await scene.collector?.close()
    await scene.storage?.close()
    rmSync(scene.folder, { recursive: true, force: true })
  })
  return Object.assign(scene, actions(scene))
}

const datasources = ({ collector, storage }: Scene): object => ({
  archive: { kind: 'folder', path: 'archive', everySeconds: 3600 },
  absent: { kind: 'folder', path: 'not-there', everySeconds: 3600 },
  storage: {
    ...{ kind: 's3', endpoint: storage.url, region: 'eu-central-1', bucket: 'the-bucket', prefix: 'logs' },
    ...{ accessKeyId: 'KEY', secretAccessKeyFile: 'secret', everySeconds: 3600 },
  },
  collector: { kind: 'http', url: `${collector.url}/events`, tokenFile: 'token', everySeconds: 3600 },
  splunk: {
    ...{ kind: 'http', url: `${collector.url}/splunk`, tokenFile: 'token', tokenScheme: 'Splunk', shape: 'splunk' },
    everySeconds: 3600,
  },
  otlp: { kind: 'otlp', url: `${collector.url}/v1/logs`, everySeconds: 3600 },
  'of-others': { kind: 'folder', path: 'archive', tenants: ['others.example.com'], everySeconds: 3600 },
})

function actions(scene: Scene): Partial<Scene> {
  const askIt: Scene['ask'] = (path, body, method) =>
    ask(scene.server, path, {
      token: scene.token,
      ...(body !== undefined && { body }),
      ...(method !== undefined && { method }),
    })
  const status = async (id: string): Promise<Status> => {
    const reply = await askIt(`${base}/${id}/status`)
    expect(reply.status, reply.text).toBe(200)
    return reply.json as unknown as Status
  }
  const due = async (id: string): Promise<void> => {
    expect((await askIt(`${base}/${id}/run`, {})).status).toBe(200)
  }
  const until = async (id: string, isSo: (status: Status) => boolean): Promise<Status> => {
    let last = await status(id)
    const isThere = await eventually(async () => {
      last = await status(id)
      return isSo(last)
    })
    expect(isThere, JSON.stringify(last)).toBe(true)
    return last
  }
  return {
    ask: askIt,
    status,
    async create(datasourceId, more = {}) {
      const reply = await askIt(base, { displayName: `To ${datasourceId}`, datasource: { datasourceId }, ...more })
      expect(reply.status, reply.text).toBe(200)
      return (reply.json['exporter'] as Exporter).exportId
    },
    async files(id) {
      const reply = await askIt(`${base}/${id}/files?page_size=100`)
      expect(reply.status, reply.text).toBe(200)
      return reply.json['list'] as File[]
    },
    async run(id) {
      await due(id)
      return until(
        id,
        ({ exporter, nextRunAt }) =>
          exporter.state === 'EXPORT_STATE_WAITING' && new Date(nextRunAt).getTime() > Date.now() + 60_000,
      )
    },
    async fails(id) {
      const before = Number((await status(id)).failures)
      await due(id)
      // A run that was due already may fail first; then another one follows.
      return until(
        id,
        ({ exporter, failures, nextRunAt }) =>
          exporter.state === 'EXPORT_STATE_ERROR' && Number(failures) > before && new Date(nextRunAt) > new Date(),
      )
    },
    async act(count, size = 0) {
      for (let i = 0; i < count; i++) {
        const reply = await askIt('/api/v1/search/systemlog/exports', { query: 'x'.repeat(i % 7), refs: [] })
        expect(reply.status).toBe(200)
      }
      await makeEvents(scene, count, size)
    },
    async forgetLast(id) {
      const [last] = await scene.server.db<{ seal: number; position: number }[]>`
        select first_seal as seal, first_position as position from systemlog_export_files
        where export_id = ${id} order by first_seal desc, first_position desc limit 1`
      await scene.server.db`
        update systemlog_export_files set done_at = null
        where export_id = ${id} and first_seal = ${last?.seal ?? 0} and first_position = ${last?.position ?? 0}`
      await scene.server.db`
        update systemlog_exports set seal_number = ${last?.seal ?? 0}, seal_position = ${(last?.position ?? 1) - 1}
        where export_id = ${id}`
    },
    async remove(id) {
      expect((await askIt(`${base}/${id}`, {}, 'DELETE')).status).toBe(200)
    },
  }
}

/** Events of the size that is wanted, recorded as any other. */
async function makeEvents({ access }: Scene, count: number, size: number): Promise<void> {
  const { world, tenant } = access
  const cause = operatorCause(tenant, 'test')
  const events = Array.from({ length: count }, (_, i) =>
    change(cause, 'update', `Event ${i} ${'x'.repeat(size)}`, [{ type: 'test', id: String(i) }]),
  )
  await transact(world.db, (tx) => record(tx, world, { tenant }, ...events))
  await sealAll(world)
}

/** All files below a folder, by their paths within it. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()

export const plainText = (name: string, bytes: Buffer): string =>
  (name.endsWith('.gz') ? gunzipSync(bytes) : zstdDecompressSync(bytes)).toString()

/** The ids of events in exported files, in order. */
export const idsIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { metadata: { uid: string } }).metadata.uid),
  )

export const readFolder = (folder: string, id: string): string[] =>
  filesBelow(folder)
    .filter((name) => name.includes(id) && name.includes('.ocsf.json.'))
    .map((name) => plainText(name, readFileSync(join(folder, name))))

/** The ids of all sealed events of the log, in the order of the chain. */
export async function idsInLog({ server, access }: Scene, tenantId = access.tenant.id): Promise<string[]> {
  const rows = await server.db<{ id: string }[]>`
    select event_id as id from systemlog_events where tenant_id = ${tenantId} and seal_number is not null
    order by seal_number, seal_position`
  return rows.map(({ id }) => id)
}
