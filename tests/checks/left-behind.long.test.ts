import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findProcess, isRunning, type Process } from '#database/embedded/processes.ts'
import { cleanEnvironment } from '../cli/command.ts'
import { later, temporaryFolder, until } from '../fixture/later.ts'
import { processes } from '../fixture/processes.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'tests/checks/left-behind/vitest.config.ts']

// Run in run: the path of a socket has to fit into 103 bytes, and on macOS the temporary folder alone takes 49.
const shortBase = process.platform === 'darwin' ? '/tmp' : tmpdir()

type Running = {
  runner: ChildProcess
  exit: Promise<number | null>
  /** The process that runs the test file. */
  worker: number
  /** All processes of the run. */
  family: Process[]
  /** What is left of it: processes, and the folders that it made. */
  left(): string[]
}

/** A test run with a server, workers, two PostgreSQLs and a browser, as a process of its own. */
async function startRun(program: string, args: string[], env: Record<string, string> = {}): Promise<Running> {
  const readyFile = join(temporaryFolder(), 'ready')
  const folder = mkdtempSync(join(shortBase, 'n-'))
  chmodSync(folder, 0o711)
  later(() => rmSync(folder, { recursive: true, force: true }))
  const runner = spawn(program, args, {
    cwd: root,
    env: { ...cleanEnvironment, TMPDIR: folder, LEFT_BEHIND_READY: readyFile, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // As in a terminal of its own, where Ctrl-C is for the whole group.
    detached: true,
  })
  let said = ''
  for (const output of [runner.stdout, runner.stderr]) output?.setEncoding('utf8').on('data', (text) => (said += text))
  const exit = new Promise<number | null>((resolve) => runner.once('close', resolve))
  later(() => runner.kill('SIGKILL'))
  await until(() => existsSync(readyFile) || runner.exitCode !== null)
  if (!existsSync(readyFile)) throw new Error(`The run ended: ${said}`)
  const family = familyOf(runner.pid as number)
  return {
    runner,
    exit,
    worker: Number(readFileSync(readyFile, 'utf8')),
    family,
    left: () => [
      ...family.filter(isRunning).map(({ pid }) => findProcess(pid)?.command.join(' ') ?? ''),
      // npm keeps its compiled code there, for whoever uses it next.
      ...readdirSync(folder).filter((name) => name !== 'node-compile-cache'),
    ],
  }
}

/** A process and all below it. */
function familyOf(first: number): Process[] {
  const all = processes()
  const family = [first]
  for (const pid of family) family.push(...all.filter(({ parent }) => parent === pid).map((child) => child.pid))
  return family.flatMap((pid) => findProcess(pid) ?? [])
}

/** Sends a signal to the runner alone, as kill does. */
const toRunner = (signal: NodeJS.Signals) => (run: Running) => void run.runner.kill(signal)

test('a test run whose runner is killed leaves no process and no folder', async () => {
  const run = await startRun(process.execPath, vitest)
  const commands = run.family.map(({ pid }) => findProcess(pid)?.command.join(' ') ?? '').join('\n')
  // Else there would be nothing to leave behind.
  for (const kind of ['watchdog.ts', 'workers/forks.js', 'bailiwick.mjs serve', 'postgres -D'])
    expect(commands).toContain(kind)
  toRunner('SIGKILL')(run)
  await until(() => run.left().length === 0)
})

const endings: Record<string, (run: Running) => void> = {
  'SIGTERM to the runner': toRunner('SIGTERM'),
  'SIGINT to the runner': toRunner('SIGINT'),
  'SIGINT to all processes of a terminal': ({ runner }) => void process.kill(-(runner.pid as number), 'SIGINT'),
  'SIGKILL to a worker': ({ worker }) => void process.kill(worker, 'SIGKILL'),
}
for (const [what, end] of Object.entries(endings))
  test(`a test run leaves nothing after ${what}`, async () => {
    const run = await startRun(process.execPath, vitest)
    end(run)
    await until(() => run.left().length === 0)
  })

test('npm that is killed takes the test run along', async () => {
  const run = await startRun('npm', ['exec', '--', 'vitest', ...vitest.slice(1)])
  toRunner('SIGKILL')(run)
  await until(() => run.left().length === 0)
})

test('a hook that fails leaves nothing, and the run fails', async () => {
  const run = await startRun(process.execPath, vitest, { LEFT_BEHIND_FAIL: '1' })
  await until(() => run.left().length === 0)
  expect(await run.exit).toBe(1)
})
