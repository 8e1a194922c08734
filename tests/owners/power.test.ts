import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { setStatus } from '#rooms/identity/users/index.ts'
import { ask, getToken, outcomeOf, type RoleName } from '../fixture/access.ts'
import { startServer } from '../fixture/server.ts'
import { bodyOf, type Caller, done, prepare } from './support.ts'

const scene = prepare()

const caller = async (roles: RoleName[] = ['system:application-admin'], scope?: RoleName[]): Promise<Caller> => {
  const key = await scene.access.makeCaller(roles, scope ? { roles: scope } : {})
  return { userId: key.userId, token: await getToken(scene.server, key) }
}
const outcome = async (by: Caller, method: string, path: string, body: object | null = null): Promise<string> =>
  outcomeOf(await scene.send(method, path, body, by))

/** An app with an entitlement on a resource and one by itself. */
async function world() {
  const appId = await scene.app()
  const resource = await scene.resource(appId)
  const on = await scene.entitlement(appId, 'On it', { resource })
  const apart = await scene.entitlement(appId, 'Apart')
  const at = `/api/v1/apps/${appId}`
  return {
    appId,
    on,
    apart,
    at,
    onAt: `${at}/entitlements/${on.id}`,
    apartAt: `${at}/entitlements/${apart.id}`,
    resourceAt: `${at}/resource_types/${resource.typeId}/resources/${resource.id}`,
    resourcePath: `apps/${appId}/resource_types/${resource.typeId}/resources/${resource.id}`,
    typeAt: `${at}/resource_types/${resource.typeId}`,
  }
}

