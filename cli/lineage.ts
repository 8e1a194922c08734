import { basename } from 'node:path'
import { findProcess, isRunning, type Process } from '#database/embedded/processes.ts'

const lookMs = 500
const shells = ['sh', 'bash', 'dash', 'ash', 'zsh', 'busybox']

/**
 * npm and shells exit on a signal without passing it on to the process that they run. So a process that was started by npm,
 * or by bin/bailiwick.mjs in an older Node, exits when its starter has exited. All other processes keep running: nohup,
 * setsid, a supervisor and a shell's & may start them from a parent that exits before them.
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

/** A process that cannot be inspected now, as when no file descriptor is left, is inspected the next time. */
function isRunningStill(starter: Process): boolean {
  try {
    return isRunning(starter)
  } catch {
    return true
  }
}

/** Null if neither npm nor the launcher started this process. */
function startersOf(parent: number): Process[] | null {
  const isByNpm = process.env['npm_lifecycle_event'] !== undefined
  const launcher = Number(process.env['BAILIWICK_LAUNCHER'])
  return isByNpm || launcher === parent ? lineage(parent, launcher, isByNpm) : null
}

/** The launcher, the shells that npm puts before us, and npm itself. */
function lineage(parent: number, launcher: number, isByNpm: boolean): Process[] {
  // On other platforms, inspecting another process takes a new process; the parent is known without.
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
