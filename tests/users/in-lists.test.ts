import { expect, test } from 'vitest'
import type { Json } from '../fixture/access.ts'
import { update } from '../fixture/write.ts'
import { prepare } from '../grants/scene.ts'

/** A list and a lookup must show the same of a user. */
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
