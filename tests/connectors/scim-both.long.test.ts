import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scim, scimOf } from '../directories/support.ts'
import { type Access, ask, eventually, getToken, openAccess } from '../fixture/access.ts'
import { startServer, type TestServer } from '../fixture/server.ts'
import { createScim, type ScimScene } from './scim-scene.ts'

let server: TestServer
let access: Access
let token: string
beforeAll(async () => {
  server = await startServer({
    flags: { empty: true, 'outgoing-http': true, 'outgoing-allow': ['127.0.0.1', 'localhost'] },
  })
  access = await openAccess(server)
  token = await getToken(server, await access.makeCaller(['system:owner']))
})
afterAll(async () => {
  await access.close()
  await server.stop()
})

describe("one tenant's directory as another tenant's app", () => {
  let directory: Scim
  let theirs: ScimScene
  beforeAll(async () => {
    const made = await ask(server, '/api/v1/scim-directories', { token, body: { displayName: 'Here' } })
    const { directory: of, token: secret } = made.json as { directory: { appId: string }; token: string }
    directory = scimOf(server, of.appId, secret)
    const other = await access.makeTenant('there.example')
    const owner = await getToken(server, await access.makeCaller(['system:owner'], {}, other))
    const { port } = new URL(server.url)
    const url = `http://localhost:${port}${directory.base}`
    await directory.makeUser('ada@both.example', { emails: [{ value: 'ada@both.example', primary: true }] })
    await directory.makeUser('bo@both.example', { active: false })
    await directory.post('/Groups', { displayName: 'Staff' })
    theirs = await createScim(
      server,
      { ...access, tenant: other },
      owner,
      { url, token: secret },
      { tenant: other, host: 'there.example' },
    )
  })
  const members = async (): Promise<string[]> => {
    const { json } = await directory.get('/Groups')
    const names = new Map((await directory.get('/Users')).json.Resources.map((user) => [user.id, user.userName]))
    return (json.Resources[0]?.members ?? []).map(({ value }) => names.get(value) ?? value).toSorted()
  }

  test('users and groups arrive, members are added and removed both ways, users are created', async () => {
    expect(await theirs.synced()).toMatchObject({ state: 'CONNECTOR_SYNC_STATE_DONE', error: '' })
    expect(await theirs.accounts()).toEqual(['ada@both.example', 'bo@both.example (disabled)'])

    const [group] = (await directory.get('/Groups')).json.Resources
    const [ada] = (await directory.get('/Users?filter=userName%20eq%20%22ada@both.example%22')).json.Resources
    const add = { op: 'add', path: 'members', value: [{ value: ada?.id }] }
    expect((await directory.patch(`/Groups/${group?.id}`, add)).status).toBeLessThan(300)
    expect((await theirs.sync()).state).toBe('CONNECTOR_SYNC_STATE_DONE')
    expect(await theirs.holds()).toEqual(['ada@both.example/Staff'])

    const [tenant] = await server.db<{ id: number }[]>`
      select tenant_id as id from connectors where connector_id = ${theirs.connectorId}`
    const cy = await access.makeUser({ tenant: { id: tenant?.id } as never, email: 'cy@both.example' })
    await theirs.give('Staff', cy)
    await theirs.untilTasks(['create_account done', 'grant done'])
    expect(await members()).toEqual(['ada@both.example', 'cy@both.example'])
    await theirs.take('Staff', await theirs.account('ada@both.example'))
    await theirs.untilTasks(['create_account done', 'grant done', 'revoke done'])
    expect(await members()).toEqual(['cy@both.example'])
    await directory.patch(`/Groups/${group?.id}`, { op: 'remove', path: 'members' })
    await theirs.sync()
    expect(await theirs.holds('import')).toEqual([])
    expect(await eventually(async () => (await members()).length === 0)).toBe(true)
  })
})
