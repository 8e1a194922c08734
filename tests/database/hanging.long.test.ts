import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childrenOf, findProcess } from '#database/embedded/processes.ts'
import { openDatabase } from '#database/open.ts'
import { postmastersOf, until } from '../fixture/later.ts'
import { isLong } from '../fixture/long.ts'
import { patience } from '../fixture/patience.ts'
import { launchOwner, type Owner, watchersOf } from './support.ts'

/** docs/operations.md promises it, of a machine that has time for it. */
const backMsMax = 30_000 * patience

const folder = mkdtempSync(join(tmpdir(), 'bailiwick-test-'))
chmodSync(folder, 0o755)
const owners: Owner[] = []
const begin = (dataDir: string, write: boolean): Owner => {
  const owner = launchOwner({ dataDir, purpose: 'serve', write })
  owners.push(owner)
  return owner
}

type Victim = { dataDir: string; server: Owner; postmaster: number }
type Fault = { name: string; does(victim: Victim): Promise<void> | void; startsAtOnce?: number }

const kill = (pid: number | undefined, name: NodeJS.Signals = 'SIGKILL'): void => {
  if (pid === undefined) throw new Error('There is no such process.')
  process.kill(pid, name)
}
const partOf = ({ postmaster }: Victim, title: RegExp): number | undefined =>
  childrenOf(postmaster).find(({ pid }) => title.test(findProcess(pid)?.command.join(' ') ?? ''))?.pid
const backendOf = (victim: Victim): number | undefined => partOf(victim, /^postgres: bailiwick bailiwick/)
const killServer = ({ server }: Victim): void => kill(server.process.pid)
const killWatcher = ({ postmaster }: Victim): void => kill(watchersOf(postmaster)[0])

const faults: Fault[] = [
  ...(isLong ? [0, 50, 100, 180] : [0, 100]).map((delayMs) => ({
    name: `kill -9 of a backend, and of the server ${delayMs} ms later`,
    async does(victim: Victim) {
      kill(backendOf(victim))
      await sleep(delayMs)
      killServer(victim)
    },
  })),
  {
    name: 'kill -9 of the checkpointer, and of the server 100 ms later',
    async does(victim) {
      kill(partOf(victim, /^postgres: checkpointer/))
      await sleep(100)
      killServer(victim)
    },
  },
  {
    name: 'kill -9 of a backend, then of the server and the watcher, and a shutdown that hangs without anyone to end it',
    async does(victim) {
      kill(backendOf(victim))
      await sleep(100)
      killWatcher(victim)
      killServer(victim)
      kill(victim.postmaster, 'SIGINT')
    },
  },
  {
    name: 'kill -9 of the postmaster and the server at once',
    does(victim) {
      kill(victim.postmaster)
      killServer(victim)
    },
  },
  {
    name: 'kill -9 of the postmaster and the server while a backend is stopped',
    does(victim) {
      kill(backendOf(victim), 'SIGSTOP')
      kill(victim.postmaster)
      killServer(victim)
    },
  },
  {
    name: 'kill -9 of the server while a backend is stopped',
    does(victim) {
      kill(backendOf(victim), 'SIGSTOP')
      killServer(victim)
    },
  },
  {
    name: 'kill -9 of the server while the postmaster is stopped',
    does(victim) {
      kill(victim.postmaster, 'SIGSTOP')
      killServer(victim)
    },
  },
  {
    name: 'kill -9 of the server and the watcher while the postmaster and a backend are stopped',
    does(victim) {
      kill(backendOf(victim), 'SIGSTOP')
      kill(victim.postmaster, 'SIGSTOP')
      killWatcher(victim)
      killServer(victim)
    },
  },
  { name: 'kill -9 of the server, and two starts at once', startsAtOnce: 2, does: killServer },
  {
    name: 'kill -9 of the next two starts in the middle of recovery',
    async does(victim) {
      kill(victim.postmaster)
      killServer(victim)
      for (const delayMs of [400, 700]) {
        const next = begin(victim.dataDir, false)
        await sleep(delayMs)
        next.process.kill('SIGKILL')
      }
    },
  },
]

type Outcome = { tookMs: number; opened: number; refused: string[]; acknowledged: number; lost: string[] }

