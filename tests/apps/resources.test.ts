import { expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import {
  askElsewhere,
  idsIn,
  inView,
  makeApp,
  makeEntitlement,
  makeResource,
  makeType,
  nobody,
  pageThrough,
  prepare,
} from './support.ts'

const setting = prepare()
const { get, post, remove, send, lastEvent, makeAccount } = setting

const ofType = inView('appResourceType')
const ofResource = inView('appResource')
const noApp = '404/5 APP_NOT_FOUND'
const noType = '404/5 RESOURCE_TYPE_NOT_FOUND'
const noResource = '404/5 RESOURCE_NOT_FOUND'

test('a resource type is made, got, listed, changed and deleted', async () => {
  const app = await makeApp(setting)
  const path = `apps/${app.id}/resource_types`
  const { appResourceType: made, expanded } = (await post(path, {
    display_name: ' Team ',
    resource_type: 'GROUP',
  })) as {
    appResourceType: Json & { id: string }
    expanded: unknown
  }
  expect(expanded).toEqual([])
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
    appId: app.id,
    displayName: 'Team',
    traitIds: ['GROUP'],
    createdAt: made['createdAt'],
    updatedAt: made['createdAt'],
    deletedAt: null,
  })
  const view = { appResourceType: made, appPath: '' }
  expect(await get(`${path}/${made.id}`)).toEqual({ appResourceTypeView: view, expanded: [] })
  expect(await get(path)).toEqual({ list: [view], expanded: [], nextPageToken: '' })

  const changes = { appResourceType: { displayName: 'Squad', traitIds: ['a', 'b', 'a'] }, updateMask: 'trait_ids' }
  const changed = (await post(`${path}/${made.id}`, changes))['appResourceType'] as Json
  expect(changed).toMatchObject({ displayName: 'Team', traitIds: ['a', 'b'] })
  expect(await lastEvent('app.v1.AppResourceTypeService.UpdateManuallyManagedResourceType')).toMatchObject({
    message: 'Changed traitIds of the resource type Team',
    resources: [{ type: 'resource_type', uid: made.id, data: { appId: app.id } }],
  })
  await remove(`${path}/${made.id}`)
  expect(await get(path)).toEqual({ list: [], expanded: [], nextPageToken: '' })
})

test('a resource type that is not right is refused', async () => {
  const app = await makeApp(setting)
  const type = await makeType(setting, app.id)
  const path = `apps/${app.id}/resource_types`
  const cases: [string, object, string][] = [
    [path, {}, 'displayName'],
    [path, { displayName: 'x'.repeat(201) }, 'displayName'],
    [path, { displayName: 'x', resourceType: 'SPACESHIP' }, 'resourceType'],
    [`${path}/${type.id}`, { appResourceType: { displayName: '' } }, 'appResourceType.displayName'],
    [`${path}/${type.id}`, { appResourceType: {}, updateMask: 'appId' }, 'updateMask'],
  ]
  for (const [at, body, field] of cases) {
    const reply = await send('POST', at, body)
    expect([body, outcomeOf(reply), fieldsOf(reply)]).toEqual([body, '400/3 INPUT_INVALID', [field]])
  }
})

