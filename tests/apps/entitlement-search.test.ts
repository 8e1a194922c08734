import { expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf } from '../fixture/access.ts'
import {
  askElsewhere,
  idsIn,
  inView,
  type Made,
  makeApp,
  makeEntitlement,
  makeResource,
  makeType,
  nobody,
  pageThrough,
  prepare,
} from './support.ts'

const setting = prepare()
const { post, remove, send, makeAccount } = setting

const entitlementIn = inView('appEntitlement')
const search = async (body: object): Promise<string[]> => idsIn(await post('search/entitlements', body), entitlementIn)
const makeValue = async (kind: string, value: string): Promise<string> =>
  ((await post(`attributes/${kind}`, { value }))['value'] as Made).id

test('entitlements are found by the beginning of a word of the name, by alias, by slug, by id', async () => {
  const app = await makeApp(setting)
  const admin = await makeEntitlement(setting, app.id, 'Granite Admin', { alias: 'gr-admin', slug: 'admin-slug' })
  const reader = await makeEntitlement(setting, app.id, 'Granite Reader')
  expect(await search({ query: 'granite' })).toEqual([admin.id, reader.id])
  expect(await search({ query: 'Reade' })).toEqual([reader.id])
  expect(await search({ query: 'gr-ad' })).toEqual([admin.id])
  expect(await search({ query: 'admin-sl' })).toEqual([admin.id])
  expect(await search({ query: 'ranite' })).toEqual([])
  expect(await search({ query: reader.id })).toEqual([reader.id])
  expect(await search({ displayName: 'granite ADMIN' })).toEqual([admin.id])
  expect(await search({ displayName: 'granite' })).toEqual([])
  expect(await search({ alias: 'gr-admin' })).toEqual([admin.id])
  expect(await search({ alias: 'gr-' })).toEqual([])
  expect(await search({ query: '%' })).toEqual([])
  expect(await search({ query: 'x'.repeat(500) })).toEqual([])
  const elsewhere = await askElsewhere(setting, 'POST', 'search/entitlements', { query: 'granite' })
  expect(elsewhere.json['list']).toEqual([])
})

test('entitlements are filtered by app, ref, resource, type, trait, risk level and framework', async () => {
  const [app, otherApp] = [await makeApp(setting), await makeApp(setting)]
  const type = await makeType(setting, app.id)
  await post(`apps/${app.id}/resource_types/${type.id}`, { appResourceType: { traitIds: ['marble'] } })
  const resource = await makeResource(setting, app.id, type.id)
  const risk = await makeValue('risk_levels', 'High')
  const frameworks = [await makeValue('compliance_frameworks', 'A'), await makeValue('compliance_frameworks', 'B')]
  const one = await makeEntitlement(setting, app.id, 'Marble one', {
    appResourceTypeId: type.id,
    appResourceId: resource.id,
    riskLevelValueId: risk,
  })
  const two = await makeEntitlement(setting, app.id, 'Marble two', { complianceFrameworkValueIds: frameworks })
  const three = await makeEntitlement(setting, otherApp.id, 'Marble three')
  expect(await search({ appIds: [app.id] })).toEqual([one.id, two.id])
  expect(await search({ app_ids: [otherApp.id, app.id] })).toEqual([one.id, two.id, three.id])
  expect(await search({ query: 'marble', excludeAppIds: [app.id] })).toEqual([three.id])
  const refs = [
    { appId: app.id, id: two.id },
    { app_id: otherApp.id, id: one.id },
    { appId: otherApp.id, id: three.id },
  ]
  expect(await search({ refs })).toEqual([two.id, three.id])
  expect(await search({ appIds: [app.id], excluded_entitlement_refs: refs })).toEqual([one.id])
  expect(await search({ resourceIds: [resource.id, nobody] })).toEqual([one.id])
  expect(await search({ resourceTypeIds: [type.id] })).toEqual([one.id])
  expect(await search({ appIds: [app.id], excludeResourceTypeIds: [type.id] })).toEqual([two.id])
  expect(await search({ resourceTraitIds: ['marble'] })).toEqual([one.id])
  expect(await search({ riskLevelIds: [risk] })).toEqual([one.id])
  expect(await search({ complianceFrameworkIds: [frameworks[1], nobody] })).toEqual([two.id])
  expect(await search({ query: 'marble', riskLevelIds: [risk], appIds: [otherApp.id] })).toEqual([])
})

