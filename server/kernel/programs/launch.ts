import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { endProgram } from './ending.ts'
import { type OutputLimits, readLines } from './output.ts'
import { type Started, startOf } from './processes.ts'
import type { Watching } from './watching.ts'

export type Launch = {
  file: string
  args: readonly string[]
  /** All that it gets of an environment, besides its folders. */
  env: Readonly<Record<string, string>>
  /** The user that it runs as; null for that of this process. */
  user: number | null
  /** Whether nothing else runs as that user. */
  isUserOwn: boolean
  /** Where its folder is made. */
  base: string
  watching: Watching
  onLine(line: string, isError: boolean): void
  output?: OutputLimits
  /** How much of a line is read. */
  lineMax?: number
}

export type Program = {
  readonly started: Started
  /** How it ended. Nothing of it is left then. Never rejects. */
  readonly ended: Promise<string>
  /** Asks it to end, and ends it. */
  stop(graceMs: number): Promise<void>
}

/**
 * Limits on what it may use, as far as the system can set them. Data rather than address space: Go and Node reserve much more
 * than they use. Processes are counted by user, so there is a limit only where the user is not that of the server. What is
 * started can gain no rights by programs such as sudo.
 */
const script = `
ulimit -c 0 2>/dev/null
ulimit -d "$1" 2>/dev/null
[ "$2" = 0 ] || ulimit -u "$2" 2>/dev/null || ulimit -p "$2" 2>/dev/null
shift 2
if command -v setpriv >/dev/null 2>&1; then exec setpriv --no-new-privs -- "$@"; fi
exec "$@"`
const dataKibMax = 4 * 1024 * 1024
const processesMax = 512

const restMsMax = 2_000

/** What is still in the pipe, of which nobody has the other end any more. */
const readRest = (stream: Readable): Promise<void> =>
  new Promise((resolve) => {
    if (stream.closed) return resolve()
    const timer = setTimeout(() => stream.destroy(), restMsMax)
    stream.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    stream.resume()
  })

/** Starts a program in its own session and folder. */
export async function launch(of: Launch): Promise<Program> {
  const folder = join(of.base, randomBytes(8).toString('hex'))
  mkdirSync(folder, { mode: 0o700 })
  if (of.user !== null) chownSync(folder, of.user, of.user)
  const limits = [String(dataKibMax), String(of.user === null ? 0 : processesMax)]
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...limits, of.file, ...of.args], {
    ...(of.user !== null && { uid: of.user, gid: of.user }),
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', TZ: 'UTC', ...of.env, HOME: folder, TMPDIR: folder },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`It could not be started: ${error.message}`))
    child.once('exit', (code, signal) =>
      resolve(signal ? `It was ended by ${signal}.` : `It ended with exit code ${code}.`),
    )
  })
  const { pid = 0 } = child
  const started: Started = { pid, born: startOf(pid), folder, ownUser: of.isUserOwn ? of.user : null }
  if (pid > 0) of.watching.watch(started)
  if (child.stdout) readLines(child.stdout, (line) => of.onLine(line, false), of)
  if (child.stderr) readLines(child.stderr, (line) => of.onLine(line, true), of)

  let isStopping = false
  const finish = async (how: string): Promise<string> => {
    // What it started does not outlive it.
    const left = pid > 0 ? await endProgram(started, 0).catch(() => 1) : 0
    await Promise.all([child.stdout, child.stderr].map((stream) => stream && readRest(stream)))
    if (left === 0) of.watching.forget(started)
    return isStopping ? 'It was stopped.' : how
  }
  const ended = closed.then(finish)
  return {
    started,
    ended,
    async stop(graceMs) {
      isStopping = true
      if (pid > 0) await endProgram(started, graceMs).catch(() => {})
      await ended
    },
  }
}