test('a resource is made, got, listed, changed with its neighbours along, and deleted', async () => {
  const app = await makeApp(setting, 'The app')
  const type = await makeType(setting, app.id, 'Repository')
  const path = `apps/${app.id}/resource_types/${type.id}/resources`
  const wanted = { displayName: 'Core ', description: 'The core', annotations: { team: 'one' } }
  const { appResource: made } = (await post(path, wanted)) as { appResource: Json & { id: string } }
  expect(made).toEqual({
    id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
    appId: app.id,
    appResourceTypeId: type.id,
    externalId: '',
    displayName: 'Core',
    description: 'The core',
    customDescription: '',
    annotations: { team: 'one' },
    matchBatonId: '',
    accessConfigId: '',
    profile: {},
    parentAppResourceTypeId: '',
    parentAppResourceId: '',
    grantCount: '0',
    createdAt: made['createdAt'],
    updatedAt: made['createdAt'],
    deletedAt: null,
  })
  const view = {
    appResource: made,
    appPath: '',
    resourceTypePath: '',
    parentResourceTypePath: '',
    parentResourcePath: '',
    objectPermissions: { read: true, edit: true, delete: true },
  }
  expect(await get(`${path}/${made.id}`)).toEqual({ appResourceView: view, expanded: [] })
  expect(await get(path)).toEqual({ list: [view], expanded: [], nextPageToken: '' })

  const changed = await post(`${path}/${made.id}`, {
    app_resource: { custom_description: 'Ours', description: 'not named' },
    update_mask: 'custom_description',
    expand_mask: { paths: ['app_id', 'appResourceTypeId', 'parentAppResourceId', 'nonsense'] },
  })
  expect(changed).toEqual({
    appResourceView: {
      ...view,
      appResource: {
        ...made,
        customDescription: 'Ours',
        updatedAt: ofResource(changed['appResourceView'] as Json)['updatedAt'],
      },
      appPath: '$.expanded[0]',
      resourceTypePath: '$.expanded[1]',
    },
    expanded: [
      expect.objectContaining({ '@type': 'type.googleapis.com/c1.api.app.v1.App', id: app.id, displayName: 'The app' }),
      { '@type': 'type.googleapis.com/c1.api.app.v1.AppResourceType', ...type },
    ],
  })
  await remove(`${path}/${made.id}`)
  expect(outcomeOf(await send('GET', `${path}/${made.id}`))).toBe(noResource)
  expect(await get(path)).toEqual({ list: [], expanded: [], nextPageToken: '' })
})

test('a resource that lies in another tells where, and has it along', async () => {
  const app = await makeApp(setting)
  const [outerType, innerType] = [await makeType(setting, app.id, 'Org'), await makeType(setting, app.id, 'Repo')]
  const outer = await makeResource(setting, app.id, outerType.id, 'Outer')
  const inner = await makeResource(setting, app.id, innerType.id, 'Inner')
  await setting.server.db`
    update resources set parent_resource_type_id = ${outerType.id}, parent_resource_id = ${outer.id}
    where resource_id = ${inner.id}`
  const path = `apps/${app.id}/resource_types/${innerType.id}/resources/${inner.id}`
  const { appResourceView, expanded } = await post(path, { expandMask: { paths: ['*'] } })
  expect(appResourceView).toMatchObject({
    appResource: { parentAppResourceTypeId: outerType.id, parentAppResourceId: outer.id },
    appPath: '$.expanded[0]',
    resourceTypePath: '$.expanded[1]',
    parentResourceTypePath: '$.expanded[2]',
    parentResourcePath: '$.expanded[3]',
  })
  expect((expanded as Json[]).map(({ id }) => id)).toEqual([app.id, innerType.id, outerType.id, outer.id])
  const parentOnly = await post(path, { expandMask: { paths: ['parent_app_resource_type_id'] } })
  expect(parentOnly['appResourceView']).toMatchObject({ resourceTypePath: '', parentResourceTypePath: '$.expanded[0]' })
})

test('grantCount of a resource counts the accounts that hold any of its entitlements, each once', async () => {
  const app = await makeApp(setting)
  const type = await makeType(setting, app.id)
  const resource = await makeResource(setting, app.id, type.id)
  const of = { appResourceTypeId: type.id, appResourceId: resource.id }
  const [one, two] = [
    await makeEntitlement(setting, app.id, 'One', of),
    await makeEntitlement(setting, app.id, 'Two', of),
  ]
  const apart = await makeEntitlement(setting, app.id, 'Of the app')
  await makeAccount(app.id, [one.id, two.id])
  await makeAccount(app.id, [two.id])
  await makeAccount(app.id, [apart.id])
  const path = `apps/${app.id}/resource_types/${type.id}/resources/${resource.id}`
  expect((await get(path))['appResourceView']).toMatchObject({ appResource: { grantCount: '2' } })
})

test('a resource that is not right is refused', async () => {
  const app = await makeApp(setting)
  const type = await makeType(setting, app.id)
  const path = `apps/${app.id}/resource_types/${type.id}/resources`
  const resource = await makeResource(setting, app.id, type.id)
  const cases: [string, object, string][] = [
    [path, { description: 'nameless' }, 'displayName'],
    [path, { displayName: 'x', annotations: { a: null } }, 'annotations.a'],
    [`${path}/${resource.id}`, { appResource: { displayName: ' ' } }, 'appResource.displayName'],
    [`${path}/${resource.id}`, { appResource: {}, updateMask: 'parentAppResourceId' }, 'updateMask'],
    [`${path}/${resource.id}`, { expandMask: { paths: 'app_id' } }, 'expandMask.paths'],
  ]
  for (const [at, body, field] of cases) {
    const reply = await send('POST', at, body)
    expect([body, outcomeOf(reply), fieldsOf(reply)]).toEqual([body, '400/3 INPUT_INVALID', [field]])
  }
})

