import { cp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { openDatabase } from '#database/open.ts'
import { openLog } from '#kernel/log.ts'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { makeLink } from '#rooms/identity/sessions/index.ts'
import { insertInvitation } from '#rooms/identity/sessions/invitations/store.ts'
import { hashOf } from '#rooms/identity/sessions/secret.ts'
import { serve as startServing } from '#server/main.ts'
import { run } from '../cli/command.ts'
import { type Access, ask, askToken, bySecret, getToken, type Key, openAccess, outcomeOf } from '../fixture/access.ts'
import { isDistributed } from '../fixture/cluster.ts'
import { until } from '../fixture/later.ts'
import { onlyLongTest } from '../fixture/long.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { type Browser, openBrowser } from '../sessions/support.ts'

// They copy and rename the database of one PostgreSQL; a cluster's is one on each node.
const test = isDistributed ? anyTest.skip : anyTest

// A server, a backup of its database, what happens after it, and the backup put in the place of the database.
let server: TestServer
let access: Access
let deleted: Key
let kept: Key
const invitation = 'an-invitation-from-before'
let usedLink: string
let browser: Browser
const operatorFlags: string[] = []
let adminUrl: string

async function admin(...statements: string[]): Promise<void> {
  const { db, close } = await openDatabase({ from: { url: adminUrl }, connectionsMax: 1 })
  for (const statement of statements) await db.unsafe(statement)
  await close()
}

const introspect = (token: string) => ask(server, '/api/v1/auth/introspect', { token })
const operate = (...words: string[]) => run([...words, ...operatorFlags])

beforeAll(async () => {
  server = await startServer()
  access = await openAccess(server)
  const name = /\/(test_\w+)/.exec(server.databaseUrl)?.[1] as string
  adminUrl = server.databaseUrl.replace(name, 'postgres')
  operatorFlags.push('--data-dir', server.config.dataDir, '--database-url', server.databaseUrl)
  deleted = await access.makeCaller(['system:viewer'])
  kept = await access.makeCaller(['system:viewer'])
  const userId = await access.makeUser({ roles: ['system:viewer'] })
  const invitedUser = await access.makeUser({ roles: ['system:viewer'] })
  const cause = operatorCause(access.tenant, 'test')
  const { token } = await transact(access.world.db, (tx) => makeLink(tx, access.world, cause, userId))
  usedLink = token
  const other = await transact(access.world.db, (tx) => makeLink(tx, access.world, cause, userId))
  const createdAt = access.world.now()
  await transact(access.world.db, (tx) =>
    insertInvitation(tx, access.world.seals, access.tenant.id, {
      id: access.world.newId(),
      userId: invitedUser,
      email: `${invitedUser}@example.com`,
      secretSha256: hashOf(invitation),
      createdBy: userId,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 86_400_000),
      usedAt: null,
      revokedAt: null,
    }),
  )
  browser = openBrowser(server)
  expect((await browser.ask('/auth/v1/sign_in/link', { body: { token: other.token } })).status).toBe(200)
  await sleep(600)

  const backUp = async (): Promise<void> => {
    await access.close()
    await server.serving.stop()
    await admin(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
      `create database ${name}_backup template ${name}`,
    )
  }
  const restore = async (): Promise<void> => {
    await admin(`drop database ${name} with (force)`, `alter database ${name}_backup rename to ${name}`)
  }
  await backUp()
  // After the backup: the link is used, a credential deleted.
  const serving = await startServing(server.config, openLog('silent'))
  const during = openBrowser(serving)
  expect((await during.ask('/auth/v1/sign_in/link', { body: { token: usedLink } })).status).toBe(200)
  expect((await operate('credential', 'delete', deleted.clientId)).code).toBe(0)
  await sleep(1500)
  await serving.stop()
  await restore()
})
afterAll(async () => {
  await server.stop()
})

test('a restored older backup is refused, by serve and by commands that change something', async () => {
  await expect(startServing(server.config, openLog('silent'))).rejects.toThrow(
    /does not contain the end of the system log[^]*bailiwick database restored/,
  )
  const listed = await operate('sign-in-link', '--user', 'admin@localhost')
  expect([listed.code, listed.stderr]).toEqual([1, expect.stringContaining('bailiwick database restored')])
  const verified = await operate('systemlog', 'verify')
  expect(verified.code).toBe(1)
  expect(verified.stdout).toMatch(/stored next to the secret key at .* is not in the chain/)
})