async function suffer({ does, startsAtOnce = 1 }: Fault, n: number): Promise<Outcome> {
  const dataDir = join(folder, String(n))
  spawnSync('cp', ['-a', join(folder, 'base'), dataDir])
  const server = begin(dataDir, true)
  const postmaster = (await server.hears('opened')).opened?.postmaster as number
  const wrote = (): string[] => server.said.flatMap((line) => line.wrote ?? [])
  await until(() => wrote().length > 50)
  await does({ dataDir, server, postmaster })

  const beganAt = performance.now()
  const starts = Array.from({ length: startsAtOnce }, () => begin(dataDir, false))
  const isDecided = (start: Owner): boolean => start.said.some((said) => said.opened ?? said.refused)
  await until(() => starts.every((start) => isDecided(start) || start.isClosed()))
  const tookMs = performance.now() - beganAt
  const said = starts.flatMap((start) => start.said)

  const acknowledged = wrote()
  const { db, close } = await openDatabase({ from: { dataDir, purpose: 'command' }, connectionsMax: 1 })
  const there = new Set((await db<{ row: string }[]>`select row from written`).map(({ row }) => row))
  await close()
  for (const start of starts) start.process.stdin?.end()
  await Promise.all(starts.map((start) => start.exit))
  return {
    tookMs,
    opened: said.filter(({ opened }) => opened?.owned).length,
    refused: said.flatMap(({ refused }) => refused?.name ?? []),
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((row) => !there.has(row)),
  }
}

const outcomes = new Map<Fault, Promise<Outcome>>()
let stoppedByAnother: Promise<string[]>

beforeAll(async () => {
  const base = await openDatabase({ from: { dataDir: join(folder, 'base'), purpose: 'serve' }, connectionsMax: 1 })
  await base.close()
  // They mostly wait: in seven lines at once.
  const lines = Array.from({ length: 7 }, (): Promise<unknown> => Promise.resolve())
  for (const [n, fault] of faults.entries()) {
    const outcome = (lines[n % 7] as Promise<unknown>).then(() => suffer(fault, n))
    lines[n % 7] = outcome.catch(() => {})
    outcomes.set(fault, outcome)
  }
  stoppedByAnother = stopFromOutside()
  stoppedByAnother.catch(() => {})
})
afterAll(async () => {
  await Promise.allSettled([...outcomes.values(), stoppedByAnother])
  for (const owner of owners) owner.process.kill('SIGKILL')
  await Promise.all(owners.map((owner) => owner.exit))
  await until(() => postmastersOf(folder).length === 0)
  rmSync(folder, { recursive: true, force: true })
})

for (const fault of faults)
  test(`after ${fault.name}: the next start is up by itself within 30 s, with all that was acknowledged`, async () => {
    const { tookMs, opened, refused, acknowledged, lost } = (await outcomes.get(fault)) as Outcome
    expect(opened).toBe(1)
    expect(refused).toEqual(fault.startsAtOnce === 2 ? ['DataFolderInUse'] : [])
    expect(tookMs).toBeLessThan(backMsMax)
    expect(acknowledged).toBeGreaterThan(50)
    expect(lost).toEqual([])
  })

async function stopFromOutside(): Promise<string[]> {
  const dataDir = join(folder, 'alive')
  const events: string[] = []
  const { db, embedded, close } = await openDatabase({
    from: { dataDir, purpose: 'serve' },
    connectionsMax: 3,
    onEvent: ({ what }) => events.push(what),
  })
  const isBack = (): Promise<boolean> =>
    db`select 1`.then(
      () => true,
      () => false,
    )
  try {
    const first = embedded?.pid() as number
    const [backend] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
    kill(backend?.pid)
    await sleep(100)
    kill(first, 'SIGINT')
    await until(() => embedded?.pid() !== first)
    await until(isBack)
    const second = embedded?.pid() as number
    kill(second, 'SIGTERM')
    await until(() => embedded?.pid() !== second)
    await until(isBack)
    return events
  } finally {
    await close()
  }
}

test('a PostgreSQL that another process stops, and that hangs in it or waits for our sessions, is ended and started again', async () => {
  const events = await stoppedByAnother
  expect(events.filter((what) => what === 'exited')).toHaveLength(2)
  expect(events.filter((what) => what === 'forced').length).toBeGreaterThan(0)
})
