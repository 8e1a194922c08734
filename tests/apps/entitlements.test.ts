import { expect, test } from 'vitest'
import { ask, fieldsOf, getToken, type Json, outcomeOf } from '../fixture/access.ts'
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
const { get, post, remove, send, lastEvent, makeAccount } = setting

const entitlementIn = inView('appEntitlement')
const inReply = (json: Json): Json => entitlementIn(json['appEntitlementView'] as Json)
const noApp = '404/5 APP_NOT_FOUND'
const noEntitlement = '404/5 ENTITLEMENT_NOT_FOUND'
const change = async (appId: string, id: string, body: object): Promise<Json> =>
  inReply(await post(`apps/${appId}/entitlements/${id}`, body))
const makeValue = async (kind: 'risk_levels' | 'compliance_frameworks', value: string): Promise<string> =>
  ((await post(`attributes/${kind}`, { value }))['value'] as Made).id

test('an entitlement of a resource is made with all that its maker says, with its neighbours along', async () => {
  const app = await makeApp(setting, 'The app')
  const type = await makeType(setting, app.id)
  const resource = await makeResource(setting, app.id, type.id)
  const risk = await makeValue('risk_levels', 'High')
  const frameworks = [
    await makeValue('compliance_frameworks', 'SOC 2'),
    await makeValue('compliance_frameworks', 'PCI'),
  ]
  const wanted = {
    displayName: 'Admin',
    description: 'May do everything',
    slug: 'admin',
    alias: 'core-admin',
    purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION',
    annotations: { a: 'b' },
    riskLevelValueId: risk,
    complianceFrameworkValueIds: frameworks,
    durationGrant: '3600s',
    appResourceTypeId: type.id,
    appResourceId: resource.id,
  }
  const reply = await post(`apps/${app.id}/entitlements`, { ...wanted, expandMask: { paths: ['*'] } })
  const made = inReply(reply) as Made
  expect(made).toEqual({
    ...wanted,
    id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
    appId: app.id,
    externalId: '',
    durationUnset: null,
    emergencyGrantEnabled: false,
    overrideAccessRequestsDefaults: false,
    provisionerPolicy: null,
    deprovisionerPolicy: null,
    certifyPolicyId: '',
    grantPolicyId: '',
    revokePolicyId: '',
    emergencyGrantPolicyId: '',
    matchBatonId: '',
    requestSchemaId: '',
    defaultValuesApplied: false,
    sourceConnectorIds: {},
    systemBuiltin: false,
    isManuallyManaged: true,
    isAutomationEnabled: false,
    userEditedMask: '',
    grantCount: '0',
    createdAt: made['createdAt'],
    updatedAt: made['createdAt'],
    deletedAt: null,
  })
  expect(reply['appEntitlementView']).toMatchObject({
    appPath: '$.expanded[0]',
    appResourceTypePath: '$.expanded[1]',
    appResourcePath: '$.expanded[2]',
    objectPermissions: { read: true, edit: true, delete: true },
  })
  expect(reply['expanded']).toMatchObject([
    { '@type': 'type.googleapis.com/c1.api.app.v1.App', id: app.id, displayName: 'The app' },
    { '@type': 'type.googleapis.com/c1.api.app.v1.AppResourceType', id: type.id },
    { '@type': 'type.googleapis.com/c1.api.app.v1.AppResource', id: resource.id },
  ])
  const got = await get(`apps/${app.id}/entitlements/${made.id}`)
  expect(inReply(got)).toEqual(made)
  expect(got['expanded']).toEqual([])
  expect(await lastEvent('app.v1.AppEntitlements.Create')).toMatchObject({
    message: 'Created the entitlement Admin',
    resources: [{ type: 'entitlement', uid: made.id, data: { appId: app.id, riskLevelValueId: risk } }],
  })
})