describe('an application administrator who owns an app', () => {
  test('manages it and all that is in it', async () => {
    const by = await caller()
    const { appId, at, onAt, resourceAt, typeAt, on } = await world()
    await scene.set(`apps/${appId}`, 'primary', { users: [by.userId] })
    const account = await scene.account(appId)
    const person = await scene.user()
    for (const path of [at, `${at}/entitlements`, onAt, `${onAt}/users`, `${onAt}/grants`, `${at}/usage_controls`])
      expect(await outcome(by, 'GET', path), path).toBe('200')
    for (const path of [typeAt, resourceAt, `${typeAt}/resources`, `${at}/app_users`, `${at}/owners`, `${at}/ownerids`])
      expect(await outcome(by, 'GET', path), path).toBe('200')
    expect(await outcome(by, 'POST', at, { app: { displayName: 'Mine' } })).toBe('200')
    expect(await outcome(by, 'POST', `${at}/entitlements`, { displayName: 'New' })).toBe('200')
    expect(await outcome(by, 'POST', onAt, { entitlement: { displayName: 'Other' } })).toBe('200')
    expect(await outcome(by, 'POST', `${onAt}/add-manual-user`, { userIds: [person] })).toBe('200')
    const { list } = done(await scene.send('GET', `${onAt}/users`, null, by)) as { list: { appUserId: string }[] }
    const held = { appUserId: list[0]?.appUserId as string }
    expect(await outcome(by, 'GET', `${at}/entitlements/users/${held.appUserId}`)).toBe('200')
    expect(await outcome(by, 'DELETE', `${onAt}/remove-membership`, held)).toBe('200')
    expect(await outcome(by, 'POST', `${at}/app_users/${account.id}`, { appUser: {} })).toBe('200')
    const owners = bodyOf('primary', { users: [person] })
    for (const path of [`entitlements/${on.id}`, `users/${account.id}`])
      expect(await outcome(by, 'PUT', `/api/v2/apps/${appId}/${path}/owners`, owners), path).toBe('200')
    expect(await outcome(by, 'DELETE', onAt, {})).toBe('200')
    expect(await outcome(by, 'DELETE', resourceAt, {})).toBe('200')
    expect(await outcome(by, 'DELETE', typeAt, {})).toBe('200')
  })

  test('neither deletes it nor chooses who owns it, nor sees what is not in it', async () => {
    const by = await caller()
    const { appId, at } = await world()
    const other = await world()
    await scene.set(`apps/${appId}`, 'primary', { users: [by.userId] })
    const denied = '403/7 PERMISSION_DENIED'
    expect(await outcome(by, 'DELETE', at, {})).toBe(denied)
    expect(await outcome(by, 'PUT', `/api/v2/apps/${appId}/owners`, bodyOf('primary', {}))).toBe(denied)
    expect(await outcome(by, 'PUT', `${at}/owners`, { userIds: [] })).toBe(denied)
    expect(await outcome(by, 'POST', '/api/v1/apps', { displayName: 'x' })).toBe(denied)
    for (const path of ['/api/v1/apps', '/api/v1/users']) expect(await outcome(by, 'GET', path), path).toBe(denied)
    expect(await outcome(by, 'POST', '/api/v1/search/entitlements', {})).toBe(denied)
    expect(await outcome(by, 'GET', other.at)).toBe('404/5 APP_NOT_FOUND')
    expect(await outcome(by, 'POST', other.at, { app: { displayName: 'Mine' } })).toBe('404/5 APP_NOT_FOUND')
    expect(await outcome(by, 'GET', other.onAt)).toBe('404/5 ENTITLEMENT_NOT_FOUND')
    expect(await outcome(by, 'GET', other.resourceAt)).toBe('404/5 RESOURCE_NOT_FOUND')
    expect(await outcome(by, 'GET', other.typeAt)).toBe('404/5 RESOURCE_TYPE_NOT_FOUND')
    // An entitlement of another app is not in this one.
    expect(await outcome(by, 'GET', `${at}/entitlements/${other.on.id}`)).toBe('404/5 ENTITLEMENT_NOT_FOUND')
  })

  test('finds what is owned by a search of their own', async () => {
    const by = await caller()
    const { appId } = await world()
    await scene.set(`apps/${appId}`, 'primary', { users: [by.userId] })
    const owned = await scene.all('/api/v1/search/user-ownership', {}, by)
    expect(owned.map((item) => item['appId'])).toEqual([appId])
  })

  test('in whatever role', async () => {
    const by = await caller()
    const { appId, at } = await world()
    await scene.set(`apps/${appId}`, 'some-role', { users: [by.userId] })
    expect(await outcome(by, 'GET', at)).toBe('200')
    await scene.set(`apps/${appId}`, 'some-role', {})
    expect(await outcome(by, 'GET', at)).toBe('404/5 APP_NOT_FOUND')
  })
})

test('to who does not own it, what there is looks like what there is not', async () => {
  const by = await caller()
  const { at } = await world()
  const reply = await scene.send('GET', at, null, by)
  const none = `${at.slice(0, -1)}${at.endsWith('0') ? '1' : '0'}`
  const other = await scene.send('GET', none, null, by)
  expect(other.text.replaceAll(none.slice(-27), at.slice(-27))).toBe(reply.text)
})

test('the owner of an entitlement manages it and its members, and nothing else', async () => {
  const by = await caller()
  const { appId, at, on, onAt, apartAt, resourceAt } = await world()
  await scene.set(`apps/${appId}/entitlements/${on.id}`, 'primary', { users: [by.userId] })
  for (const path of [onAt, `${onAt}/users`, `${onAt}/owners`]) expect(await outcome(by, 'GET', path), path).toBe('200')
  expect(await outcome(by, 'POST', onAt, { entitlement: { displayName: 'Other' } })).toBe('200')
  expect(await outcome(by, 'POST', `${onAt}/add-manual-user`, { userIds: [await scene.user()] })).toBe('200')
  // That it is, and who owns it, is decided by those who own what it lies in.
  expect(await outcome(by, 'DELETE', onAt, {})).toBe('403/7 PERMISSION_DENIED')
  const owners = bodyOf('primary', { users: [by.userId] })
  expect(await outcome(by, 'PUT', `/api/v2/apps/${appId}/entitlements/${on.id}/owners`, owners)).toBe(
    '403/7 PERMISSION_DENIED',
  )
  for (const path of [at, apartAt, resourceAt, `${at}/entitlements`, `${at}/app_users`])
    expect(await outcome(by, 'GET', path), path).toMatch(/^404/)
})

