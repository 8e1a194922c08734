import { expect, test } from 'vitest'
import { eventually, outcomeOf } from '../fixture/access.ts'
import { type Caller, type Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'

type Ends = { asked: Ref & { owner: Caller }; asker: Caller }

/** Someone who has access for a second, by a request that was approved at once. */
async function briefly(revokePolicyId = '', more: object = {}): Promise<Ends> {
  const asked = await scene.target(automatic)
  if (revokePolicyId !== '')
    await scene.server
      .db`update entitlements set revoke_policy_id = ${revokePolicyId} where entitlement_id = ${asked.id}`
  const asker = await scene.caller(['system:user'])
  scene.task(await scene.post(grant, target(asked, { grantDuration: '1s', ...more }), asker))
  // Held now, or already over on a busy machine.
  expect(await scene.server.db`select 1 from grants where entitlement_id = ${asked.id}`).not.toEqual([])
  return { asked, asker }
}

const endsOf = async ({ asked, asker }: Ends): Promise<TaskSeen[]> => {
  const found = await scene.all('/api/v1/search/tasks', {
    appEntitlementIds: [asked.id],
    subjectIds: [asker.userId],
    taskTypes: [{ revoke: {} }],
  })
  return found.map(({ task }) => task as TaskSeen)
}
const ended = (ends: Ends) => eventually(async () => (await endsOf(ends)).length > 0)

test('access that was requested for a time ends on time, with a revoke task that says so', async () => {
  const ends = await briefly()
  expect(await ended(ends)).toBe(true)
  const [task] = await endsOf(ends)
  expect(task).toMatchObject({
    state: 'TASK_STATE_CLOSED',
    origin: 'TASK_ORIGIN_TIME_REVOKE',
    userId: ends.asker.userId,
    type: {
      revoke: { outcome: 'REVOKE_OUTCOME_REVOKED', source: { expired: { expiredAt: expect.any(String) as string } } },
    },
  })
  expect(await scene.holds(ends.asked, ends.asker.userId)).toEqual([])
  const [row] = await scene.server.db<{ by: string; why: string; late: boolean }[]>`
    select ended_by as by, ended_why as why, ended_at <> expires_at as late from grants
    where entitlement_id = ${ends.asked.id}`
  expect(row).toEqual({ by: task?.id, why: 'expired', late: false })
  const history = await scene.all('/api/v1/task/audits', { taskId: task?.id })
  expect(history.length).toBeGreaterThan(3)
  const events = (await scene.logged('expire grants')).filter(({ resources }) => resources[1]?.uid === task?.id)
  expect(events).toHaveLength(1)
})

test('where the revoke policy asks somebody, access goes on until it is decided, and who holds it cannot close the task', async () => {
  const decider = await scene.caller(['system:user'])
  const ends = await briefly(await scene.policy([{ approval: { users: { userIds: [decider.userId] } } }], 'revoke'))
  expect(await ended(ends)).toBe(true)
  expect(await scene.holds(ends.asked, ends.asker.userId)).toMatchObject([{ source: 'request', expiresAt: null }])
  const [task] = await endsOf(ends)
  expect(task).toMatchObject({ state: 'TASK_STATE_OPEN', stepApproverIds: [decider.userId] })
  const id = task?.id ?? ''
  expect((await scene.look(id, ends.asker)).actions).toEqual(['TASK_ACTION_TYPE_COMMENT'])
  expect(outcomeOf(await scene.act(id, 'close', {}, ends.asker))).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
  const policyStepId = task?.policy.current?.id
  expect(scene.task(await scene.act(id, 'approve', { policyStepId }, decider))).toMatchObject({
    type: { revoke: { outcome: 'REVOKE_OUTCOME_REVOKED' } },
  })
  expect(await scene.holds(ends.asked, ends.asker.userId)).toEqual([])
})

test('access that is given again while its end is undecided does not end: the revoke task is cancelled', async () => {
  const decider = await scene.caller(['system:user'])
  const ends = await briefly(await scene.policy([{ approval: { users: { userIds: [decider.userId] } } }], 'revoke'))
  expect(await ended(ends)).toBe(true)
  const again = scene.task(await scene.post(grant, target(ends.asked, { grantDuration: '3600s' }), ends.asker))
  expect(again.type.grant?.source).toMatchObject({ isExtension: true })
  expect(await endsOf(ends)).toMatchObject([
    { state: 'TASK_STATE_CLOSED', type: { revoke: { outcome: 'REVOKE_OUTCOME_CANCELLED' } } },
  ])
  expect(await scene.holds(ends.asked, ends.asker.userId)).toMatchObject([
    { source: 'request', expiresAt: expect.any(Date) as Date },
  ])
})

test('of two reasons for the same access one ends, and the other still holds', async () => {
  const ends = await briefly()
  const of = `/api/v1/apps/${ends.asked.appId}/entitlements/${ends.asked.id}`
  await scene.post(`${of}/add-manual-user`, { userIds: [ends.asker.userId] })
  expect(await ended(ends)).toBe(true)
  expect(await scene.holds(ends.asked, ends.asker.userId)).toMatchObject([{ source: 'manual' }])
})

test('a revoke policy that is gone keeps nobody beyond their time', async () => {
  const ends = await briefly('2NoSuchPolicy00000000000000')
  expect(await ended(ends)).toBe(true)
  await expect.poll(() => endsOf(ends)).toMatchObject([{ state: 'TASK_STATE_CLOSED' }])
  expect(await scene.holds(ends.asked, ends.asker.userId)).toEqual([])
})

test('an extension never shortens what is held', async () => {
  const asked = await scene.target(automatic)
  const asker = await scene.caller(['system:user'])
  const ask = async (body: object) => scene.task(await scene.post(grant, target(asked, body), asker))
  await ask({ grantDuration: '7200s' })
  const [first] = await scene.holds(asked, asker.userId)
  await ask({ grantDuration: '60s' })
  expect(await scene.holds(asked, asker.userId)).toEqual([first])
  await ask({})
  expect(await scene.holds(asked, asker.userId)).toMatchObject([{ expiresAt: null }])
  await ask({ grantDuration: '60s' })
  expect(await scene.holds(asked, asker.userId)).toMatchObject([{ expiresAt: null }])
})
