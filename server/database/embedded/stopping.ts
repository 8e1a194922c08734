import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { environment } from './cluster.ts'
import type { Home } from './home.ts'
import { childrenOf, findProcess, isRunning, type Process, sendSignal } from './processes.ts'
import { findPostmasterAt } from './running.ts'

/** A signal, and how long to wait for the postmaster to exit. A postmaster that remains after the last one is killed. */
export type StopSteps = readonly (readonly [name: NodeJS.Signals, waitMs: number])[]

/** For a postmaster without an owner: the same as the watcher's. PostgreSQL kills its own processes 5 s after SIGQUIT. */
export const orphanSteps: StopSteps = [
  ['SIGINT', 5000],
  ['SIGQUIT', 8000],
]
const killedMsMax = 5000

/**
 * Sends each signal in turn, waiting after each for the postmaster to exit, and finally kills it. SIGCONT goes with
 * each: a stopped process, as by Ctrl-Z or a debugger, receives no signal but SIGKILL.
 */
export async function stopPostmaster(
  postmaster: Process,
  steps: StopSteps,
  isAlive = (): boolean => isRunning(postmaster),
): Promise<void> {
  const isGoneWithin = async (waitMs: number): Promise<boolean> => {
    const deadline = performance.now() + waitMs
    while (isAlive() && performance.now() < deadline) await sleep(20)
    return !isAlive()
  }
  for (const [name, waitMs] of steps) {
    if (!isAlive()) return
    sendSignal(postmaster, name)
    sendSignal(postmaster, 'SIGCONT')
    if (await isGoneWithin(waitMs)) return
  }
  const family = [postmaster, ...childrenOf(postmaster.pid)]
  for (const one of family) sendSignal(one, 'SIGKILL')
  if (!(await isGoneWithin(killedMsMax))) throw new Error(`PostgreSQL (process ${postmaster.pid}) cannot be killed.`)
}

const strayMsMax = 1000

/**
 * Ends what a killed postmaster left. Its processes exit at once, but not those that are stopped, and as long as one is
 * attached to the shared memory, no other postmaster starts. They are recognized by the cluster that is their working
 * folder, which only their own user can always read (proc(5), PTRACE_MODE_READ).
 */
export async function endStrays(home: Home): Promise<void> {
  if (process.platform !== 'linux') return
  const script = 'for p in /proc/[0-9]*; do [ "$p/cwd" -ef "$1" ] && echo "${p#/proc/}"; done; :'
  const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', realpathSync(home.cluster)], {
    ...home.account.identity,
    cwd: '/',
    env: environment,
    encoding: 'utf8',
  })
  const strays = (stdout ?? '')
    .split('\n')
    .map((pid) => findProcess(Number(pid)))
    .filter((found) => found !== undefined)
    .filter(
      ({ command, parent }) => /^postgres(:|$)/.test(basename(command[0] ?? '')) && !findPostmasterAt(home, parent),
    )
  const deadline = performance.now() + strayMsMax
  while (strays.some(isRunning) && performance.now() < deadline) await sleep(20)
  for (const stray of strays) sendSignal(stray, 'SIGKILL')
}