test('the owner of a resource manages it and the entitlements on it', async () => {
  const by = await caller()
  const { appId, at, on, onAt, apartAt, resourceAt, resourcePath } = await world()
  await scene.set(resourcePath, 'primary', { users: [by.userId] })
  for (const path of [resourceAt, onAt, `${onAt}/users`]) expect(await outcome(by, 'GET', path), path).toBe('200')
  expect(await outcome(by, 'POST', resourceAt, { appResource: { displayName: 'Other' } })).toBe('200')
  expect(await outcome(by, 'PUT', `/api/v2/apps/${appId}/entitlements/${on.id}/owners`, bodyOf('primary', {}))).toBe(
    '200',
  )
  expect(await outcome(by, 'PUT', `/api/v2/${resourcePath}/owners`, bodyOf('primary', {}))).toBe(
    '403/7 PERMISSION_DENIED',
  )
  expect(await outcome(by, 'DELETE', resourceAt, {})).toBe('403/7 PERMISSION_DENIED')
  for (const path of [at, apartAt]) expect(await outcome(by, 'GET', path), path).toMatch(/^404/)
  expect(await outcome(by, 'DELETE', onAt, {})).toBe('200')
})

test('one entitlement is bound to another only by who owns both', async () => {
  const by = await caller()
  const { appId, on, apart } = await world()
  const path = `/api/v1/apps/${appId}/${on.id}/bindings/${appId}/${apart.id}`
  await scene.set(`apps/${appId}/entitlements/${on.id}`, 'primary', { users: [by.userId] })
  expect(await outcome(by, 'POST', path, {})).toBe('404/5 ENTITLEMENT_NOT_FOUND')
  await scene.set(`apps/${appId}/entitlements/${apart.id}`, 'primary', { users: [by.userId] })
  expect(await outcome(by, 'POST', path, {})).toBe('200')
})

test('who owns an account or a user, or has no such role, manages nothing by it', async () => {
  const by = await caller()
  const { appId, at } = await world()
  const account = await scene.account(appId)
  await scene.set(`apps/${appId}/users/${account.id}`, 'primary', { users: [by.userId] })
  await scene.set(`users/${scene.basic.userId}`, 'primary', { users: [by.userId] })
  expect(await outcome(by, 'POST', `${at}/app_users/${account.id}`, {})).toBe('404/5 ACCOUNT_NOT_FOUND')
  expect(await outcome(by, 'GET', `/api/v1/users/${scene.basic.userId}`)).toBe('403/7 PERMISSION_DENIED')
  const { appId: owned, at: ownedAt } = await world()
  await scene.set(`apps/${owned}`, 'primary', { users: [scene.basic.userId] })
  expect(await outcome(scene.basic, 'GET', ownedAt)).toBe('404/5 APP_NOT_FOUND')
  expect(await outcome(scene.basic, 'POST', ownedAt, { app: { displayName: 'Mine' } })).toBe('403/7 PERMISSION_DENIED')
})

describe('owning through an entitlement', () => {
  test('ends with the next request after it is revoked, on every server', async () => {
    const by = await caller()
    const beside = await startServer({ beside: scene.server })
    const { appId, at } = await world()
    const group = await scene.entitlement(await scene.app())
    const account = await scene.account(group.appId, { userId: by.userId })
    await scene.set(`apps/${appId}`, 'primary', { entitlements: [group] })
    const both = async (): Promise<string[]> => {
      const host = `localhost:${new URL(scene.server.url).port}`
      const other = await ask(beside, at, { token: by.token, host })
      return [await outcome(by, 'GET', at), outcomeOf(other)]
    }
    const not = '404/5 APP_NOT_FOUND'
    expect(await both()).toEqual([not, not])
    await scene.grant(group, account)
    expect(await both()).toEqual(['200', '200'])
    const members = `/api/v1/apps/${group.appId}/entitlements/${group.id}`
    done(await scene.remove(`${members}/remove-membership`, { appUserId: account.id }))
    expect(await both()).toEqual([not, not])
    await beside.stop()
  })

  test('ends when its time is up', async () => {
    const by = await caller()
    const { appId, at } = await world()
    const group = await scene.entitlement(await scene.app())
    await scene.set(`apps/${appId}`, 'primary', { entitlements: [group] })
    const hold = async (expiresAt: Date) =>
      scene.grant(group, await scene.account(group.appId, { userId: by.userId }), { expiresAt })
    await hold(new Date(Date.now() - 1))
    expect(await outcome(by, 'GET', at)).toBe('404/5 APP_NOT_FOUND')
    await hold(new Date(Date.now() + 3_600_000))
    expect(await outcome(by, 'GET', at)).toBe('200')
  })
})

