import { type ChildProcess, spawn } from 'node:child_process'
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
import { release, totalmem } from 'node:os'
import { join } from 'node:path'
import { assertLoadable } from './binaries.ts'
import { environment, pidExists } from './cluster.ts'
import { type Home, isErrno, makeSocketDir } from './home.ts'
import { memorySettings } from './memory.ts'
import { findProcess, nameOf, type Process, readText } from './processes.ts'
import { recoverySettings } from './recovery.ts'
import { findPostmasterAt, isStopping, lockFileOf, ownerSetting, pidIn } from './running.ts'
import { type StopSteps, stopPostmaster } from './stopping.ts'

const lockFileEmptyMsMax = 2000

/**
 * PostgreSQL removes the lock files of dead processes itself, but not if another process now has their ID, as after a
 * reboot, or in a container, where the IDs are few and always the same.
 */
function removeStaleLocks(home: Home): void {
  for (const path of [lockFileOf(home), `${home.socketPath}.lock`]) {
    const text = readText(path)
    if (text === undefined) continue
    const pid = pidIn(text)
    if (pid === 0) {
      // Empty for an instant while it is being written, and permanently after a power failure.
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age < lockFileEmptyMsMax) continue
    } else if (!pidExists(pid) || findPostmasterAt(home, pid)) continue
    removeIfStill(path, text)
  }
}

// Another process may have removed the file and started PostgreSQL since it was read: then it is restored.
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

/** The owner that postmasters started by this process record. */
export const ownName = (): string => nameOf(findProcess(process.pid) as Process)

const settings = (home: Home, connectionsMax: number): Record<string, string> => ({
  [ownerSetting]: ownName(),
  listen_addresses: '',
  unix_socket_directories: home.socketDir,
  unix_socket_permissions: '0700',
  fsync: 'on',
  ...recoverySettings(process.platform, release()),
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // This build supports only pglz. It took a quarter of PostgreSQL's time when a rule changed one grant in a hundred,
  // all over the table.
  wal_compression: 'off',
  max_connections: String(connectionsMax),
  ...memorySettings(totalmem(), process.constrainedMemory()),
  // Parallel queries share memory through /dev/shm, of which a container has 64 MB by default.
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

/** A postmaster that is a child of this process. */
export type Postmaster = {
  pid: number
  isAlive: () => boolean
  /** How it ended, with the last line it wrote. Never rejects. */
  exited: Promise<string>
  stop: (steps: StopSteps) => Promise<void>
}

/**
 * Starts PostgreSQL. `onForced` is called when another process stopped it, it did not exit, and it was forced to;
 * `others` replace the usual settings.
 */
export async function startPostmaster(
  home: Home,
  program: string,
  connectionsMax: number,
  onForced: (message: string) => void,
  others: Record<string, string> = {},
): Promise<Postmaster> {
  makeSocketDir(home)
  removeStaleLocks(home)
  const log = openLog(home)
  const logBegin = fstatSync(log).size
  const binary = join(program, 'bin/postgres')
  const args = ['-D', realpathSync(home.cluster)]
  const wanted = { ...settings(home, connectionsMax), ...others }
  for (const [name, value] of Object.entries(wanted)) args.push('-c', `${name}=${value}`)
  // In a separate session: the terminal's Ctrl-C is for this process, which stops PostgreSQL when it no longer needs
  // it.
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
      resolve(`${how}: ${lastLine(log, logBegin, child.pid)}`)
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
  const self: Process = findProcess(child.pid) ?? { pid: child.pid, born: '' }
  const isAlive = (): boolean => alive
  const endWatcher = watchFor(home, child.pid)
  const guard = guardAgainstHanging(home, self, isAlive, onForced)
  void exited.then(() => {
    endWatcher()
    guard.end()
  })
  const stop = async (steps: StopSteps): Promise<void> => {
    guard.end()
    await stopPostmaster(self, steps, isAlive)
  }
  return { pid: child.pid, isAlive, exited, stop }
}

const lookForStopMs = 1000
const stoppingMsMax = 3000
// It had its time to stop in order: SIGINT is for the smart shutdown.
const hangingSteps: StopSteps = [
  ['SIGINT', 2000],
  ['SIGQUIT', 8000],
]

/**
 * If another process stops PostgreSQL, it exits and is started again. But it may never exit: a smart shutdown waits for
 * our own sessions, and PostgreSQL 18 that is asked to stop while it recovers from the death of one of its processes
 * waits forever. Meanwhile it accepts no connections.
 */
function guardAgainstHanging(
  home: Home,
  postmaster: Process,
  isAlive: () => boolean,
  onForced: (message: string) => void,
): { end: () => void } {
  let stoppingSince: number | undefined
  const wasStopped = (): boolean => {
    try {
      return isStopping(home, postmaster)
    } catch {
      // What cannot be read now, as when there is no file descriptor left, is read the next time: no reason to end the
      // server.
      return false
    }
  }
  const timer = setInterval(() => {
    if (!wasStopped()) return
    stoppingSince ??= performance.now()
    if (performance.now() - stoppingSince < stoppingMsMax) return
    clearInterval(timer)
    onForced(
      `PostgreSQL (process ${postmaster.pid}) was asked to stop by another process and did not; it is terminated.`,
    )
    stopPostmaster(postmaster, hangingSteps, isAlive).catch((error: Error) => onForced(error.message))
  }, lookForStopMs).unref()
  return { end: () => clearInterval(timer) }
}

/**
 * The last line that a postmaster wrote; another one on the same folder, and its sessions, may have written to the same
 * file meanwhile.
 */
function lastLine(log: number, begin: number, pid: number | undefined): string {
  const size = fstatSync(log).size
  const length = Math.min(4096, Math.max(0, size - begin))
  const buffer = Buffer.alloc(length)
  readSync(log, buffer, 0, length, size - length)
  const lines = buffer.toString('utf8').trim().split('\n')
  const fatal = lines.filter((line) => / (FATAL|PANIC): /.test(line))
  return fatal.findLast((line) => line.includes(`[${pid}]`)) ?? fatal.at(-1) ?? lines.at(-1) ?? ''
}

// Whole seconds: not every `sleep` accepts fractions. If the start time of a process cannot be read, another process
// with the same ID cannot be told apart, and only the first signal is sent, at once.
const watcherScript = `
born() {
  if [ -r "/proc/$1/stat" ]; then
    read -r line <"/proc/$1/stat" || return 0
    line="\${line##*) }"
    case "$line" in [ZX]*) return 0 ;; esac
    set -- $line
    echo "\${20}"
  else ps -o lstart= -p "$1" 2>/dev/null; fi
}
was=$(born "$1")
read -r _
[ -n "$was" ] || { kill -INT "$1"; exit; }
for step in INT:5 QUIT:8 KILL:0; do
  [ "$(born "$1")" = "$was" ] || exit 0
  kill -"\${step%:*}" "$1"
  kill -CONT "$1"
  left="\${step#*:}"
  while [ "$left" -gt 0 ] && [ "$(born "$1")" = "$was" ]; do sleep 1; left=$((left - 1)); done
done 2>/dev/null`

/**
 * Stops PostgreSQL if this process dies: its end of the pipe closes in any case, even after kill -9. Runs as
 * PostgreSQL's user, so that it can signal no one else's process.
 */
function watchFor(home: Home, pid: number): () => void {
  const watcher: ChildProcess = spawn('/bin/sh', ['-c', watcherScript, 'bailiwick-watcher', String(pid)], {
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
