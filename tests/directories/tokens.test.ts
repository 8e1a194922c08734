import { describe, expect, test } from 'vitest'
import { ask, eventually, getToken, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { signIn } from '../sessions/support.ts'
import { type Answer, newName, prepare, refusal, type Scim, type ScimJson, scimOf } from './support.ts'

const scene = prepare()

const tokensOf = async ({ appId }: Scim): Promise<(Json & { id: string })[]> =>
  (await scene.api(`/api/v1/scim-directories/${appId}/tokens`)).json['list'] as (Json & { id: string })[]
const newToken = async ({ appId }: Scim, body: Json = {}): Promise<string> => {
  const reply = await scene.api(`/api/v1/scim-directories/${appId}/tokens`, { body })
  expect(reply.status, reply.text).toBe(200)
  return reply.json['token'] as string
}
const by = (scim: Scim, token: string): Scim => scimOf(scene.server, scim.appId, token)

describe('a token of a directory', () => {
  test('is kept as a hash, and listed without its secret', async () => {
    const scim = await scene.makeDirectory()
    expect(scim.token).toMatch(/^scim_[0-9A-Za-z]{27}_[\w-]{43}_[\w-]{16}$/)
    const listed = await tokensOf(scim)
    expect(listed).toHaveLength(1)
    expect(JSON.stringify(listed)).not.toContain(scim.token.slice(34))
    const rows = await scene.server.db`select * from directory_tokens where app_id = ${scim.appId}`
    expect(JSON.stringify(rows)).not.toContain(scim.token.slice(34, 70))
    await scim.get('/Users')
    const isNoted = async () => (await tokensOf(scim))[0]?.['lastUsedAt'] !== null
    expect(await eventually(isNoted)).toBe(true)
  })

  test('is refused on every other path, and everything else is refused on SCIM paths', async () => {
    const scim = await scene.makeDirectory()
    for (const path of ['/api/v1/users', '/api/v1/scim-directories', '/api/v1/auth/introspect'])
      expect(outcomeOf(await ask(scene.server, path, { token: scim.token }))).toBe('401/16 TOKEN_INVALID')
    const asForm = await ask(scene.server, '/auth/v1/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: scim.token,
        client_secret: scim.token,
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(asForm.status).toBe(401)
    const owner = await scene.access.makeCaller(['system:owner'])
    const browser = await signIn(scene.server, scene.access, owner.userId)
    const other = await scene.makeDirectory()
    const cut = scim.token.slice(0, -1)
    const tampered = `${scim.token.slice(0, 40)}${scim.token[40] === 'A' ? 'B' : 'A'}${scim.token.slice(41)}`
    const refused: (() => Promise<Reply>)[] = [
      async () => ask(scene.server, `${scim.base}/Users`, { token: await getToken(scene.server, owner) }),
      async () => ask(scene.server, `${scim.base}/Users`, { token: owner.clientSecret }),
      () => browser.ask(`${scim.base}/Users`),
      () => ask(scene.server, `${scim.base}/Users`),
      () => ask(scene.server, `${scim.base}/Users`, { headers: { authorization: `Basic ${scim.token}` } }),
      () => ask(scene.server, `${scim.base}/Users`, { token: cut }),
      () => ask(scene.server, `${scim.base}/Users`, { token: tampered }),
      () => ask(scene.server, `${other.base}/Users`, { token: scim.token }),
      () => ask(scene.server, `/scim/v2/${scim.appId}x/Users`, { token: scim.token }),
      () => ask(scene.server, '/scim/v2/Users', { token: scim.token }),
      () => ask(scene.server, '/scim/v2/', { token: scim.token }),
    ]
    for (const asked of refused) {
      const reply = await asked()
      expect(refusal({ ...reply, json: JSON.parse(reply.text) as ScimJson }), reply.text).toBe('401')
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/)
    }
    expect((await scim.get('/Users')).status).toBe(200)
  })

  test('of one tenant is worth nothing on the host of another', async () => {
    const scim = await scene.makeDirectory()
    const tenant = await scene.access.makeTenant('scim-other.example.com')
    const reply = await ask(scene.server, `${scim.base}/Users`, { host: tenant.domain, token: scim.token })
    expect(reply.status).toBe(401)
    const token = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, tenant))
    const read = await ask(scene.server, `/api/v1/scim-directories/${scim.appId}`, { host: tenant.domain, token })
    expect(outcomeOf(read)).toBe('404/5 DIRECTORY_NOT_FOUND')
  })

  test('is rotated: with an overlap both count until it is over', async () => {
    const scim = await scene.makeDirectory()
    const second = await newToken(scim, { overlap: '3600s' })
    expect([(await scim.get('/Users')).status, (await by(scim, second).get('/Users')).status]).toEqual([200, 200])
    const next = await newToken(scim, { overlap: '1s' })
    expect(await eventually(async () => (await by(scim, second).get('/Users')).status === 401)).toBe(true)
    expect((await by(scim, next).get('/Users')).status).toBe(200)
    const last = await newToken(scim, { overlap: '0s', expires: '3600s' })
    expect((await by(scim, next).get('/Users')).status).toBe(401)
    expect((await by(scim, last).get('/Users')).status).toBe(200)
    const refused = { overlap: '99999999s', expires: '1s' }
    for (const [name, value] of Object.entries(refused))
      expect(
        (await scene.api(`/api/v1/scim-directories/${scim.appId}/tokens`, { body: { [name]: value } })).status,
      ).toBe(400)
  })

  test('is revoked at once, and with its directory', async () => {
    const scim = await scene.makeDirectory()
    const second = await newToken(scim)
    const [first] = await tokensOf(scim)
    const path = `/api/v1/scim-directories/${scim.appId}/tokens/${first?.id}`
    expect((await scene.api(path, { method: 'DELETE' })).status).toBe(200)
    expect(refusal(await scim.get('/Users'))).toBe('401')
    expect(outcomeOf(await scene.api(path, { method: 'DELETE' }))).toBe('404/5 DIRECTORY_TOKEN_NOT_FOUND')
    const { id } = await by(scim, second).makeUser(newName())
    expect((await scene.api(`/api/v1/scim-directories/${scim.appId}`, { method: 'DELETE' })).status).toBe(200)
    expect(refusal(await by(scim, second).get('/Users'))).toBe('401')
    expect(outcomeOf(await scene.api(`/api/v1/scim-directories/${scim.appId}`))).toBe('404/5 DIRECTORY_NOT_FOUND')
    // Its people stay.
    const [row] = await scene.server.db`
      select u.status from users u join accounts a using (tenant_id, user_id) where a.account_id = ${id}`
    expect(row?.['status']).toBe('ENABLED')
  })

  test('does not count when another hand wrote or changed it, or its app was deleted', async () => {
    const scim = await scene.makeDirectory()
    const other = await scene.makeDirectory()
    await scene.server.db`update directory_tokens set app_id = ${other.appId} where app_id = ${scim.appId}`
    expect(await eventually(async () => (await scim.get('/Users')).status === 401)).toBe(true)
    expect((await scimOf(scene.server, other.appId, scim.token).get('/Users')).status).toBe(401)
    expect((await scene.api(`/api/v1/apps/${other.appId}`, { method: 'DELETE' })).status).toBe(200)
    expect(await eventually(async () => (await other.get('/Users')).status === 401)).toBe(true)
  })

  test('changes nothing once its directory is deleted, even with a request that was admitted before', async () => {
    const scim = await scene.makeDirectory()
    const { id } = await scim.makeUser(newName())
    const group = await scim.post('/Groups', { displayName: 'All' })
    const late: Promise<Answer>[] = []
    const { db } = scene.server
    const tenantId = scene.access.tenant.id
    await db.begin(async (tx) => {
      await tx`select 1 from apps where tenant_id = ${tenantId} and app_id = ${scim.appId} for no key update`
      late.push(
        scim.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Late' }),
        scim.patch(`/Groups/${group.json.id}`, { op: 'add', path: 'members', value: [{ value: id }] }),
        scim.post('/Users', { userName: newName() }),
        scim.post('/Groups', { displayName: 'Late' }),
        scim.remove(`/Users/${id}`),
        scim.remove(`/Groups/${group.json.id}`),
      )
      const isWaiting = async (): Promise<boolean> => {
        const waiting = (await listWaiting(db)).filter(({ query }) => query.includes('is_directory for share'))
        return new Set(waiting.map(({ pid }) => pid)).size === late.length
      }
      expect(await eventually(isWaiting)).toBe(true)
      await tx`update apps set is_directory = false where tenant_id = ${tenantId} and app_id = ${scim.appId}`
      await tx`update directories set deleted_at = now() where tenant_id = ${tenantId} and app_id = ${scim.appId}`
    })
    expect((await Promise.all(late)).map(refusal)).toEqual(late.map(() => '401'))
    const inApp = db`tenant_id = ${tenantId} and app_id = ${scim.appId}`
    const [row] = await db`
      select (select count(*) from directory_users where ${inApp} and deleted_at is null) as users,
        (select count(*) from directory_groups where ${inApp} and deleted_at is null) as groups,
        (select count(*) from grants where ${inApp}) as grants,
        (select resource ->> 'title' from directory_users where ${inApp} and account_id = ${id}) as title`
    expect(row).toEqual({ users: 1, groups: 1, grants: 0, title: null })
  })

  test('a directory has at most ten of them', async () => {
    const scim = await scene.makeDirectory()
    for (let i = 0; i < 9; i++) await newToken(scim)
    expect(outcomeOf(await scene.api(`/api/v1/scim-directories/${scim.appId}/tokens`, { body: {} }))).toBe(
      '400/9 DIRECTORY_TOKENS_TOO_MANY',
    )
  })
})

