import { describe, expect, test } from 'vitest'
import { ask, fieldsOf, getToken, type Json, outcomeOf, reasonOf } from '../fixture/access.ts'
import { bypass, enforce, leaving, prepareProfiles, profilesApp } from './scene.ts'

const scene = prepareProfiles()
const catalogs = '/api/v1/catalogs'
const put = (path: string, body: object) => ask(scene.server, path, { method: 'PUT', token: scene.admin.token, body })
const refs = async (id: string) => (await scene.get(`${catalogs}/${id}/requestable_entitlementIDs`)).json['refs']

const terms = {
  displayName: 'Engineers',
  description: 'What engineers need',
  published: true,
  visibleToEveryone: false,
  requestBundle: true,
  enrollmentBehavior: enforce,
  ...leaving('REVOKE_UNJUSTIFIED', false),
  annotations: { team: 'core' },
}

describe('a profile', () => {
  test('is created, read back, listed, changed as a whole and deleted', async () => {
    const made = scene.catalog(await scene.post(catalogs, terms))
    expect(made).toMatchObject({
      ...terms,
      createdByUserId: scene.admin.userId,
      deletedAt: null,
      accessEntitlements: [],
    })
    expect(scene.catalog(await scene.get(`${catalogs}/${made.id}`))).toEqual(made)
    const listed = await scene.all(catalogs)
    expect(listed.map((view) => (view['requestCatalog'] as Json)['id'])).toContain(made.id)
    // As Terraform sends it: no mask, and what is false or unset left out.
    const changed = scene.catalog(await scene.post(`${catalogs}/${made.id}`, { catalog: { displayName: 'Builders' } }))
    expect(changed).toMatchObject({ displayName: 'Builders', description: '', published: false, requestBundle: false })
    const masked = { catalog: { description: 'Only this' }, updateMask: 'description' }
    expect(scene.catalog(await scene.post(`${catalogs}/${made.id}`, masked))).toMatchObject({
      displayName: 'Builders',
      description: 'Only this',
    })
    expect((await scene.remove(`${catalogs}/${made.id}`, {})).status).toBe(200)
    for (const again of [scene.get(`${catalogs}/${made.id}`), scene.remove(`${catalogs}/${made.id}`, {})])
      expect(outcomeOf(await again)).toBe('404/5 REQUEST_CATALOG_NOT_FOUND')
    expect(await scene.get(`${catalogs}/${made.id}/requestable_entitlementIDs`)).toMatchObject({ status: 404 })
  })

  test('that is sent back as it was read stays as it is, with who sees it', async () => {
    const [thing] = await scene.things(1)
    const id = await scene.profile({ ...terms, annotations: {} })
    await scene.post(`${catalogs}/${id}/visibility_bindings`, { accessEntitlements: [thing] })
    const before = scene.catalog(await scene.get(`${catalogs}/${id}`))
    expect(before['accessEntitlements']).toMatchObject([thing as object])
    const after = scene.catalog(await scene.post(`${catalogs}/${id}`, { catalog: before }))
    expect({ ...after, updatedAt: '' }).toEqual({ ...before, updatedAt: '' })
    const other = { catalog: { ...before, id: scene.access.world.newId() } }
    expect(fieldsOf(await scene.post(`${catalogs}/${id}`, other))).toEqual(['catalog.id'])
  })

  test('needs a name', async () => {
    expect(fieldsOf(await scene.post(catalogs, { displayName: '  ' }))).toEqual(['displayName'])
    const id = await scene.profile()
    expect(fieldsOf(await scene.post(`${catalogs}/${id}`, { catalog: {} }))).toEqual(['catalog.displayName'])
  })

  test('is of one tenant', async () => {
    const id = await scene.profile({ requestBundle: true })
    const other = await scene.access.makeTenant('profiles.example.com')
    const token = await getToken(scene.server, await scene.access.makeCaller(['system:owner'], {}, other))
    const from = { token, headers: { host: 'profiles.example.com' } }
    for (const path of [`${catalogs}/${id}`, `${catalogs}/${id}/requestable_entitlementIDs`])
      expect((await ask(scene.server, path, from)).status).toBe(404)
    expect(JSON.stringify((await ask(scene.server, catalogs, from)).json['list'])).toBe('[]')
  })

  test('that asks no policies is for those who may give any access', async () => {
    const admin = await scene.caller(['system:user', 'system:request-admin'])
    const [thing] = await scene.things(1)
    const asked = { displayName: 'Mine', enrollmentBehavior: bypass }
    expect(outcomeOf(await scene.post(catalogs, asked, admin))).toBe('403/7 PERMISSION_DENIED')
    const id = scene.catalog(await scene.post(catalogs, { displayName: 'Mine' }, admin)).id
    for (const change of [{ enrollmentBehavior: bypass }, leaving('REVOKE_ALL')]) {
      const reply = await scene.post(`${catalogs}/${id}`, { catalog: { displayName: 'Mine', ...change } }, admin)
      expect(outcomeOf(reply)).toBe('403/7 PERMISSION_DENIED')
    }
    await scene.post(`${catalogs}/${id}`, { catalog: asked })
    const entry = { appEntitlements: [thing] }
    expect(outcomeOf(await scene.post(`${catalogs}/${id}/requestable_entries`, entry, admin))).toBe(
      '403/7 PERMISSION_DENIED',
    )
    const owner = await scene.caller(['system:user'])
    expect(outcomeOf(await scene.post(catalogs, { displayName: 'x' }, owner))).toBe('403/7 PERMISSION_DENIED')
  })
})