test('once it is accepted, what is from before does not count: credentials, links, invitations, sessions', async () => {
  const headsFile = `${server.config.dataDir}/secret.key.heads`
  // Another machine that has not seen the restore yet.
  await cp(headsFile, join(server.config.dataDir, 'elsewhere.heads'))
  const links = await server.db`select * from sign_in_links`
  const invitations = await server.db`select * from invitations`
  const sessions = await server.db`select * from sessions`
  expect([links.length, invitations.length, sessions.length]).toEqual([2, 1, 1])
  const accepted = await operate('database', 'restored')
  expect([accepted.code, accepted.stderr]).toEqual([0, ''])
  expect(accepted.stdout).toMatch(/Accepted the restored database[^]*credential approve CLIENT_ID/)
  expect((await stat(headsFile)).mode & 0o777).toBe(0o600)

  const serving = await startServing(server.config, openLog('silent'))
  server.url = serving.url
  try {
    for (const key of [deleted, kept]) {
      const refused = await askToken(server, bySecret(key))
      expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('before the database was restored')])
    }
    // Also when someone puts their rows back.
    for (const isBack of [false, true]) {
      if (isBack) {
        await server.db`insert into sign_in_links ${server.db(links)}`
        await server.db`insert into invitations ${server.db(invitations)}`
        await server.db`insert into sessions ${server.db(sessions)}`
      }
      const byInvitation = { body: { token: invitation } }
      const invited = await openBrowser(server).ask('/auth/v1/sign_in/invitation', byInvitation)
      expect(outcomeOf(invited)).toMatch(/SIGN_IN_REFUSED/)
      expect(outcomeOf(await openBrowser(server).ask('/auth/v1/sign_in/link', { body: { token: usedLink } }))).toMatch(
        /SIGN_IN_REFUSED/,
      )
      expect((await browser.ask('/api/v1/auth/introspect')).status).toBe(401)
    }
    const [refusal] = await server.db<{ event: string }[]>`
      select event from systemlog_events where event like '%SIGN_IN_REFUSED%' order by event_id desc limit 1`
    expect(refusal?.event).toContain('the link is from before the restore')
    const [ofInvitation] = await server.db`
      select 1 from systemlog_events where event like '%the invitation is from before the restore%'`
    expect(ofInvitation).toBeDefined()

    const approved = await operate('credential', 'approve', kept.clientId)
    expect([approved.code, approved.stderr]).toEqual([0, ''])
    await until(async () => (await askToken(server, bySecret(kept))).status === 200)
    expect((await introspect(await getToken(server, kept))).status).toBe(200)
    expect((await askToken(server, bySecret(deleted))).status).toBe(401)

    // What is made afterwards counts, and needs no approval.
    const made = await operate('credential', 'create', '--user', 'admin@localhost', '--name', 'new', '--json')
    const fresh = JSON.parse(made.stdout) as Key
    expect((await askToken(server, bySecret(fresh))).status).toBe(200)
    const needless = await operate('credential', 'approve', fresh.clientId)
    expect([needless.code, needless.stderr]).toEqual([2, expect.stringContaining('needs no approval')])

    // Both are told at once: in the system log, and by a warning of the server.
    const rows = await server.db<{ event: string }[]>`
      select event from systemlog_events where event like '%"severity_id":4%' order by event_id`
    expect(rows.map(({ event }) => (JSON.parse(event) as { api: { operation: string } }).api.operation)).toEqual([
      'bailiwick database restored',
      'bailiwick credential approve',
    ])
  } finally {
    await serving.stop()
  }
  expect((await operate('systemlog', 'verify')).code).toBe(0)
})

test('a server of another machine, whose own file is from before, takes the restore for what it is', async () => {
  const config = { ...server.config, headsFile: join(server.config.dataDir, 'elsewhere.heads') }
  const serving = await startServing(config, openLog('silent'))
  server.url = serving.url
  expect((await askToken(server, bySecret(deleted))).status).toBe(401)
  await serving.stop()
})

test('whoever writes to the database cannot lift the floor, nor approve a credential', async () => {
  const logged: Record<string, unknown>[] = []
  const log = openLog('info', { write: (line) => void logged.push(JSON.parse(line) as Record<string, unknown>) })
  const serving = await startServing(server.config, log)
  server.url = serving.url
  try {
    await server.db`
      update credentials set approval_mac = (select approval_mac from credentials where client_id = ${kept.clientId})
      where client_id = ${deleted.clientId}`
    await sleep(700)
    expect((await askToken(server, bySecret(deleted))).status).toBe(401)
    await server.db`update installation set restored_at = null, credentials_floor = null, restored_mac = null`
    const errors = () => logged.filter(({ level }) => level === 'error')
    await until(() => errors().length > 0)
    expect((await askToken(server, bySecret(deleted))).status).toBe(401)
    expect(errors()).toMatchObject([
      { msg: 'the record of the last restore was removed from the database; it is still applied' },
    ])
  } finally {
    await serving.stop()
  }
  // Nor after a start: it is stored next to the secret key.
  const again = await startServing(server.config, openLog('silent'))
  server.url = again.url
  expect((await askToken(server, bySecret(deleted))).status).toBe(401)
  await again.stop()
})

onlyLongTest(
  'with --keep-credentials the credentials of the backup count, and sign-in links and sessions do not',
  async () => {
    // On a machine that knows of no earlier floor.
    await server.db`update installation set restored_at = null, credentials_floor = null, restored_mac = null`
    await rm(`${server.config.dataDir}/secret.key.heads`)
    expect((await operate('database', 'restored', '--keep-credentials')).code).toBe(0)
    const serving = await startServing(server.config, openLog('silent'))
    server.url = serving.url
    expect((await askToken(server, bySecret(deleted))).status).toBe(200)
    expect((await browser.ask('/api/v1/auth/introspect')).status).toBe(401)
    await serving.stop()
  },
)

onlyLongTest('a tenant that was removed as a whole is found by what was kept of it', async () => {
  expect((await operate('tenant', 'create', 'gone.example.com', '--owner', 'a@gone.example.com')).code).toBe(0)
  await server.db.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    const [row] = await tx<
      { id: number }[]
    >`delete from tenants where domain = 'gone.example.com' returning tenant_id as id`
    for (const table of ['systemlog_events', 'systemlog_seals', 'systemlog_heads'])
      await tx`delete from ${tx(table)} where tenant_id = ${row?.id ?? 0}`
  })
  const found = await operate('systemlog', 'verify')
  expect(found.code).toBe(1)
  expect(found.stdout).toMatch(/^tenant \d+: \d findings[^]*stored next to the secret key/m)
  await expect(startServing(server.config, openLog('silent'))).rejects.toThrow(/does not contain the end/)
})
