import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run as runCommand } from '../../cli/run.ts'
import { later, until } from '../fixture/later.ts'
import { conditionMs } from '../fixture/patience.ts'

const bailiwick = join(import.meta.dirname, '../../bin/bailiwick.mjs')

// What the surroundings of the tests have set is none of their business.
export const cleanEnvironment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(BAILIWICK_|DATABASE_URL$|NODE_|VITEST|FORCE_COLOR|npm_)/.test(name),
  ),
)

export type Ran = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }
export type Running = {
  child: ChildProcess
  said(): { stdout: string; stderr: string }
  exit: Promise<Ran>
}

function launch(args: readonly string[], env: Record<string, string> = {}, cwd = tmpdir()): Running {
  const child = spawn(process.execPath, [bailiwick, ...args], {
    cwd,
    env: { ...cleanEnvironment, ...env },
    stdio: 'pipe',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text))
  const exit = new Promise<Ran>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr })),
  )
  return { child, exit, said: () => ({ stdout, stderr }) }
}

/** Starts the `bailiwick` command; it is killed after the test if it still runs. */
export function start(args: readonly string[], env?: Record<string, string>): Running {
  const running = launch(args, env)
  later(async () => {
    running.child.kill('SIGKILL')
    await running.exit
  })
  return running
}

/** Runs the `bailiwick` command to its end, as a process of its own: for what is about the process, or its log. */
export async function runProcess(args: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Ran> {
  const { child, exit } = launch(args, env, cwd)
  const giveUp = setTimeout(() => child.kill('SIGKILL'), conditionMs)
  const ran = await exit
  clearTimeout(giveUp)
  return ran
}

type Printed = { stdout: string; stderr: string }
const printing = new AsyncLocalStorage<Printed>()

/** What a command prints goes to whoever ran it, also where several run at once; all else goes where it always does. */
function listen(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name]
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (...args: unknown[]) => {
      const printed = printing.getStore()
      if (!printed) return write(...args)
      printed[name] += String(args[0])
      const done = args.at(-1)
      if (typeof done === 'function') (done as () => void)()
      return true
    }
  }
}
let isListening = false

/** Runs a command to its end in this process, which takes a tenth of what a process of its own does. */
export async function run(args: readonly string[]): Promise<Ran> {
  if (!isListening) listen()
  isListening = true
  const printed: Printed = { stdout: '', stderr: '' }
  const code = await printing.run(printed, () => runCommand(args))
  return { code, signal: null, ...printed }
}

export type Served = Running & { url: string; metricsUrl: string; stop(signal?: NodeJS.Signals): Promise<Ran> }

/** `bailiwick serve` on free ports, once it says where it listens; left to whoever started it. */
export async function serveOn(args: readonly string[], env?: Record<string, string>): Promise<Served> {
  return listening(launch(serveArguments(args), env))
}

/** The same, killed after the test if it still runs. */
export async function serve(args: readonly string[], env?: Record<string, string>): Promise<Served> {
  return listening(start(serveArguments(args), env))
}

const serveArguments = (args: readonly string[]): string[] => ['serve', '--port', '0', '--metrics-port', '0', ...args]

async function listening(running: Running): Promise<Served> {
  const find = (label: string): string | undefined =>
    new RegExp(`^ +${label} +(\\S+)$`, 'm').exec(running.said().stdout)?.[1]
  // The last line of the welcome. Whoever waits for too long is told what was said instead.
  const isUp = (): boolean => /^ +Try /m.test(running.said().stdout)
  await until(() => isUp() || running.child.exitCode !== null).catch(() => {})
  const url = find('Listening')
  if (!url || !isUp()) {
    running.child.kill('SIGKILL')
    throw new Error(`did not serve: ${JSON.stringify(running.said())}`)
  }
  return {
    ...running,
    url,
    metricsUrl: find('Metrics') as string,
    async stop(signal = 'SIGTERM') {
      running.child.kill(signal)
      return running.exit
    },
  }
}

/** The lines that are not the JSON of the log. */
export const plainLines = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