describe('entries', () => {
  test('are added, replaced and removed, and keep the order in which they were named', async () => {
    const [a, b, c, d] = (await scene.things(4)) as [object, object, object, object]
    const id = await scene.profile({}, [c, a] as never)
    expect(await refs(id)).toEqual([c, a])
    const add = (appEntitlements: object[]) =>
      scene.post(`${catalogs}/${id}/requestable_entries`, { appEntitlements, createRequests: true })
    await add([a, d, d])
    expect(await refs(id)).toEqual([c, a, d])
    await scene.post(`${catalogs}/${id}/requestable_entitlements/update`, { appEntitlements: [b, d, c] })
    expect(await refs(id)).toEqual([b, d, c])
    await scene.remove(`${catalogs}/${id}/requestable_entries`, { appEntitlements: [d, a] })
    expect(await refs(id)).toEqual([b, c])
    const list = await scene.all(`${catalogs}/${id}/requestable_entitlements`)
    expect(list.map((view) => (view['appEntitlement'] as Json)['id'])).toEqual([b, c].map((ref) => (ref as Json)['id']))
    await scene.post(`${catalogs}/${id}/requestable_entitlements/update`, { appEntitlements: [] })
    expect(await refs(id)).toEqual([])
  })

  test('one by one: put, got and deleted', async () => {
    const [a] = (await scene.things(1)) as [{ appId: string; id: string }]
    const id = await scene.profile()
    const at = `${catalogs}/${id}/requestable_entries/${a.appId}/${a.id}`
    expect(outcomeOf(await scene.get(at))).toBe('404/5 REQUESTABLE_ENTRY_NOT_FOUND')
    const entry = { requestableEntry: { catalogId: id, appId: a.appId, entitlementId: a.id } }
    for (const reply of [await put(at, {}), await put(at, { createRequests: true }), await scene.get(at)])
      expect(reply.json).toEqual(entry)
    expect((await scene.remove(at, {})).status).toBe(200)
    expect((await scene.remove(at, {})).status).toBe(404)
  })

  test('that are not there, or are profiles, are refused by their place, and nothing is added', async () => {
    const [a] = (await scene.things(1)) as [{ appId: string; id: string }]
    const id = await scene.profile()
    const bundle = await scene.profile({ requestBundle: true })
    const nowhere = { appId: a.appId, id: scene.access.world.newId() }
    const add = (...appEntitlements: object[]) =>
      scene.post(`${catalogs}/${id}/requestable_entries`, { appEntitlements })
    expect(fieldsOf(await add(a, nowhere, { appId: 'x', id: 'y' }))).toEqual([
      'appEntitlements[1]',
      'appEntitlements[2]',
    ])
    expect(fieldsOf(await add({ appId: profilesApp, id: bundle }))).toEqual(['appEntitlements[0]'])
    expect(await refs(id)).toEqual([])
    for (const path of ['requestable_entries', 'visibility_bindings'])
      expect((await scene.post(`${catalogs}/${nowhere.id}/${path}`, {})).status).toBe(404)
  })

  test('go with their entitlement and app', async () => {
    const [a, b] = (await scene.things(2)) as [{ appId: string; id: string }, { appId: string; id: string }]
    const [c] = (await scene.things(1)) as [{ appId: string; id: string }]
    const id = await scene.profile({}, [a, b, c])
    await scene.remove(`/api/v1/apps/${a.appId}/entitlements/${a.id}`, {})
    expect(await refs(id)).toEqual([b, c])
    await scene.remove(`/api/v1/apps/${c.appId}`, {})
    expect(await refs(id)).toEqual([b])
    const gone = `${catalogs}/${id}/requestable_entries/${a.appId}/${a.id}`
    expect((await scene.get(gone)).status).toBe(404)
    expect((await scene.search({})).json['list']).toSatisfy((list: Json[]) => !JSON.stringify(list).includes(c.id))
  })

  test('added ten times at once are there once', async () => {
    const things = await scene.things(5)
    const id = await scene.profile()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () =>
        scene.post(`${catalogs}/${id}/requestable_entries`, { appEntitlements: things }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await refs(id)).toEqual(things)
  })
})

