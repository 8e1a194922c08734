import { expect, test } from 'vitest'
import { ask, fieldsOf, getToken, type Json, outcomeOf } from '../fixture/access.ts'
import { askElsewhere, idsIn, makeApp, makeEntitlement, nobody, pageThrough, prepare } from './support.ts'

const setting = prepare()
const { get, post, remove, send, lastEvent, makeAccount } = setting

const missing = '404/5 APP_NOT_FOUND'
const change = async (id: string, body: object): Promise<Json> => (await post(`apps/${id}`, body))['app'] as Json

test('an app is made with all that its maker says, and got as it was made', async () => {
  const wanted = {
    displayName: '  Payroll ',
    description: 'Who is paid what',
    annotations: { owner: 'finance', 'cost-centre': '' },
    instructions: 'Ask finance.',
    monthlyCostUsd: 1200,
    identityMatching: 'APP_USER_IDENTITY_MATCHING_DISPLAY_NAME',
  }
  const { app } = (await post('apps', wanted)) as { app: Json & { id: string } }
  expect(app).toEqual({
    ...wanted,
    displayName: 'Payroll',
    id: expect.stringMatching(/^[0-9A-Za-z]{27}$/) as string,
    iconUrl: '',
    logoUri: '',
    isDirectory: false,
    parentAppId: '',
    strictAccessEntitlementProvisioning: false,
    enableConnectorSourcedOwnership: false,
    revokeGrantSources: false,
    certifyPolicyId: '',
    grantPolicyId: '',
    revokePolicyId: '',
    defaultRequestCatalogId: '',
    isManuallyManaged: true,
    userCount: '0',
    createdAt: app['createdAt'],
    updatedAt: app['createdAt'],
    deletedAt: null,
  })
  expect(await get(`apps/${app.id}`)).toEqual({ app })
  expect(await lastEvent('app.v1.Apps.Create')).toMatchObject({
    message: 'Created the app Payroll',
    resources: [{ type: 'app', uid: app.id, name: 'Payroll' }],
  })
})

test('fields come in snake_case too, and what is not said has its default', async () => {
  const { app } = await post('apps', { display_name: 'Snake', monthly_cost_usd: 3, unknown: { thing: true } })
  expect(app).toMatchObject({
    displayName: 'Snake',
    monthlyCostUsd: 3,
    identityMatching: 'APP_USER_IDENTITY_MATCHING_STRICT',
    annotations: {},
    description: '',
  })
})

test('an app that is not right is refused, and names its fields', async () => {
  const cases: [object, string[]][] = [
    [{}, ['displayName']],
    [{ displayName: '  ' }, ['displayName']],
    [{ displayName: 'x'.repeat(201) }, ['displayName']],
    [{ displayName: 7 }, ['displayName']],
    [{ displayName: 'x', description: 'x'.repeat(10_001) }, ['description']],
    [{ displayName: 'x', monthlyCostUsd: -1 }, ['monthlyCostUsd']],
    [{ displayName: 'x', monthlyCostUsd: 2 ** 31 }, ['monthlyCostUsd']],
    [{ displayName: 'x', identityMatching: 'APP_USER_IDENTITY_MATCHING_CUSTOM' }, ['identityMatching']],
    [{ displayName: 'x', annotations: { a: 1 } }, ['annotations.a']],
    [{ displayName: 'x', annotations: [] }, ['annotations']],
    [{ displayName: 'x', annotations: { ['n'.repeat(201)]: '' } }, ['annotations']],
    [
      { displayName: 'x', annotations: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [i, ''])) },
      ['annotations'],
    ],
    [
      {
        displayName: 'x',
        annotations: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, 'a'.repeat(4000)])),
      },
      ['annotations'],
    ],
    [{ displayName: 'x', annotations: { a: 'half \ud800' } }, ['annotations']],
  ]
  for (const [body, fields] of cases) {
    const reply = await send('POST', 'apps', body)
    expect([body, outcomeOf(reply), fieldsOf(reply)]).toEqual([body, '400/3 INPUT_INVALID', fields])
  }
})

