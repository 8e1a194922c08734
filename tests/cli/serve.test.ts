import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '#database/open.ts'
import { dataFolder, later, postmastersOf, temporaryFolder, until } from '../fixture/later.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { patience } from '../fixture/patience.ts'
import { freePort } from '../fixture/port.ts'
import { makeDatabase } from '../fixture/server.ts'
import { plainLines, type Ran, run, runProcess, type Served, serve, start } from './command.ts'

/** The beginning of a request on a connection of its own, once the server waits for the rest of its body. */
async function beginSlow(served: Served, begun = ''): Promise<{ socket: Socket; heard(): string }> {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1')
  later(() => socket.destroy())
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: unknown) => (heard += String(text)))
  socket.on('error', () => {})
  const fields = 'Host: localhost\r\nContent-Length: 20\r\nExpect: 100-continue'
  socket.write(`POST /slow HTTP/1.1\r\n${fields}\r\n\r\n${begun}`)
  const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'
  await until(() => heard.startsWith(goOn))
  return { socket, heard: () => heard.slice(goOn.length) }
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

/** Joins the running server's database, as an operator command does. */
async function joined(dataDir: string): Promise<Database> {
  const database = await openDatabase({ from: { dataDir, purpose: 'command' }, connectionsMax: 1 })
  expect(database.embedded?.owned).toBe(false)
  return database
}

const counts = async (dataDir: string): Promise<Record<string, number>> => {
  const { db, close } = await joined(dataDir)
  const [row] = await db<Record<string, number>[]>`
    select (select count(*) from tenants) as tenants, (select count(*) from users) as users,
      (select count(*) from apps) as apps, (select count(*) from grants) as grants`
  await close()
  return row as Record<string, number>
}

/** Rules and profiles of the demo company give what they have to give right after the first start, and what is over ends. */
const rulesHaveRun = async (dataDir: string): Promise<void> => {
  const { db, close } = await joined(dataDir)
  const waiting = async (): Promise<number> => {
    const [row] = await db<{ count: number }[]>`
      select (select count(*) from automations where last_completed_at is null) + (select count(*) from profile_changes)
        + (select count(*) from jobs where kind like 'profiles.%')
        + (select count(*) from grants where ended_at is null and expires_at <= now())
        + (select count(*) from profiles p where p.is_bundle and not exists (
          select 1 from profile_members m where m.tenant_id = p.tenant_id and m.profile_id = p.profile_id)) as count`
    return row?.count as number
  }
  while ((await waiting()) > 0) await sleep(50)
  await close()
}

/** One clear line, no stack. */
const expectRefused = (ran: Ran, words: RegExp, code: number): void => {
  const lines = plainLines(ran.stderr)
  expect(lines, ran.stderr).toHaveLength(1)
  expect(lines[0]).toMatch(/^bailiwick: /)
  expect(lines[0]).toMatch(words)
  expect(ran).toMatchObject({ code, stdout: '' })
}

