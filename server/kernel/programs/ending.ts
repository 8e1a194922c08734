import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses, type Started, startOf } from './processes.ts'

const lookMs = 50
/** After so many looks what is left cannot be ended: it waits in the kernel. */
const looksMax = 200

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}

/**
 * Asks a program to end, waits for up to `graceMs`, ends all that is left of it, and removes its folder. Returns how many
 * processes could not be ended.
 */
export async function endProgram(of: Started, graceMs: number): Promise<number> {
  const until = performance.now() + graceMs
  if (graceMs > 0) for (const pid of listProcesses(of)) send(pid, 'SIGTERM')
  // Once the first has ended, the others have no more time.
  while (startOf(of.pid) === of.born && performance.now() < until) await sleep(lookMs)
  let left = listProcesses(of)
  for (let looks = 0; left.length > 0 && looks < looksMax; looks++) {
    killAll(of, left)
    await sleep(looks === 0 ? 5 : lookMs)
    left = listProcesses(of)
  }
  rmSync(of.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
  return left.length
}

/** In one call each where possible: a program that keeps starting others cannot win against that. */
function killAll({ pid, ownUser }: Started, left: readonly number[]): void {
  if (left.includes(pid)) send(-pid, 'SIGKILL')
  if (ownUser !== null && process.getuid?.() === 0)
    spawnSync('/bin/sh', ['-c', 'kill -KILL -1'], { uid: ownUser, gid: ownUser, cwd: '/', env: {}, stdio: 'ignore' })
  for (const each of left) send(each, 'SIGKILL')
}
