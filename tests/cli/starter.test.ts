import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findProcess } from '#database/embedded/processes.ts'
import { dataFolder, later, postmastersOf, temporaryFolder, until } from '../fixture/later.ts'
import { isLong, longTest } from '../fixture/long.ts'
import { processes } from '../fixture/processes.ts'
import { makeDatabase } from '../fixture/server.ts'
import { cleanEnvironment } from './command.ts'

const checkout = join(import.meta.dirname, '../..')
const bailiwick = join(checkout, 'bin/bailiwick.mjs')

type Started = { child: ChildProcess; server: number; url: string; said(): string; isOver(): boolean }

/** Starts something that starts a server, on a database of its own, and finds the server. */
async function begin(
  program: string,
  args: (serve: string[]) => string[],
  env: Record<string, string> = {},
): Promise<Started> {
  const { url, drop } = await makeDatabase()
  const dataDir = join(temporaryFolder(), 'data')
  later(drop)
  const serve = ['--port', '0', '--metrics-port', '0', '--database-url', url, '--data-dir', dataDir]
  const child = spawn(program, args(serve), { cwd: checkout, env: { ...cleanEnvironment, ...env }, stdio: 'pipe' })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  await until(() => / Try /.test(said) || child.exitCode !== null)
  const at = /Listening +(\S+)/.exec(said)?.[1]
  if (!at) throw new Error(`did not serve: ${said}`)
  // The last in the line from npm over a shell to it.
  const line = processes().filter(({ command }) => command.includes(dataDir) && command.includes('bailiwick.mjs'))
  const parents = new Set(line.map(({ parent }) => parent))
  const server = line.find(({ pid }) => !parents.has(pid))?.pid as number
  later(() => {
    if (findProcess(server)) process.kill(server, 'SIGKILL')
    child.kill('SIGKILL')
  })
  return { child, server, url: at, said: () => said, isOver: () => !findProcess(server) }
}

test.each(isLong ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const))(
  'npm start ended by %s takes its server along, which stops in order',
  async (signal) => {
    const { child, said, isOver, server } = await begin('npm', (serve) => ['start', '--', ...serve])
    expect(server).not.toBe(child.pid)
    child.kill(signal)
    await until(isOver)
    await until(() => said().includes('Stopping'))
  },
)

longTest('a server without npm goes on when the shell that started it has gone', async () => {
  // The shell waits for this file: it goes once the server has been found under it, however long that took.
  const mayGo = join(temporaryFolder(), 'may-go')
  const { url, server, isOver } = await begin('/bin/sh', (serve) => [
    '-c',
    '"$@" & while [ ! -e "$0" ]; do sleep 0.1; done; exit 0',
    mayGo,
    process.execPath,
    bailiwick,
    'serve',
    ...serve,
  ])
  const parent = findProcess(server)?.parent
  writeFileSync(mayGo, '')
  await until(() => findProcess(server)?.parent !== parent)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(isOver()).toBe(false)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  process.kill(server, 'SIGTERM')
  await until(isOver)
})

longTest('a server without a terminal, as under nohup, goes on when one ends', async () => {
  const { server, url, isOver } = await begin('nohup', (serve) => [process.execPath, bailiwick, 'serve', ...serve])
  process.kill(server, 'SIGHUP')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  process.kill(server, 'SIGTERM')
  await until(isOver)
})

const hasScript = spawnSync('script', ['--version']).status === 0

longTest('on a terminal only failed requests are logged, and its end stops the server in order', async ({ skip }) => {
  skip(!hasScript)
  const { server, url, said, isOver } = await begin('script', (serve) => [
    '-qefc',
    [process.execPath, bailiwick, 'serve', ...serve].map((word) => `'${word}'`).join(' '),
    '/dev/null',
  ])
  expect((await fetch(`${url}/nowhere`)).status).toBe(404)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  process.kill(server, 'SIGHUP')
  await until(isOver)
  // Once it has stopped, all that it logs is on its way here.
  await until(() => said().includes('Stopping'))
  expect(said()).not.toContain('"status":')
})

/** An older Node on this machine, which hands over to the one in node_modules. */
const olderNode = ['/usr/local/bin/node', '/usr/bin/node', '/opt/homebrew/bin/node'].find((path) =>
  /^v2[0-3]\./.test(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
)

for (const signal of ['SIGTERM', 'SIGKILL'] as const)
  longTest(`an older Node that handed over and is ended by ${signal} takes the server along`, async ({ skip }) => {
    skip(!olderNode)
    const { child, server, isOver } = await begin(olderNode as string, (serve) => [bailiwick, 'serve', ...serve])
    expect(server).not.toBe(child.pid)
    child.kill(signal)
    await until(isOver)
  })

longTest('an embedded PostgreSQL ends with the npm that was killed', async () => {
  const dataDir = dataFolder()
  const args = ['start', '--', '--port', '0', '--metrics-port', '0', '--empty', '--data-dir', dataDir]
  const npm = spawn('npm', args, { cwd: checkout, env: cleanEnvironment, stdio: 'pipe' })
  later(() => npm.kill('SIGKILL'))
  let said = ''
  npm.stdout.setEncoding('utf8').on('data', (text) => (said += text))
  await until(() => / Try /.test(said))
  expect(postmastersOf(dataDir)).toHaveLength(1)
  npm.kill('SIGKILL')
  await until(() => postmastersOf(dataDir).length === 0)
  await until(() => said.includes('Stopping'))
})