test('entitlements are filtered by who holds them, and until when', async () => {
  const app = await makeApp(setting)
  const [one, two, three] = [
    await makeEntitlement(setting, app.id, 'Basalt 1'),
    await makeEntitlement(setting, app.id, 'Basalt 2'),
    await makeEntitlement(setting, app.id, 'Basalt 3'),
  ]
  const ana = await makeAccount(app.id, [one.id, two.id])
  const bob = await makeAccount(app.id, [two.id], new Date(Date.now() + 86_400_000))
  expect(await search({ appUserIds: [ana] })).toEqual([one.id, two.id])
  expect(await search({ appUserIds: [ana, bob] })).toEqual([one.id, two.id])
  expect(await search({ appUserIds: [bob], query: 'basalt' })).toEqual([two.id])
  expect(await search({ query: 'basalt', excludeAppUserIds: [bob] })).toEqual([one.id, three.id])
  expect(await search({ appUserIds: [ana], excludeAppUserIds: [bob] })).toEqual([one.id])
  expect(await search({ appUserIds: [nobody] })).toEqual([])
  expect(await search({ appIds: [app.id], onlyGetExpiring: true })).toEqual([two.id])
  await setting.server.db`
    update grants set ended_at = began_at, ended_by = '', ended_why = 'revoked'
    where account_id = ${ana} and entitlement_id = ${one.id}`
  expect(await search({ appUserIds: [ana] })).toEqual([two.id])
})

test('those that a rule gives are found by that, and say so; a rule for nobody gives nothing', async () => {
  const app = await makeApp(setting)
  const [given, byNone, plain] = await Promise.all(
    ['Ruled one', 'Ruled two', 'Ruled three'].map((name) => makeEntitlement(setting, app.id, name)),
  )
  const rule = (id: string | undefined) => `apps/${app.id}/entitlements/${id}/automation`
  await setting.post(`${rule(given?.id)}/create`, { automation: { cel: { expression: 'false' } } })
  await setting.post(`${rule(byNone?.id)}/create`, { automation: { none: {} } })
  for (const query of ['', 'ruled'])
    expect(await search({ query, appIds: [app.id], isAutomated: true })).toEqual([given?.id])
  const read = async (id: string | undefined) =>
    ((await setting.get(`apps/${app.id}/entitlements/${id}`))['appEntitlementView'] as Json)['appEntitlement'] as Json
  expect(await read(given?.id)).toMatchObject({ isAutomationEnabled: true })
  for (const one of [byNone, plain]) expect(await read(one?.id)).toMatchObject({ isAutomationEnabled: false })
  await setting.remove(rule(given?.id))
  expect(await search({ appIds: [app.id], isAutomated: true })).toEqual([])
})

test('deleted ones are found where they are asked for', async () => {
  const app = await makeApp(setting)
  const [kept, gone] = [await makeEntitlement(setting, app.id), await makeEntitlement(setting, app.id)]
  await remove(`apps/${app.id}/entitlements/${gone.id}`)
  expect(await search({ appIds: [app.id] })).toEqual([kept.id])
  const { list } = await post('search/entitlements', { appIds: [app.id], include_deleted: true })
  const found = (list as Json[]).map(entitlementIn)
  expect(found.map(({ id }) => id)).toEqual([kept.id, gone.id])
  expect(found.map(({ deletedAt }) => deletedAt !== null)).toEqual([false, true])
})

test('neighbours come along once each, where they are wanted', async () => {
  const app = await makeApp(setting, 'Slate')
  const type = await makeType(setting, app.id)
  const resource = await makeResource(setting, app.id, type.id)
  const of = { appResourceTypeId: type.id, appResourceId: resource.id }
  await makeEntitlement(setting, app.id, 'Slate 1', of)
  await makeEntitlement(setting, app.id, 'Slate 2', of)
  await makeEntitlement(setting, app.id, 'Slate 3')
  const all = await post('search/entitlements', { query: 'slate', expandMask: { paths: ['*'] } })
  const paths = ({ appPath, appResourceTypePath, appResourcePath }: Json) => [
    appPath,
    appResourceTypePath,
    appResourcePath,
  ]
  const three = ['$.expanded[0]', '$.expanded[1]', '$.expanded[2]']
  expect((all['list'] as Json[]).map(paths)).toEqual([three, three, ['$.expanded[0]', '', '']])
  expect((all['expanded'] as Json[]).map((each) => [each['@type'], each['id']])).toEqual([
    ['type.googleapis.com/c1.api.app.v1.App', app.id],
    ['type.googleapis.com/c1.api.app.v1.AppResourceType', type.id],
    ['type.googleapis.com/c1.api.app.v1.AppResource', resource.id],
  ])
  const some = await post('search/entitlements', { query: 'slate', expand_mask: { paths: ['app_resource_id'] } })
  expect((some['list'] as Json[]).map(paths)).toEqual([
    ['', '', '$.expanded[0]'],
    ['', '', '$.expanded[0]'],
    ['', '', ''],
  ])
  const none = await post('search/entitlements', { query: 'slate' })
  expect(none['expanded']).toEqual([])
})

