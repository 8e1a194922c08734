import { describe, expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic, target } from '../tasks/scene.ts'
import { prepareProfiles, profilesApp } from './scene.ts'

const scene = prepareProfiles()
const grant = '/api/v1/task/grant'
const bind = (id: string, accessEntitlements: readonly Ref[]) =>
  scene.post(`/api/v1/catalogs/${id}/visibility_bindings`, { accessEntitlements })
const holding = async (ref: Ref, userId: string): Promise<Ref> => {
  const account = await scene.account(ref.appId, { userId })
  await scene.grant(ref, account)
  return account
}

describe('what can be requested', () => {
  test('is what a published profile contains that the subject sees', async () => {
    const [wanted, key] = (await scene.things(2, automatic)) as [Ref, Ref]
    const person = await scene.caller(['system:user'])
    const ask = async () => outcomeOf(await scene.post(grant, target(wanted), person))
    expect(await ask()).toBe('403/7 NOT_REQUESTABLE')
    const id = await scene.profile({ published: false, visibleToEveryone: false }, [wanted])
    expect(await ask()).toBe('403/7 NOT_REQUESTABLE')
    await bind(id, [key])
    const account = await holding(key, person.userId)
    expect(await ask()).toBe('403/7 NOT_REQUESTABLE')
    const publish = (published: boolean) =>
      scene.post(`/api/v1/catalogs/${id}`, { catalog: { published }, updateMask: 'published' })
    await publish(true)
    const helpdesk = await scene.caller(['system:helpdesk'])
    const stranger = await scene.caller(['system:user'])
    const forOther = (identityUserId: string) => scene.post(grant, target(wanted, { identityUserId }), helpdesk)
    expect(outcomeOf(await scene.post(grant, target(wanted), stranger))).toBe('403/7 NOT_REQUESTABLE')
    expect(outcomeOf(await forOther(stranger.userId))).toBe('403/7 NOT_REQUESTABLE')
    // What they hold no more lets them see nothing.
    const path = `/api/v1/apps/${key.appId}/entitlements/${key.id}/remove-membership`
    await scene.remove(path, { appUserId: account.id })
    expect(await ask()).toBe('403/7 NOT_REQUESTABLE')
    await scene.grant(key, account, { source: 'rule', grantedAt: new Date(0), expiresAt: new Date(Date.now() - 1000) })
    expect(await ask()).toBe('403/7 NOT_REQUESTABLE')
    await scene.grant(key, account, { source: 'import' })
    expect((await forOther(person.userId)).status).toBe(200)
    expect(await scene.holds(wanted, person.userId)).toHaveLength(1)
  })

  test('is the whole profile too, where it says so', async () => {
    const person = await scene.caller(['system:user'])
    const id = await scene.profile({ requestBundle: false, displayName: 'Whole' })
    const ask = async () => outcomeOf(await scene.post(grant, target({ appId: profilesApp, id }), person))
    const change = (catalog: Json) =>
      scene.post(`/api/v1/catalogs/${id}`, { catalog, updateMask: Object.keys(catalog).join(',') })
    await change({ requestBundle: true })
    expect((await scene.search({ query: 'whole' }, person)).names).toEqual(['Whole'])
    await change({ requestBundle: false })
    expect(await ask()).toBe('403/7 NOT_REQUESTABLE')
    await change({ requestBundle: true, published: false })
    expect(await ask()).toBe('403/7 NOT_REQUESTABLE')
    await change({ published: true })
    const made = scene.task(await scene.post(grant, target({ appId: profilesApp, id }), person))
    // Nobody owns the app: a Super Administrator decides.
    expect(made.state).toBe('TASK_STATE_OPEN')
    expect(made.stepApproverIds).toContain(scene.admin.userId)
  })

  test('is not what a deleted profile contained', async () => {
    const [wanted] = (await scene.things(1, automatic)) as [Ref]
    const id = await scene.profile({}, [wanted])
    await scene.remove(`/api/v1/catalogs/${id}`, {})
    expect(outcomeOf(await scene.post(grant, target(wanted), scene.basic))).toBe('403/7 NOT_REQUESTABLE')
  })
})