test('an owner who is disabled may nothing from the next request on', async () => {
  const by = await caller()
  const { appId, at } = await world()
  await scene.set(`apps/${appId}`, 'primary', { users: [by.userId] })
  expect(await outcome(by, 'GET', at)).toBe('200')
  const { world: operator, tenant } = scene.access
  const setTo = (status: 'ENABLED' | 'DISABLED') =>
    transact(operator.db, (tx) => setStatus(tx, operator, operatorCause(tenant, 'test'), by.userId, { status }))
  await setTo('DISABLED')
  expect(await outcome(by, 'GET', at)).not.toBe('200')
})

describe('roles and scopes together', () => {
  test('callers who may see an app that is not theirs get 403 if they change it', async () => {
    const by = await caller(['system:application-admin', 'system:viewer'])
    const { at } = await world()
    expect(await outcome(by, 'GET', at)).toBe('200')
    expect(await outcome(by, 'POST', at, { app: { displayName: 'Mine' } })).toBe('403/7 PERMISSION_DENIED')
  })

  test("a basic user who owns an app sees everyone's access in it, and their own elsewhere", async () => {
    const by = await caller(['system:application-admin', 'system:user'])
    const [mine, other] = [await world(), await world()]
    await scene.set(`apps/${mine.appId}`, 'primary', { users: [by.userId] })
    const [theirs, elsewhere, own] = [
      await scene.account(mine.appId),
      await scene.account(other.appId),
      await scene.account(other.appId, { userId: by.userId }),
    ]
    const see = (appId: string, id: string) => outcome(by, 'GET', `/api/v1/apps/${appId}/entitlements/users/${id}`)
    expect(await see(mine.appId, theirs.id)).toBe('200')
    expect(await see(other.appId, own.id)).toBe('200')
    expect(await see(other.appId, elsewhere.id)).toBe('404/5 ACCOUNT_NOT_FOUND')
  })

  test('a credential may what its scope and the roles of its owner both allow', async () => {
    const [mine, other] = [await world(), await world()]
    const limited = await caller(['system:owner'], ['system:application-admin'])
    const reading = await caller(['system:application-admin'], ['system:viewer'])
    const none = await caller(['system:application-admin'], ['system:system-logs-reader'])
    const users = [limited.userId, reading.userId, none.userId]
    await scene.set(`apps/${mine.appId}`, 'primary', { users })
    const rename = { app: { displayName: 'Mine' } }
    expect(await outcome(limited, 'POST', mine.at, rename)).toBe('200')
    expect(await outcome(limited, 'POST', other.at, rename)).toBe('404/5 APP_NOT_FOUND')
    expect(await outcome(limited, 'GET', '/api/v1/apps')).toBe('403/7 PERMISSION_DENIED')
    expect(await outcome(reading, 'GET', mine.at)).toBe('200')
    expect(await outcome(reading, 'POST', mine.at, rename)).toBe('403/7 PERMISSION_DENIED')
    expect(await outcome(reading, 'GET', other.at)).toBe('404/5 APP_NOT_FOUND')
    expect(await outcome(none, 'GET', mine.at)).toBe('403/7 PERMISSION_DENIED')
  })
})
