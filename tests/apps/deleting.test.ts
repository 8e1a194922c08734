import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { idsIn, inView, makeApp, makeEntitlement, makeResource, makeType, prepare } from './support.ts'

const setting = prepare()
const { get, post, remove, send, lastEvent, makeAccount } = setting

type GrantRow = { entitlement: string; account: string; isOpen: boolean; endedBy: string | null; why: string | null }
const grantsIn = async (appId: string): Promise<GrantRow[]> => setting.server.db<GrantRow[]>`
  select entitlement_id as entitlement, account_id as account, ended_at is null as "isOpen", ended_by as "endedBy",
    ended_why as why
  from grants where app_id = ${appId} order by entitlement_id, account_id`

/** An app with two types, a resource of each, an entitlement of each and one of the app, all of them held by one. */
async function makeWorld() {
  const app = await makeApp(setting, 'Doomed')
  const [type, otherType] = [await makeType(setting, app.id, 'T1'), await makeType(setting, app.id, 'T2')]
  const resource = await makeResource(setting, app.id, type.id, 'R1')
  const otherResource = await makeResource(setting, app.id, otherType.id, 'R2')
  const entitlement = await makeEntitlement(setting, app.id, 'E1', {
    appResourceTypeId: type.id,
    appResourceId: resource.id,
  })
  const otherEntitlement = await makeEntitlement(setting, app.id, 'E2', {
    appResourceTypeId: otherType.id,
    appResourceId: otherResource.id,
  })
  const ofApp = await makeEntitlement(setting, app.id, 'E3')
  const account = await makeAccount(app.id, [entitlement.id, otherEntitlement.id, ofApp.id])
  const neighbour = await makeApp(setting, 'Neighbour')
  const afar = await makeEntitlement(setting, neighbour.id, 'Afar')
  await post(`apps/${app.id}/${entitlement.id}/bindings/${neighbour.id}/${afar.id}`, {})
  await post(`apps/${neighbour.id}/${afar.id}/bindings/${app.id}/${entitlement.id}`, {})
  await post(`apps/${app.id}/${ofApp.id}/bindings/${app.id}/${otherEntitlement.id}`, {})
  return {
    app,
    type,
    otherType,
    resource,
    otherResource,
    entitlement,
    otherEntitlement,
    ofApp,
    account,
    neighbour,
    afar,
  }
}
const countProxies = async (appId: string): Promise<number> => {
  const [row] = await setting.server.db<{ count: number }[]>`
    select count(*) from entitlement_proxies where src_app_id = ${appId} or dst_app_id = ${appId}`
  return row?.count ?? -1
}
const me = async (): Promise<unknown> => {
  const [row] = await setting.server.db<{ id: string }[]>`
    select user_id as id from credentials where tenant_id = ${setting.access.tenant.id} order by credential_id limit 1`
  return row?.id
}

test('an app takes everything in it along, and ends the access that it gave', async () => {
  const { app, type, resource, entitlement, neighbour, afar } = await makeWorld()
  await remove(`apps/${app.id}`)
  expect(outcomeOf(await send('GET', `apps/${app.id}/entitlements`))).toBe('404/5 APP_NOT_FOUND')
  const below = [
    `apps/${app.id}/resource_types/${type.id}`,
    `apps/${app.id}/resource_types/${type.id}/resources/${resource.id}`,
    `apps/${app.id}/entitlements/${entitlement.id}`,
    `apps/${app.id}/usage_controls`,
  ]
  for (const path of below) expect(outcomeOf(await send('GET', path))).toBe('404/5 APP_NOT_FOUND')
  for (const grant of await grantsIn(app.id))
    expect(grant).toMatchObject({ isOpen: false, endedBy: await me(), why: 'revoked' })
  const accounts = await setting.server.db<{ status: string; isDeleted: boolean }[]>`
    select status, deleted_at is not null as "isDeleted" from accounts where app_id = ${app.id}`
  expect(accounts).toEqual([{ status: 'STATUS_DELETED', isDeleted: true }])
  expect(await countProxies(app.id)).toBe(0)
  expect(outcomeOf(await send('GET', `apps/${neighbour.id}/entitlements/${afar.id}`))).toBe('200')
  expect(await lastEvent('app.v1.Apps.Delete')).toMatchObject({
    message: 'Deleted the app Doomed',
    resources: [
      {
        type: 'app',
        uid: app.id,
        data: {
          deletedAlong: {
            resourceTypes: 2,
            resources: 2,
            entitlements: 3,
            accounts: 1,
            grants: 3,
            proxies: 3,
            resourcesFreed: 0,
          },
        },
      },
    ],
  })
  expect(idsIn(await post('search/apps', { query: 'doomed' }))).toEqual([])
  expect(idsIn(await post('search/entitlements', { appIds: [app.id] }), inView('appEntitlement'))).toEqual([])
})