onlyLongTest(
  'the first start makes a tenant and a company, the second finds them within 2 s, and Ctrl-C leaves nothing running',
  async () => {
    const dataDir = join(temporaryFolder(), 'data')
    const first = await serve(['--data-dir', dataDir])
    expect(first.said().stdout).toMatch(/^Bailiwick 0\.1\.0-alpha\n/)
    expect(first.said().stdout).toContain('the tenant localhost with admin@localhost as its Super Administrator')
    expect(first.said().stdout).toMatch(/Demo +\d+ users, \d+ apps, \d+ entitlements, \d+ grants/)
    expect(await statusOf(`${first.url}/readyz`)).toBe(200)
    expect(await statusOf(`${first.url}/api/openapi.json`)).toBe(200)
    expect(await (await fetch(first.metricsUrl)).text()).toContain('bailiwick_database_up 1')
    await rulesHaveRun(dataDir)
    const before = await counts(dataDir)
    expect(before).toMatchObject({ tenants: 1 })
    expect(before['users']).toBeGreaterThan(150)
    expect(before['apps']).toBeGreaterThanOrEqual(12)
    expect(before['grants']).toBeGreaterThan(500)

    expect(await first.stop('SIGINT')).toMatchObject({ code: 0, signal: null })
    expect(postmastersOf(dataDir)).toEqual([])
    expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)

    // As a supervisor sees it: from the start of the process to the first answer. Other tests may keep the machine busy: so
    // it goes before them, where that is allowed, and the best of some starts counts.
    let bestMs = Number.POSITIVE_INFINITY
    for (let round = 0; round < 6 && bestMs > 2000; round++) {
      const port = await freePort()
      const begin = performance.now()
      const again = start(['serve', '--data-dir', dataDir, '--port', String(port), '--metrics-port', '0'])
      goBeforeOthers(again.child.pid as number)
      while (!(await statusOf(`http://localhost:${port}/api/openapi.json`).catch(() => false))) await sleep(5)
      bestMs = Math.min(bestMs, performance.now() - begin)
      expect(await counts(dataDir)).toEqual(before)
      expect(again.said().stdout).not.toMatch(/Made|Demo/)
      again.child.kill('SIGTERM')
      expect(await again.exit).toMatchObject({ code: 0, signal: null })
      expect(postmastersOf(dataDir)).toEqual([])
    }
    expect(bestMs).toBeLessThan(2000 * patience)
  },
)

/** Only root may do that; PostgreSQL, which it starts, is given the same. */
function goBeforeOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_HIGHEST)
  } catch {
    // As everyone else, then.
  }
}

onlyLongTest(
  '--empty leaves the company out, --owner names another, and a second server on the folder is refused',
  async () => {
    const dataDir = dataFolder()
    const port = String(await freePort())
    const served = await serve(['--data-dir', dataDir, '--empty', '--owner', 'ana@acme.example', '--port', port])
    expect(served.said().stdout).toContain(`the tenant localhost:${port} with ana@acme.example as its Super`)
    expect(served.said().stdout).not.toContain('Demo')
    const { db, close } = await joined(dataDir)
    expect(await db`select email from users`).toEqual([{ email: 'ana@acme.example' }])
    expect(await db`select domain from tenants`).toEqual([{ domain: `localhost:${port}` }])
    await close()

    const second = await runProcess(['serve', '--data-dir', dataDir, '--port', '0', '--metrics-port', '0'])
    expectRefused(
      second,
      new RegExp(`${dataDir} is in use by another Bailiwick server \\(process ${served.child.pid}\\)`),
      1,
    )
    expect(await statusOf(`${served.url}/readyz`)).toBe(200)

    // Operator commands work on the same data, with the server and without.
    const owner = ['--owner', 'bo@acme.example', '--data-dir', dataDir]
    expect(await run(['tenant', 'create', 'Acme.Example', ...owner])).toMatchObject({
      code: 0,
      stdout: 'Created the tenant acme.example; bo@acme.example is its Super Administrator.\n',
    })
    expect(await fetch(`${served.url}/docs`, { headers: { host: 'acme.example' } }).then((reply) => reply.status)).toBe(
      200,
    )
    const again = await run(['tenant', 'create', 'ACME.example:99', ...owner])
    expectRefused(again, /there is already a tenant for that host/, 2)
    const list = async () =>
      JSON.parse((await run(['tenant', 'list', '--json', '--data-dir', dataDir])).stdout) as object[]
    const withServer = await list()
    expect(withServer).toMatchObject([{ domain: `localhost:${port}` }, { domain: 'acme.example' }])
    expect(await served.stop()).toMatchObject({ code: 0 })
    expect(await list()).toEqual(withServer)
    expect(await run(['tenant', 'create', 'b.example', ...owner])).toMatchObject({ code: 0 })
    expect(postmastersOf(dataDir)).toEqual([])
    const table = await run(['tenant', 'list', '--data-dir', dataDir])
    expect(table.stdout).toMatch(/^DOMAIN +CREATED\nlocalhost:\d+ +20\S+Z\nacme\.example +\S+\nb\.example +\S+\n$/)
  },
)