test('what is not there is 404 by its own name: the app, the type, the resource', async () => {
  const [app, otherApp] = [await makeApp(setting), await makeApp(setting)]
  const type = await makeType(setting, app.id)
  const resource = await makeResource(setting, app.id, type.id)
  const body = { displayName: 'x' }
  const cases: ['GET' | 'POST' | 'DELETE', string, string, object?][] = [
    ['GET', `apps/${nobody}/resource_types`, noApp],
    ['POST', `apps/${nobody}/resource_types`, noApp],
    ['GET', `apps/${nobody}/resource_types/${type.id}`, noApp],
    ['GET', `apps/${otherApp.id}/resource_types/${type.id}`, noType],
    ['POST', `apps/${app.id}/resource_types/${nobody}`, noType, { appResourceType: body }],
    ['DELETE', `apps/${app.id}/resource_types/${nobody}`, noType],
    ['DELETE', `apps/${nobody}/resource_types/${type.id}`, noApp],
    ['GET', `apps/${nobody}/resource_types/${type.id}/resources`, noApp],
    ['GET', `apps/${app.id}/resource_types/${nobody}/resources`, noType],
    ['POST', `apps/${nobody}/resource_types/${type.id}/resources`, noApp],
    ['POST', `apps/${app.id}/resource_types/${nobody}/resources`, noType],
    ['GET', `apps/${app.id}/resource_types/${type.id}/resources/${nobody}`, noResource],
    ['POST', `apps/${app.id}/resource_types/${type.id}/resources/${nobody}`, noResource, { appResource: body }],
    ['DELETE', `apps/${app.id}/resource_types/${type.id}/resources/${nobody}`, noResource],
    ['GET', `apps/${app.id}/resource_types/${nobody}/resources/${resource.id}`, noType],
    ['DELETE', `apps/${nobody}/resource_types/${type.id}/resources/${resource.id}`, noApp],
  ]
  for (const [method, path, outcome, sent = body] of cases)
    expect([method, path, outcomeOf(await send(method, path, method === 'POST' ? sent : undefined))]).toEqual([
      method,
      path,
      outcome,
    ])
  const path = `apps/${app.id}/resource_types/${type.id}`
  expect(outcomeOf(await askElsewhere(setting, 'GET', path))).toBe(noApp)
  expect(outcomeOf(await askElsewhere(setting, 'POST', path, { appResourceType: body }))).toBe(noApp)
  expect(outcomeOf(await askElsewhere(setting, 'GET', `${path}/resources/${resource.id}`))).toBe(noApp)
  expect(outcomeOf(await askElsewhere(setting, 'DELETE', `${path}/resources/${resource.id}`))).toBe(noApp)
  expect(outcomeOf(await send('GET', `${path}/resources/${resource.id}`))).toBe('200')
})

test('resource types are searched by words, names, ids, traits, apps, and who holds something of them', async () => {
  const [app, otherApp] = [await makeApp(setting), await makeApp(setting)]
  const bucket = await makeType(setting, app.id, 'Quartz Bucket')
  const queue = await makeType(setting, otherApp.id, 'Quartz Queue')
  await post(`apps/${app.id}/resource_types/${bucket.id}`, { appResourceType: { traitIds: ['storage'] } })
  const resource = await makeResource(setting, app.id, bucket.id)
  const held = await makeEntitlement(setting, app.id, 'Held', {
    appResourceTypeId: bucket.id,
    appResourceId: resource.id,
  })
  const account = await makeAccount(app.id, [held.id])
  const search = async (body: object) => idsIn(await post('search/app_resource_types', body))
  expect(await search({ query: 'quartz' })).toEqual([bucket.id, queue.id])
  expect(await search({ query: 'buck' })).toEqual([bucket.id])
  expect(await search({ query: queue.id })).toEqual([queue.id])
  expect(await search({ displayName: 'quartz queue' })).toEqual([queue.id])
  expect(await search({ query: 'quartz', app_ids: [app.id] })).toEqual([bucket.id])
  expect(await search({ appIds: [otherApp.id, app.id] })).toEqual([bucket.id, queue.id])
  expect(await search({ query: 'quartz', excludeResourceTypeIds: [queue.id] })).toEqual([bucket.id])
  expect(await search({ resourceTypeIds: [queue.id, bucket.id] })).toEqual([bucket.id, queue.id])
  expect(await search({ resourceTypeTraitIds: ['storage', 'none'] })).toEqual([bucket.id])
  expect(await search({ query: 'quartz', excludeResourceTypeTraitIds: ['storage'] })).toEqual([queue.id])
  expect(await search({ appUserIds: [account] })).toEqual([bucket.id])
  expect(await search({ appUserIds: [nobody] })).toEqual([])
})

