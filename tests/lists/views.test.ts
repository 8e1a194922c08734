import { describe, expect, test } from 'vitest'
import { ask, getToken, type Json } from '../fixture/access.ts'
import { type Caller, prepare } from '../grants/scene.ts'

/** Saved views: one's own, and those that are shared with everyone. */

const scene = prepare()
const at = '/api/v1/lists/views'
type View = Json & { id: string; name: string; query: string; mayChange: boolean }

const save = (body: object, by?: Caller) =>
  scene.post(at, { page: '/users', name: 'A view', query: 'status=DISABLED', ...body }, by)
const saved = async (body: object, by?: Caller): Promise<View> => {
  const reply = await save(body, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json['view'] as View
}
const named = async (by: Caller, page = '/users'): Promise<string[]> =>
  (await scene.all(`${at}?page=${encodeURIComponent(page)}`, null, by)).map(({ name }) => name as string)

describe('saved views', () => {
  test("are one's own until they are shared, and of one page", async () => {
    await saved({ name: 'Mine', page: '/apps' })
    await saved({ name: 'For all', page: '/apps', isShared: true })
    await saved({ name: 'Theirs', page: '/apps' }, scene.basic)
    expect(await named(scene.admin, '/apps')).toEqual(['Mine', 'For all'])
    expect(await named(scene.basic, '/apps')).toEqual(['For all', 'Theirs'])
    expect(await named(scene.admin, '/tasks')).toEqual([])
  })

  test('are not those of another tenant', async () => {
    await saved({ name: 'Ours', page: '/imports', isShared: true })
    const other = await scene.access.makeTenant('views.example.com')
    const key = await scene.access.makeCaller(['system:owner'], {}, other)
    const token = await getToken(scene.server, key)
    const reply = await ask(scene.server, at, { token, host: other.domain })
    expect([reply.status, reply.json['list']]).toEqual([200, []])
  })

  test('keep the query of the page without the place in the list', async () => {
    const view = await saved({ name: 'Tidy', query: '?q=ann&status=DISABLED&page=token&size=50&sort=-name' })
    expect(view.query).toBe('q=ann&status=DISABLED&sort=-name')
  })

  test('are renamed, changed and deleted by who saved them', async () => {
    const { id } = await saved({ name: 'Before' })
    const renamed = await scene.post(`${at}/${id}`, { view: { name: ' After ' }, updateMask: 'name' })
    expect(renamed.json['view']).toMatchObject({ name: 'After', query: 'status=DISABLED', mayChange: true })
    const changed = await scene.post(`${at}/${id}`, { view: { query: 'status=ENABLED' }, updateMask: 'query' })
    expect(changed.json['view']).toMatchObject({ name: 'After', query: 'status=ENABLED' })
    expect((await scene.remove(`${at}/${id}`, {})).status).toBe(200)
    expect((await scene.remove(`${at}/${id}`, {})).status).toBe(404)
    const messages = (await scene.logged('lists.v1.SavedViewService.Delete')).map(({ message }) => message)
    expect(messages).toEqual(['Deleted the view After of /users'])
  })

  test("somebody else's is not there; a shared one may be changed only by who may share", async () => {
    const own = await saved({ name: 'Private' })
    const shared = await saved({ name: 'Shared', isShared: true })
    for (const path of [`${at}/${own.id}`, `${at}/${scene.access.world.newId()}`]) {
      expect((await scene.post(path, { view: { name: 'x' }, updateMask: 'name' }, scene.basic)).status).toBe(404)
      expect((await scene.remove(path, {}, scene.basic)).status).toBe(404)
    }
    const refused = await scene.post(`${at}/${shared.id}`, { view: { name: 'x' }, updateMask: 'name' }, scene.basic)
    expect([refused.status, refused.text.includes('views.share')]).toEqual([403, true])
    expect((await scene.remove(`${at}/${shared.id}`, {}, scene.basic)).status).toBe(403)
    const seen = (await scene.all(at, null, scene.basic)) as View[]
    expect(seen.find(({ id }) => id === shared.id)?.mayChange).toBe(false)
    // An administrator tidies up what others shared.
    const theirs = await saved({ name: 'Of theirs' }, scene.basic)
    expect((await scene.remove(`${at}/${theirs.id}`, {})).status).toBe(404)
  })

  test('are shared by who may share, when they are saved and later', async () => {
    expect((await save({ name: 'No', isShared: true }, scene.basic)).status).toBe(403)
    const { id } = await saved({ name: 'Not yet' }, scene.basic)
    const later = await scene.post(`${at}/${id}`, { view: { isShared: true }, updateMask: 'isShared' }, scene.basic)
    expect(later.status).toBe(403)
  })

  test('have a name of their own, whatever its case, also when two are saved at once', async () => {
    const replies = await Promise.all(['Twin', 'TWIN', 'twin '].map((name) => save({ name })))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    const { id } = await saved({ name: 'Other' })
    const renamed = await scene.post(`${at}/${id}`, { view: { name: 'tWiN' }, updateMask: 'name' })
    expect([renamed.status, renamed.text.includes('SAVED_VIEW_EXISTS')]).toEqual([409, true])
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ page: '' }, 'page'],
    [{ page: 'users' }, 'page'],
    [{ page: '//evil.example.com/users' }, 'page'],
    [{ page: '/users?x=1' }, 'page'],
    [{ page: 'javascript:alert(1)' }, 'page'],
    [{ query: 'q='.padEnd(5000, 'x') }, 'query'],
  ])('of %j are refused by the field', async (body, field) => {
    const reply = await save(body)
    expect([reply.status, reply.text.includes(field)]).toEqual([400, true])
  })

  test('are limited to 100 for each person, also when several are saved at once', async () => {
    const key = await scene.access.makeCaller(['system:user'])
    const caller = { userId: key.userId, token: await getToken(scene.server, key) }
    const { tenant, world } = scene.access
    for (let n = 0; n < 98; n++)
      await scene.server.db`
        insert into saved_views (tenant_id, view_id, user_id, page, name, query, is_shared, created_at, updated_at)
        values (${tenant.id}, ${world.newId()}, ${key.userId}, '/users', ${`View ${n}`}, '', false, now(), now())`
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save({ name }, caller)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 400, 400])
    expect(replies.some(({ text }) => text.includes('SAVED_VIEWS_TOO_MANY'))).toBe(true)
  })
})
