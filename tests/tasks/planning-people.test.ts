import { expect, test } from 'vitest'
import { ask, type Json, outcomeOf } from '../fixture/access.ts'
import { until } from '../fixture/later.ts'
import { longTest } from '../fixture/long.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { byManager, byOwners, prepareTasks, target } from './scene.ts'

const scene = prepareTasks()

type Problem = { reason: string; why: string; instead: string; place: number; peopleAffected: number; policyId: string }
const listed = async (by?: Caller) =>
  (await scene.all('/api/v1/requests/unanswerable', null, by)) as unknown as {
    appEntitlementId: string
    problems: Problem[]
  }[]
const problemsOf = async ({ id }: Ref): Promise<Problem[]> =>
  (await listed()).find(({ appEntitlementId }) => appEntitlementId === id)?.problems ?? []
const comesTo = (ref: Ref, is: (problems: Problem[]) => boolean) => until(async () => is(await problemsOf(ref)))
const setStatus = async (userId: string, to: 'disable' | 'enable'): Promise<void> => {
  const reply = await scene.post(`/api/v1/users/${userId}/${to}`, {})
  expect(reply.status, reply.text).toBe(200)
}

test('an entitlement whose approvers are gone is listed with the reason and what happens instead, until they are back', async () => {
  const only = await scene.caller(['system:user'])
  const named = await scene.target(await scene.policy([{ approval: { users: { userIds: [only.userId] } } }]))
  const owned = await scene.target(byOwners)
  const group = await scene.entitlement(named.appId, 'A group')
  const spare = await scene.caller(['system:user'])
  const held = await scene.target(
    await scene.policy([
      { accept: {} },
      {
        approval: {
          group: { appId: group.appId, appGroupId: group.id, fallback: true, fallbackUserIds: [spare.userId] },
        },
      },
    ]),
  )
  await comesTo(held, (problems) => problems.length > 0)
  expect(await problemsOf(held)).toMatchObject([
    { reason: 'UNANSWERABLE_REASON_GROUP_EMPTY', instead: 'UNANSWERABLE_INSTEAD_FALLBACK', place: 2 },
  ])
  expect(await problemsOf(named)).toEqual([])
  expect(await problemsOf(owned)).toEqual([])
  await setStatus(only.userId, 'disable')
  await setStatus(owned.owner.userId, 'disable')
  await comesTo(owned, (problems) => problems.length > 0)
  expect(await problemsOf(owned)).toMatchObject([
    { reason: 'UNANSWERABLE_REASON_OWNER_DISABLED', instead: 'UNANSWERABLE_INSTEAD_SUPER_ADMINISTRATORS' },
  ])
  await comesTo(named, (problems) => problems.length > 0)
  expect(await problemsOf(named)).toMatchObject([{ reason: 'UNANSWERABLE_REASON_USERS_DISABLED' }])
  await setStatus(only.userId, 'enable')
  await comesTo(named, (problems) => problems.length === 0)
  const member = await scene.post(`/api/v1/apps/${group.appId}/entitlements/${group.id}/add-manual-user`, {
    userIds: [spare.userId],
  })
  expect(member.status, member.text).toBe(200)
  await comesTo(held, (problems) => problems.length === 0)
})

longTest(
  'for manager steps the number of people without a manager is shown, and for expressions and policies that they fail',
  async () => {
    const managed = await scene.target(byManager)
    const failing = await scene.target(
      await scene.policy([{ approval: { expression: { expressions: ['[subject.profile.boss]'] } } }]),
    )
    const lost = await scene.target('2zzzzzzzzzzzzzzzzzzzzzzzzzz')
    const unoffered = await scene.target('2zzzzzzzzzzzzzzzzzzzzzzzzzz', { isOffered: false })
    await comesTo(lost, (problems) => problems.length > 0)
    expect(await problemsOf(lost)).toMatchObject([
      { reason: 'UNANSWERABLE_REASON_POLICY_MISSING', instead: 'UNANSWERABLE_INSTEAD_REFUSED', place: 0 },
    ])
    const [{ count } = { count: 0 }] = await scene.server.db<{ count: number }[]>`
    select count(*)::int as count from users where status = 'ENABLED' and deleted_at is null and manager_ids = '{}'
      and tenant_id = ${scene.access.tenant.id}`
    await comesTo(managed, ([problem]) => problem?.peopleAffected === count)
    expect(await problemsOf(managed)).toMatchObject([{ reason: 'UNANSWERABLE_REASON_MANAGER_MISSING' }])
    await comesTo(failing, (problems) => problems.length > 0)
    expect(await problemsOf(unoffered)).toEqual([])
    expect((await listed()).length).toBeGreaterThan(1)
    expect(await problemsOf(failing)).toMatchObject([{ reason: 'UNANSWERABLE_REASON_EXPRESSION_FAILED' }])
    // Counted on every page: all, and those that have a problem whoever asks, which managers that are missing are not.
    const all = await listed()
    const forEveryone = all.filter(({ problems }) => problems.some(({ peopleAffected }) => peopleAffected === 0))
    expect(forEveryone.length).toBeLessThan(all.length)
    const { json } = await scene.get('/api/v1/requests/unanswerable?page_size=10')
    expect([json['total'], json['totalForEveryone']]).toEqual([all.length, forEveryone.length])
  },
)