test('resources are searched by words, ids, refs, types, traits, apps, and who holds something of them', async () => {
  const [app, otherApp] = [await makeApp(setting), await makeApp(setting)]
  const type = await makeType(setting, app.id)
  const otherType = await makeType(setting, otherApp.id)
  await post(`apps/${app.id}/resource_types/${type.id}`, { appResourceType: { traitIds: ['special'] } })
  const one = await makeResource(setting, app.id, type.id, 'Jasper North')
  const two = await makeResource(setting, otherApp.id, otherType.id, 'Jasper South')
  const held = await makeEntitlement(setting, app.id, 'Held', { appResourceTypeId: type.id, appResourceId: one.id })
  const account = await makeAccount(app.id, [held.id])
  const search = async (body: object) => idsIn(await post('search/app_resources', body), ofResource)
  expect(await search({ query: 'jasper' })).toEqual([one.id, two.id])
  expect(await search({ query: 'sou' })).toEqual([two.id])
  expect(await search({ query: one.id })).toEqual([one.id])
  expect(await search({ query: 'jasper', appId: app.id })).toEqual([one.id])
  expect(await search({ query: 'jasper', app_ids: [otherApp.id] })).toEqual([two.id])
  expect(await search({ appId: app.id, appIds: [otherApp.id] })).toEqual([])
  expect(await search({ resourceIds: [one.id, two.id], excludeResourceIds: [one.id] })).toEqual([two.id])
  expect(await search({ resource_type_ids: [type.id] })).toEqual([one.id])
  const refs = [
    { appId: app.id, appResourceTypeId: type.id, id: one.id },
    { appId: app.id, appResourceTypeId: type.id, id: two.id },
  ]
  expect(await search({ refs })).toEqual([one.id])
  expect(await search({ query: 'jasper', resourceTypeTraitIds: ['special'] })).toEqual([one.id])
  expect(await search({ query: 'jasper', excludeResourceTypeTraitIds: ['special'] })).toEqual([two.id])
  expect(await search({ appUserIds: [account] })).toEqual([one.id])
  expect(await search({ query: 'jasper', ownerUserIds: [nobody] })).toEqual([])
})

test('types and resources are paged to the end while others come and go', async () => {
  const app = await makeApp(setting)
  const types = await Promise.all(Array.from({ length: 23 }, (_, i) => makeType(setting, app.id, `Paged type ${i}`)))
  const [type] = types as [(typeof types)[0]]
  const resources = await Promise.all(
    Array.from({ length: 23 }, (_, i) => makeResource(setting, app.id, type.id, `Paged thing ${i}`)),
  )
  const path = `apps/${app.id}/resource_types`
  const come = async (page: number): Promise<void> => {
    await makeType(setting, app.id, `Paged type later ${page}`)
    const gone = await makeResource(setting, app.id, type.id, `Paged thing 0 later ${page}`)
    if (page === 1) await remove(`${path}/${type.id}/resources/${gone.id}`)
  }
  const ways: ['GET' | 'POST', string, object, (item: Json) => Json, { id: string }[]][] = [
    ['GET', path, {}, ofType, types],
    ['GET', `${path}/${type.id}/resources`, {}, ofResource, resources],
    ['POST', 'search/app_resource_types', { query: 'paged' }, (item) => item, types],
    ['POST', 'search/app_resource_types', { appIds: [app.id] }, (item) => item, types],
    ['POST', 'search/app_resources', { query: 'thing' }, ofResource, resources],
    ['POST', 'search/app_resources', { appId: app.id }, ofResource, resources],
  ]
  for (const [method, at, body, of, expected] of ways) {
    const seen = (await pageThrough(setting, method, at, body, come)).map((item) => of(item)['id'])
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(expected.map(({ id }) => id)))
  }
})