test('a resource type takes its resources and their entitlements along, and nothing else', async () => {
  const { app, type, otherType, otherResource, entitlement, otherEntitlement, ofApp } = await makeWorld()
  await remove(`apps/${app.id}/resource_types/${type.id}`)
  expect(idsIn(await get(`apps/${app.id}/resource_types`), inView('appResourceType'))).toEqual([otherType.id])
  const list = await get(`apps/${app.id}/resource_types/${otherType.id}/resources`)
  expect(idsIn(list, inView('appResource'))).toEqual([otherResource.id])
  expect(outcomeOf(await send('GET', `apps/${app.id}/resource_types/${type.id}/resources`))).toBe(
    '404/5 RESOURCE_TYPE_NOT_FOUND',
  )
  const left = await get(`apps/${app.id}/entitlements`)
  expect(idsIn(left, inView('appEntitlement'))).toEqual([otherEntitlement.id, ofApp.id])
  expect((await grantsIn(app.id)).filter(({ isOpen }) => !isOpen).map((grant) => grant.entitlement)).toEqual([
    entitlement.id,
  ])
  expect(await countProxies(app.id)).toBe(1)
  expect(
    (await lastEvent('app.v1.AppResourceTypeService.DeleteManuallyManagedResourceType')).resources[0]?.data,
  ).toEqual({
    appId: app.id,
    deletedAlong: {
      resourceTypes: 0,
      resources: 1,
      entitlements: 1,
      accounts: 0,
      grants: 1,
      proxies: 2,
      resourcesFreed: 0,
      owners: 0,
    },
  })
})

test('a resource takes its entitlements along; what lay in it stays by itself', async () => {
  const { app, type, otherType, resource, otherResource, otherEntitlement, ofApp } = await makeWorld()
  const sibling = await makeResource(setting, app.id, type.id, 'Sibling')
  await setting.server.db`
    update resources set parent_resource_type_id = ${type.id}, parent_resource_id = ${resource.id}
    where resource_id = ${otherResource.id}`
  await remove(`apps/${app.id}/resource_types/${type.id}/resources/${resource.id}`)
  const list = await get(`apps/${app.id}/resource_types/${type.id}/resources`)
  expect(idsIn(list, inView('appResource'))).toEqual([sibling.id])
  const left = await get(`apps/${app.id}/entitlements`)
  expect(idsIn(left, inView('appEntitlement'))).toEqual([otherEntitlement.id, ofApp.id])
  const freed = await get(`apps/${app.id}/resource_types/${otherType.id}/resources/${otherResource.id}`)
  expect((freed['appResourceView'] as Json)['appResource']).toMatchObject({
    parentAppResourceTypeId: '',
    parentAppResourceId: '',
  })
  expect(
    (await lastEvent('app.v1.AppResourceService.DeleteManuallyManagedAppResource')).resources[0]?.data,
  ).toMatchObject({ deletedAlong: { resources: 0, entitlements: 1, grants: 1, proxies: 2, resourcesFreed: 1 } })
})

test('an entitlement is taken from all who hold it, and from its bindings', async () => {
  const { app, entitlement, account } = await makeWorld()
  await makeAccount(app.id, [entitlement.id])
  await remove(`apps/${app.id}/entitlements/${entitlement.id}`)
  const ended = (await grantsIn(app.id)).filter(({ isOpen }) => !isOpen)
  expect(ended.map((grant) => grant.entitlement)).toEqual([entitlement.id, entitlement.id])
  expect(ended.map((grant) => grant.account)).toContain(account)
  expect(await countProxies(app.id)).toBe(1)
  expect((await lastEvent('app.v1.AppEntitlements.Delete')).resources[0]?.data).toEqual({
    appId: app.id,
    deletedAlong: { grants: 2, proxies: 2, owners: 0 },
  })
  // The account stays, with what else it holds.
  expect((await get(`apps/${app.id}`))['app']).toMatchObject({ userCount: '1' })
})

