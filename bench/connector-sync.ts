import { type ChildProcess, spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { grantsPerAccount, writeConnectorFile } from './connector-file.ts'
import { cpuOf, postgresMemoryOf } from './cpu.ts'
import { type Ground, layGround, withDb } from './ground.ts'

/**
 * The size that is promised: some minutes and 3 GB. A smaller one (BENCH_SYNC_ACCOUNTS=10000) shows whether it works, and no more:
 * below 20,000 accounts, half of the time goes into starting the command.
 */
export const accounts = Number(process.env['BENCH_SYNC_ACCOUNTS'] ?? 100_000)
export const grants = accounts * grantsPerAccount

const tables = [
  'apps',
  'resource_types',
  'resources',
  'entitlements',
  'accounts',
  'grants',
  'search_keys',
  'connector_objects',
]

const bailiwick = join(import.meta.dirname, '../bin/bailiwick.mjs')

type Scene = { ground: Ground; files: readonly [string, string]; isDumped: boolean }

let opened: Promise<Scene> | null = null
export const openScene = (): Promise<Scene> => (opened ??= layScene())

async function layScene(): Promise<Scene> {
  const ground = await layGround()
  const files = [join(ground.folder, 'first.c1z'), join(ground.folder, 'second.c1z')] as const
  await writeConnectorFile(files[0], accounts)
  await writeConnectorFile(files[1], accounts, 1)
  return { ground, files, isDumped: false }
}

/** Ends what the two claims share. */
export async function release(): Promise<void> {
  if (!opened) return
  const { ground } = await opened
  opened = null
  await ground.server.close()
  await rm(ground.folder, { recursive: true, force: true })
}

export type Synced = {
  seconds: number
  nodeMs: number
  postgresMs: number
  mebibytes: number
  postgresMebibytes: number
}

/**
 * A file taken in as a sync takes it in: by the real command, in full, in a process of its own. What it takes of PostgreSQL is
 * counted over all of that.
 */
export async function sync({ ground }: Scene, url: string, file: string): Promise<Synced> {
  const where = ['--database-url', url, '--secret-key-file', join(ground.folder, 'data/secret.key')]
  const command = ['import', file, '--app', 'bench', '--full', ...where]
  const tell = `process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    console.error('USED ' + maxRSS + ' ' + (userCPUTime + systemCPUTime))
  })`
  const preload = `data:text/javascript,${encodeURIComponent(tell)}`
  const before = cpuOf(process.pid)
  const begin = performance.now()
  const child: ChildProcess = spawn(process.execPath, ['--import', preload, bailiwick, ...command], { stdio: 'pipe' })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  let postgresMebibytes = 0
  const watch = setInterval(() => {
    postgresMebibytes = Math.max(postgresMebibytes, postgresMemoryOf(process.pid))
  }, 500)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(watch)
  const seconds = (performance.now() - begin) / 1000
  if (code !== 0) throw new Error(said)
  const [, kibibytes, microseconds] = /USED (\d+) (\d+)/.exec(said) ?? []
  const postgresMs = cpuOf(process.pid).postgres - before.postgres
  return {
    seconds,
    nodeMs: Number(microseconds) / 1000,
    postgresMs,
    mebibytes: Number(kibibytes) / 1024,
    postgresMebibytes,
  }
}

export const printed = (name: string, { seconds, nodeMs, postgresMs, mebibytes, postgresMebibytes }: Synced): string =>
  `      ${name} ${seconds.toFixed(1)} s; CPU: Node ${(nodeMs / 1000).toFixed(1)} s, PostgreSQL ${(postgresMs / 1000).toFixed(1)} s; ` +
  `memory at most: Node ${mebibytes.toFixed(0)} MiB, a process of PostgreSQL ${postgresMebibytes.toFixed(0)} MiB`

/** What a server may use while it takes in 100,000 accounts and 1,000,000 grants. */
const memoryMax = 400

export function refuseMemory({ mebibytes }: Synced): void {
  if (mebibytes > memoryMax) throw new Error(`it used ${mebibytes.toFixed(0)} MiB of memory; ${memoryMax} are promised`)
}

const dumpOf = ({ ground }: Scene, table: string): string => join(ground.folder, `${table}.copy`)

/** The rows that a sync left, as COPY writes them; those of built-in things were there before. */
export async function dump(scene: Scene, url: string): Promise<void> {
  if (scene.isDumped) return
  scene.isDumped = true
  await withDb(url, async (session) => {
    const [app] = await session<{ id: string }[]>`select app_id as id from apps where external_id = 'bench'`
    for (const table of tables) {
      const ofApp =
        table === 'search_keys' ? `app_id = '${app?.id}' or object_id = '${app?.id}'` : `app_id = '${app?.id}'`
      const rows = await session.unsafe(`copy (select * from ${table} where ${ofApp}) to stdout`).readable()
      await pipeline(rows, createWriteStream(dumpOf(scene, table)))
    }
  })
}

/** The same rows into the same tables, in one transaction; answers its seconds. */
export async function copyIn(scene: Scene, url: string): Promise<number> {
  const begin = performance.now()
  await withDb(url, async (session) => {
    await session`begin`
    for (const table of tables) {
      const into = await session.unsafe(`copy ${table} from stdin`).writable()
      await pipeline(createReadStream(dumpOf(scene, table), { highWaterMark: 1024 * 1024 }), into)
    }
    await session`commit`
  })
  return (performance.now() - begin) / 1000
}
