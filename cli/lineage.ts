import { basename } from 'node:path'
import { findProcess, isRunning, type Process } from '#database/embedded/processes.ts'

const lookMs = 500
const shells = ['sh', 'bash', 'dash', 'ash', 'zsh', 'busybox']

/**
 * npm that is told to end ends, and does not tell what it runs; nor does a shell. So who was started by npm, or handed
 * over to by an older Node (bin/bailiwick.mjs), ends when that has gone. Others are left alone: nohup, setsid, a
 * supervisor and a shell's & start them as they like, and their parents come and go.
 */
export function whenStarterGoes(then: () => void): void {
  const parent = process.ppid
  const starters = startersOf(parent)
  if (starters === null) return
  const timer = setInterval(() => {
    if (process.ppid === parent && starters.every(isRunningStill)) return
    clearInterval(timer)
    then()
  }, lookMs).unref()
}

/** What cannot be looked at now, as when no file descriptor is left, is looked at the next time. */
function isRunningStill(starter: Process): boolean {
  try {
    return isRunning(starter)
  } catch {
    return true
  }
}

/** Null for who was started by neither. */
function startersOf(parent: number): Process[] | null {
  const isByNpm = process.env['npm_lifecycle_event'] !== undefined
  const launcher = Number(process.env['BAILIWICK_LAUNCHER'])
  return isByNpm || launcher === parent ? lineage(parent, launcher, isByNpm) : null
}

/** The launcher, the shells that npm puts before us, and npm itself. */
function lineage(parent: number, launcher: number, isByNpm: boolean): Process[] {
  // Elsewhere a look at another process costs a process; the parent is known without.
  if (process.platform !== 'linux') return []
  const found: Process[] = []
  for (let pid = parent; pid > 1 && found.length < 8; ) {
    const one = findProcess(pid)
    if (!one) break
    found.push(one)
    const isShell = shells.includes(basename(one.command[0] ?? ''))
    if (pid !== launcher && !isShell) break
    if (!isByNpm) break
    pid = one.parent
  }
  return found
}