/** A database of the tests' own PostgreSQL, with a data folder for the secret key. */
async function ownDatabase(): Promise<{ url: string; dataDir: string; where: string[] }> {
  const { url, drop } = await makeDatabase()
  later(drop)
  const dataDir = join(temporaryFolder(), 'data')
  return { url, dataDir, where: ['--database-url', url, '--data-dir', dataDir] }
}

test('any other command than serve and tenant create makes no data where there is none, and names the folder', async () => {
  const folder = temporaryFolder()
  const commands = [
    ['tenant', 'list'],
    ['tenant', 'rotate-keys'],
    ['tenant', 'oidc', 'show'],
    ['user', 'list'],
    ['user', 'disable', 'a@b.example'],
    ['credential', 'list'],
    ['credential', 'create', '--user', 'a@b.example', '--name', 'x'],
    ['sign-in-link', '--user', 'a@b.example'],
    ['systemlog', 'verify'],
    ['import', '/dev/null'],
  ]
  const dataDirs = [...commands.map((_, i) => join(folder, `mistyped-${i}`)).slice(1), folder]
  const refused = await Promise.all(commands.map((args, i) => run([...args, '--data-dir', dataDirs[i] as string])))
  for (const [i, ran] of refused.entries())
    expectRefused(ran, new RegExp(`there is no data in ${dataDirs[i]}; set --data-dir to the server's data folder`), 2)
  expect(readdirSync(folder)).toEqual([])
})

test('a command makes nothing in a database that holds none of our data', async () => {
  const { url, where, dataDir } = await ownDatabase()
  const { db, close } = await openDatabase({ from: { url }, connectionsMax: 1 })
  await db.unsafe('drop schema public cascade; create schema public')
  expectRefused(await run(['tenant', 'list', ...where]), /there is no data in the database/, 2)
  expect(await db`select 1 from pg_class where relnamespace = 'public'::regnamespace`).toHaveLength(0)
  expect(existsSync(dataDir)).toBe(false)
  await close()
})

test('a port that is taken is one clear line, before anything is made', async () => {
  const folder = temporaryFolder()
  const where = ['--data-dir', join(folder, 'data')]
  const taken = createServer().listen(0, '127.0.0.1')
  later(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const port = String((taken.address() as { port: number }).port)
  const ran = await runProcess(['serve', ...where, '--port', port, '--metrics-port', '0'])
  expectRefused(ran, new RegExp(`127\\.0\\.0\\.1:${port} is in use`), 2)
  expect(readdirSync(folder)).toEqual([])
})

onlyLongTest('a metrics port that was asked for and is taken is one clear line, before anything is made', async () => {
  const folder = temporaryFolder()
  const where = ['--data-dir', join(folder, 'data')]
  const taken = createServer().listen(0, '127.0.0.1')
  later(() => taken.close())
  await new Promise((resolve) => taken.once('listening', resolve))
  const port = String((taken.address() as { port: number }).port)
  const ran = await runProcess(['serve', ...where, '--port', '0', '--metrics-port', port])
  expectRefused(ran, new RegExp(`--metrics-port ${port} is in use`), 2)
  expect(readdirSync(folder)).toEqual([])
})

test('a database newer than the program is refused in one line', async () => {
  const { url, where } = await ownDatabase()
  const { db, close } = await openDatabase({ from: { url }, connectionsMax: 1 })
  await db`insert into schema_migrations (version, name, checksum) values (9999, 'from_the_future', '')`
  await close()
  expectRefused(await run(['tenant', 'list', ...where]), /database is at version 9999 .* run a newer version/, 1)
})

test('a missing or another secret key for a database that has one is refused, and the right one taken from wherever it is', async () => {
  const { url, dataDir, where } = await ownDatabase()
  expect(await run(['tenant', 'create', 'acme.example', '--owner', 'a@b.example', ...where])).toMatchObject({ code: 0 })
  const other = join(temporaryFolder(), 'other')
  const elsewhere = ['serve', '--database-url', url, '--data-dir', other, '--port', '0']
  expectRefused(await runProcess(elsewhere), /the secret key .*other\/secret\.key is missing/, 2)
  const wrongKey = randomBytes(32).toString('base64')
  mkdirSync(other, { recursive: true })
  writeFileSync(join(other, 'secret.key'), wrongKey)
  const refused = await run(['tenant', 'list', '--database-url', url, '--data-dir', other])
  expectRefused(refused, /the database belongs to another secret key than .*other\/secret\.key/, 2)
  expect(refused.stderr).not.toContain(wrongKey)
  const key = ['--secret-key-file', join(dataDir, 'secret.key')]
  const listed = await run(['tenant', 'list', '--database-url', url, '--data-dir', join(other, 'none'), ...key])
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.stdout).toContain('acme.example')
})

