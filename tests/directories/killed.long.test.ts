import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { readServeConfig } from '#server/settings/config.ts'
import { type Access, ask, eventually, getToken, type Json, openAccess } from '../fixture/access.ts'
import { makeFolder } from '../fixture/folder.ts'
import { makeDatabase } from '../fixture/server.ts'
import { importRecords } from '../imports/support.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each()
})

type Child = { process: ChildProcess; url: string }

/** The real server in a process of its own, which can be killed. */
async function startChild(flags: Record<string, string>): Promise<Child> {
  const script = fileURLToPath(new URL('../faults/server.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ 'log-level': 'error', ...flags })], { stdio: 'pipe' })
  const exit = new Promise((resolve) => child.once('close', resolve))
  undo.push(async () => {
    child.kill('SIGKILL')
    await exit
  })
  let told = ''
  child.stderr.on('data', (text) => (told += String(text)))
  const first = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  const said = await Promise.race([first, exit.then(() => null)])
  if (said === null) throw new Error(`did not serve: ${told}`)
  return { process: child, ...(JSON.parse(said) as { url: string }) }
}

type Stage = { access: Access; flags: Record<string, string>; first: Child; token: string; host: string }
async function prepare(): Promise<Stage> {
  const database = await makeDatabase()
  undo.push(database.drop)
  const dataDir = await makeFolder()
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const flags = { 'data-dir': dataDir, 'database-url': database.url, host: 'localhost', port: '0' }
  const first = await startChild(flags)
  const access = await openAccess({ config: readServeConfig(flags, {}), url: first.url })
  undo.push(access.close)
  const host = access.tenant.domain
  const token = await getToken(first, await access.makeCaller(['system:owner']), { host })
  return { access, flags, first, token, host }
}

async function makeDirectory({ first, token, host }: Stage): Promise<{ appId: string; secret: string }> {
  const reply = await ask(first, '/api/v1/scim-directories', { token, host, body: { displayName: 'Okta' } })
  expect(reply.status, reply.text).toBe(200)
  const { directory, token: secret } = reply.json as { directory: { appId: string }; token: string }
  return { appId: directory.appId, secret }
}

test('amid PATCHes: what was answered is there, with its event, and what was not is there whole or not at all', async () => {
  const stage = await prepare()
  const { access, flags, first, host } = stage
  const { appId, secret } = await makeDirectory(stage)
  const scim = (server: { url: string }, path: string, asking: Json = {}) =>
    ask(server, `/scim/v2/${appId}${path}`, { token: secret, host, ...asking })
  const ids = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const made = await scim(first, '/Users', { body: { userName: `person-${n}`, title: 'none' } })
      return (JSON.parse(made.text) as { id: string }).id
    }),
  )
  const known = ids.map(() => ({ answered: 0, sent: 0 }))
  let isOver = false
  const senders = ids.map(async (id, at) => {
    const mine = known[at] as { answered: number; sent: number }
    while (!isOver) {
      mine.sent += 1
      const body = { Operations: [{ op: 'replace', path: 'title', value: `Title ${mine.sent}` }] }
      const reply = await scim(first, `/Users/${id}`, { method: 'PATCH', body }).catch(() => null)
      if (reply === null) return
      expect(reply.status, reply.text).toBe(200)
      mine.answered += 1
    }
  })
  expect(await eventually(async () => known.every(({ answered }) => answered >= 5))).toBe(true)
  first.process.kill('SIGKILL')
  await Promise.all(senders)
  isOver = true
  const second = await startChild(flags)
  for (const [at, id] of ids.entries()) {
    const { answered, sent } = known[at] as { answered: number; sent: number }
    const read = JSON.parse((await scim(second, `/Users/${id}`)).text) as { title: string; meta: { version: string } }
    const changes = Number(/\d+/.exec(read.meta.version)?.[0]) - 1
    expect([answered, sent]).toContain(changes)
    expect(read.title).toBe(`Title ${changes}`)
    const [row] = await access.world.db`
      select u.job_title as title, (select count(*) from systemlog_events where event like ${`%${id}%`}) as events
      from users u join directory_users x on x.tenant_id = u.tenant_id and x.user_id = u.user_id where x.account_id = ${id}`
    expect(row).toEqual({ title: read.title, events: changes + 1 })
  }
})