describe('who sees a profile', () => {
  test('is bound, listed and unbound; twice is as once', async () => {
    const [a, b] = (await scene.things(2)) as [{ appId: string; id: string }, { appId: string; id: string }]
    const id = await scene.profile({ visibleToEveryone: false })
    const bindings = `${catalogs}/${id}/visibility_bindings`
    for (let i = 0; i < 2; i++) expect((await scene.post(bindings, { accessEntitlements: [a, b] })).status).toBe(200)
    const listed = async () =>
      (await scene.all(`${catalogs}/${id}/visibility_entitlements`)).map(
        (view) => (view['appEntitlement'] as Json)['id'],
      )
    expect(await listed()).toEqual([a.id, b.id].toSorted())
    for (let i = 0; i < 2; i++) expect((await scene.remove(bindings, { accessEntitlements: [a] })).status).toBe(200)
    expect(await listed()).toEqual([b.id])
    expect(reasonOf(await scene.post(bindings, { accessEntitlements: [{ appId: 'x', id: 'y' }] }))).toBe(
      'INPUT_INVALID',
    )
  })
})

describe('the app of enrollments', () => {
  test('is there once, whoever made the first profiles at once, and goes with nobody', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, () => scene.post(catalogs, { displayName: 'At once', requestBundle: true })),
    )
    expect(made.map(({ status }) => status)).toEqual(Array(6).fill(200))
    for (const reply of [
      await scene.remove(`/api/v1/apps/${profilesApp}`, {}),
      await scene.post(`/api/v1/apps/${profilesApp}/entitlements`, { displayName: 'Mine' }),
      await scene.remove(`/api/v1/apps/${profilesApp}/entitlements/${scene.catalog(made[0] as never).id}`, {}),
    ])
      expect(outcomeOf(reply)).toBe('400/9 APP_BUILT_IN')
  })

  test('has the name of the profile', async () => {
    const id = await scene.profile({ requestBundle: true, displayName: 'Before' })
    await scene.post(`${catalogs}/${id}`, { catalog: { displayName: 'After' }, updateMask: 'displayName' })
    const seen = await scene.get(`/api/v1/apps/${profilesApp}/entitlements/${id}`)
    expect(seen.json).toMatchObject({
      appEntitlementView: { appEntitlement: { displayName: 'After', systemBuiltin: true } },
    })
  })
})