describe('a search of what one may request', () => {
  test('finds what one sees, each once, with its neighbours and what one holds of it', async () => {
    const appId = await scene.app('Wiki')
    const resource = await scene.resource(appId, 'Space')
    const [edit, read, hidden] = [
      await scene.entitlement(appId, 'Editing wikis', { resource, slug: 'edit' }),
      await scene.entitlement(appId, 'Reading wikis'),
      await scene.entitlement(appId, 'Deleting wikis'),
    ]
    await scene.server.db`update entitlements set alias = 'wiki-edit' where entitlement_id = ${edit.id}`
    const person = await scene.caller(['system:user'])
    await scene.profile({}, [edit, read])
    await scene.profile({}, [edit])
    const secret = await scene.profile({ visibleToEveryone: false }, [hidden])
    await scene.profile({ published: false }, [hidden])
    const find = (body: object, by = person) => scene.search({ appDisplayName: 'wiki', ...body }, by)
    expect((await find({})).names.toSorted()).toEqual(['Editing wikis', 'Reading wikis'])
    expect((await find({ appDisplayName: 'wik' })).names).toEqual([])
    expect((await find({ query: 'editing' })).names).toEqual(['Editing wikis'])
    expect((await find({ query: 'delet' })).names).toEqual([])
    expect((await find({ entitlementAlias: 'wiki-edit' })).names).toEqual(['Editing wikis'])
    expect((await find({ entitlementAlias: 'wiki' })).names).toEqual([])
    await holding(read, person.userId)
    expect((await find({ grantedStatus: 'GRANTED' })).names).toEqual(['Reading wikis'])
    expect((await find({ grantedStatus: 'NOT_GRANTED' })).names).toEqual(['Editing wikis'])
    expect((await find({ grantedStatus: 'ALL' })).names).toHaveLength(2)
    // As cone reads it.
    const { json } = await find({ expandMask: { paths: ['*'] }, query: 'editing' })
    const [item] = json['list'] as [{ entitlement: Json; appEntitlementUserBindings: Json[] }]
    const expanded = json['expanded'] as Json[]
    const at = (path: unknown): Json => expanded[Number(/^\$\.expanded\[(\d+)\]$/.exec(String(path))?.[1])] as Json
    expect(at(item.entitlement['appPath'])).toMatchObject({
      '@type': 'type.googleapis.com/c1.api.app.v1.App',
      displayName: 'Wiki',
    })
    expect(at(item.entitlement['appResourcePath'])).toMatchObject({
      '@type': 'type.googleapis.com/c1.api.app.v1.AppResource',
      displayName: 'Space',
    })
    expect(at(item.entitlement['appResourceTypePath'])).toMatchObject({
      '@type': 'type.googleapis.com/c1.api.app.v1.AppResourceType',
      displayName: 'A kind',
    })
    expect(item.appEntitlementUserBindings).toEqual([])
    const held = (await find({ grantedStatus: 'GRANTED' })).json['list'] as [{ appEntitlementUserBindings: Json[] }]
    expect(held[0].appEntitlementUserBindings).toMatchObject([{ appId, appEntitlementId: read.id }])
    // cone gets the entitlement and its app next.
    const seen = await scene.get(`/api/v1/apps/${appId}/entitlements/${edit.id}`, person)
    expect(seen.json).toMatchObject({ appEntitlementView: { appEntitlement: { displayName: 'Editing wikis' } } })
    expect((await scene.get(`/api/v1/apps/${appId}`, person)).status).toBe(200)
    expect((await scene.get(`/api/v1/apps/${appId}/entitlements/${hidden.id}`, person)).status).toBe(404)
    const catalog = `/api/v1/catalogs/${secret}`
    for (const path of [catalog, `${catalog}/requestable_entitlements`, `${catalog}/requestable_entitlementIDs`])
      expect(outcomeOf(await scene.get(path, person))).toBe('404/5 REQUEST_CATALOG_NOT_FOUND')
    expect((await find({}, scene.admin)).names.toSorted()).toEqual(['Deleting wikis', 'Editing wikis', 'Reading wikis'])
  })

  test('finds nothing as an empty list, not as none', async () => {
    const { json } = await scene.search({ query: 'nosuchwordanywhere' })
    expect(json).toMatchObject({ list: [], expanded: [], nextPageToken: '' })
  })

  test('goes page by page, with a text and without', async () => {
    const things = await scene.things(25)
    const person = await scene.caller(['system:user'])
    const [key] = (await scene.things(1)) as [Ref]
    await holding(key, person.userId)
    const id = await scene.profile({ visibleToEveryone: false }, things)
    await bind(id, [key])
    const path = '/api/v1/search/request_catalog/entitlements'
    for (const body of [{ appDisplayName: 'Profiled app' }, { query: 'thing', appDisplayName: 'Profiled app' }]) {
      const found = (await scene.all(path, body, person)) as { entitlement: { appEntitlement: Ref } }[]
      const ids = found.map(({ entitlement }) => entitlement.appEntitlement.id)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { id: each } of things) expect(ids).toContain(each)
    }
  })

  test('a basic user sees of a profile what it contains, and not who else sees it or is in it', async () => {
    const [thing, key] = (await scene.things(2)) as [Ref, Ref]
    const id = await scene.profile({ requestBundle: true }, [thing])
    await bind(id, [key])
    await scene.enroll(id, await scene.user())
    const view = (await scene.get(`/api/v1/catalogs/${id}`, scene.basic)).json['requestCatalogView'] as Json
    expect(view).toMatchObject({ memberCount: '0', requestCatalog: { accessEntitlements: [] } })
    const admins = (await scene.get(`/api/v1/catalogs/${id}`)).json['requestCatalogView'] as Json
    expect(admins).toMatchObject({ memberCount: '1', requestCatalog: { accessEntitlements: [key] } })
    const list = await scene.all(`/api/v1/catalogs/${id}/requestable_entitlements`, null, scene.basic)
    expect(list).toMatchObject([{ appEntitlement: { id: thing.id, displayName: 'Thing 0' } }])
  })
})
