import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanEnvironment, type Served, serveOn } from '../cli/command.ts'
import { makeFolder } from '../fixture/folder.ts'
import { later, until } from '../fixture/later.ts'
import { isLong } from '../fixture/long.ts'
import { makeDatabase } from '../fixture/server.ts'
import { childrenOf, hasSpare, isAlive, logOf, servingPids } from './team.ts'

let data: { url: string; drop(): Promise<void>; folder: string }
let served: Served
beforeAll(async () => {
  data = { ...(await makeDatabase()), folder: await makeFolder() }
  served = await serveOn(['--database-url', data.url, '--data-dir', data.folder, '--workers', '2'])
})
afterAll(async () => {
  served.child.kill('SIGKILL')
  await served.exit
  await data.drop()
  rmSync(data.folder, { recursive: true, force: true })
})

const primary = (): number => served.child.pid as number
const sparePid = (): number =>
  logOf(served).findLast(({ msg, pid = 0 }) => msg === 'a spare worker is ready' && isAlive(pid))?.pid as number
const spareIsReady = (): Promise<void> => until(() => hasSpare(served))
const setFiles = (most: number): void => void spawnSync('prlimit', ['--pid', String(primary()), `--nofile=${most}:`])

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0

test.skipIf(!hasPrlimit)(
  'a machine that cannot create a process for a worker is asked again; the server goes on meanwhile, and stops in order',
  async () => {
    await spareIsReady()
    const before = readFileSync(`/proc/${primary()}/limits`, 'utf8')
    const most = Number(/Max open files +(\d+)/.exec(before)?.[1])
    // As where no file descriptor, process or memory is left. What is open stays open.
    setFiles(3)
    process.kill(sparePid(), 'SIGKILL')
    const failed = () => logOf(served).filter(({ msg }) => msg === 'a worker process could not be created')
    await until(() => failed().length >= 2)
    setFiles(most)
    await until(() => hasSpare(served))
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200)
  },
)

// Takes 40 s, by design.
test.runIf(isLong)('a spare that hangs does not keep the place of a worker that died', async () => {
  await spareIsReady()
  const hung = sparePid()
  const [number, victim] = [...servingPids(served)][0] as [number, number]
  process.kill(hung, 'SIGSTOP')
  process.kill(victim, 'SIGKILL')
  // It is asked every 10 s, and ended when it has not answered for 30.
  await until(() => ![victim, hung].includes(servingPids(served).get(number) as number))
  expect(isAlive(hung)).toBe(false)
})

test('a stop that a supervisor sends to all processes leaves none behind, and is not an error', async () => {
  const children = childrenOf(primary())
  for (const pid of [...children, primary()]) process.kill(pid, 'SIGTERM')
  expect(await served.exit).toMatchObject({ code: 0, signal: null })
  expect(children.filter(isAlive)).toEqual([])
  expect(logOf(served).filter(({ msg }) => /uncaught|unhandled/.test(String(msg)))).toEqual([])
})

/** Starts a server, and sends a signal to all its processes once there are workers: what it said, and whether none served yet. */
async function signalStarting(signal: NodeJS.Signals): Promise<{ said: string; isInTime: boolean }> {
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../bin/bailiwick.mjs'),
      ...['serve', '--port', '0', '--metrics-port', '0', '--workers', '2'],
      ...['--database-url', data.url, '--data-dir', data.folder],
    ],
    { cwd: tmpdir(), env: cleanEnvironment, stdio: 'pipe', detached: true },
  )
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  later(() => child.exitCode ?? child.kill('SIGKILL'))
  const group = child.pid as number
  await until(() => childrenOf(group).length >= 2)
  // Nothing happens while it is looked at.
  process.kill(-group, 'SIGSTOP')
  await sleep(100)
  const isInTime = !said.includes('a worker serves')
  process.kill(-group, signal)
  process.kill(-group, 'SIGCONT')
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(said).not.toContain('a worker ended')
  expect(code).toBe(0)
  return { said, isInTime }
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s to the whole group during the start ends it in order', async (signal) => {
  // A busy machine may be late to see the workers.
  let said = ''
  await until(async () => {
    const tried = await signalStarting(signal)
    said = tried.said
    return tried.isInTime
  })
  expect(said).not.toContain('Listening')
})
