import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Served = { port: number; pid?: number; stop(): Promise<void> }

const root = join(import.meta.dirname, '..')
const node = process.execPath

const ended = (child: ChildProcess): Promise<unknown> => new Promise((resolve) => child.once('close', resolve))

/** What a child prints, up to the first match. */
const printed = (child: ChildProcess, pattern: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const match = pattern.exec(said)
      if (match) resolve(match[1] as string)
    })
    child.once('close', () => reject(new Error(`a server ended before it served: ${said}`)))
  })

/** The real command with its default settings on a data folder; its log goes to a file beside it. */
export async function startOn(dataDir: string, ...flags: string[]): Promise<Served> {
  const log = openSync(`${dataDir}.log`, 'w')
  const where = ['--port', '0', '--metrics-port', '0', '--data-dir', dataDir]
  // BENCH_PROFILE=FOLDER leaves a CPU profile of the server there.
  const profile = process.env['BENCH_PROFILE']
  const options = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const child = spawn(node, [...options, join(root, 'bin/bailiwick.mjs'), 'serve', ...where, ...flags], {
    stdio: ['ignore', 'pipe', log],
  })
  const exit = ended(child)
  const port = Number(await printed(child, /Listening +\S+:(\d+)/))
  return {
    port,
    ...(child.pid !== undefined && { pid: child.pid }),
    async stop() {
      child.kill('SIGTERM')
      await exit
    },
  }
}

/** The same on a new data folder, without the demo company. */
export async function startBailiwick(...flags: string[]): Promise<Served & { dataDir: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'bailiwick-bench-'))
  chmodSync(folder, 0o755)
  const dataDir = join(folder, 'data')
  const served = await startOn(dataDir, '--empty', ...flags)
  return {
    ...served,
    dataDir,
    async stop() {
      await served.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Runs an operator command on the data of a server, and answers what it prints. */
export const operate = (dataDir: string, ...command: string[]): string =>
  execFileSync(node, [join(root, 'bin/bailiwick.mjs'), ...command, '--data-dir', dataDir], { encoding: 'utf8' })

/** A server that is one script of bench/servers: it is given a JSON argument, and prints its port. */
export async function startScript(script: string, argument: unknown): Promise<Served> {
  const child = spawn(node, [join(root, 'bench/servers', script), JSON.stringify(argument)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = ended(child)
  const port = Number(await printed(child, /^(\d+)\n/))
  return {
    port,
    ...(child.pid !== undefined && { pid: child.pid }),
    async stop() {
      child.kill('SIGTERM')
      await exit
    },
  }
}
