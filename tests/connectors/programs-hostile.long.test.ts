import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run, serve } from '../cli/command.ts'
import { type Access, ask, getToken, openAccess, type Reply } from '../fixture/access.ts'
import { dataFolder, later, until } from '../fixture/later.ts'
import { isAlive, processes } from '../fixture/processes.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { makeApp } from './connector.ts'
import { pretending, programFolder, userFlag, users } from './programs/folder.ts'

let server: TestServer
let access: Access
let token: string
let appId: string
const folder = programFolder()

beforeAll(async () => {
  const flags = { empty: true, 'connectors-folder': folder.path, 'connectors-user': userFlag }
  server = await startServer({ flags })
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
  appId = await makeApp(access, access.tenant)
})
afterAll(async () => {
  await access.close()
  await server.stop()
  rmSync(folder.path, { recursive: true })
})

const get = (path: string): Promise<Reply> => ask(server, path, { token })
const logOf = async (path: string): Promise<string[]> =>
  ((await get(`${path}/program/log`)).json['list'] as { text: string }[]).map(({ text }) => text)
const prints = (path: string, text: string): Promise<void> =>
  until(async () => (await logOf(path)).some((line) => line.includes(text)))

let count = 0
/** A connector whose program is a script. */
async function made(script: string): Promise<string> {
  const program = `baton-hostile-${count++}`
  folder.write(program, pretending(script))
  const body = { program, displayName: program, settings: [{ name: 'file-path', value: '/nowhere' }] }
  const reply = await ask(server, `/api/v1/apps/${appId}/connectors/programs`, { token, body })
  expect(reply.status, reply.text).toBe(200)
  const { connector } = reply.json['connectorView'] as { connector: { id: string } }
  const path = `/api/v1/apps/${appId}/connectors/${connector.id}`
  later(() => ask(server, path, { token, method: 'DELETE' }))
  return path
}
const remove = (path: string): Promise<Reply> => ask(server, path, { token, method: 'DELETE' })
const running = (mark: string): number => processes().filter(({ command }) => command.includes(mark)).length

test('a program that ignores that it is to end is ended', async () => {
  const path = await made("trap '' TERM INT HUP; echo ready; while :; do sleep 78651; done")
  await prints(path, 'ready')
  await remove(path)
  await until(() => running('sleep 78651') === 0)
})

test('nothing that a program started outlives it, in a session and an environment of its own', async () => {
  const leaving = users ? 'env -i setsid sleep 78652 &' : 'setsid sleep 78652 &'
  const path = await made(`${leaving} (setsid sleep 78652 &) ; sleep 78652 & echo ready; exec sleep 78652`)
  await prints(path, 'ready')
  await until(() => running('sleep 78652') === 4)
  await remove(path)
  await until(() => running('sleep 78652') === 0)
})

test('what a program started ends with it, also if it ends by itself', async () => {
  const path = await made('(setsid sleep 78653 &); setsid sleep 78653 & sleep 1; exit 3')
  await prints(path, 'It ended with exit code 3.')
  await until(() => running('sleep 78653') === 0)
  await remove(path)
})

test.runIf(users)(
  'a program that starts others without end reaches its limit, and is ended with all of them',
  async () => {
    const path = await made('echo ready; while :; do sleep 78654 & done 2>/dev/null; sleep 78654')
    await prints(path, 'ready')
    await until(() => running('sleep 78654') > 100)
    expect(running('sleep 78654')).toBeLessThanOrEqual(512)
    await remove(path)
    await until(() => running('sleep 78654') === 0)
  },
)

test('a program that prints without end has a short log, and the server answers', async () => {
  const path = await made('yes "the same again"')
  await prints(path, 'the same again')
  for (let i = 0; i < 5; i++) expect((await logOf(path)).length).toBeLessThanOrEqual(200)
  await remove(path)
  const long = await made('head -c 1000000 /dev/zero | tr "\\0" x; echo; echo "after it"; exec sleep 1000')
  await until(async () => (await logOf(long)).some((line) => line.startsWith('xxx')))
  expect(Math.max(...(await logOf(long)).map((line) => line.length))).toBeLessThanOrEqual(501)
})

test('a program cannot read the environment of the server, and leaves no folder', async () => {
  const path = await made('cat /proc/$PPID/environ && echo "read it"; pwd; echo looked; exec sleep 1000')
  await prints(path, 'looked')
  // The server's own user may read it.
  expect((await logOf(path)).includes('read it')).toBe(!users)
  const own = (await logOf(path)).find((line) => line.includes('bailiwick-connectors-')) as string
  expect(readdirSync(join(own, '..'))).toContain(own.split('/').at(-1))
  await remove(path)
  await until(() => !readdirSync(join(own, '..')).includes(own.split('/').at(-1) as string))
})

test('a program that lies about its settings, without end, is not waited for', async () => {
  folder.write('baton-liar', 'while :; do echo "{\\"fields\\":["; done')
  const path = '/api/v1/connector_catalog/programs/baton-liar'
  expect((await get(path)).json).toMatchObject({ isDescribed: false, entry: { settings: [] } })
})

test('when a server is killed, its programs end, and so does what watches them', async () => {
  const dataDir = dataFolder()
  folder.write(
    'baton-stays',
    pretending("trap '' TERM; setsid sleep 78655 & echo ready; while :; do sleep 78655; done"),
  )
  const flags = ['--connectors-folder', folder.path, '--connectors-user', userFlag]
  const { child, url } = await serve(['--empty', '--data-dir', dataDir, ...flags])
  const printed = await run(['credential', 'create', '--user', 'admin@localhost', '--name', 'a', '--data-dir', dataDir])
  const [, clientId = ''] = /Client ID\s+(\S+)/.exec(printed.stdout) ?? []
  const [, clientSecret = ''] = /Client Secret\s+(\S+)/.exec(printed.stdout) ?? []
  const bearer = await getToken({ url }, { id: '', userId: '', clientId, clientSecret })
  const app = await ask({ url }, '/api/v1/apps', { token: bearer, body: { displayName: 'App' } })
  const { id } = app.json['app'] as { id: string }
  const settings = [{ name: 'file-path', value: '/nowhere' }]
  const body = { program: 'baton-stays', displayName: 'Stays', settings }
  expect((await ask({ url }, `/api/v1/apps/${id}/connectors/programs`, { token: bearer, body })).status).toBe(200)
  await until(() => running('sleep 78655') === 2)
  const watchers = processes().filter(({ parent, command }) => parent === child.pid && command.includes('watcher.ts'))
  expect(watchers).toHaveLength(1)
  child.kill('SIGKILL')
  await until(() => running('sleep 78655') === 0 && running('baton-stays') === 0)
  await until(() => !isAlive(watchers[0]?.pid ?? 0))
})
