import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { later } from '../fixture/later.ts'
import type { TestServer } from '../fixture/server.ts'

/** Another server of the same database, in a process of its own: it is there to be killed. */
export async function startChild(
  server: TestServer,
  more: Record<string, string | boolean | string[]> = {},
): Promise<{ url: string; kill(): Promise<void> }> {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url))
  const flags = { 'data-dir': server.config.dataDir, 'database-url': server.databaseUrl, ...more }
  const child = spawn(process.execPath, [script, JSON.stringify(flags)], { stdio: ['ignore', 'pipe', 'ignore'] })
  const exit = new Promise<null>((resolve) => child.once('close', () => resolve(null)))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exit
  }
  later(kill)
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  const url = await Promise.race([first, exit])
  if (url === null) throw new Error('did not serve')
  return { url, kill }
}
