import { expect, test } from 'vitest'
import { start } from '../cli/command.ts'
import { dataFolder, until } from '../fixture/later.ts'
import { childrenOf, isAlive, servingPids } from './team.ts'

test.each([
  ['SIGKILL', 1],
  ['SIGTERM', 1],
  ['SIGKILL', 2],
  ['SIGTERM', 2],
] as const)(
  '%s to %i of the workers that still start replaces them, and is not the end of the server',
  async (signal, count) => {
    const args = [
      'serve',
      '--port',
      '0',
      '--metrics-port',
      '0',
      '--empty',
      '--workers',
      '2',
      '--data-dir',
      dataFolder(),
    ]
    const running = start(args)
    const workers = (): number[] => childrenOf(running.child.pid as number, 'cli/worker.ts')
    await until(() => workers().length >= 2)
    const killed = workers().slice(0, count)
    for (const pid of killed) process.kill(pid, signal)
    await until(() => servingPids(running).size === 2 || running.child.exitCode !== null)
    expect([...servingPids(running).values()].every((pid) => !killed.includes(pid) && isAlive(pid))).toBe(true)
  },
)
