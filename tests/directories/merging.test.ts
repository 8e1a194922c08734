import { expect, test } from 'vitest'
import { ask, getToken, type Json, reasonOf } from '../fixture/access.ts'
import { importRecords } from '../imports/support.ts'
import { signIn } from '../sessions/support.ts'
import { newName, prepare, userIdOf } from './support.ts'

const scene = prepare()

const planOf = (userId: string, intoUserId: string) =>
  scene.api(`/api/v1/users/${userId}/merge/plan`, { body: { intoUserId } })
const merge = async (userId: string, intoUserId: string) => {
  const plan = await planOf(userId, intoUserId)
  expect(plan.status, plan.text).toBe(200)
  const { fingerprint } = plan.json
  return scene.api(`/api/v1/users/${userId}/merge`, { body: { intoUserId, fingerprint } })
}
const split = (userId: string) => scene.api(`/api/v1/users/${userId}/split`, { body: {} })
const person = (name: string) => scene.access.makeUser({ email: `${name}@example.com` })
const holderOf = async (accountId: string): Promise<string> => {
  const [row] = await scene.server.db<
    { id: string }[]
  >`select user_id as id from accounts where account_id = ${accountId}`
  return row?.id ?? ''
}

test('two users who are one person are merged and split again: nothing is lost, and what lets in ends', async () => {
  const [one, two, report] = [newName(), newName(), newName()]
  const [intoId, userId] = [await person(one), await person(two)]
  const scim = await scene.makeDirectory()
  const made = await scim.makeUser(two, { emails: [{ value: `${two}@example.com`, primary: true }], title: 'Twin' })
  expect(await userIdOf(scene, scim, made.id)).toBe(userId)
  const app = newName()
  await importRecords(scene.access, [
    { kind: 'app', externalId: app, displayName: app },
    { kind: 'account', app, externalId: two, displayName: two, email: `${two}@example.com` },
  ])
  const [row] = await scene.server.db<{ appId: string; id: string }[]>`
    select app_id as "appId", account_id as id from accounts where external_id = ${two}`
  const { appId, id: accountId } = row as { appId: string; id: string }
  expect(await holderOf(accountId)).toBe(userId)
  const reportId = await person(report)
  await scene.server.db`update users set manager_ids = array[${userId}] where user_id = ${reportId}`
  const owning = await scene.api(`/api/v2/apps/${appId}/owners/users/primary/${userId}`, { body: {} })
  expect(owning.status, owning.text).toBe(200)
  const token = await getToken(scene.server, await scene.access.makeKey(userId))
  const browser = await signIn(scene.server, scene.access, userId)
  const isIn = async () => [
    (await ask(scene.server, '/api/v1/auth/introspect', { token })).status,
    (await browser.ask('/api/v1/auth/introspect')).status,
  ]
  expect(await isIn()).toEqual([200, 200])
  const before = await scene.user(userId)
  expect((await planOf(userId, intoId)).json).toMatchObject({
    accountCount: 2,
    directoryCount: 1,
    reportCount: 1,
    ownedCount: 1,
    openTaskCount: 0,
    credentialCount: 1,
    sessionCount: 1,
  })
  const done = await merge(userId, intoId)
  expect(done.status, done.text).toBe(200)
  expect(await isIn()).toEqual([401, 401])
  expect(await holderOf(accountId)).toBe(intoId)
  expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED', email: `${two}@example.com` })
  expect(await scene.user(intoId)).toMatchObject({ status: 'ENABLED', jobTitle: 'Twin', email: `${one}@example.com` })
  expect((await scene.user(reportId))['managerIds']).toEqual([intoId])
  const owners = async () =>
    (
      await scene.server.db<{ id: string }[]>`
        select user_id as id from owners where app_id = ${appId} and ended_at is null`
    ).map(({ id }) => id)
  expect(await owners()).toEqual([intoId])
  // An import, the directory and a second merge find the user who stays.
  await importRecords(scene.access, [
    { kind: 'account', app, externalId: two, displayName: 'Changed', email: `${two}@example.com` },
  ])
  expect(await holderOf(accountId)).toBe(intoId)
  expect((await merge(userId, intoId).catch(() => null))?.status ?? 400).toBe(400)
  await scim.patch(`/Users/${made.id}`, { op: 'replace', path: 'title', value: 'Still a twin' })
  expect(await scene.user(intoId)).toMatchObject({ jobTitle: 'Still a twin' })
  const apart = await split(userId)
  expect(apart.status, apart.text).toBe(200)
  expect(await holderOf(accountId)).toBe(userId)
  const { updatedAt: _, jobTitle: __, ...rest } = before
  const after = await scene.user(userId)
  expect(after).toMatchObject({
    status: rest['status'],
    email: rest['email'],
    usernames: rest['usernames'],
    jobTitle: 'Still a twin',
  })
  expect((await scene.user(reportId))['managerIds']).toEqual([userId])
  expect(await owners()).toEqual([userId])
  // Sessions do not come back.
  expect((await browser.ask('/api/v1/auth/introspect')).status).toBe(401)
  const merges = await scene.api(`/api/v1/users/${intoId}/merges`)
  expect(merges.json['list']).toMatchObject([{ userId, intoUserId: intoId, splitAt: expect.any(String) as string }])
  const again = await split(userId)
  expect([again.status, reasonOf(again)]).toEqual([404, 'NOT_MERGED'])
})