test('an update changes what the mask names, in either spelling, and nothing else', async () => {
  const app = await makeApp(setting, 'Before', { description: 'kept', instructions: 'old' })
  const all = { displayName: 'After', description: 'not named', instructions: 'new', monthlyCostUsd: 9 }
  const changed = await change(app.id, { app: all, updateMask: 'display_name,monthlyCostUsd' })
  expect(changed).toMatchObject({ displayName: 'After', description: 'kept', instructions: 'old', monthlyCostUsd: 9 })
  expect(changed['updatedAt']).not.toBe(app['updatedAt'])
  expect(await lastEvent('app.v1.Apps.Update')).toMatchObject({
    message: 'Changed displayName, monthlyCostUsd of the app After',
  })
  expect(await change(app.id, { app: {}, updateMask: 'instructions' })).toMatchObject({ instructions: '' })
  expect(await change(app.id, { updateMask: 'description' })).toMatchObject({ description: '' })
  expect(
    await change(app.id, {
      app: { identityMatching: 'APP_USER_IDENTITY_MATCHING_UNSPECIFIED' },
      updateMask: 'identityMatching',
    }),
  ).toMatchObject({ identityMatching: 'APP_USER_IDENTITY_MATCHING_STRICT' })
})

test('an update without a mask changes what was sent; sending back what cannot be changed is no harm', async () => {
  const app = await makeApp(setting, 'Before', { description: 'kept' })
  expect(await change(app.id, { app: { ...app, id: nobody, userCount: '7', display_name: 'Before' } })).toMatchObject({
    id: app.id,
    userCount: '0',
    description: 'kept',
  })
  expect(await change(app.id, { app: { display_name: 'Sent' } })).toMatchObject({
    displayName: 'Sent',
    description: 'kept',
  })
  expect(await change(app.id, {})).toMatchObject({ displayName: 'Sent' })
})

test('an update that is not right is refused and changes nothing', async () => {
  const app = await makeApp(setting, 'Stays')
  const cases: [object, string][] = [
    [{ app: { displayName: ' ' } }, 'app.displayName'],
    [{ app: { monthlyCostUsd: -5 } }, 'app.monthlyCostUsd'],
    [{ updateMask: 'displayName' }, 'app.displayName'],
    [{ app: { displayName: 'x' }, updateMask: 'id' }, 'updateMask'],
    [{ app: { displayName: 'x' }, updateMask: 'display_name,user_count' }, 'updateMask'],
    [{ app: { displayName: 'x' }, updateMask: 'isManuallyManaged' }, 'updateMask'],
    [{ app: 'x' }, 'app'],
  ]
  for (const [body, field] of cases) {
    const reply = await send('POST', `apps/${app.id}`, body)
    expect([body, outcomeOf(reply), fieldsOf(reply)]).toEqual([body, '400/3 INPUT_INVALID', [field]])
  }
  expect((await get(`apps/${app.id}`))['app']).toEqual(app)
})

test('two updates at once: both are done, one after the other', async () => {
  const app = await makeApp(setting)
  const changes = Array.from({ length: 10 }, (_, i) =>
    i % 2 === 0
      ? { app: { description: `even ${i}` }, updateMask: 'description' }
      : { app: { instructions: `odd ${i}` }, updateMask: 'instructions' },
  )
  await Promise.all(changes.map((body) => change(app.id, body)))
  const after = (await get(`apps/${app.id}`))['app'] as Json
  expect(after['description']).toMatch(/^even/)
  expect(after['instructions']).toMatch(/^odd/)
})

