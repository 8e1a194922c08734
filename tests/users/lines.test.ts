import { expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { update } from '../fixture/write.ts'
import { prepare } from '../grants/scene.ts'

/** Lists read a user as one line of text (lines.ts), a lookup reads field by field: both must say the same. */
const scene = prepare()

/** The JSON of each, as text: the order of the fields counts too. */
async function shownAlone(ids: readonly string[], by = scene.admin): Promise<string[]> {
  const replies = await Promise.all(ids.map((id) => scene.get(`/api/v1/users/${id}`, by)))
  return replies.map(({ json }) => JSON.stringify(json['userView']))
}
const asText = (items: readonly Json[]): string[] => items.map((item) => JSON.stringify(item))
const only = (items: readonly Json[], ids: readonly string[]): Json[] =>
  ids.map((id) => items.find((item) => item['userId'] === id) as Json)

async function expectSame(ids: readonly string[]): Promise<void> {
  const alone = await shownAlone(ids)
  expect(asText(only(await scene.all('/api/v1/search/users', { ids }), ids))).toEqual(alone)
  expect(asText(only(await scene.all('/api/v1/users'), ids))).toEqual(alone)
}

const makeUser = async (columns: Record<string, unknown>): Promise<string> => {
  const id = await scene.user()
  const { db } = scene.server
  await update(db, 'users', columns as never, db`x.user_id = ${id}`)
  return id
}

const strange = [
  '"',
  '\\',
  '\n\t\b\u0001',
  '\u007f',
  '\u2028',
  'Zoë 😀',
  '{a,b}',
  'NULL',
  '',
  ' ',
  "'",
  '\\u001f',
  'null',
]

test('a user in a list is as the user alone, whatever their fields hold', async () => {
  const { db } = scene.server
  const ids: string[] = []
  for (const text of strange)
    ids.push(
      await makeUser({
        display_name: `L ${text}`,
        username: text,
        department: text,
        job_title: `${text}${text}`,
        employment_type: text,
        employment_status: text,
        emails: [`${text}1@example.com`, `${text}2@example.com`],
        usernames: strange,
        employee_ids: [text],
        manager_ids: [scene.admin.userId, scene.viewer.userId],
        profile: db.json({ [text]: text, number: 1.5, whole: 1, list: [1, { text }], nothing: null, isTrue: true }),
        created_at: new Date('2020-02-29T23:59:59.120Z'),
        updated_at: new Date('2021-12-31T00:00:00.000Z'),
      }),
    )
  // Lists that do not begin at 1, or have a null in them, are none that we write; an operator may.
  ids.push(await makeUser({ emails: db`'[0:1]={a@example.com,"b c@example.com"}'`, usernames: db`'{a,NULL,"NULL"}'` }))
  for (const moment of ['1969-12-31T23:59:59.001Z', '0099-01-01T00:00:00.010Z', '9999-12-31T23:59:59.999Z'])
    ids.push(await makeUser({ display_name: 'Long ago', created_at: new Date(moment), updated_at: new Date(moment) }))
  await expectSame(ids)
})

test('a value that holds the separator of a line, once or as often as to look like fields, is shown as it is', async () => {
  const separator = '\u001f'
  const plain = await makeUser({ display_name: 'Separated Plain' })
  const ids = [plain]
  for (const times of [1, 2, 20, 21, 22])
    ids.push(await makeUser({ display_name: `Separated ${separator.repeat(times)}x`, department: separator }))
  ids.push(
    await makeUser({
      username: separator,
      emails: [`a${separator}@example.com`],
      employee_ids: [separator, separator],
    }),
  )
  await expectSame(ids)
  const found = await scene.all('/api/v1/search/users', { query: 'separated' })
  expect(found).toHaveLength(6)
})

test('roles, a delegation, and the time when someone was deleted are in a list too', async () => {
  const { db } = scene.server
  const [delegate, user] = [await scene.user(), await scene.user()]
  const until = new Date(Date.now() + 60_000).toISOString()
  const set = { delegatedUserId: delegate, delegationExpireAt: until }
  expect((await scene.post(`/api/v1/users/${user}/set-delegation-by-admin`, set)).status).toBe(200)
  await expectSame([user, delegate, scene.admin.userId, scene.viewer.userId])
  const [admin] = await scene.all('/api/v1/search/users', { ids: [scene.admin.userId] })
  expect(((admin as Json)['user'] as Json)['roleIds']).toHaveLength(1)

  await update(db, 'users', { deleted_at: new Date(), status: 'DELETED' }, db`x.user_id = ${delegate}`)
  const deleted = await scene.all('/api/v1/search/users', { ids: [delegate], userStatuses: ['DELETED'] })
  expect(asText(deleted)).toEqual(await shownAlone([delegate]))
  expect(((deleted[0] as Json)['user'] as Json)['deletedAt']).toMatch(/^\d{4}-.*Z$/)
})

test('a list tells a viewer that they may not edit, as a lookup does', async () => {
  const id = await scene.user()
  const { json } = await scene.post('/api/v1/search/users', { ids: [id] }, scene.viewer)
  expect(asText(json['list'] as Json[])).toEqual(await shownAlone([id], scene.viewer))
})

test('a page of users with long profiles comes whole', async () => {
  const { db } = scene.server
  const profile = db.json({ long: 'é"'.repeat(30_000) })
  const ids = [await makeUser({ profile }), await makeUser({ profile }), await makeUser({ profile })]
  await expectSame(ids)
})

test('pages follow each other by lines, and by fields where one of them needs that', async () => {
  const ids: string[] = []
  for (let n = 10; n < 35; n++) ids.push(await makeUser({ display_name: `Paged ${n}${n === 30 ? '\u001f' : ''}` }))
  const first = await scene.post('/api/v1/search/users', { query: 'paged', pageSize: 10 })
  const second = await scene.post('/api/v1/search/users', {
    query: 'paged',
    pageSize: 10,
    pageToken: first.json['nextPageToken'],
  })
  const third = await scene.post('/api/v1/search/users', {
    query: 'paged',
    pageSize: 10,
    pageToken: second.json['nextPageToken'],
  })
  const shown = [first, second, third].flatMap(({ json }) => (json['list'] as Json[]).map((item) => item['userId']))
  expect(shown).toEqual(ids)
  expect(third.json['nextPageToken']).toBe('')
})