test('an entitlement of the app itself needs a name only', async () => {
  const app = await makeApp(setting)
  const made = await makeEntitlement(setting, app.id, ' Member ')
  expect(made).toMatchObject({
    displayName: 'Member',
    appResourceTypeId: '',
    appResourceId: '',
    purpose: 'APP_ENTITLEMENT_PURPOSE_VALUE_ASSIGNMENT',
    riskLevelValueId: '',
    complianceFrameworkValueIds: [],
    durationGrant: null,
    durationUnset: null,
  })
})

test('an item of the list has the one field appEntitlement', async () => {
  const app = await makeApp(setting)
  const made = await makeEntitlement(setting, app.id)
  await makeAccount(app.id, [made.id])
  await makeAccount(app.id, [made.id])
  expect(await get(`apps/${app.id}/entitlements`)).toEqual({
    list: [{ appEntitlement: { ...made, grantCount: '2' } }],
    nextPageToken: '',
  })
})

test('the entitlements of a resource are listed as views; the path is not taken for an id', async () => {
  const app = await makeApp(setting)
  const type = await makeType(setting, app.id)
  const [one, two] = [await makeResource(setting, app.id, type.id), await makeResource(setting, app.id, type.id)]
  const made = await makeEntitlement(setting, app.id, 'Of one', { appResourceTypeId: type.id, appResourceId: one.id })
  await makeEntitlement(setting, app.id, 'Of two', { appResourceTypeId: type.id, appResourceId: two.id })
  await makeEntitlement(setting, app.id, 'Of the app')
  const path = `apps/${app.id}/entitlements/resource_types/${type.id}/resources`
  expect(await get(`${path}/${one.id}`)).toEqual({
    list: [
      {
        appEntitlement: made,
        appPath: '$.expanded[0]',
        appResourceTypePath: '$.expanded[1]',
        appResourcePath: '$.expanded[2]',
        objectPermissions: { read: true, edit: true, delete: true },
      },
    ],
    expanded: [app, type, one].map(({ id }) => expect.objectContaining({ id }) as unknown),
    nextPageToken: '',
  })
  const all = `apps/${app.id}/entitlements`
  const plain = await get(all)
  expect(Object.keys(plain)).toEqual(['list', 'nextPageToken'])
  expect((plain['list'] as Json[]).map((each) => Object.keys(each))).toEqual([
    ['appEntitlement'],
    ['appEntitlement'],
    ['appEntitlement'],
  ])
  const some = await get(`${all}?expand=app_id`)
  expect((some['list'] as Json[])[0]).toEqual({ appEntitlement: made, appPath: '$.expanded[0]' })
  expect(some['expanded']).toEqual([expect.objectContaining({ id: app.id })])
  const { list } = await get(`${all}?expand=*`)
  expect((list as Json[]).map((each) => Object.keys(each).length)).toEqual([4, 4, 2])
  expect(outcomeOf(await send('GET', `${path}/${nobody}`))).toBe('404/5 RESOURCE_NOT_FOUND')
  expect(outcomeOf(await send('GET', `apps/${nobody}/entitlements/resource_types/x/resources/y`))).toBe(noApp)
  expect(outcomeOf(await send('GET', `apps/${app.id}/entitlements/resource_types/x/resources/y`))).toBe(
    '404/5 RESOURCE_TYPE_NOT_FOUND',
  )
})

