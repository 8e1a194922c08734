import { expect, test } from 'vitest'
import { start } from '../cli/command.ts'
import { dataFolder, until } from '../fixture/later.ts'
import { childrenOf, isAlive, servingPids } from './team.ts'

test('kill -9 of a worker while the others still start is one worker replaced, not the end of the server', async () => {
  const args = ['serve', '--port', '0', '--metrics-port', '0', '--empty', '--workers', '2', '--data-dir', dataFolder()]
  const running = start(args)
  const workers = (): number[] => childrenOf(running.child.pid as number, 'cli/worker.ts')
  await until(() => workers().length >= 2)
  const [killed = 0] = workers()
  process.kill(killed, 'SIGKILL')
  await until(() => servingPids(running).size === 2 || running.child.exitCode !== null)
  expect([...servingPids(running).values()].every((pid) => pid !== killed && isAlive(pid))).toBe(true)
})