test('the first page tells by what a search can be narrowed', async () => {
  const [one, two] = [await makeApp(setting, 'Gneiss one'), await makeApp(setting, 'Gneiss two')]
  const type = await makeType(setting, one.id)
  const resource = await makeResource(setting, one.id, type.id)
  const assigned = { purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' }
  await makeEntitlement(setting, one.id, 'Gneiss a', {
    ...assigned,
    appResourceTypeId: type.id,
    appResourceId: resource.id,
  })
  await makeEntitlement(setting, one.id, 'Gneiss b', assigned)
  await makeEntitlement(setting, two.id, 'Gneiss c', { purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' })
  type Facet = { param: string; value: { values: { value: string; displayName: string; count: string }[] } }
  const asked = { query: 'gneiss' }
  const first = await post('search/entitlements', asked)
  const { count, facets } = first['facets'] as { count: string; facets: Facet[] }
  const told = Object.fromEntries(
    facets.map(({ param, value }) => [param, value.values.map((each) => [each.displayName, each.count])]),
  )
  expect(count).toBe('3')
  expect(told).toEqual({
    appIds: [
      ['Gneiss one', '2'],
      ['Gneiss two', '1'],
    ],
    resourceTypeIds: [[type.displayName, '1']],
    riskLevelIds: [],
    complianceFrameworkIds: [],
    purposes: [
      ['Assignment', '2'],
      ['Permission', '1'],
    ],
  })
  for (let n = 0; n < 8; n++) await makeEntitlement(setting, two.id, 'Gneiss')
  const { nextPageToken: pageToken } = await post('search/entitlements', { ...asked, pageSize: 10 })
  expect((await post('search/entitlements', { ...asked, pageSize: 10, pageToken }))['facets']).toBeNull()
})

test('a kind of membership is that of the slug, else of the purpose', async () => {
  const app = await makeApp(setting)
  const owned = { purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_OWNERSHIP' }
  const member = await makeEntitlement(setting, app.id, 'M', { purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT' })
  const owner = await makeEntitlement(setting, app.id, 'O', owned)
  const admin = await makeEntitlement(setting, app.id, 'A', { ...owned, slug: 'Admin' })
  await makeEntitlement(setting, app.id, 'P', { purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION' })
  const of = (...types: string[]) =>
    search({ appIds: [app.id], membershipType: types.map((type) => `APP_ENTITLEMENT_MEMBERSHIP_TYPE_${type}`) })
  expect(await of('MEMBER')).toEqual([member.id])
  expect(await of('OWNER', 'ADMIN')).toEqual([owner.id, admin.id])
  expect(await of('EXCLUSION')).toEqual([])
  expect(await of('UNSPECIFIED')).toHaveLength(4)
})

test('a search is paged to the end while others come and go, by words and by filters', async () => {
  const apps = [await makeApp(setting), await makeApp(setting)]
  const there = await Promise.all(
    Array.from({ length: 34 }, (_, i) => makeEntitlement(setting, apps[i % 2]?.id as string, `Onyx ${i % 7}`)),
  )
  const leaving = await makeEntitlement(setting, apps[1]?.id as string, 'Onyx x')
  for (const body of [{ query: 'onyx' }, { appIds: apps.map(({ id }) => id) }, { displayName: 'onyx 3' }]) {
    const items = await pageThrough(setting, 'POST', 'search/entitlements', body, async (page) => {
      if (page === 1) await send('DELETE', `apps/${apps[1]?.id as string}/entitlements/${leaving.id}`)
      await makeEntitlement(setting, apps[page % 2]?.id as string, `Onyx ${page} later`)
    })
    const seen = items.map((item) => entitlementIn(item)['id'])
    expect(new Set(seen).size).toBe(seen.length)
    const expected = 'displayName' in body ? there.filter((each) => each['displayName'] === 'Onyx 3') : there
    expect(seen).toEqual(expect.arrayContaining(expected.map(({ id }) => id)))
  }
})

test('filters that are not right are refused', async () => {
  const cases: [object, string[]][] = [
    [{ appIds: 'x' }, ['appIds']],
    [{ appIds: Array.from({ length: 1001 }, () => 'x') }, ['appIds']],
    [{ refs: [null] }, ['refs[0]']],
    [{ refs: ['x'] }, ['refs[0]']],
    [{ query: 'x'.repeat(1001) }, ['query']],
    [{ query: 'a\0b' }, ['query']],
    [{ includeDeleted: 'yes' }, ['includeDeleted']],
  ]
  for (const [body, fields] of cases) {
    const reply = await send('POST', 'search/entitlements', body)
    expect([outcomeOf(reply), fieldsOf(reply)]).toEqual(['400/3 INPUT_INVALID', fields])
  }
})
