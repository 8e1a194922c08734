import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const sources = ['console', 'client'].map((name) => join(root, name))
const building = join(root, 'console', 'build', 'build.ts')

export type ConsoleFile = {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer | null
  readonly gzip: Buffer | null
}
/** The built console, held in memory: its files by their path, and its page. */
export type BuiltConsole = { readonly files: ReadonlyMap<string, ConsoleFile>; readonly page: string }

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

// Read synchronously: while the server starts nothing else waits, and 700 files one after the other took 0.2 s.
const filesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** A hash of everything that a build is made from: with another source or another package it is another build. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of [join(root, 'package-lock.json'), ...sources.flatMap(filesUnder)])
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex').slice(0, 16)
}

function load(folder: string): BuiltConsole | null {
  const paths = existsSync(folder) ? filesUnder(folder) : []
  const read = new Map(paths.map((file) => [file.slice(folder.length), readFileSync(file)] as const))
  const page = read.get('/index.html')?.toString()
  if (page === undefined) return null
  const files = [...read].flatMap(([path, plain]) => {
    const type = types[extname(path)]
    return type
      ? [[path, { type, plain, br: read.get(`${path}.br`) ?? null, gzip: read.get(`${path}.gz`) ?? null }] as const]
      : []
  })
  return { files: new Map(files), page }
}

/** The first folder that can be written. Only those who may change the program, or the data, can write to the first two. */
async function makeFolder(parents: readonly string[]): Promise<{ folder: string; parent: string }> {
  for (const parent of parents)
    try {
      await mkdir(parent, { recursive: true })
      return { folder: await mkdtemp(join(parent, 'console-building-')), parent }
    } catch {
      // Tries the next one.
    }
  // In a folder that all users share, a predictable name could be taken by someone else first.
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-console-'))
  return { folder, parent: '' }
}

export type ConsoleWork = {
  readonly built: Promise<BuiltConsole>
  /** Whether there is a build already: known much sooner. */
  readonly isThere: Promise<boolean>
  /** Ends a build that is running, and waits until nothing of it is left. */
  stop(): Promise<void>
}

/**
 * Finds the build of these sources in one of the folders, or builds it there. The build runs in a separate process: a
 * server that has its build never loads the builder, and one that does not have it stays fast while it builds.
 */
export function findOrBuild(folders: readonly string[], log: Logger): ConsoleWork {
  let child: ChildProcess | null = null
  let isStopped = false

  /** Right before a builder is started: `stop` ends a running one, and would wait for one that starts later. */
  const refuseStopped = (): void => {
    if (isStopped) throw new Error('stopped')
  }
  const run = (folder: string): Promise<void> =>
    new Promise((resolve, reject) => {
      let said = ''
      const add = (chunk: Buffer): void => {
        said += chunk.toString()
      }
      child = spawn(process.execPath, [building, folder], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
      if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
      child.stdout?.on('data', add)
      child.stderr?.on('data', add)
      child.on('error', reject)
      child.on('close', (code) => {
        child = null
        if (code === 0) resolve()
        else reject(new Error(`the console could not be built: ${said.trim() || `the builder ended with ${code}`}`))
      })
    })

  async function build(name: string): Promise<BuiltConsole> {
    const begun = performance.now()
    log.info('building the console')
    const { folder, parent } = await makeFolder(folders)
    let place = folder
    try {
      refuseStopped()
      await run(folder)
      // Several servers may build at once: the first one's build stays.
      if (parent !== '') {
        place = join(parent, name)
        // Other users who run this checkout may read it: it contains nothing secret.
        await chmod(folder, 0o755)
        await rename(folder, place).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
        })
      }
      const built = load(place)
      if (!built) throw new Error('the console could not be built: the builder left no page')
      log.info({ seconds: Math.round((performance.now() - begun) / 100) / 10 }, 'built the console')
      if (parent !== '') await removeOthers(parent, name)
      return built
    } finally {
      // Moved, or no longer needed: it is all in memory.
      await rm(folder, { recursive: true, force: true })
    }
  }

  const find = async (): Promise<BuiltConsole> => {
    const name = `console-${hashOfSources()}`
    for (const folder of folders) {
      const built = load(join(folder, name))
      if (!built) continue
      looked.resolve(true)
      return built
    }
    looked.resolve(false)
    refuseStopped()
    return build(name)
  }
  const looked = Promise.withResolvers<boolean>()
  const built = find()
  // Those who await `built` get the error.
  built.catch(() => looked.resolve(false))
  return {
    built,
    isThere: looked.promise,
    async stop() {
      isStopped = true
      child?.kill()
      await built.catch(() => {})
    },
  }
}

const abandonedMs = 3_600_000

/**
 * Removes builds of sources that no longer exist (a server that still runs on one holds it in memory), and incomplete
 * ones.
 */
async function removeOthers(parent: string, name: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    const path = join(parent, entry)
    const isOld = /^console-[0-9a-f]{16}$/.test(entry) && entry !== name
    const isAbandoned = async (): Promise<boolean> =>
      entry.startsWith('console-building-') && Date.now() - (await stat(path)).mtimeMs > abandonedMs
    // Another server may be removing it too.
    if (isOld || (await isAbandoned().catch(() => false)))
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