describe('a directory', () => {
  test('tells its address, what it has, and what was last refused', async () => {
    const scim = await scene.makeDirectory({ displayName: ' Acme Okta ' })
    await scim.makeUser('ann')
    expect(refusal(await scim.post('/Users', { userName: 'ann' }))).toBe('409 uniqueness')
    const get = async () => (await scene.api(`/api/v1/scim-directories/${scim.appId}`)).json['directory'] as Json
    expect(await eventually(async () => (await get())['lastError'] !== '')).toBe(true)
    expect(await get()).toMatchObject({
      displayName: 'Acme Okta',
      baseUrl: `${scene.server.url}${scim.base}`,
      linkExistingUsers: true,
      userCount: 1,
      activeUserCount: 1,
      groupCount: 0,
      heldCount: 0,
      lastError: 'A user with the userName "ann" already exists.',
    })
    const published = await scene.api(`/api/v1/directories/${scim.appId}`)
    expect(published.json['directoryView']).toMatchObject({ directory: { appId: scim.appId, all: {} } })
    const app = await scene.api('/api/v1/search/apps', { body: { onlyDirectories: true, pageSize: 100 } })
    expect((app.json['list'] as Json[]).find(({ id }) => id === scim.appId)).toMatchObject({ isDirectory: true })
    const list = (await scene.api('/api/v1/scim-directories?page_size=100')).json['list'] as Json[]
    expect(list.some(({ appId }) => appId === scim.appId)).toBe(true)
  })

  test('needs a name, and takes changes', async () => {
    expect(outcomeOf(await scene.api('/api/v1/scim-directories', { body: { displayName: ' ' } }))).toBe(
      '400/3 INPUT_INVALID',
    )
    const scim = await scene.makeDirectory()
    const changed = await scene.api(`/api/v1/scim-directories/${scim.appId}`, { body: { linkExistingUsers: false } })
    expect(changed.json['directory']).toMatchObject({ linkExistingUsers: false })
    const read = await getToken(scene.server, await scene.access.makeCaller(['system:viewer']))
    expect((await scene.api(`/api/v1/scim-directories/${scim.appId}`, { token: read })).status).toBe(200)
    expect((await scene.api('/api/v1/scim-directories', { token: read, body: { displayName: 'x' } })).status).toBe(403)
  })
})
