import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ResourceType_Trait as Trait } from '../../server/rooms/records/baton/protocol/generated/c1/connector/v2/records_pb.js'
import {
  type Access,
  ask,
  fieldsOf,
  getToken,
  type Json,
  openAccess,
  outcomeOf,
  type Reply,
} from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { connectorFile } from '../imports/connector-file.ts'
import { makeApp } from './connector.ts'
import { fake, pretending, programFolder, userFlag, users } from './programs/folder.ts'

let server: TestServer
let access: Access
let token: string
let appId: string
const folder = programFolder()
const apiToken = 'the-api-token/of:nothing"'
const file = join(tmpdir(), 'fake-connector.c1z')

beforeAll(async () => {
  folder.write('baton-fake', fake)
  folder.write('baton-mute', 'echo nothing useful')
  folder.write('baton-sleeps', pretending('echo "my token is $BATON_API_TOKEN"; env; pwd; exec sleep 1000'))
  folder.write('baton-exits', pretending('echo "about to end" >&2; exit 7'))
  // Plain HTTP: for programs that this server runs, it needs no certificate.
  const flags = { empty: true, 'connectors-folder': folder.path, 'connectors-user': userFlag }
  server = await startServer({ flags })
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
  appId = await makeApp(access, access.tenant)
  const people = {
    types: [{ id: 'user', traits: [Trait.USER] }],
    resources: [{ type: 'user', id: 'u1', name: 'Ada' }],
  }
  writeFileSync(file, connectorFile(people))
  chmodSync(file, 0o644)
})
afterAll(async () => {
  await access.close()
  await server.stop()
  rmSync(folder.path, { recursive: true })
  rmSync(file)
})

type Settings = Record<string, string>
const listed = (settings: Settings) => Object.entries(settings).map(([name, value]) => ({ name, value }))
const usual: Settings = { 'file-path': file, 'api-token': apiToken }
const create = (program: string, settings: Settings = usual, as = token): Promise<Reply> =>
  ask(server, `/api/v1/apps/${appId}/connectors/programs`, {
    token: as,
    body: { program, displayName: program, settings: listed(settings) },
  })
/** The path of a new connector. */
async function made(program: string, settings: Settings = usual): Promise<string> {
  const reply = await create(program, settings)
  expect(reply.status, reply.text).toBe(200)
  const { connector } = reply.json['connectorView'] as { connector: { id: string } }
  return `/api/v1/apps/${appId}/connectors/${connector.id}`
}
const get = (path: string): Promise<Reply> => ask(server, path, { token })
type Shown = { state: string; detail: string; restarts: number; settings: Json[]; isProvisioning: boolean }
const runOf = async (path: string): Promise<Shown> => (await get(`${path}/program`)).json['run'] as Shown
const stateOf = async (path: string): Promise<string> =>
  (await runOf(path)).state.replace('CONNECTOR_PROGRAM_STATE_', '').toLowerCase()
const logOf = async (path: string): Promise<string[]> =>
  ((await get(`${path}/program/log`)).json['list'] as { text: string }[]).map(({ text }) => text)
const prints = (path: string, text: string | RegExp): Promise<void> =>
  until(async () => (await logOf(path)).some((line) => (typeof text === 'string' ? line === text : text.test(line))))
const remove = (path: string): Promise<Reply> => ask(server, path, { token, method: 'DELETE' })

