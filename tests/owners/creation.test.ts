import { expect, test } from 'vitest'
import { ask, type Json, outcomeOf, type Reply } from '../fixture/access.ts'
import { prepare } from '../grants/scene.ts'

const scene = prepare()
const put = (path: string, body: object): Promise<Reply> =>
  ask(scene.server, path, { method: 'PUT', token: scene.admin.token, body })
const idIn = (reply: Reply, ...path: string[]): string => {
  expect(reply.status, reply.text).toBe(200)
  return path.reduce<unknown>((value, name) => (value as Json)[name], reply.json) as string
}
const ownerIds = async (path: string): Promise<unknown> => (await scene.get(`/api/v1/${path}/ownerids`)).json['userIds']
const people = (count: number): Promise<string[]> => Promise.all(Array.from({ length: count }, () => scene.user()))
const nobody = '0'.repeat(27)

test('what is made has the owners that its maker names, in their order, at once', async () => {
  const [a = '', b = '', c = ''] = (await people(3)).toSorted().toReversed()
  const holder = await scene.user()
  const group = await scene.entitlement(await scene.app())
  await scene.grant(group, await scene.account(group.appId, { userId: holder }))
  const made = await scene.post('/api/v1/apps', {
    displayName: 'Owned',
    owners: [b, c, a, b],
    appEntitlementOwnerRefs: [group],
  })
  const app = idIn(made, 'app', 'id')
  expect(await ownerIds(`apps/${app}`)).toEqual([b, c, a, holder])
  const entitlement = idIn(
    await scene.post(`/api/v1/apps/${app}/entitlements`, { displayName: 'x', app_entitlement_owner_ids: [c, b] }),
    'appEntitlementView',
    'appEntitlement',
    'id',
  )
  expect(await ownerIds(`apps/${app}/entitlements/${entitlement}`)).toEqual([c, b])
  const type = idIn(
    await scene.post(`/api/v1/apps/${app}/resource_types`, { displayName: 'x', resourceType: 'GROUP' }),
    'appResourceType',
    'id',
  )
  const resources = `apps/${app}/resource_types/${type}`
  const resource = idIn(
    await scene.post(`/api/v1/${resources}/resources`, { displayName: 'x', resourceOwnerUserIds: [a] }),
    'appResource',
    'id',
  )
  expect(await ownerIds(`${resources}/resource/${resource}`)).toEqual([a])
  const events = await scene.logged('app.v1.Apps.Create')
  expect(events.map(({ message }) => message)).toContain('Changed who owns the app Owned in the role primary')
})

test('an owner that there is not refuses the creation, and nothing is made', async () => {
  const [person = ''] = await people(1)
  const app = await scene.app()
  const { typeId } = await scene.resource(app)
  const other = await scene.access.makeTenant('creation.other.example')
  const stranger = await scene.access.makeUser({ tenant: other })
  const count = async () => (await scene.server.db`select 1 from apps`).length + (await entitlements())
  const entitlements = async () =>
    (await scene.server.db`select 1 from entitlements union all select 1 from resources`).length
  const before = await count()
  for (const unknown of [nobody, stranger])
    for (const [path, body] of [
      ['apps', { owners: [person, unknown] }],
      ['apps', { appEntitlementOwnerRefs: [{ appId: app, id: unknown }] }],
      [`apps/${app}/entitlements`, { appEntitlementOwnerIds: [unknown] }],
      [`apps/${app}/resource_types/${typeId}/resources`, { resourceOwnerUserIds: [unknown, person] }],
    ] as const) {
      const reply = await scene.post(`/api/v1/${path}`, { displayName: 'Not made', ...body })
      expect([path, reply.status], reply.text).toEqual([path, 404])
      expect(reply.json['message']).toContain(unknown)
    }
  expect(await count()).toBe(before)
  const many = Array.from({ length: 1001 }, (_, i) => String(i))
  expect(outcomeOf(await scene.post('/api/v1/apps', { displayName: 'x', owners: many }))).toBe('400/3 INPUT_INVALID')
  const both = {
    owners: many.slice(0, 600),
    appEntitlementOwnerRefs: many.slice(0, 600).map((id) => ({ appId: id, id })),
  }
  expect(outcomeOf(await scene.post('/api/v1/apps', { displayName: 'x', ...both }))).toBe('400/3 INPUT_INVALID')
})

test('owner ids come back in the order in which they were set, now and as of then', async () => {
  const [a = '', b = '', c = '', d = ''] = (await people(4)).toSorted()
  const app = await scene.app()
  const of = `apps/${app}`
  const set = async (...userIds: string[]) => expect((await put(`/api/v1/${of}/owners`, { userIds })).status).toBe(200)
  const asOf = async (moment: string) => (await scene.get(`/api/v1/${of}/ownerids?as_of=${moment}`)).json['userIds']
  const moments: [string, string[]][] = []
  const said = async (...expected: string[]) => {
    expect(await ownerIds(of)).toEqual(expected)
    const [{ now } = { now: new Date() }] = await scene.server.db<{ now: Date }[]>`select clock_timestamp() as now`
    moments.push([now.toISOString(), expected])
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await set(c, a, b)
  await said(c, a, b)
  // The same people in another order; one fewer; one more, in the middle.
  await set(b, c, a)
  await said(b, c, a)
  await set(b, a)
  await said(b, a)
  await set(b, d, a)
  await said(b, d, a)
  // Who is added comes last, and so does who was away and is back.
  await scene.remove(`/api/v1/${of}/owners/${b}`, {})
  await scene.post(`/api/v1/${of}/owners/${c}`, {})
  await scene.post(`/api/v1/${of}/owners/${b}`, {})
  await said(d, a, c, b)
  // Version 2 sets the order too, and what it adds comes last.
  await put(`/api/v2/${of}/owners`, { roleSlug: 'primary', userRefs: [{ id: a }, { id: d }] })
  await said(a, d)
  await scene.post(`/api/v2/${of}/owners/users/primary/${b}`, {})
  await said(a, d, b)
  await put(`/api/v2/${of}/owners`, { roleSlug: 'other', userRefs: [{ id: d }, { id: a }, { id: c }] })
  await said(a, d, b)
  await set()
  await said()
  for (const [moment, expected] of moments) expect([moment, await asOf(moment)]).toEqual([moment, expected])
})

test('a Set with the fields of the other version is refused, and leaves the owners as they are', async () => {
  const [a = '', b = ''] = await people(2)
  const app = await scene.app()
  await put(`/api/v1/apps/${app}/owners`, { userIds: [a] })
  const refs = { userRefs: [{ id: b }] }
  for (const [version, body] of [
    ['v1', refs],
    ['v1', { user_refs: [{ id: b }], userIds: [b] }],
    ['v1', { userIds: [b], roleSlug: 'other' }],
    ['v1', { users: [b] }],
    ['v1', { request: { userIds: [b] } }],
    ['v2', { roleSlug: 'primary', userIds: [b] }],
    ['v2', { roleSlug: 'primary', user_ids: [b], ...refs }],
    ['v2', { set: { roleSlug: 'primary', ...refs } }],
  ] as const) {
    const reply = await put(`/api/${version}/apps/${app}/owners`, body)
    expect([body, outcomeOf(reply)]).toEqual([body, '400/3 INPUT_INVALID'])
  }
  // It would remove all of them.
  const remove = await scene.remove(`/api/v1/apps/${app}/owners`, { user_id: b })
  expect(outcomeOf(remove)).toBe('400/3 INPUT_INVALID')
  expect(await ownerIds(`apps/${app}`)).toEqual([a])
})
