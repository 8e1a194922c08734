import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProgram } from '#database/embedded/binaries.ts'
import { clusterExists, createCluster } from '#database/embedded/cluster.ts'
import { prepareHome } from '#database/embedded/home.ts'
import { openDatabase } from '#database/open.ts'
import { unverifiedHost } from '#database/tls-policy.ts'
import { keepCertificate } from '#http/certificate.ts'
import { run } from '../cli/command.ts'
import { makeFolder } from '../fixture/folder.ts'
import { until } from '../fixture/later.ts'
import { freePort } from '../fixture/port.ts'

let folder: string
let server: ChildProcess
let port: number
let ca: string
let otherCa: string

// The embedded PostgreSQL's program, as an operator would run one of their own: by TCP, with a certificate for localhost.
beforeAll(async () => {
  folder = await makeFolder()
  const home = prepareHome(join(folder, 'data'), join(folder, 'root'))
  const program = await findProgram(home)
  if (!clusterExists(home)) await createCluster(home, program)
  const certificate = async (name: string): Promise<{ cert: string; key: string; certFile: string }> => {
    mkdirSync(join(folder, name))
    return keepCertificate(join(folder, name), ['localhost'], new Date())
  }
  const own = await certificate('own')
  ca = own.certFile
  otherCa = (await certificate('other')).certFile
  for (const [name, text] of [
    ['server.crt', own.cert],
    ['server.key', own.key],
    ['pg_hba.conf', 'hostssl all bailiwick 127.0.0.1/32 trust\n'],
  ] as const) {
    const path = join(home.cluster, name)
    writeFileSync(path, text)
    chmodSync(path, 0o600)
    if (process.getuid?.() === 0) chownSync(path, home.account.uid, home.account.gid)
  }
  port = await freePort()
  const settings = { listen_addresses: '127.0.0.1', port: String(port), ssl: 'on', unix_socket_directories: '' }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  server = spawn(join(program, 'bin/postgres'), ['-D', home.cluster, ...args], {
    ...home.account.identity,
    cwd: home.path,
    env: { LC_ALL: 'C', PATH: process.env['PATH'] },
    stdio: 'ignore',
  })
  // On a busy machine it takes a while.
  await until(() =>
    connect(at('localhost', `sslmode=verify-full&sslrootcert=${ca}`)).then(
      () => true,
      () => false,
    ),
  )
})
afterAll(async () => {
  const gone = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGINT')
  await gone
  await rm(folder, { recursive: true, force: true })
})

const at = (host: string, query: string): string => `postgresql://bailiwick@${host}:${port}/postgres?${query}`

async function connect(url: string): Promise<unknown> {
  const { db, close } = await openDatabase({ from: { url }, connectionsMax: 1, waitMs: 10_000 })
  const [row] = await db`select ssl, version from pg_stat_ssl where pid = pg_backend_pid()`
  await close()
  return row
}

test('a database is reached by TLS that verifies its certificate and its name', async () => {
  expect(await connect(at('localhost', `sslmode=verify-full&sslrootcert=${ca}`))).toEqual({
    ssl: true,
    version: 'TLSv1.3',
  })
})

test.each([
  ['a certificate of another authority', () => at('localhost', `sslmode=verify-full&sslrootcert=${otherCa}`)],
  ['one that no authority of the system knows', () => at('localhost', 'sslmode=verify-full')],
  ['a certificate for another name', () => at('127.0.0.1', `sslmode=verify-full&sslrootcert=${ca}`)],
])('%s is refused', async (_, url) => {
  await expect(connect(url())).rejects.toThrow(/cannot be reached: .*(certificate|altnames|IP)/i)
})

test('a database that takes only TLS is not reached without', async () => {
  await expect(connect(at('localhost', 'sslmode=disable'))).rejects.toThrow(/cannot be reached/)
})

test.each([
  ['postgres://u:p@db.example/x', 'db.example'],
  ['postgresql://u@10.0.0.7:5432/x?sslmode=require', '10.0.0.7'],
  ['postgresql://u@DB.Example/x?sslmode=disable', 'db.example'],
  ['postgresql://u@[2001:db8::1]:5432/x', '2001:db8::1'],
  ['postgresql://u@localhost,db.example:5433/x', 'db.example'],
  ['postgresql://u@localhost/x?host=db.example', 'db.example'],
  ['postgresql://u@localhost/x?host=/run/postgresql&host=db.example', 'db.example'],
  ['postgresql://u:p%40localhost@db.example/x', 'db.example'],
  ['postgresql://u@localhost.example/x', 'localhost.example'],
  ['postgresql://u@127.0.0.1.example/x', '127.0.0.1.example'],
  ['postgresql://u@db.example/x?sslmode=verify-full&sslmode=disable', 'db.example'],
  ['postgresql://u@db.example/x?sslmode=verify-full', null],
  ['postgresql://u@db.example,db2.example/x?sslmode=verify-ca&sslrootcert=system', null],
  ['postgres://u@localhost:5432/x', null],
  ['postgres://u@127.0.0.1/x', null],
  ['postgres://u@[::1]:5432/x', null],
  ['postgres://bailiwick@localhost/x?host=/run/postgresql', null],
  ['postgres://u@%2Frun%2Fpostgresql/x', null],
  ['postgres:///x', null],
])('%s: unverified is %s', (url, host) => {
  expect(unverifiedHost(url)).toBe(host)
})

test('a database on another machine that is not verified is refused before anything is sent to it, unless it is said to be meant', async () => {
  const args = [
    'tenant',
    'list',
    '--database-url',
    'postgres://u:hunter2@db.invalid/x',
    '--data-dir',
    join(folder, 'none'),
  ]
  const refused = await run(args)
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toBe(
    'bailiwick: --database-url does not verify db.invalid by TLS: add ?sslmode=verify-full (and sslrootcert=FILE for your own CA), or set --database-without-tls\n',
  )
})
