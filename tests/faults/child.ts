import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { later } from '../fixture/later.ts'
import { processes } from '../fixture/processes.ts'

export type Child = {
  process: ChildProcess
  url: string
  metricsUrl: string
  /** The lines of its log. */
  logged: string[]
  exit: Promise<number | null>
}

/** The server of server.ts, in a process of its own. */
export async function startChild(dataDir: string): Promise<Child> {
  const script = fileURLToPath(new URL('./server.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ 'data-dir': dataDir })], { stdio: 'pipe' })
  const logged: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => logged.push(line))
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  later(async () => {
    child.kill('SIGKILL')
    await exit
  })
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  const said = await Promise.race([first, exit.then(() => null)])
  if (said === null) throw new Error(`did not serve: ${logged.join('\n')}`)
  return { process: child, logged, exit, ...(JSON.parse(said) as { url: string; metricsUrl: string }) }
}

/** A process and those that it started, as the system knows them. */
export function familyOf(pid: number): number[] {
  const children = processes().filter(({ parent }) => parent === pid)
  return [pid, ...children.map((child) => child.pid)]
}
