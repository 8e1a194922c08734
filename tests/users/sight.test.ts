import { beforeAll, describe, expect, test } from 'vitest'
import { getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { type Caller, prepare, type Ref } from '../owners/support.ts'

/** What ordinary people and owners see of what is around them (decision 0038). */
const scene = prepare()
const caller = async (...roles: Parameters<typeof scene.access.makeCaller>[0]): Promise<Caller> => {
  const key = await scene.access.makeCaller(roles)
  return { userId: key.userId, token: await getToken(scene.server, key) }
}

describe('who holds an entitlement', () => {
  let by: Caller
  let held: Ref
  let other: Ref
  let ownerId: string
  let resource: { typeId: string; id: string }
  beforeAll(async () => {
    by = await caller('system:user')
    const appId = await scene.app('Wiki')
    resource = await scene.resource(appId, 'Pages')
    held = await scene.entitlement(appId, 'Edit', { slug: 'edit', resource })
    other = await scene.entitlement(appId, 'Administer')
    const account = await scene.account(appId, { userId: by.userId })
    await scene.grant(held, account)
    ownerId = await scene.user({ displayName: 'Olga Owner', email: 'olga@example.com', department: 'IT' })
    await scene.set(`apps/${appId}`, 'primary', { users: [ownerId] })
  })
  const at = (ref: Ref): string => `/api/v1/apps/${ref.appId}/entitlements/${ref.id}`

  test('reads it, its app, its resource and its kind, as cone does', async () => {
    const app = await scene.get(`/api/v1/apps/${held.appId}`, by)
    expect(app.json['app']).toMatchObject({ id: held.appId, displayName: 'Wiki', userCount: '0' })
    const entitlement = await scene.get(at(held), by)
    expect((entitlement.json['appEntitlementView'] as Json)['appEntitlement']).toMatchObject({
      id: held.id,
      displayName: 'Edit',
      grantCount: '1',
    })
    const type = `/api/v1/apps/${held.appId}/resource_types/${resource.typeId}`
    expect((await scene.get(type, by)).status).toBe(200)
    expect((await scene.get(`${type}/resources/${resource.id}`, by)).status).toBe(200)
    const grants = await scene.get(`${at(held)}/users/${by.userId}/grants`, by)
    expect(grants.json['bindings']).toHaveLength(1)
  })

  test('finds it among the apps and entitlements, and nothing else', async () => {
    const apps = await scene.all('/api/v1/apps', null, by)
    expect(apps.map(({ id }) => id)).toEqual([held.appId])
    expect(await scene.all('/api/v1/search/apps', { query: 'wiki' }, by)).toHaveLength(1)
    const found = await scene.all('/api/v1/search/entitlements', { expandMask: { paths: ['*'] } }, by)
    expect(found.map((view) => (view['appEntitlement'] as Json)['id'])).toEqual([held.id])
    const listed = await scene.all(`/api/v1/apps/${held.appId}/entitlements`, null, by)
    expect(listed.map((item) => (item['appEntitlement'] as Json)['id'])).toEqual([held.id])
    const filters = { appUserIds: ['2zzzzzzzzzzzzzzzzzzzzzzzzzz'] }
    expect(outcomeOf(await scene.post('/api/v1/search/entitlements', filters, by))).toBe('400/3 INPUT_INVALID')
  })

  test('reads who owns it by name, and nobody else', async () => {
    const owners = await scene.all(`/api/v1/apps/${held.appId}/owners`, null, by)
    expect(owners).toMatchObject([{ id: ownerId, displayName: 'Olga Owner', email: '', emails: [], department: '' }])
    const user = await scene.get(`/api/v1/users/${ownerId}`, by)
    expect((user.json['userView'] as Json)['user']).toEqual(owners[0])
    expect(outcomeOf(await scene.get(`/api/v1/users/${await scene.user()}`, by))).toBe('404/5 USER_NOT_FOUND')
  })

  test('reads no other, and no longer what was taken from them but by name', async () => {
    expect(outcomeOf(await scene.get(at(other), by))).toBe('404/5 ENTITLEMENT_NOT_FOUND')
    expect(outcomeOf(await scene.get(`${at(other)}/owners`, by))).toBe('404/5 ENTITLEMENT_NOT_FOUND')
    const elsewhere = await scene.app()
    expect(outcomeOf(await scene.get(`/api/v1/apps/${elsewhere}`, by))).toBe('404/5 APP_NOT_FOUND')
    expect(outcomeOf(await scene.get(`/api/v1/apps/${elsewhere}/owners`, by))).toBe('404/5 APP_NOT_FOUND')
    const account = await scene.account(elsewhere, { userId: by.userId })
    const short = await scene.entitlement(elsewhere, 'Once')
    await scene.grant(short, account)
    expect((await scene.get(`/api/v1/apps/${elsewhere}`, by)).status).toBe(200)
    const taken = { appUserId: account.id }
    expect((await scene.remove(`${at(short)}/remove-membership`, taken)).status).toBe(200)
    expect(outcomeOf(await scene.get(`/api/v1/apps/${elsewhere}`, by))).toBe('404/5 APP_NOT_FOUND')
    const past = await scene.get(at(short), by)
    expect((past.json['appEntitlementView'] as Json)['appEntitlement']).toMatchObject({ displayName: 'Once', slug: '' })
  })

  test("sees their manager's name, and not the record behind it", async () => {
    const manager = await scene.user({
      displayName: 'Max Manager',
      email: 'max@example.com',
      profile: { home: 'here' },
    })
    await scene.server.db`update users set manager_ids = ${[manager]} where user_id = ${by.userId}`
    const self = await scene.post('/api/v1/users/introspect', { expandMask: { paths: ['*'] } }, by)
    const shown = (self.json['expanded'] as Json[]).find(({ id }) => id === manager)
    expect(shown).toMatchObject({ displayName: 'Max Manager', email: '', profile: null })
    expect(self.text).not.toContain('max@example.com')
  })
})

describe('an application administrator', () => {
  test('finds someone to name by their whole address, and nobody by a part', async () => {
    const by = await caller('system:application-admin')
    const id = await scene.user({ displayName: 'Nina New', email: 'nina.new@example.com', department: 'Sales' })
    const search = async (body: Json): Promise<Json[]> => scene.all('/api/v1/search/users', body, by)
    const [found] = await search({ email: 'NINA.new@example.com' })
    expect(found).toMatchObject({
      userId: id,
      user: { displayName: 'Nina New', email: '', department: '', profile: null },
    })
    expect(await search({ query: 'nina.new@example.com' })).toHaveLength(1)
    for (const body of [{ query: 'nina' }, { query: 'nina.new@' }, {}, { departments: ['Sales'] }, { ids: [id] }])
      expect(await search(body), JSON.stringify(body)).toEqual([])
    expect(outcomeOf(await scene.get(`/api/v1/users/${id}`, by))).toBe('403/7 PERMISSION_DENIED')
  })

  test('adds them, and sees of the account that is made for them no more than the name', async () => {
    const by = await caller('system:application-admin')
    const appId = await scene.app()
    const entitlement = await scene.entitlement(appId)
    await scene.set(`apps/${appId}`, 'primary', { users: [by.userId] })
    const id = await scene.user({ displayName: 'Ada Added', email: 'ada@example.com', username: 'adaadded' })
    const at = `/api/v1/apps/${appId}/entitlements/${entitlement.id}`
    expect((await scene.post(`${at}/add-manual-user`, { userIds: [id] }, by)).status).toBe(200)
    for (const path of [`${at}/users`, `${at}/grants`, `/api/v1/apps/${appId}/app_users`]) {
      const reply = await scene.get(path, by)
      expect(reply.text).toContain('Ada Added')
      expect(reply.text).not.toMatch(/ada@example|adaadded/)
    }
    // What the app itself tells of an account is the app's, and so its owner's.
    await scene.account(appId, { userId: id, displayName: 'Told', email: 'told@example.com' })
    expect((await scene.get(`/api/v1/apps/${appId}/app_users`, by)).text).toContain('told@example.com')
  })

  test('who tries out addresses is slowed', async () => {
    const by = await caller('system:application-admin')
    const tries = Array.from({ length: 101 }, (_, i) => ({ email: `try${i}@example.com` }))
    const replies = await Promise.all(tries.map((body) => scene.post('/api/v1/search/users', body, by)))
    expect(replies.map(outcomeOf)).toContain('429/8 TOO_MANY_FAILURES')
  })
})
