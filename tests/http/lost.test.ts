import { expect, test } from 'vitest'
import { fieldsOf, type Json, outcomeOf, reasonOf } from '../fixture/access.ts'
import { prepare, type Ref } from '../grants/scene.ts'

const scene = prepare()
const pathOf = ({ appId, id }: Ref): string => `/api/v1/apps/${appId}/entitlements/${id}`
const target = async (): Promise<Ref> => scene.entitlement(await scene.app())
const rule = async (ref: Ref): Promise<Json> =>
  (await scene.get(`${pathOf(ref)}/automation`)).json['AppEntitlementAutomation'] as Json
const made = async (path: string, body: object): Promise<Json> => {
  const reply = await scene.post(path, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}

test('an update in the envelope of the creation is refused, and changes nothing', async () => {
  const ref = await target()
  const cel = { expression: 'false' }
  await made(`${pathOf(ref)}/automation/create`, { automation: { displayName: 'Before', cel } })
  for (const body of [
    { automation: { displayName: 'After' } },
    { automation: { displayName: 'After' }, updateMask: 'displayName' },
    { automation: { displayName: 'After' }, update_mask: '*' },
    { AppEntitlementAutomation: { displayName: 'After' } },
    { app_entitlement_automation: { displayName: 'After' }, somethingElse: 1 },
  ]) {
    const reply = await scene.post(`${pathOf(ref)}/automation/update`, body)
    expect([body, outcomeOf(reply)]).toEqual([body, '400/3 INPUT_INVALID'])
    expect(fieldsOf(reply)).toEqual([Object.keys(body)[0]])
  }
  expect(await rule(ref)).toMatchObject({ displayName: 'Before', cel })
  // One known field is enough: what else is there is ignored, as everywhere.
  await made(`${pathOf(ref)}/automation/update`, { displayName: 'After', unknown: { displayName: 'x' } })
  expect(await rule(ref)).toMatchObject({ displayName: 'After', cel })
})

test('no update takes a message of which it knows nothing', async () => {
  const ref = await target()
  const { typeId, id } = await scene.resource(ref.appId)
  const account = await scene.account(ref.appId)
  for (const [path, body, field] of [
    [`/api/v1/apps/${ref.appId}`, { displayName: 'After' }, 'displayName'],
    [`/api/v1/apps/${ref.appId}`, { app: { name: 'After' } }, 'app.name'],
    [`/api/v1/apps/${ref.appId}`, { app: { app: { displayName: 'After' } } }, 'app.app'],
    [pathOf(ref), { appEntitlement: { displayName: 'After' } }, 'appEntitlement'],
    [pathOf(ref), { displayName: 'After', updateMask: 'displayName' }, 'displayName'],
    [`/api/v1/apps/${ref.appId}/resource_types/${typeId}`, { resourceType: { displayName: 'x' } }, 'resourceType'],
    [`/api/v1/apps/${ref.appId}/resource_types/${typeId}/resources/${id}`, { resource: { x: 1 } }, 'resource'],
    [`/api/v1/apps/${ref.appId}/usage_controls`, { notify: true }, 'notify'],
    [`/api/v1/apps/${ref.appId}/app_users/${account.id}`, { app_user: { type: 'x' } }, 'appUser.type'],
    [`${pathOf(ref)}/automation/exclusions`, { users: [scene.admin.userId] }, 'users'],
    [`${pathOf(ref)}/add-manual-user`, { userRefs: [{ id: scene.admin.userId }] }, 'userRefs'],
  ] as const) {
    const reply = await scene.post(path, body)
    expect([path, body, outcomeOf(reply), fieldsOf(reply)]).toEqual([path, body, '400/3 INPUT_INVALID', [field]])
  }
  // Nothing at all is no mistake, and an unset field says nothing.
  for (const body of [{}, { app: {} }, { app: null }, { foo: null }, { app: { grantPolicyId: '' } }])
    await made(`/api/v1/apps/${ref.appId}`, body)
})

test('a field of what is not done here is refused by its name, with and without a mask, and nothing is changed', async () => {
  const app = ((await made('/api/v1/apps', { displayName: 'Stays' }))['app'] as Json)['id'] as string
  for (const updateMask of ['', '*', 'displayName']) {
    const reply = await scene.post(`/api/v1/apps/${app}`, {
      app: {
        displayName: 'Other',
        default_request_catalog_id: 'x',
        strictAccessEntitlementProvisioning: true,
        revokePolicyId: '',
      },
      updateMask,
    })
    expect([updateMask, reply.status, reasonOf(reply)]).toEqual([updateMask, 400, 'FIELD_NOT_SUPPORTED'])
    expect(new Set(fieldsOf(reply))).toEqual(
      new Set(['app.defaultRequestCatalogId', 'app.strictAccessEntitlementProvisioning']),
    )
  }
  expect((await scene.get(`/api/v1/apps/${app}`)).json['app']).toMatchObject({
    displayName: 'Stays',
    strictAccessEntitlementProvisioning: false,
  })
  const mixed = await scene.post('/api/v1/apps', { displayName: 7, strictAccessEntitlementProvisioning: true })
  expect([reasonOf(mixed), fieldsOf(mixed)]).toEqual([
    'INPUT_INVALID',
    ['displayName', 'strictAccessEntitlementProvisioning'],
  ])
  const provision = { displayName: 'x', provisionPolicy: { connector: { account: { connectorId: 'x' } } } }
  expect(fieldsOf(await scene.post(`/api/v1/apps/${app}/entitlements`, provision))).toEqual([
    'provisionPolicy.connector.account',
  ])
})

test('flags that are sent as false come back as false', async () => {
  const app = await made('/api/v1/apps', { displayName: 'x', strictAccessEntitlementProvisioning: false })
  expect(app['app']).toMatchObject({ strictAccessEntitlementProvisioning: false })
  const of = `/api/v1/apps/${(app['app'] as Json)['id'] as string}/entitlements`
  const flags = { emergencyGrantEnabled: false, overrideAccessRequestsDefaults: false }
  const view = (json: Json) => (json['appEntitlementView'] as Json)['appEntitlement'] as Json
  const one = view(await made(of, { displayName: 'x', ...flags, grantPolicyId: '', provisionPolicy: null }))
  expect(one).toMatchObject({ ...flags, durationGrant: null, durationUnset: null })
  const path = `${of}/${one['id'] as string}`
  expect(view(await made(path, { entitlement: flags }))).toMatchObject(flags)
  expect(view(await made(path, { entitlement: { emergencyGrantEnabled: true } }))).toMatchObject({
    emergencyGrantEnabled: true,
  })
  const refused = await scene.post('/api/v1/apps', { displayName: 'y', strictAccessEntitlementProvisioning: true })
  expect([reasonOf(refused), fieldsOf(refused)]).toEqual([
    'FIELD_NOT_SUPPORTED',
    ['strictAccessEntitlementProvisioning'],
  ])
})

test('a mask of * means every field that was sent', async () => {
  const [first] = [await scene.app('Before')]
  const read = async () => (await scene.get(`/api/v1/apps/${first}`)).json['app'] as Json
  await made(`/api/v1/apps/${first}`, { app: { description: 'kept', instructions: 'old' } })
  await made(`/api/v1/apps/${first}`, { app: { displayName: 'After', instructions: '' }, updateMask: '*' })
  expect(await read()).toMatchObject({ displayName: 'After', description: 'kept', instructions: '' })
  await made(`/api/v1/apps/${first}`, { app: { description: 'new' }, update_mask: ' * ' })
  expect(await read()).toMatchObject({ displayName: 'After', description: 'new' })
})

test('the same field in both spellings is refused where they differ', async () => {
  const reply = await scene.post('/api/v1/apps', { displayName: 'One', display_name: 'Other' })
  expect([outcomeOf(reply), fieldsOf(reply)]).toEqual(['400/3 INPUT_INVALID', ['displayName']])
  await made('/api/v1/apps', { displayName: 'One', display_name: 'One' })
})