describe('a connector that the server runs', () => {
  test('reaches a server without HTTPS, syncs at once, and ends when it is deleted', async () => {
    const path = await made('baton-fake')
    const overview = async () => (await get(`${path}/overview`)).json['connector'] as Json & { lastSync: Json | null }
    await until(async () => (await overview()).lastSync?.['state'] === 'CONNECTOR_SYNC_STATE_DONE')
    expect(await overview()).toMatchObject({ isRunHere: true, state: 'CONNECTOR_LIVE_STATE_CONNECTED' })
    expect(await stateOf(path)).toBe('running')
    const { json } = await get(`/api/v1/apps/${appId}/app_users`)
    expect(json['list']).toMatchObject([{ appUser: { displayName: 'Ada' } }])
    await prints(path, /"token":"\[redacted\]"/)
    expect((await remove(path)).status).toBe(200)
    expect(await server.db`select 1 from connector_programs where program = 'baton-fake'`).toEqual([])
  })

  test('gets its own settings as an environment, and nothing of that of the server', async () => {
    const path = await made('baton-sleeps')
    await prints(path, 'my token is [redacted]')
    const log = (await logOf(path)).join('\n')
    const names = [...log.matchAll(/^([A-Za-z_0-9]+)=/gm)].map(([, name]) => name)
    expect(new Set(names)).toEqual(
      new Set([
        ...['BATON_API_TOKEN', 'BATON_C1_API_HOST', 'BATON_CLIENT_ID', 'BATON_CLIENT_SECRET', 'BATON_FILE_PATH'],
        ...['BATON_HOST_ID', 'HOME', 'PATH', 'PWD', 'SSL_CERT_FILE', 'TMPDIR', 'TZ'],
      ]),
    )
    expect(log).not.toContain(apiToken)
    expect(log).toContain('BATON_CLIENT_SECRET=[redacted]')
    await remove(path)
  })

  test('is started again when it ends, and shows how it ended', async () => {
    const path = await made('baton-exits')
    await until(async () => (await runOf(path)).restarts > 0)
    expect((await runOf(path)).detail).toMatch(/^(It ended with exit code 7\.)?$/)
    await prints(path, 'about to end')
    await prints(path, '[server] It ended with exit code 7.')
    // Another program of the same name runs at once.
    folder.write('baton-exits', pretending('echo "now it stays"; exec sleep 1000'))
    await ask(server, `${path}/program/restart`, { token, method: 'POST' })
    await prints(path, 'now it stays')
    await until(async () => (await stateOf(path)) === 'running')
    await remove(path)
  })

  test('is started again with other settings, which replace all of those before', async () => {
    const path = await made('baton-sleeps')
    await until(async () => (await stateOf(path)) === 'running')
    const update = (body: object) => ask(server, `${path}/program`, { token, body })
    expect((await runOf(path)).settings).toEqual([
      { name: 'file-path', value: file, isSecret: false },
      { name: 'api-token', value: '', isSecret: true },
    ])
    // A secret that is kept would be sent to whatever the others now name.
    const reply = await update({ settings: listed({ 'file-path': '/elsewhere' }) })
    expect((reply.json['run'] as Shown).settings).toEqual([{ name: 'file-path', value: '/elsewhere', isSecret: false }])
    await prints(path, /^my token is ?$/)
    await update({ keepsSettings: true, isProvisioning: true })
    await prints(path, 'BATON_PROVISIONING=true')
    expect(await runOf(path)).toMatchObject({ isProvisioning: true, settings: [{ value: '/elsewhere' }] })
    await remove(path)
  })

  test('stops while it is paused, and continues when it is resumed', async () => {
    const path = await made('baton-sleeps')
    await until(async () => (await stateOf(path)) === 'running')
    await ask(server, `${path}/pause`, { token, method: 'POST' })
    await until(async () => (await stateOf(path)) === 'stopped')
    expect((await runOf(path)).detail).toBe('The connector is paused.')
    await ask(server, `${path}/resume`, { token, method: 'POST' })
    await until(async () => (await stateOf(path)) === 'running')
    await remove(path)
  })

  test('is started again if its program is replaced', async () => {
    folder.write('baton-new', pretending('echo one; exec sleep 1000'))
    const path = await made('baton-new')
    await prints(path, 'one')
    folder.write('baton-new', pretending('echo two; exec sleep 1000'))
    // The folder is looked at every ten seconds; a change of anything has it looked at now.
    await until(async () => {
      await server.db`select pg_notify('bailiwick', 'test')`
      return (await logOf(path)).includes('two')
    })
    await remove(path)
  })

  test('needs no credential, and nobody gets one', async () => {
    const path = await made('baton-sleeps')
    const connectorId = path.split('/').at(-1)
    const asked = await ask(server, '/api/v1/apps/connectors/credentials', { token, body: { appId, connectorId } })
    expect(outcomeOf(asked)).toBe('400/9 CONNECTOR_RUN_HERE')
    await remove(path)
  })
})

