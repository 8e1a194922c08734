import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Claim } from '../claim.ts'
import { type Ground, layGround, withDatabase, withDb } from '../ground.ts'
import { writeRecords } from '../records-file.ts'

/**
 * BENCH_IMPORT_USERS=1000000 measures the size that is promised; it takes half an hour and 20 GB. On 2 cores, with other
 * work beside it: the import 675 s and 387 MiB of memory, COPY of the same rows 1,240 s, a ratio of 1.84.
 */
const users = Number(process.env['BENCH_IMPORT_USERS'] ?? 20_000)

const tables = [
  'users',
  'user_roles',
  'apps',
  'resource_types',
  'resources',
  'entitlements',
  'accounts',
  'grants',
  'search_keys',
]

const bailiwick = join(import.meta.dirname, '../../bin/bailiwick.mjs')

/** The real command; answers its seconds and the most memory that it took. */
function runImport(ground: Ground, url: string, file: string): Promise<{ seconds: number; mebibytes: number }> {
  const where = ['--database-url', url, '--secret-key-file', join(ground.folder, 'data/secret.key')]
  const tell = `process.on('exit', () => console.error('RSS ' + process.resourceUsage().maxRSS))`
  const preload = `data:text/javascript,${encodeURIComponent(tell)}`
  const begin = performance.now()
  const child = spawn(process.execPath, ['--import', preload, bailiwick, 'import', file, ...where], { stdio: 'pipe' })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  return new Promise((resolve, reject) =>
    child.once('close', (code) => {
      const seconds = (performance.now() - begin) / 1000
      const kibibytes = Number(/RSS (\d+)/.exec(said)?.[1])
      if (code === 0) resolve({ seconds, mebibytes: kibibytes / 1024 })
      else reject(new Error(said))
    }),
  )
}

const dumpOf = (ground: Ground, table: string): string => join(ground.folder, `${table}.copy`)

/** The rows that an import left, as COPY writes them. The owner of the tenant was there before. */
async function dump(ground: Ground, url: string): Promise<void> {
  await withDb(url, async (session) => {
    for (const table of tables) {
      const isNew = table.startsWith('user')
        ? `where user_id in (select user_id from users where external_id <> '')`
        : table === 'search_keys'
          ? 'where object_id not in (select user_id from users where external_id is null)'
          : ''
      const rows = await session.unsafe(`copy (select * from ${table} ${isNew}) to stdout`).readable()
      await pipeline(rows, createWriteStream(dumpOf(ground, table)))
    }
  })
}

/** The same rows into the same tables, in one transaction. */
const copyIn = (ground: Ground, url: string): Promise<unknown> =>
  withDb(url, async (session) => {
    await session`begin`
    for (const table of tables) {
      const into = await session.unsafe(`copy ${table} from stdin`).writable()
      await pipeline(createReadStream(dumpOf(ground, table), { highWaterMark: 1024 * 1024 }), into)
    }
    await session`commit`
  })

export const claim: Claim = {
  claim:
    `bailiwick import of ${users} users with their accounts and ${users * 3} grants, from the start of the command to its ` +
    'end, takes in at least 0.3 as many lines a second as COPY of the same rows into the same tables.',
  unit: 'lines/s',
  ratioMin: 0.3,
  rounds: users > 100_000 ? 1 : 3,
  isCold: users > 100_000,
  async start() {
    const ground = await layGround()
    const file = join(ground.folder, 'records.jsonl')
    const lines = await writeRecords(file, users)
    let isDumped = false
    return {
      subject: {
        round: () =>
          withDatabase(ground, async (url) => {
            const { seconds, mebibytes } = await runImport(ground, url, file)
            console.log(`  import ${seconds.toFixed(1)} s, ${mebibytes.toFixed(0)} MiB of memory at most`)
            if (!isDumped) await dump(ground, url)
            isDumped = true
            return lines / seconds
          }),
        stop: async () => {},
      },
      floor: {
        round: () =>
          withDatabase(ground, async (url) => {
            const begin = performance.now()
            await copyIn(ground, url)
            const seconds = (performance.now() - begin) / 1000
            console.log(`  copy   ${seconds.toFixed(1)} s`)
            return lines / seconds
          }),
        async stop() {
          await ground.server.close()
          await rm(ground.folder, { recursive: true, force: true })
        },
      },
    }
  },
}
