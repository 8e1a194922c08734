import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { later, until } from '../fixture/later.ts'
import { processes } from '../fixture/processes.ts'

export const isRoot = process.getuid?.() === 0

/** The watchers of a postmaster, found by what they were told. */
export function watchersOf(postmaster: number): number[] {
  return processes()
    .filter(({ command }) => command.endsWith(`bailiwick-watcher ${postmaster}`))
    .map(({ pid }) => pid)
}

export type Said = {
  opened?: { owned: boolean; postmaster?: number }
  refused?: { name: string; message: string }
  wrote?: string
}

export type Owner = {
  process: ChildProcess
  said: Said[]
  /** The first line that says one of these. */
  hears: (...what: (keyof Said)[]) => Promise<Said>
  exit: Promise<unknown>
  isClosed(): boolean
}

/** A process of its own that opens a data folder (owner.ts); gone after the test. */
export function startOwner(options: Record<string, unknown>, checkout?: string): Owner {
  const owner = launchOwner(options, checkout)
  later(async () => {
    owner.process.kill('SIGKILL')
    await owner.exit
  })
  return owner
}

/** The same, left to whoever started it. */
export function launchOwner(options: Record<string, unknown>, checkout = join(import.meta.dirname, '../..')): Owner {
  const child = spawn(process.execPath, [join(checkout, 'tests/database/owner.ts'), JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said: Said[] = []
  createInterface({ input: child.stdout }).on('line', (line) => said.push(JSON.parse(line) as Said))
  // Once all that it said is read, which may be later than its end.
  let isClosed = false
  const exit = new Promise<void>((resolve) =>
    child.once('close', () => {
      isClosed = true
      resolve()
    }),
  )
  const hears = async (...what: (keyof Said)[]): Promise<Said> => {
    const find = () => said.find((line) => what.some((each) => each in line))
    await until(() => find() !== undefined || isClosed)
    const found = find()
    if (!found) throw new Error(`Never said ${what.join()}: ${JSON.stringify(said)}`)
    return found
  }
  return { process: child, said, hears, exit, isClosed: () => isClosed }
}

/** Local addresses of the TCP sockets that a process and its children listen on (Linux). */
export function listeningSockets(pids: readonly number[]): number {
  const inodes = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/)
      if (fields[3] === '0A' && fields[9]) inodes.add(`socket:[${fields[9]}]`)
    }
  }
  const open = pids.flatMap((pid) =>
    spawnSync('ls', ['-l', `/proc/${pid}/fd`], { encoding: 'utf8' }).stdout.match(/socket:\[\d+\]/g),
  )
  return open.filter((socket) => socket && inodes.has(socket)).length
}

/** Without the copy of PostgreSQL's program, which is there only where its user cannot enter the checkout. */
export const namesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('program-'))
    .toSorted()

/** Whether another user can enter the checkout, and run the Node in it. */
export const isCheckoutOpen = (): boolean =>
  spawnSync(process.execPath, ['--version'], { uid: 12345, gid: 12345, cwd: '/' }).status === 0
