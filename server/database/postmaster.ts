import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { totalmem } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertLoadable } from './binaries.ts'
import { environment, pidExists } from './cluster.ts'
import { type Home, isErrno, makeSocketDir } from './home.ts'

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

const pidIn = (lockFile: string | undefined): number => Math.abs(Number.parseInt(lockFile ?? '', 10)) || 0

/** Whether the process is a postmaster of this cluster. The id alone says little: ids are used again. */
function isPostmasterOf(home: Home, pid: number): boolean {
  const cluster = realpathSync(home.cluster)
  if (process.platform === 'linux') {
    // Not /proc/PID/cwd or exe: root in a container may not read those of another user (no CAP_SYS_PTRACE).
    const command = readText(`/proc/${pid}/cmdline`)?.split('\0') ?? []
    return basename(command[0] ?? '') === 'postgres' && command.includes(cluster)
  }
  const { stdout } = spawnSync('ps', ['-ww', '-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  return stdout.includes(`postgres -D ${cluster} `)
}

/** The process id of the postmaster that runs on this cluster, whoever started it. */
export function findPostmaster(home: Home): number | undefined {
  const pid = pidIn(readText(join(home.cluster, 'postmaster.pid')))
  return pid > 0 && isPostmasterOf(home, pid) ? pid : undefined
}

const lockFileEmptyMsMax = 2000

/**
 * PostgreSQL removes the lock files of dead processes itself. It does not dare when the id in them lives again as
 * something else, as after a reboot, or in a container, where the ids are few and always the same.
 */
function removeStaleLocks(home: Home): void {
  for (const path of [join(home.cluster, 'postmaster.pid'), `${home.socketPath}.lock`]) {
    const text = readText(path)
    if (text === undefined) continue
    const pid = pidIn(text)
    if (pid === 0) {
      // Empty for an instant while it is being written, and for good after a power cut.
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age < lockFileEmptyMsMax) continue
    } else if (!pidExists(pid) || isPostmasterOf(home, pid)) continue
    removeIfStill(path, text)
  }
}

// Another process may have cleared the file and started PostgreSQL since it was read: then it goes back.
function removeIfStill(path: string, text: string): void {
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, path)
    rmSync(aside)
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'EEXIST')) throw error
  }
}

/**
 * What PostgreSQL keeps of its files in memory: an eighth of the machine's, or of what the container may use, between
 * 128 MiB and 1 GiB. It is taken page by page as it is needed. With 128 MiB, a run of a rule over a million users has to
 * write out what it has just changed before it can go on: 7.6 s of PostgreSQL's time, with 1 GiB 5.5 s, with 2 GiB no less.
 */
export function sharedBuffersMiB(machineBytes: number, containerBytes: number | undefined): number {
  // Where nothing is set, some systems say 0, and others more than there is.
  const bytes = Math.min(machineBytes, containerBytes || machineBytes)
  return Math.max(128, Math.min(1024, Math.floor(bytes / 8 / 2 ** 20)))
}

const settings = (home: Home): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: home.socketDir,
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // This build knows pglz only. A quarter of PostgreSQL's time went into it when a rule changed a grant in a hundred, all
  // over the table.
  wal_compression: 'off',
  max_connections: '100',
  shared_buffers: `${sharedBuffersMiB(totalmem(), process.constrainedMemory())}MB`,
  jit: 'off',
  // Parallel queries share memory through /dev/shm, of which a container has 64 MB unless told otherwise.
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Neither the values of a failed statement nor its text belong in a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
})

const logBytesMax = 10_000_000

function openLog(home: Home): number {
  if ((statSync(home.logFile, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) {
    renameSync(home.logFile, `${home.logFile}.1`)
  }
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW
  const file = openSync(home.logFile, flags, 0o600)
  if (process.getuid?.() === 0) fchownSync(file, home.account.uid, home.account.gid)
  return file
}

/** A postmaster that is our child. */
export type Postmaster = {
  pid: number
  isAlive: () => boolean
  /** How it ended, with the last line it said. Never rejects. */
  exited: Promise<string>
}

export async function startPostmaster(home: Home, program: string): Promise<Postmaster> {
  makeSocketDir(home)
  removeStaleLocks(home)
  const log = openLog(home)
  const logBegin = fstatSync(log).size
  const binary = join(program, 'bin/postgres')
  const args = ['-D', realpathSync(home.cluster)]
  for (const [name, value] of Object.entries(settings(home))) args.push('-c', `${name}=${value}`)
  // A session of its own: the terminal's Ctrl-C is for us, and we stop PostgreSQL when we are done with it.
  const child = spawn(binary, args, {
    ...home.account.identity,
    cwd: home.path,
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  let alive = true
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      alive = false
      const how = signal ? `was killed by ${signal}` : `ended with code ${code}`
      resolve(`${how}: ${lastLine(log, logBegin)}`)
      closeSync(log)
    })
  })
  child.unref()
  if (child.pid === undefined) {
    closeSync(log)
    const error = await new Promise((resolve) => child.once('error', resolve))
    assertLoadable(binary, error)
    throw error
  }
  const endWatcher = watchFor(home, child.pid)
  void exited.then(endWatcher)
  return { pid: child.pid, isAlive: () => alive, exited }
}

function lastLine(log: number, begin: number): string {
  const size = fstatSync(log).size
  const length = Math.min(4096, Math.max(0, size - begin))
  const buffer = Buffer.alloc(length)
  readSync(log, buffer, 0, length, size - length)
  const lines = buffer.toString('utf8').trim().split('\n')
  return lines.findLast((line) => / (FATAL|PANIC): /.test(line)) ?? lines.at(-1) ?? ''
}

/**
 * Stops PostgreSQL when we die without a word: our end of its pipe closes however we go, kill -9 included. Runs as
 * PostgreSQL's user, so that it can signal no one else's process.
 */
function watchFor(home: Home, pid: number): () => void {
  const watcher: ChildProcess = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'sh', String(pid)], {
    ...home.account.identity,
    cwd: '/',
    env: environment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => {})
  watcher.unref()
  const pipe = watcher.stdin as Socket
  pipe.on('error', () => {})
  pipe.unref()
  return () => {
    watcher.kill('SIGKILL')
    pipe.destroy()
  }
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error
  }
}

/** Sends each signal in turn, waiting so long after each for the postmaster to go. */
export async function stopPostmaster(
  pid: number,
  isAlive: () => boolean,
  steps: readonly (readonly [name: NodeJS.Signals, waitMs: number])[],
): Promise<void> {
  for (const [name, waitMs] of steps) {
    if (!isAlive()) return
    signal(pid, name)
    const deadline = Date.now() + waitMs
    while (isAlive() && Date.now() < deadline) await sleep(10)
  }
  if (isAlive()) throw new Error(`PostgreSQL (process ${pid}) does not stop.`)
}