onlyLongTest(
  'settings come from the environment, and the demo company never goes into a database of the operator',
  async () => {
    const { url, dataDir } = await ownDatabase()
    const env = {
      DATABASE_URL: url,
      BAILIWICK_DATA_DIR: dataDir,
      BAILIWICK_OWNER: 'cy@acme.example',
      BAILIWICK_LOG_LEVEL: 'warn',
    }
    const served = await serve([], env)
    expect(served.said().stdout).toContain('in the PostgreSQL of --database-url')
    expect(served.said().stdout).not.toContain('Demo')
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('secret.key'))).toEqual([])
    const { db, close } = await openDatabase({ from: { url }, connectionsMax: 1 })
    expect(await db`select email from users`).toEqual([{ email: 'cy@acme.example' }])
    await close()
    expect(await statusOf(`${served.url}/readyz`)).toBe(200)
    const stopped = await served.stop()
    expect(stopped).toMatchObject({ code: 0 })
    expect(stopped.stderr).not.toContain('"level":"info"')
    expect(readdirSync(dataDir).toSorted()).toEqual(['secret.key', 'secret.key.heads', 'secret.key.sealed'])
  },
)

onlyLongTest('a request under way is finished after SIGTERM, and no connection is taken', async () => {
  const { where } = await ownDatabase()
  const served = await serve(where)
  // Without a route to be slow, its body is: an answer waits for it.
  const { socket, heard } = await beginSlow(served, '0123456789')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const stopping = served.stop()
  await until(() =>
    fetch(`${served.url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  expect(served.child.exitCode).toBeNull()
  socket.write('0123456789')
  await closed
  expect(heard()).toMatch(/^HTTP\/1\.1 404 Not Found/)
  const { code, signal, stdout } = await stopping
  expect({ code, signal }).toEqual({ code: 0, signal: null })
  expect(stdout).toContain('Stopping')
})

const sizeOf = (served: Served): number => served.said().stderr.length

onlyLongTest(
  'the log goes to standard error as one JSON object per line, and messages for people go to standard output',
  async () => {
    const { where } = await ownDatabase()
    const served = await serve(where)
    const before = sizeOf(served)
    await fetch(`${served.url}/nowhere?secret=hunter2`)
    await fetch(`${served.url}/healthz`)
    const { stdout, stderr } = await served.stop()
    expect(stderr.length).toBeGreaterThan(before)
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.filter(({ path }) => path)).toMatchObject([
      { method: 'GET', path: '/nowhere', status: 404 },
      { method: 'GET', path: '/healthz', status: 200 },
    ])
    expect(stderr + stdout).not.toContain('hunter2')
    expect(stdout).not.toContain('{')
  },
)

onlyLongTest('what never ends is cut off 10 s after SIGTERM, and the exit is clean', async () => {
  const { url, drop } = await makeDatabase()
  later(drop)
  const served = await serve(['--database-url', url, '--data-dir', join(temporaryFolder(), 'data')])
  await beginSlow(served)
  const begin = performance.now()
  expect(await served.stop()).toMatchObject({ code: 0, signal: null })
  expect(performance.now() - begin).toBeGreaterThan(9900)
})

onlyLongTest(
  'a database that cannot be reached is waited for, and then told in one line without its password',
  async () => {
    const url = 'postgres://u:hunter2@127.0.0.1:1/x'
    const ran = await run(['tenant', 'list', '--database-url', url, '--data-dir', '/nowhere'])
    expectRefused(ran, /cannot be reached/, 1)
    expect(ran.stderr).not.toContain('hunter2')
  },
)