test('an entitlement that is not right is refused with every field that is wrong, and is not made', async () => {
  const [app, otherApp] = [await makeApp(setting), await makeApp(setting)]
  const type = await makeType(setting, app.id)
  const resource = await makeResource(setting, app.id, type.id)
  const risk = await makeValue('risk_levels', 'Low')
  const framework = await makeValue('compliance_frameworks', 'ISO')
  const of = { appResourceTypeId: type.id, appResourceId: resource.id }
  const cases: [object, string[], string?][] = [
    [{}, ['displayName']],
    [{ displayName: 'x', alias: 'x'.repeat(201) }, ['alias']],
    [{ displayName: 'x', appResourceId: resource.id }, ['appResourceTypeId']],
    [{ displayName: 'x', appResourceTypeId: type.id }, ['appResourceId']],
    [{ displayName: 'x', ...of, appResourceId: nobody }, ['appResourceId'], nobody],
    [{ displayName: 'x', ...of, appResourceTypeId: nobody }, ['appResourceId'], nobody],
    [{ displayName: 'x', riskLevelValueId: nobody }, ['riskLevelValueId'], nobody],
    [{ displayName: 'x', riskLevelValueId: framework }, ['riskLevelValueId'], framework],
    [
      { displayName: 'x', complianceFrameworkValueIds: [framework, risk, nobody] },
      ['complianceFrameworkValueIds[1]', 'complianceFrameworkValueIds[2]'],
      nobody,
    ],
    [{ displayName: 'x', durationGrant: '0s' }, ['durationGrant']],
    [{ displayName: 'x', durationGrant: '-5s' }, ['durationGrant']],
    [{ displayName: 'x', durationGrant: '1.5s' }, ['durationGrant']],
    [{ displayName: 'x', durationGrant: '999999999999s' }, ['durationGrant']],
    [{ displayName: 'x', durationGrant: 60 }, ['durationGrant']],
    [{ displayName: 'x', durationGrant: '60s', durationUnset: {} }, ['durationGrant']],
    [{ displayName: 'x', purpose: 'WORLD_DOMINATION' }, ['purpose']],
  ]
  for (const [body, fields, named] of cases) {
    const reply = await send('POST', `apps/${app.id}/entitlements`, body)
    expect([body, outcomeOf(reply), fieldsOf(reply)]).toEqual([body, '400/3 INPUT_INVALID', fields])
    expect(reply.json['message']).toContain(named ?? fields[0])
  }
  expect(fieldsOf(await send('POST', `apps/${otherApp.id}/entitlements`, { displayName: 'x', ...of }))).toEqual([
    'appResourceId',
  ])
  expect(idsIn(await get(`apps/${app.id}/entitlements`), entitlementIn)).toEqual([])
})

test('an update changes what the mask names, in either spelling, and nothing else', async () => {
  const app = await makeApp(setting)
  const made = await makeEntitlement(setting, app.id, 'Before', { description: 'kept', alias: 'old' })
  const risk = await makeValue('risk_levels', 'Medium')
  const body = { entitlement: { displayName: 'After', alias: 'new', risk_level_value_id: risk, description: 'x' } }
  const changed = await change(app.id, made.id, { ...body, update_mask: 'display_name,riskLevelValueId' })
  expect(changed).toEqual({
    ...made,
    displayName: 'After',
    riskLevelValueId: risk,
    userEditedMask: 'displayName,riskLevelValueId',
    updatedAt: changed['updatedAt'],
  })
  expect(await lastEvent('app.v1.AppEntitlements.Update')).toMatchObject({
    message: 'Changed displayName, riskLevelValueId of the entitlement After',
  })
  expect(await change(app.id, made.id, { entitlement: changed })).toMatchObject({
    ...changed,
    updatedAt: expect.anything() as string,
  })
  expect(await change(app.id, made.id, { updateMask: 'risk_level_value_id' })).toMatchObject({ riskLevelValueId: '' })
})

test('a duration and its absence are one thing', async () => {
  const app = await makeApp(setting)
  const { id } = await makeEntitlement(setting, app.id)
  const set = (entitlement: object, updateMask = '') => change(app.id, id, { entitlement, updateMask })
  expect(await set({ durationGrant: '60s' })).toMatchObject({ durationGrant: '60s', durationUnset: null })
  expect(await set({ displayName: 'Renamed' })).toMatchObject({ durationGrant: '60s', durationUnset: null })
  expect(await set({ durationUnset: {} })).toMatchObject({ durationGrant: null, durationUnset: {} })
  expect(await set({ duration_grant: '7200s', duration_unset: null })).toMatchObject({ durationGrant: '7200s' })
  expect(await set({}, 'duration_grant')).toMatchObject({ durationGrant: null, durationUnset: null })
  const said = await makeEntitlement(setting, app.id, 'Said', { durationUnset: {} })
  expect(said).toMatchObject({ durationGrant: null, durationUnset: {} })
})