test('an app that is not there is 404 by every operation', async () => {
  const app = await makeApp(setting)
  for (const id of [nobody, 'no-id', "'; drop table apps; --", '%F0%9F%98%80']) {
    expect(outcomeOf(await send('GET', `apps/${encodeURI(id)}`))).toBe(missing)
    expect(outcomeOf(await send('POST', `apps/${encodeURI(id)}`, { app: { displayName: 'x' } }))).toBe(missing)
    expect(outcomeOf(await send('DELETE', `apps/${encodeURI(id)}`))).toBe(missing)
  }
  expect(outcomeOf(await askElsewhere(setting, 'GET', `apps/${app.id}`))).toBe(missing)
  expect(outcomeOf(await askElsewhere(setting, 'POST', `apps/${app.id}`, { app: { displayName: 'x' } }))).toBe(missing)
  expect(outcomeOf(await askElsewhere(setting, 'DELETE', `apps/${app.id}`))).toBe(missing)
  expect(idsIn((await askElsewhere(setting, 'GET', 'apps')).json)).toEqual([])
  await remove(`apps/${app.id}`)
  expect(outcomeOf(await send('GET', `apps/${app.id}`))).toBe(missing)
  expect(outcomeOf(await send('POST', `apps/${app.id}`, { app: { displayName: 'x' } }))).toBe(missing)
  expect(outcomeOf(await send('DELETE', `apps/${app.id}`))).toBe(missing)
})

test('userCount counts the accounts that hold something, each once', async () => {
  const app = await makeApp(setting)
  const [one, two] = [await makeEntitlement(setting, app.id), await makeEntitlement(setting, app.id)]
  await makeAccount(app.id, [one.id, two.id])
  await makeAccount(app.id, [two.id])
  await makeAccount(app.id, [])
  expect((await get(`apps/${app.id}`))['app']).toMatchObject({ userCount: '2' })
})

test('apps are searched by the beginning of any word of the name, by name, by ids', async () => {
  const cloud = await makeApp(setting, 'Zephyr Cloud-Storage')
  const desk = await makeApp(setting, 'Zephyr Desk')
  const search = async (body: object) => idsIn(await post('search/apps', body))
  expect(await search({ query: 'zeph' })).toEqual([cloud.id, desk.id])
  expect(await search({ query: ' Storage ' })).toEqual([cloud.id])
  expect(await search({ query: 'zephyr d' })).toEqual([desk.id])
  expect(await search({ query: 'ephyr' })).toEqual([])
  expect(await search({ query: desk.id })).toEqual([desk.id])
  expect(await search({ displayName: 'ZEPHYR desk' })).toEqual([desk.id])
  expect(await search({ display_name: 'Zephyr' })).toEqual([])
  expect(await search({ query: 'zeph', excludeAppIds: [cloud.id] })).toEqual([desk.id])
  expect(await search({ query: 'zeph', displayName: 'zephyr desk' })).toEqual([desk.id])
  expect(await search({ app_ids: [desk.id, cloud.id, nobody] })).toEqual([cloud.id, desk.id])
  expect(await search({ query: desk.id, appIds: [cloud.id] })).toEqual([])
  expect(await search({ query: 'zeph', onlyDirectories: true })).toEqual([])
  await change(cloud.id, { app: { displayName: 'Renamed' } })
  expect(await search({ query: 'zeph' })).toEqual([desk.id])
  expect(idsIn((await askElsewhere(setting, 'POST', 'search/apps', { query: 'zeph' })).json)).toEqual([])
})

test('apps are paged to the end while others come and go, by list and by search', async () => {
  const there = await Promise.all(Array.from({ length: 22 }, (_, i) => makeApp(setting, `Paged ${i}`)))
  const gone = await makeApp(setting, 'Paged x')
  const ids = there.map(({ id }) => id)
  const comeAndGo = async (page: number): Promise<void> => {
    if (page === 1) await send('DELETE', `apps/${gone.id}`)
    await makeApp(setting, `Paged ${page} later`)
  }
  const ways: ['GET' | 'POST', string, object][] = [
    ['GET', 'apps', {}],
    ['POST', 'search/apps', {}],
    ['POST', 'search/apps', { query: 'paged' }],
  ]
  for (const [method, path, body] of ways) {
    const seen = (await pageThrough(setting, method, path, body, comeAndGo)).map(({ id }) => id)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining(ids))
  }
})

