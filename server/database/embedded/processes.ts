import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isErrno } from './home.ts'

/** A process of this machine. IDs are reused: only the ID together with the start time identifies a process. */
export type Process = { pid: number; born: string }
type Found = Process & { parent: number; command: readonly string[] }

export const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

/** The process that has this ID now. One that has ended but was not reaped by its parent does not count. */
export function findProcess(pid: number): Found | undefined {
  if (!(pid > 0)) return undefined
  return process.platform === 'linux' ? findInProc(pid) : findWithPs(pid)
}

function findInProc(pid: number): Found | undefined {
  // Not /proc/PID/cwd or exe: root in a container may not read those of another user (no CAP_SYS_PTRACE).
  const stat = readText(`/proc/${pid}/stat`)
  // proc(5): the name in brackets may contain anything, and after it come the state, the parent and, 19 further on, the
  // start.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!fields || /[ZX]/.test(fields[0] ?? 'X')) return undefined
  const command = readText(`/proc/${pid}/cmdline`)?.split('\0') ?? []
  return { pid, born: fields[19] ?? '', parent: Number(fields[1]), command }
}

function findWithPs(pid: number): Found | undefined {
  const { stdout } = spawnSync('ps', ['-ww', '-p', String(pid), '-o', 'stat=,ppid=,lstart=,command='], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
  })
  // "Ss    1 Sun Nov 15 18:53:41 2026 postgres -D …"
  const [, state = 'Z', parent, born = '', command = ''] =
    /^\s*(\S+)\s+(\d+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)/.exec(stdout ?? '') ?? []
  if (state.startsWith('Z')) return undefined
  return { pid, born, parent: Number(parent), command: command.split(' ') }
}

export const isRunning = ({ pid, born }: Process): boolean => findProcess(pid)?.born === born

/** The form in which a process is written to, and read from, the arguments of another. */
export const nameOf = ({ pid, born }: Process): string => `${pid}/${Buffer.from(born).toString('base64url')}`
export function readName(name: string): Process | undefined {
  const [, pid, born] = /^(\d+)\/([\w-]+)$/.exec(name) ?? []
  return pid && born ? { pid: Number(pid), born: Buffer.from(born, 'base64url').toString() } : undefined
}

export function childrenOf(parent: number): Process[] {
  const pids =
    process.platform === 'linux'
      ? readdirSync('/proc').filter((name) => /^\d+$/.test(name))
      : listWithPs().flatMap(([pid, theirs]) => (theirs === String(parent) ? [pid] : []))
  return pids.map((pid) => findProcess(Number(pid))).filter((found) => found?.parent === parent) as Process[]
}

const listWithPs = (): (string | undefined)[][] =>
  (spawnSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' }).stdout ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))

/** Sends a signal to that process, and not to a later one with the same ID. */
export function sendSignal(to: Process, name: NodeJS.Signals): void {
  if (!isRunning(to)) return
  try {
    process.kill(to.pid, name)
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error
  }
}