test('an update that sends the whole entitlement, as Terraform does, empties what it leaves out', async () => {
  const app = await makeApp(setting, 'Whole')
  const framework = await makeValue('compliance_frameworks', 'Whole framework')
  const wanted = { durationGrant: '3600s', complianceFrameworkValueIds: [framework], annotations: { a: 'b' } }
  const { id } = await makeEntitlement(setting, app.id, 'Whole', wanted)
  const read = inReply(await get(`apps/${app.id}/entitlements/${id}`))
  const { durationGrant: _, durationUnset: __, complianceFrameworkValueIds: ___, annotations: ____, ...rest } = read
  // Whoever sends less changes only that.
  const { alias: _____, ...part } = rest
  expect(await change(app.id, id, { entitlement: part })).toMatchObject(wanted)
  expect(await change(app.id, id, { entitlement: rest, updateMask: 'displayName' })).toMatchObject(wanted)
  const emptied = { durationGrant: null, durationUnset: null, complianceFrameworkValueIds: [], annotations: { a: 'b' } }
  expect(await change(app.id, id, { entitlement: rest })).toMatchObject(emptied)
})

test('an update that is not right is refused and changes nothing', async () => {
  const app = await makeApp(setting)
  const made = await makeEntitlement(setting, app.id)
  const cases: [object, string[]][] = [
    [{ entitlement: { displayName: ' ' } }, ['entitlement.displayName']],
    [{ entitlement: { riskLevelValueId: nobody } }, ['entitlement.riskLevelValueId']],
    [{ entitlement: { complianceFrameworkValueIds: [nobody] } }, ['entitlement.complianceFrameworkValueIds[0]']],
    [{ entitlement: { durationGrant: '0s' } }, ['entitlement.durationGrant']],
    [{ entitlement: { durationGrant: '1s', durationUnset: {} } }, ['entitlement.durationGrant']],
    [{ entitlement: { appResourceId: nobody }, updateMask: 'appResourceId' }, ['updateMask']],
    [{ entitlement: {}, updateMask: 'app_id' }, ['updateMask']],
    [{ entitlement: {}, updateMask: 'grant_count' }, ['updateMask']],
  ]
  for (const [body, fields] of cases) {
    const reply = await send('POST', `apps/${app.id}/entitlements/${made.id}`, body)
    expect([body, outcomeOf(reply), fieldsOf(reply)]).toEqual([body, '400/3 INPUT_INVALID', fields])
  }
  expect(inReply(await get(`apps/${app.id}/entitlements/${made.id}`))).toEqual(made)
})

test('updates at once are done one after the other, and none is lost', async () => {
  const app = await makeApp(setting)
  const { id } = await makeEntitlement(setting, app.id)
  const fields = ['displayName', 'description', 'slug', 'alias'] as const
  await Promise.all(
    fields.flatMap((field) =>
      [1, 2, 3].map(() => change(app.id, id, { entitlement: { [field]: `new ${field}` }, updateMask: field })),
    ),
  )
  expect(inReply(await get(`apps/${app.id}/entitlements/${id}`))).toMatchObject(
    Object.fromEntries(fields.map((field) => [field, `new ${field}`])),
  )
})