test('a page token of another list or filter is refused', async () => {
  await Promise.all(Array.from({ length: 11 }, (_, i) => makeApp(setting, `Token ${i}`)))
  const { nextPageToken } = await post('search/apps', { query: 'token', pageSize: 10 })
  const refused = '400/3 PAGE_TOKEN_INVALID'
  expect(outcomeOf(await send('POST', 'search/apps', { query: 'toke', pageToken: nextPageToken }))).toBe(refused)
  expect(outcomeOf(await send('GET', `apps?page_token=${nextPageToken as string}`))).toBe(refused)
  expect(outcomeOf(await send('POST', 'search/apps', { query: 'token', pageToken: 'x' }))).toBe(refused)
})

test('a basic user sees no apps in which they hold nothing; a reader changes none', async () => {
  const viewer = await getToken(setting.server, await setting.access.makeCaller(['system:viewer']))
  const user = await getToken(setting.server, await setting.access.makeCaller(['system:user']))
  const app = await makeApp(setting)
  expect((await ask(setting.server, '/api/v1/apps', { token: user })).json).toEqual({ list: [], nextPageToken: '' })
  expect(outcomeOf(await ask(setting.server, `/api/v1/apps/${app.id}`, { token: user }))).toBe('404/5 APP_NOT_FOUND')
  expect(outcomeOf(await ask(setting.server, '/api/v1/apps', { token: viewer }))).toBe('200')
  for (const method of ['POST', 'DELETE'])
    expect(outcomeOf(await ask(setting.server, `/api/v1/apps/${app.id}`, { method, token: viewer, body: {} }))).toBe(
      '403/7 PERMISSION_DENIED',
    )
})

test('usage controls are off until they are set, and are changed by mask', async () => {
  const app = await makeApp(setting)
  const path = `apps/${app.id}/usage_controls`
  const off = { appId: app.id, notify: false, notifyAfterDays: 0, revoke: false, revokeAfterDays: 0 }
  expect(await get(path)).toEqual({ appUsageControls: off, hasUsageData: false })
  const body = { appUsageControls: { notify: true, notify_after_days: 30, revoke: true }, updateMask: '' }
  const set = { ...off, notify: true, notifyAfterDays: 30, revoke: true }
  expect(await post(path, body)).toEqual({ appUsageControls: set })
  const masked = { app_usage_controls: { revokeAfterDays: 60, notify: false }, update_mask: 'revoke_after_days' }
  expect(await post(path, masked)).toEqual({ appUsageControls: { ...set, revokeAfterDays: 60 } })
  expect(await get(path)).toEqual({ appUsageControls: { ...set, revokeAfterDays: 60 }, hasUsageData: false })
  expect(await lastEvent('app.v1.AppUsageControlsService.Update')).toMatchObject({
    message: 'Changed revokeAfterDays of the usage controls of the app An app',
    resources: [{ type: 'app', uid: app.id, data: { usageControls: { revokeAfterDays: 60 } } }],
  })
})

test('usage controls that are not right are refused, and those of no app are 404', async () => {
  const app = await makeApp(setting)
  const cases: [object, string][] = [
    [{ appUsageControls: { notifyAfterDays: -1 } }, 'appUsageControls.notifyAfterDays'],
    [{ appUsageControls: { revokeAfterDays: 36_501 } }, 'appUsageControls.revokeAfterDays'],
    [{ appUsageControls: { notify: 'yes' } }, 'appUsageControls.notify'],
    [{ appUsageControls: {}, updateMask: 'app_id' }, 'updateMask'],
  ]
  for (const [body, field] of cases) {
    const reply = await send('POST', `apps/${app.id}/usage_controls`, body)
    expect([outcomeOf(reply), fieldsOf(reply)]).toEqual(['400/3 INPUT_INVALID', [field]])
  }
  expect(outcomeOf(await send('GET', `apps/${nobody}/usage_controls`))).toBe(missing)
  expect(outcomeOf(await send('POST', `apps/${nobody}/usage_controls`, {}))).toBe(missing)
  expect(outcomeOf(await askElsewhere(setting, 'GET', `apps/${app.id}/usage_controls`))).toBe(missing)
})