test('amid confirming held deactivations: another server goes on, and everyone is disabled once', async () => {
  const stage = await prepare()
  const { access, flags, first, token, host } = stage
  const { db } = access.world
  const { appId } = await makeDirectory(stage)
  const count = 4_000
  const tenantId = access.tenant.id
  await db`
    insert into users (tenant_id, user_id, display_name, created_at, updated_at)
    select ${tenantId}::int, lpad(n::text, 27, '0'), 'Z' || n, now(), now() from generate_series(1, ${count}) n`
  await db`
    insert into accounts (tenant_id, app_id, account_id, user_id, display_name, created_at, updated_at)
    select tenant_id, ${appId}, user_id, user_id, display_name, now(), now() from users where display_name like 'Z%'`
  await db`
    insert into directory_users (tenant_id, app_id, account_id, user_id, user_name, is_active, resource, version, is_source,
      is_held, deactivated_at, created_at, updated_at)
    select tenant_id, ${appId}, user_id, user_id, user_id, false, '{"active": false}', 1, true, true, now() - interval '1 minute',
      now(), now()
    from users where display_name like 'Z%'`
  await db`update directories set held_since = now() where app_id = ${appId}`
  const reply = await ask(first, `/api/v1/scim-directories/${appId}/held/confirm`, { token, host, body: {} })
  expect(reply.json).toEqual({ count })
  const disabled = async (): Promise<number> =>
    (await db<{ count: number }[]>`select count(*) from users where status = 'DISABLED'`)[0]?.count ?? 0
  expect(await eventually(async () => (await disabled()) > 400)).toBe(true)
  first.process.kill('SIGKILL')
  expect(await disabled()).toBeLessThan(count)
  await startChild(flags)
  expect(await eventually(async () => (await disabled()) === count)).toBe(true)
  const isDone = async (): Promise<boolean> => {
    const [row] = await db`select held_since, held_decision from directories where app_id = ${appId}`
    return row?.['held_since'] === null && row['held_decision'] === null
  }
  expect(await eventually(isDone)).toBe(true)
  const [told] = await db`
    select count(*) as all, count(distinct r ->> 'uid') as users
    from systemlog_events e, jsonb_array_elements(e.event::jsonb -> 'resources') r
    where e.event like '%Confirmed%held deactivations%' and r ->> 'type' = 'user'`
  expect(told).toEqual({ all: count, users: count })
})

test('amid making people of thousands of accounts: another server goes on, and each account is one person', async () => {
  const stage = await prepare()
  const { access, flags, first, token, host } = stage
  const { db } = access.world
  const count = 6_000
  await importRecords(access, [
    { kind: 'app', externalId: 'hr', displayName: 'HR' },
    ...Array.from({ length: count }, (_, n) => ({
      kind: 'account',
      app: 'hr',
      externalId: `p${n}`,
      displayName: `P ${n}`,
      email: `p${n}@example.com`,
      profile: { department: `D${n % 7}`, manager: `p${n % 50}@example.com` },
    })),
  ])
  const [app] = await db<{ id: string }[]>`select app_id as id from apps where external_id = 'hr'`
  const made = await ask(first, '/api/v1/directories', { token, host, body: { appId: app?.id as string } })
  expect(made.status, made.text).toBe(200)
  const people = async (): Promise<number> =>
    (await db<{ count: number }[]>`select count(*) from users where display_name like 'P %'`)[0]?.count ?? 0
  expect(await eventually(async () => (await people()) > 0)).toBe(true)
  first.process.kill('SIGKILL')
  // What it did was committed a thousand at a time.
  expect((await people()) % 1_000).toBe(0)
  await startChild(flags)
  const isFollowed = async (): Promise<boolean> => {
    const [row] = await db`select followed_at from directories where app_id = ${app?.id as string}`
    return row?.['followed_at'] !== null
  }
  expect(await eventually(isFollowed)).toBe(true)
  const [row] = await db`
    select count(*) as accounts, count(distinct a.user_id) as users, count(*) filter (where u.department = a.profile ->> 'department') as said,
      count(*) filter (where cardinality(u.manager_ids) = 1) as managed
    from accounts a join users u on u.tenant_id = a.tenant_id and u.user_id = a.user_id where a.app_id = ${app?.id as string}`
  // The first fifty name themselves: nobody is their own manager.
  expect(row).toEqual({ accounts: count, users: count, said: count, managed: count - 50 })
})