test('an entitlement that comes to point at a value while the value is deleted points at nothing afterwards', async () => {
  const app = await makeApp(setting)
  const made = await Promise.all(Array.from({ length: 4 }, () => makeEntitlement(setting, app.id)))
  for (let round = 0; round < 5; round++) {
    const risk = await makeValue('risk_levels', `Fleeting ${round}`)
    const body = { entitlement: { riskLevelValueId: risk }, updateMask: 'riskLevelValueId' }
    const outcomes = await Promise.all([
      ...made.map(({ id }) => send('POST', `apps/${app.id}/entitlements/${id}`, body)),
      send('DELETE', `attribute/${risk}`),
      send('POST', `apps/${app.id}/entitlements`, { displayName: 'New', riskLevelValueId: risk }),
    ])
    for (const reply of outcomes) expect(['200', '400/3 INPUT_INVALID']).toContain(outcomeOf(reply))
    const items = (await get(`apps/${app.id}/entitlements`))['list'] as Json[]
    expect(items.map((item) => entitlementIn(item)['riskLevelValueId'])).not.toContain(risk)
  }
})

test('what is not there is 404: the app, the entitlement, what is deleted, what is elsewhere', async () => {
  const [app, otherApp] = [await makeApp(setting), await makeApp(setting)]
  const made = await makeEntitlement(setting, app.id)
  const body = { displayName: 'x', entitlement: { displayName: 'x' } }
  const at = (appId: string, id: string) => `apps/${appId}/entitlements/${id}`
  const cases: ['GET' | 'POST' | 'DELETE', string, string][] = [
    ['GET', `apps/${nobody}/entitlements`, noApp],
    ['POST', `apps/${nobody}/entitlements`, noApp],
    ['GET', at(nobody, made.id), noApp],
    ['GET', at(otherApp.id, made.id), noEntitlement],
    ['POST', at(app.id, nobody), noEntitlement],
    ['DELETE', at(app.id, nobody), noEntitlement],
    ['DELETE', at(nobody, made.id), noApp],
  ]
  for (const [method, path, outcome] of cases)
    expect([method, path, outcomeOf(await send(method, path, method === 'POST' ? body : undefined))]).toEqual([
      method,
      path,
      outcome,
    ])
  expect(outcomeOf(await askElsewhere(setting, 'GET', `apps/${app.id}/entitlements`))).toBe(noApp)
  expect(outcomeOf(await askElsewhere(setting, 'GET', at(app.id, made.id)))).toBe(noApp)
  expect(outcomeOf(await askElsewhere(setting, 'POST', at(app.id, made.id), body))).toBe(noApp)
  expect(outcomeOf(await askElsewhere(setting, 'DELETE', at(app.id, made.id)))).toBe(noApp)
  await remove(at(app.id, made.id))
  expect(outcomeOf(await send('GET', at(app.id, made.id)))).toBe(noEntitlement)
  expect(outcomeOf(await send('POST', at(app.id, made.id), body))).toBe(noEntitlement)
  expect(outcomeOf(await send('DELETE', at(app.id, made.id)))).toBe(noEntitlement)
})

test('entitlements are paged to the end while others come and go', async () => {
  const app = await makeApp(setting)
  const there = await Promise.all(Array.from({ length: 33 }, () => makeEntitlement(setting, app.id)))
  const leaving = await makeEntitlement(setting, app.id)
  const items = await pageThrough(setting, 'GET', `apps/${app.id}/entitlements`, {}, async (page) => {
    if (page === 1) await remove(`apps/${app.id}/entitlements/${leaving.id}`)
    await makeEntitlement(setting, app.id)
  })
  const seen = items.map((item) => entitlementIn(item)['id'] as string)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(there.map(({ id }) => id)))
  expect(seen).not.toContain(leaving.id)
  expect(seen).toEqual(seen.toSorted())
})

test('a view tells what its reader may do', async () => {
  const app = await makeApp(setting)
  const made = await makeEntitlement(setting, app.id)
  const token = await getToken(setting.server, await setting.access.makeCaller(['system:viewer']))
  const path = `/api/v1/apps/${app.id}/entitlements/${made.id}`
  const { json } = await ask(setting.server, path, { token })
  expect(json['appEntitlementView']).toMatchObject({ objectPermissions: { read: true, edit: false, delete: false } })
  expect(outcomeOf(await ask(setting.server, path, { token, body: {} }))).toBe('403/7 PERMISSION_DENIED')
})