test('what is made while its app is deleted is refused or goes along: nothing is left alive in a dead app', async () => {
  for (let round = 0; round < 4; round++) {
    const app = await makeApp(setting)
    const type = await makeType(setting, app.id)
    const resource = await makeResource(setting, app.id, type.id)
    const of = { appResourceTypeId: type.id, appResourceId: resource.id }
    const replies = await Promise.all([
      send('POST', `apps/${app.id}/entitlements`, { displayName: 'New' }),
      send('POST', `apps/${app.id}/entitlements`, { displayName: 'New', ...of }),
      send('POST', `apps/${app.id}/resource_types`, { displayName: 'New' }),
      send('DELETE', `apps/${app.id}`),
      send('POST', `apps/${app.id}/resource_types/${type.id}/resources`, { displayName: 'New' }),
      send('POST', `apps/${app.id}/entitlements`, { displayName: 'New', ...of }),
    ])
    for (const reply of replies) expect(['200', '404/5 APP_NOT_FOUND']).toContain(outcomeOf(reply))
    const [alive] = await setting.server.db<{ count: number }[]>`
      select (select count(*) from entitlements where app_id = ${app.id} and deleted_at is null)
        + (select count(*) from resources where app_id = ${app.id} and deleted_at is null)
        + (select count(*) from resource_types where app_id = ${app.id} and deleted_at is null) as count`
    expect(alive?.count).toBe(0)
  }
})

test('what is made of a resource or a type while that is deleted is refused or goes along', async () => {
  for (let round = 0; round < 6; round++) {
    const app = await makeApp(setting)
    const type = await makeType(setting, app.id)
    const resource = await makeResource(setting, app.id, type.id)
    const path = `apps/${app.id}/resource_types/${type.id}`
    const of = { appResourceTypeId: type.id, appResourceId: resource.id }
    const make = () => [
      send('POST', `apps/${app.id}/entitlements`, { displayName: 'New', ...of }),
      send('POST', `${path}/resources`, { displayName: 'New' }),
    ]
    const gone = round % 2 === 0 ? path : `${path}/resources/${resource.id}`
    const before = [...make(), ...make()]
    const replies = await Promise.all([...before, send('DELETE', gone), ...make(), ...make()])
    for (const reply of replies) expect(outcomeOf(reply)).toMatch(/^(200|404.5 \S+|400.3 INPUT_INVALID)$/)
    const [alive] = await setting.server.db<{ count: number }[]>`
      select count(*) from entitlements e
      join resources r using (tenant_id, app_id, resource_type_id, resource_id)
      join resource_types t using (tenant_id, app_id, resource_type_id)
      where app_id = ${app.id} and e.deleted_at is null and (r.deleted_at is not null or t.deleted_at is not null)`
    const [left] = await setting.server.db<{ count: number }[]>`
      select count(*) from resources r join resource_types t using (tenant_id, app_id, resource_type_id)
      where app_id = ${app.id} and r.deleted_at is null and t.deleted_at is not null`
    expect([alive?.count, left?.count]).toEqual([0, 0])
  }
})

test('two who delete the same at once: one does, the other finds it gone', async () => {
  const { app, entitlement } = await makeWorld()
  const path = `apps/${app.id}/entitlements/${entitlement.id}`
  const twice = await Promise.all([send('DELETE', path), send('DELETE', path)])
  expect(twice.map(outcomeOf).toSorted()).toEqual(['200', '404/5 ENTITLEMENT_NOT_FOUND'])
  const apps = await Promise.all([send('DELETE', `apps/${app.id}`), send('DELETE', `apps/${app.id}`)])
  expect(apps.map(outcomeOf).toSorted()).toEqual(['200', '404/5 APP_NOT_FOUND'])
})