test('a merge that is not what its plan showed, of oneself, of a chain, or by a lower role is refused', async () => {
  const [a, b, c] = [await person(newName()), await person(newName()), await person(newName())]
  const wrong = await scene.api(`/api/v1/users/${a}/merge`, { body: { intoUserId: b, fingerprint: 'x' } })
  expect([wrong.status, reasonOf(wrong)]).toEqual([409, 'PLAN_OUTDATED'])
  expect((await planOf(a, a)).status).toBe(400)
  expect((await merge(a, b)).status).toBe(200)
  for (const [from, to] of [
    [a, c],
    [b, c],
    [c, a],
  ] as const)
    expect(reasonOf(await planOf(from, to))).toBe('NOT_MERGEABLE')
  const key = await scene.access.makeCaller(['system:owner'])
  const self = await scene.api(`/api/v1/users/${c}/merge/plan`, {
    token: await getToken(scene.server, key),
    body: { intoUserId: key.userId },
  })
  expect(reasonOf(self)).toBe('CANNOT_MERGE_SELF')
  const lower = await getToken(scene.server, await scene.access.makeCaller(['system:user']))
  expect((await scene.api(`/api/v1/users/${c}/merge/plan`, { token: lower, body: { intoUserId: b } })).status).toBe(403)
  expect((await scene.api(`/api/v1/users/${a}/split`, { token: lower, body: {} })).status).toBe(403)
  // Two at once: one of them.
  const [d, e, f] = [await person(newName()), await person(newName()), await person(newName())]
  const both = await Promise.all(
    [merge(d, e), merge(d, f)].map((each) => each.catch(() => ({ status: 400, json: {} as Json }))),
  )
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a merged user cannot be enabled manually, and has the previous status after a split', async () => {
  const [userId, intoId] = [await person(newName()), await person(newName())]
  expect((await merge(userId, intoId)).status).toBe(200)
  const enabled = await scene.api(`/api/v1/users/${userId}/enable`, { body: {} })
  expect([enabled.status, reasonOf(enabled)]).toEqual([400, 'USER_MERGED'])
  expect(await scene.user(userId)).toMatchObject({ status: 'DISABLED' })
  expect((await split(userId)).status).toBe(200)
  expect(await scene.user(userId)).toMatchObject({ status: 'ENABLED' })
})

test('who is managed by both users of a merge is so again after the split', async () => {
  const [userId, intoId] = [await person(newName()), await person(newName())]
  const [both, one] = [await person(newName()), await person(newName())]
  const managed = async (id: string) => (await scene.user(id))['managerIds']
  await scene.server.db`update users set manager_ids = array[${intoId}, ${userId}] where user_id = ${both}`
  await scene.server.db`update users set manager_ids = array[${userId}] where user_id = ${one}`
  expect((await planOf(userId, intoId)).json).toMatchObject({ reportCount: 1 })
  expect((await merge(userId, intoId)).status).toBe(200)
  expect([await managed(both), await managed(one)]).toEqual([[intoId, userId], [intoId]])
  expect((await split(userId)).status).toBe(200)
  expect([await managed(both), await managed(one)]).toEqual([[intoId, userId], [userId]])
})

test('a plan refuses what the merge would refuse: one by which a directory would disable who stays', async () => {
  const [one, two] = [newName(), newName()]
  const [intoId, userId] = [await person(one), await person(two)]
  const scim = await scene.makeDirectory()
  const made = await scim.makeUser(two, { emails: [{ value: `${two}@example.com`, primary: true }] })
  expect(await userIdOf(scene, scim, made.id)).toBe(userId)
  const [before] = await scene.server.db<{ count: number }[]>`select count(*) from user_merges`
  expect((await planOf(userId, intoId)).status).toBe(200)
  await scim.patch(`/Users/${made.id}`, { op: 'replace', value: { active: false } })
  const refused = await planOf(userId, intoId)
  expect([refused.status, reasonOf(refused)]).toEqual([400, 'NOT_MERGEABLE'])
  expect(refused.text).toContain('is not active')
  // A plan changes nothing, whether it is refused or not.
  const [after] = await scene.server.db<{ count: number }[]>`select count(*) from user_merges`
  expect(after).toEqual(before)
  expect(await holderOf(made.id)).toBe(userId)
})