test('who may not read policies does not see the list', async () => {
  expect(outcomeOf(await scene.get('/api/v1/requests/unanswerable', scene.basic))).toBe('403/7 PERMISSION_DENIED')
  expect((await listed(scene.viewer)).length).toBeGreaterThan(0)
})

test("a leaver's plan lists what depends on them, and disabling them does what it says", async () => {
  const leaver = await scene.caller(['system:user'])
  const spare = await scene.caller(['system:user'])
  const report = await scene.caller(['system:user'], leaver.userId)
  const asker = await scene.caller(['system:user'])
  const policyId = await scene.policy([
    { approval: { users: { userIds: [leaver.userId] } } },
    { approval: { manager: { fallback: true, fallbackUserIds: [leaver.userId, spare.userId] } } },
  ])
  const asked = await scene.target(policyId)
  const both = await scene.target(
    await scene.policy([{ approval: { users: { userIds: [leaver.userId, spare.userId] } } }]),
  )
  const { id: taskId } = scene.task(await scene.post('/api/v1/task/grant', target(asked), asker))
  scene.task(await scene.post('/api/v1/task/grant', target(both), asker))
  const own = scene.task(await scene.post('/api/v1/task/grant', target(asked), leaver))
  const owners = await ask(scene.server, `/api/v1/apps/${asked.appId}/entitlements/${asked.id}/owners`, {
    method: 'PUT',
    token: scene.admin.token,
    body: { userIds: [leaver.userId] },
  })
  expect(owners.status, owners.text).toBe(200)
  await scene.server.db`
    update entitlements set provisioner = ${scene.server.db.json({ manual: { userIds: [leaver.userId], instructions: '', assignee: null } })}
    where entitlement_id = ${both.id}`
  await scene.server.db`
    insert into user_delegations (tenant_id, user_id, delegated_user_id, created_at, updated_at)
    values (${scene.access.tenant.id}, ${spare.userId}, ${leaver.userId}, now(), now())`
  const reply = await scene.get(`/api/v1/users/${leaver.userId}/leaver_plan`)
  expect(reply.status, reply.text).toBe(200)
  const plan = reply.json['plan'] as Record<string, Json[]> & {
    openStepsCount: number
    openStepsOnlyTheirs: number
    peopleManaged: number
    peopleManagedOnlyByThem: number
  }
  expect(plan.openStepsCount).toBe(2)
  expect(plan.openStepsOnlyTheirs).toBe(1)
  expect(plan['openSteps']).toMatchObject([
    {
      taskId,
      others: 0,
      afterwardsUserIds: expect.arrayContaining([scene.admin.userId]) as unknown,
      afterwards: 'It goes to Super Administrators.',
    },
    { others: 1, afterwards: '1 other person can decide it.' },
  ])
  expect(plan['requests']).toMatchObject([{ taskId: own.id, afterwards: 'It is cancelled.' }])
  expect(plan['policies']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ policyId, use: 'approver', othersAble: 0, afterwards: 'Super Administrators decide.' }),
      expect.objectContaining({ policyId, use: 'fallback', othersAble: 1 }),
    ]),
  )
  expect(plan['lastOwnerOf']).toMatchObject([{ kind: 'entitlement', id: asked.id }])
  expect(plan['provisioners']).toMatchObject([{ appEntitlementId: both.id, othersAble: 0 }])
  expect(plan['credentials']).toHaveLength(1)
  expect([plan.peopleManaged, plan.peopleManagedOnlyByThem]).toEqual([1, 1])
  expect(plan['delegations']).toMatchObject([
    { userId: spare.userId, afterwards: 'The person whose delegate they were decides again.' },
  ])
  expect(report.userId).not.toBe('')
  await setStatus(leaver.userId, 'disable')
  await until(async () => (await scene.look(taskId)).stepApproverIds.includes(scene.admin.userId))
  await until(async () => (await scene.look(own.id)).state === 'TASK_STATE_CLOSED')
})

test("a leaver's plan is for those who may read everyone, and leaves out parts that they may not", async () => {
  const someone = await scene.caller(['system:user'])
  const path = `/api/v1/users/${someone.userId}/leaver_plan`
  expect(outcomeOf(await scene.get(path, someone))).toBe('403/7 PERMISSION_DENIED')
  expect(outcomeOf(await scene.get(path, await scene.caller(['system:request-admin'])))).toBe('403/7 PERMISSION_DENIED')
  expect((await scene.get(path, scene.viewer)).status).toBe(200)
  expect(outcomeOf(await scene.get('/api/v1/users/2zzzzzzzzzzzzzzzzzzzzzzzzzz/leaver_plan'))).toBe(
    '404/5 USER_NOT_FOUND',
  )
})