describe('what is refused', () => {
  test('settings that the program does not know, and those that this server sets', async () => {
    for (const name of ['PATH', 'ld-preload', 'log-level', 'client-secret', 'c1-api-host', '__proto__', 'x=y']) {
      const reply = await create('baton-fake', { ...usual, [name]: '/tmp/evil' })
      expect([reply.status, fieldsOf(reply)], name).toEqual([400, ['settings[2].name']])
    }
    expect(fieldsOf(await create('baton-fake', { 'api-token': 'x' }))).toEqual(['settings.file-path'])
    expect(fieldsOf(await create('baton-fake', { ...usual, 'is-loud': 'very' }))).toEqual(['settings[2].value'])
    expect(fieldsOf(await create('baton-mute', { anything: 'x' }))).toEqual(['settings[0].name'])
    expect(fieldsOf(await create('baton-fake', { ...usual, 'file-path': '/a\0b' }))).toEqual(['settings[0].value'])
  })

  test('programs that are not in the folder, by any path', async () => {
    writeFileSync(join(folder.path, 'baton-plain'), 'not a program')
    for (const program of [
      'baton-none',
      '../bin/sh',
      '/bin/sh',
      '.baton-fake',
      'baton-plain',
      'baton-fake/',
      'BATON-FAKE',
    ])
      expect(outcomeOf(await create(program)), program).toBe('404/5 CONNECTOR_PROGRAM_NOT_FOUND')
    const described = await get(`/api/v1/connector_catalog/programs/${encodeURIComponent('../bin/sh')}`)
    expect(described.status).toBe(404)
  })

  test('programs that others could change', async () => {
    folder.write('baton-open', pretending('exit 0'))
    chmodSync(join(folder.path, 'baton-open'), 0o777)
    expect(outcomeOf(await create('baton-open'))).toBe('404/5 CONNECTOR_PROGRAM_NOT_FOUND')
  })

  test('callers who may not create connectors, and other tenants', async () => {
    const reader = await access.makeToken(await access.makeCaller(['system:viewer']))
    expect(outcomeOf(await create('baton-fake', usual, reader))).toBe('403/7 PERMISSION_DENIED')
    const path = await made('baton-sleeps')
    expect((await ask(server, `${path}/program`, { token: reader })).status).toBe(200)
    for (const [at, body] of [
      ['/program/log', undefined],
      ['/program', {}],
      ['/program/restart', {}],
    ] as const)
      expect(outcomeOf(await ask(server, `${path}${at}`, { token: reader, ...(body && { body }) })), at).toBe(
        '403/7 PERMISSION_DENIED',
      )
    const other = await access.makeTenant('other.example')
    const owner = await access.makeToken(await access.makeCaller(['system:owner'], {}, other), other)
    const theirs = (at: string) => ask(server, `${path}${at}`, { token: owner, host: 'other.example' })
    expect([(await theirs('/program')).status, (await theirs('/program/log')).status]).toEqual([404, 404])
    await remove(path)
  })

  test('a connector that the server does not run has no program', async () => {
    const reply = await ask(server, `/api/v1/apps/${appId}/connectors`, { token, body: { displayName: 'Elsewhere' } })
    const { connector } = reply.json['connectorView'] as { connector: { id: string } }
    const path = `/api/v1/apps/${appId}/connectors/${connector.id}`
    expect(outcomeOf(await get(`${path}/program`))).toBe('400/9 CONNECTOR_NOT_RUN_HERE')
  })
})

describe('the catalog', () => {
  test('lists the programs of the folder, and asks those that it does not know for their settings', async () => {
    folder.write('baton-ldap', 'exit 0')
    const { json } = await get('/api/v1/connector_catalog?page_size=100')
    const here = (json['list'] as { id: string; isOnServer: boolean }[]).filter(({ isOnServer }) => isOnServer)
    expect(here.map(({ id }) => id)).toEqual(expect.arrayContaining(['baton-fake', 'baton-ldap', 'baton-mute']))
    expect(here.map(({ id }) => id)).not.toContain('baton-okta')
    const shown = async (name: string) => (await get(`/api/v1/connector_catalog/programs/${name}`)).json
    const entry = (await shown('baton-fake'))['entry'] as { settings: Json[] }
    expect(entry.settings.map(({ name, isSecret, isRequired }) => [name, isSecret, isRequired])).toEqual([
      ['file-path', false, true],
      ['api-token', true, false],
      ['is-loud', false, false],
    ])
    expect(await shown('baton-mute')).toMatchObject({ isDescribed: false, entry: { settings: [] } })
    expect(await shown('baton-ldap')).toMatchObject({ isDescribed: true, entry: { displayName: 'LDAP' } })
  })
})

test('no secret is in the database, in an event, or in the log of the server', async () => {
  const path = await made('baton-sleeps')
  await prints(path, 'my token is [redacted]')
  const rows = await server.db<{ text: string }[]>`select p::text as text from connector_programs p`
  const events = await server.db<{ text: string }[]>`select e::text as text from systemlog_events e`
  const texts = [...rows, ...events].map(({ text }) => text).join('\n') + JSON.stringify(server.logged)
  const hex = Buffer.from(apiToken).toString('hex')
  expect([texts.includes(apiToken), texts.includes(hex), texts.includes('the-api-token')]).toEqual([
    false,
    false,
    false,
  ])
  await remove(path)
})

test('each program runs as a user of its own, which can read nothing of the others', async () => {
  if (!users) return
  const { first, last } = users
  const one = await made('baton-sleeps')
  await prints(one, /^TMPDIR=/)
  const their = (await logOf(one)).find((line) => line.startsWith('TMPDIR='))?.slice('TMPDIR='.length) as string
  const environments =
    'for p in /proc/[0-9]*; do [ -O $p ] || if true <$p/environ; then echo "reads $p"; fi; done 2>/dev/null'
  const script = [
    ...['id -u', `ls '${their}' >/dev/null 2>&1 && echo "reads the folder"`, environments],
    ...[`ls '${server.config.dataDir}' 2>&1`, 'echo looked', 'exec sleep 1000'],
  ].join('; ')
  folder.write('baton-curious', pretending(script))
  const two = await made('baton-curious')
  await prints(two, 'looked')
  const log = await logOf(two)
  expect(log.filter((line) => line.startsWith('reads'))).toEqual([])
  expect(log.join('\n')).not.toContain('secret.key')
  const uids = log.filter((line) => /^\d{5}$/.test(line)).map(Number)
  expect(uids.every((uid) => uid > first && uid <= last)).toBe(true)
  await remove(one)
  await remove(two)
  expect(readFileSync(file).length).toBeGreaterThan(0)
})
