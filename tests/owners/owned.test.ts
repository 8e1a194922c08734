import { describe, expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { nobody, prepare } from './support.ts'

const scene = prepare()
const owned = (body: object = {}, by = scene.admin): Promise<Json[]> =>
  scene.all('/api/v1/search/user-ownership', body, by)
const keyOf = (item: Json): string =>
  [item['ownershipType'], item['resourceId'] || item['entitlementId'] || item['appId']].join(' ')

describe('what a user owns', () => {
  test('is what names them and what names an entitlement that they hold, each once', async () => {
    const appId = await scene.app('Ledger')
    const group = await scene.entitlement(appId, 'Clerks')
    const { typeId, id: resourceId } = await scene.resource(appId, 'Book')
    const { userId } = await scene.holder(group)
    await scene.set(`apps/${appId}`, 'primary', { users: [userId], entitlements: [group] })
    await scene.set(`apps/${appId}`, 'backup', { users: [userId] })
    await scene.set(`apps/${appId}/entitlements/${group.id}`, 'primary', { users: [userId] })
    await scene.set(`apps/${appId}/resource_types/${typeId}/resources/${resourceId}`, 'keeper', {
      entitlements: [group],
    })
    const [app, entitlement, resource] = await owned({ userId })
    expect(app).toEqual({
      ownershipType: 'USER_OWNERSHIP_TYPE_APP',
      appId,
      appDisplayName: 'Ledger',
      resourceTypeId: '',
      resourceId: '',
      resourceDisplayName: '',
      entitlementId: '',
      entitlementDisplayName: '',
    })
    expect(entitlement).toMatchObject({
      entitlementId: group.id,
      entitlementDisplayName: 'Clerks',
      appDisplayName: 'Ledger',
    })
    expect(resource).toMatchObject({ resourceTypeId: typeId, resourceId, resourceDisplayName: 'Book' })
    expect(await owned({ userId })).toHaveLength(3)
    const types = ['USER_OWNERSHIP_TYPE_RESOURCE', 'USER_OWNERSHIP_TYPE_UNSPECIFIED']
    expect((await owned({ userId, ownershipTypes: types })).map(keyOf)).toEqual([
      `USER_OWNERSHIP_TYPE_RESOURCE ${resourceId}`,
    ])
  })

  test('is paged', async () => {
    const userId = await scene.user()
    const group = await scene.entitlement(await scene.app())
    await scene.grant(group, await scene.account(group.appId, { userId }))
    const apps = await Promise.all(Array.from({ length: 24 }, () => scene.app()))
    for (const [i, appId] of apps.entries())
      await scene.set(`apps/${appId}`, 'primary', i % 2 ? { users: [userId] } : { entitlements: [group] })
    expect((await owned({ userId })).map((item) => item['appId'])).toEqual(apps.toSorted())
  })

  test("is one's own for a basic user, and anyone's for those who may see it", async () => {
    const appId = await scene.app()
    await scene.set(`apps/${appId}`, 'primary', { users: [scene.basic.userId, scene.admin.userId] })
    for (const body of [{}, { userId: scene.basic.userId }])
      expect((await owned(body, scene.basic)).map(keyOf)).toEqual([`USER_OWNERSHIP_TYPE_APP ${appId}`])
    expect(await owned({ userId: scene.basic.userId }, scene.viewer)).toHaveLength(1)
    const ask = (userId: string, by = scene.basic) => scene.post('/api/v1/search/user-ownership', { userId }, by)
    expect(outcomeOf(await ask(scene.admin.userId))).toBe('404/5 USER_NOT_FOUND')
    expect(outcomeOf(await ask(nobody))).toBe('404/5 USER_NOT_FOUND')
    expect(outcomeOf(await ask(nobody, scene.admin))).toBe('404/5 USER_NOT_FOUND')
  })
})

test('the service accounts that one owns are listed, and no other accounts', async () => {
  const [appId, other] = [await scene.app('Robots'), await scene.app()]
  const robot = await scene.account(appId, { type: 'APP_USER_TYPE_SERVICE_ACCOUNT', displayName: 'Robot' })
  const through = await scene.account(other, { type: 'APP_USER_TYPE_SERVICE_ACCOUNT' })
  const person = await scene.account(appId)
  const group = await scene.entitlement(await scene.app())
  await scene.grant(group, await scene.account(group.appId, { userId: scene.basic.userId }))
  const owner = { users: [scene.basic.userId] }
  await scene.set(`apps/${appId}/users/${robot.id}`, 'primary', owner)
  await scene.set(`apps/${appId}/users/${robot.id}`, 'backup', owner)
  await scene.set(`apps/${other}/users/${through.id}`, 'primary', { entitlements: [group] })
  await scene.set(`apps/${appId}/users/${person.id}`, 'primary', owner)
  const path = '/api/v1/app_users/owned_service_accounts'
  const list = await scene.all(path, {}, scene.basic)
  expect(list.map((view) => (view['appUser'] as Json)['id'])).toEqual([robot.id, through.id])
  expect(await scene.all(path, {}, scene.admin)).toEqual([])
  const { json } = await scene.post(path, { expandMask: { paths: ['app_id'] } }, scene.basic)
  expect((json['list'] as Json[])[0]).toMatchObject({ appPath: '$.expanded[0]', appUser: { displayName: 'Robot' } })
  expect(json['expanded']).toMatchObject([{ displayName: 'Robots' }, {}])
})

test('resources are found by who owns them', async () => {
  const appId = await scene.app()
  const [named, through, other] = [
    await scene.resource(appId),
    await scene.resource(appId),
    await scene.resource(appId),
  ]
  const group = await scene.entitlement(appId)
  const { userId } = await scene.holder(group)
  const path = ({ typeId, id }: typeof named) => `apps/${appId}/resource_types/${typeId}/resources/${id}`
  await scene.set(path(named), 'primary', { users: [userId] })
  await scene.set(path(through), 'backup', { entitlements: [group] })
  await scene.set(path(other), 'primary', { users: [await scene.user()] })
  const found = await scene.all('/api/v1/search/app_resources', { ownerUserIds: [userId] })
  const ids = found.map((view) => (view['appResource'] as Json)['id'] as string)
  expect(ids.toSorted()).toEqual([named.id, through.id].toSorted())
})
