import { beforeAll, describe, expect, test } from 'vitest'
import { checkAnswersIn } from '#rooms/governance/forms/index.ts'
import { ask, type Json, type Reply, reasonOf } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { byOwners, prepareTasks } from '../tasks/scene.ts'

const scene = prepareTasks()
const path = '/api/v1/request_schemas'
const bindings = '/api/v1/request_schema_entitlement_binding'
const outcomeOf = (reply: Reply): string => `${reply.status} ${String(reasonOf(reply))}`
const ok = (reply: Reply): Json => {
  expect(reply.status, reply.text).toBe(200)
  return reply.json
}
const create = async (body: object = {}): Promise<string> =>
  (ok(await scene.post(path, { name: 'A form', ...body }))['requestSchema'] as { id: string }).id
const bind = async (of: Ref, requestSchemaId: string) =>
  ok(await scene.post(bindings, { entitlementRef: { appId: of.appId, id: of.id }, requestSchemaId }))
const find = ({ appId, id }: Ref, by: Caller) =>
  ask(scene.server, bindings, { method: 'PUT', token: by.token, body: { entitlementRef: { appId, id } } })
const schemaOf = async ({ appId, id }: Ref) => {
  const view = ok(await scene.get(`/api/v1/apps/${appId}/entitlements/${id}`))['appEntitlementView'] as Json
  return (view['appEntitlement'] as Json)['requestSchemaId']
}

let requester: Caller
beforeAll(async () => {
  requester = await scene.caller(['system:user'])
})

describe('the form of an entitlement', () => {
  test('is on the entitlement, is a filter of the search, and goes with the entitlement', async () => {
    const [of, other] = [await scene.target(), await scene.target()]
    const formId = await create()
    expect(await schemaOf(of)).toBe('')
    await bind(of, formId)
    expect(await schemaOf(of)).toBe(formId)
    const found = ok(await scene.post('/api/v1/search/entitlements', { requestSchemaIds: [formId] }))['list'] as Json[]
    expect(found.map((view) => (view['appEntitlement'] as Json)['id'])).toEqual([of.id])
    // What was read can be sent back; another form is bound by its own operation.
    const at = `/api/v1/apps/${of.appId}/entitlements/${of.id}`
    ok(await scene.post(at, { entitlement: { requestSchemaId: formId, alias: 'a' } }))
    expect(outcomeOf(await scene.post(at, { entitlement: { requestSchemaId: other.id } }))).toBe('400 INPUT_INVALID')
    // A client that sends back all it read may have read the binding that has been replaced since, as Terraform does.
    const view = ok(await scene.get(at))['appEntitlementView'] as { appEntitlement: Json }
    ok(await scene.post(at, { entitlement: { ...view.appEntitlement, requestSchemaId: other.id } }))
    expect(await schemaOf(of)).toBe(formId)
    expect((await scene.remove(at, {})).status).toBe(200)
    expect(outcomeOf(await find(of, scene.admin))).toBe('404 REQUEST_SCHEMA_BINDING_NOT_FOUND')
    expect((await scene.remove(`${path}/${formId}`, {})).status).toBe(200)
  })

  test('is gone with the app, too', async () => {
    const of = await scene.target()
    await bind(of, await create())
    expect((await scene.remove(`/api/v1/apps/${of.appId}`, {})).status).toBe(200)
    expect(outcomeOf(await find(of, scene.admin))).toBe('404 REQUEST_SCHEMA_BINDING_NOT_FOUND')
  })

  test('can be read by who may request the entitlement, and by nobody else without the permission', async () => {
    const of = await scene.target(byOwners)
    const hidden = await scene.entitlement(await scene.app())
    const [formId, hiddenId] = [await create(), await create()]
    await bind(of, formId)
    await bind(hidden, hiddenId)
    expect(ok(await find(of, requester))).toMatchObject({ requestSchemaId: formId })
    expect(ok(await scene.get(`${path}/${formId}`, requester))).toMatchObject({ requestSchema: { id: formId } })
    expect(outcomeOf(await find(hidden, requester))).toBe('404 REQUEST_SCHEMA_BINDING_NOT_FOUND')
    expect(outcomeOf(await scene.get(`${path}/${hiddenId}`, requester))).toBe('404 REQUEST_SCHEMA_NOT_FOUND')
    expect(ok(await find(hidden, scene.viewer))).toMatchObject({ requestSchemaId: hiddenId })
  })
})

test('request schemas are searched by a part of their name, page by page', async () => {
  const ids: string[] = []
  for (let n = 0; n < 12; n++) ids.push(await create({ name: `Searched ${n}% of_it` }))
  const search = '/api/v1/search/request_schemas'
  const found = await scene.all(search, { query: 'SEARCHED' })
  expect(found.map((each) => each['id'])).toEqual(ids.toSorted())
  expect(await scene.all(search, { query: '1% of' })).toHaveLength(2)
  expect((await scene.all(search, { requestSchemaIds: [ids[3]] })).map((each) => each['id'])).toEqual([ids[3]])
  expect(await scene.all(search, { query: 'nosuch' })).toEqual([])
  expect(outcomeOf(await scene.post(search, {}, requester))).toBe('403 PERMISSION_DENIED')
})

describe('what is picked', () => {
  const pick = async (pickerField: object, answer: unknown, kind = 'stringField') => {
    const made = ok(
      await scene.post(path, { name: 'Picks', fields: [{ name: 'who', displayName: 'W', [kind]: { pickerField } }] }),
    )
    const { form } = made['requestSchema'] as { form: Parameters<typeof checkAnswersIn>[2] }
    const { world, tenant } = scene.access
    const { problems } = await checkAnswersIn(world.db, tenant.id, form, { who: answer }, world.now())
    return problems.map(({ field }) => field)
  }
  const no = ['who']
  const nobody = '0'.repeat(27)

  test('is a user who is there, enabled, and among those who can be picked', async () => {
    const [anna, off] = [await scene.user(), await scene.user({ status: 'DISABLED' })]
    expect(await pick({ c1UserPicker: {} }, anna)).toEqual([])
    expect(await pick({ c1UserPicker: {} }, nobody)).toEqual(no)
    expect(await pick({ c1UserPicker: {} }, 'no id\u0001')).toEqual(no)
    expect(await pick({ c1UserPicker: {} }, off)).toEqual(no)
    expect(await pick({ c1UserPicker: { includeDeactivated: true } }, off)).toEqual([])
    expect(await pick({ c1UserPicker: { userIds: [off] } }, anna)).toEqual(no)
    expect(await pick({ c1UserPicker: { excludeUserIds: [anna] } }, anna)).toEqual(no)
    expect(await pick({ c1UserPicker: {} }, [anna, nobody], 'stringSliceField')).toEqual(no)
    expect(await pick({ c1UserPicker: {} }, [anna], 'stringSliceField')).toEqual([])
  })

  test('is an account of the app, or a resource of the type', async () => {
    const [app, other] = [await scene.app(), await scene.app()]
    const [mine, theirs] = [await scene.account(app), await scene.account(other)]
    expect(await pick({ appUserPicker: { appId: app } }, mine.id)).toEqual([])
    expect(await pick({ appUserPicker: { appId: app } }, theirs.id)).toEqual(no)
    const [one, two] = [await scene.resource(app), await scene.resource(app)]
    const picker = { resourcePicker: { appId: app, resourceTypeId: one.typeId } }
    expect(await pick(picker, one.id)).toEqual([])
    expect(await pick(picker, two.id)).toEqual(no)
  })
})
