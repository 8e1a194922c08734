import { describe, expect, test } from 'vitest'
import { eventually, type Json, outcomeOf } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import type { Caller } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'

/** A request under these steps, and who asked. */
async function ask(
  steps: Json[],
  more: object = {},
): Promise<{ made: TaskSeen; asker: Caller; ref: { appId: string; id: string; owner: Caller } }> {
  const ref = await scene.target(await scene.policy(steps), { maxSeconds: 36_000 })
  const asker = await scene.caller(['system:user'])
  return { made: scene.task(await scene.post(grant, target(ref, more), asker)), asker, ref }
}
const user = () => scene.caller(['system:user'])
const users = (...callers: Caller[]) => ({ users: { userIds: callers.map(({ userId }) => userId) } })

describe('only what is listed is allowed', () => {
  test('everyone is refused all actions that their actions do not name', async () => {
    const approver = await user()
    const { made, asker, ref } = await ask([{ approval: users(approver) }])
    const admin = await scene.caller(['system:request-admin'])
    const names: Record<string, string> = {
      approve: 'APPROVE',
      deny: 'DENY',
      reassign: 'REASSIGN',
      restart: 'RESTART',
      reset: 'HARD_RESET',
      'skip-step': 'SKIP_STEP',
      escalate: 'ESCALATE_TO_EMERGENCY_ACCESS',
      process: 'PROCESS_NOW',
      'update-grant-duration': 'UPDATE_GRANT_DURATION',
      'retry-provisioning': 'RETRY_PROVISIONING',
      'provision-complete': 'PROVISION_COMPLETE',
      'provision-errored': 'PROVISION_ERRORED',
      'provision-cancelled': 'PROVISION_CANCELLED',
    }
    let refused = 0
    for (const by of [asker, ref.owner, approver, admin]) {
      const { actions, policy } = await scene.look(made.id, by)
      for (const [action, name] of Object.entries(names)) {
        if (actions.includes(`TASK_ACTION_TYPE_${name}`)) continue
        const body = {
          policyStepId: policy.current?.id,
          comment: 'x',
          newStepUserIds: [approver.userId],
          duration: '5s',
        }
        expect(outcomeOf(await scene.act(made.id, action, body, by)), action).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
        refused += 1
      }
    }
    expect(refused).toBeGreaterThan(30)
    expect((await scene.look(made.id)).state).toBe('TASK_STATE_OPEN')
  })

  test('reasons are required where the policy requires them', async () => {
    const approver = await user()
    const { made } = await ask([{ approval: { ...users(approver), requireApprovalReason: true } }])
    const policyStepId = made.policy.current?.id
    expect(outcomeOf(await scene.act(made.id, 'approve', { policyStepId, comment: ' ' }, approver))).toBe(
      '400/3 TASK_REASON_REQUIRED',
    )
    expect((await scene.act(made.id, 'approve', { policyStepId, comment: 'ok' }, approver)).status).toBe(200)
  })
})

describe('reassigning', () => {
  test('goes on under a new step, with the same rules and other people', async () => {
    const [approver, other] = [await user(), await user()]
    const { made, asker } = await ask([{ approval: { ...users(approver), allowReassignment: true } }])
    const policyStepId = made.policy.current?.id
    const toSubject = await scene.act(made.id, 'reassign', { policyStepId, newStepUserIds: [asker.userId] }, approver)
    expect(toSubject.status).toBe(400)
    const moved = scene.task(
      await scene.act(made.id, 'reassign', { policyStepId, newStepUserIds: [other.userId] }, approver),
    )
    expect(moved.stepApproverIds).toEqual([other.userId])
    expect(moved.policy.current?.id).not.toBe(policyStepId)
    expect(outcomeOf(await scene.act(made.id, 'approve', { policyStepId }, approver))).toBe(
      '409/10 TASK_STEP_NOT_CURRENT',
    )
    const done = await scene.act(made.id, 'approve', { policyStepId: moved.policy.current?.id }, other)
    expect(scene.task(done).type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  })
})

describe('administrators', () => {
  test('restart begins again, skip goes on, close cancels', async () => {
    const [one, two] = [await user(), await user()]
    const { made, asker, ref } = await ask([{ approval: users(one) }, { approval: users(two) }])
    const admin = await scene.caller(['system:request-admin'])
    await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id }, one)
    const again = scene.task(await scene.act(made.id, 'restart', { comment: 'again' }, admin))
    expect(again.stepApproverIds).toEqual([one.userId])
    const skipped = scene.task(await scene.act(made.id, 'skip-step', { policyStepId: again.policy.current?.id }, admin))
    expect(skipped.stepApproverIds).toEqual([two.userId])
    const closed = await scene.act(made.id, 'close', { comment: 'no longer' }, asker)
    expect(scene.task(closed).type.grant?.outcome).toBe('GRANT_OUTCOME_CANCELLED')
    expect(closed.json['taskActionId']).toMatch(/^\w{27}$/)
    expect(await scene.holds(ref, asker.userId)).toEqual([])
  })
})

test('a changed duration asks again who approved the other', async () => {
  const [one, two] = [await user(), await user()]
  const { made, asker, ref } = await ask([{ approval: users(one) }, { approval: users(two) }])
  await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id }, one)
  const changed = scene.task(await scene.act(made.id, 'update-grant-duration', { duration: '7200s' }, two))
  expect(changed.stepApproverIds).toEqual([one.userId])
  expect(changed.type.grant?.grantDuration).toBe('7200s')
  const long = await scene.act(made.id, 'update-grant-duration', { duration: '99999999s' }, one)
  expect(outcomeOf(long)).toBe('400/9 DURATION_TOO_LONG')
  expect(await scene.holds(ref, asker.userId)).toEqual([])
})

test('access that is provisioned manually is granted when someone marks it as done', async () => {
  const helper = await user()
  const manual = { manual: { instructions: 'Turn the key', assignee: users(helper) } }
  const { made, asker, ref } = await ask([{ accept: {} }, { provision: { provisionPolicy: manual } }])
  expect(made.stepApproverIds).toEqual([helper.userId])
  expect(await scene.holds(ref, asker.userId)).toEqual([])
  expect(outcomeOf(await scene.act(made.id, 'provision-complete', {}, asker))).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
  const failed = scene.task(await scene.act(made.id, 'provision-errored', { comment: 'stuck key' }, helper))
  expect(failed).toMatchObject({ state: 'TASK_STATE_CLOSED', type: { grant: { outcome: 'GRANT_OUTCOME_ERROR' } } })
  const retried = scene.task(await scene.act(made.id, 'retry-provisioning', {}, scene.admin))
  expect(retried.stepApproverIds).toEqual([helper.userId])
  const done = scene.task(
    await scene.act(made.id, 'provision-complete', { policyStepId: retried.policy.current?.id }, helper),
  )
  expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
})

describe('what changes meanwhile', () => {
  test('a subject who is disabled gets nothing', async () => {
    const approver = await user()
    const { made, asker, ref } = await ask([{ approval: users(approver) }])
    await scene.access.world.db`update users set status = 'DISABLED' where user_id = ${asker.userId}`
    // By the approval, or before it by a recheck of open tasks.
    await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id }, approver)
    const outcome = async () => (await scene.look(made.id)).type.grant?.outcome
    await expect.poll(outcome).toBe('GRANT_OUTCOME_CANCELLED')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
  })

  test('a deleted entitlement cancels its task', async () => {
    const approver = await user()
    const { made, ref } = await ask([{ approval: users(approver) }])
    const gone = await scene.remove(`/api/v1/apps/${ref.appId}/entitlements/${ref.id}`, {})
    expect(gone.status, gone.text).toBe(200)
    // By the approval, or before it by the job that looks after the tasks of what is deleted.
    await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id }, approver)
    const outcome = async () => (await scene.look(made.id)).type.grant?.outcome
    await expect.poll(outcome).toBe('GRANT_OUTCOME_CANCELLED')
  })

  test('where the one approver is disabled, processing finds others', async () => {
    const approver = await user()
    const { made } = await ask([{ approval: users(approver) }])
    await scene.access.world.db`update users set status = 'DISABLED' where user_id = ${approver.userId}`
    const now = scene.task(await scene.act(made.id, 'process', {}, scene.admin))
    expect(now.stepApproverIds).toContain(scene.admin.userId)
    expect(now.stepApproverIds).not.toContain(approver.userId)
  })

  test('a policy that is changed or deleted leaves open tasks as they were', async () => {
    const [approver, other] = [await user(), await user()]
    const policyId = await scene.policy([{ approval: users(approver) }])
    const ref = await scene.target(policyId)
    const made = scene.task(await scene.post(grant, target(ref), other))
    const policySteps = { grant: { steps: [{ accept: {} }] } }
    const edited = await scene.post(`/api/v1/policies/${policyId}`, {
      policy: { policySteps },
      updateMask: 'policySteps',
    })
    expect(edited.status, edited.text).toBe(200)
    expect((await scene.look(made.id)).stepApproverIds).toEqual([approver.userId])
  })
})

test('a step that nobody decides in time goes to others', async () => {
  const [slow, boss] = [await user(), await user()]
  const escalation = { expiration: '3600', reassignToApprovers: { approverIds: [boss.userId] } }
  const { made } = await ask([{ approval: { ...users(slow), escalationEnabled: true, escalation } }])
  const { db } = scene.access.world
  // As if an hour had passed: the event says when it is due, and the job when it runs.
  await db`
    update task_events set data = jsonb_set(data, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')
    where task_id = ${made.id} and kind = 'begun'`
  await db`update jobs set due_at = now() where kind = 'tasks.due' and subject_id = ${made.id}`
  expect(await eventually(async () => (await scene.look(made.id)).stepApproverIds.includes(boss.userId))).toBe(true)
  expect(outcomeOf(await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id }, slow))).toBe(
    '409/10 TASK_STEP_NOT_CURRENT',
  )
})

describe('searching', () => {
  test('an inbox holds what is to be decided, and nobody finds what they may not see', async () => {
    const [approver, other] = [await user(), await user()]
    const { made, asker, ref } = await ask([{ approval: users(approver) }])
    const search = async (body: object, by: Caller): Promise<string[]> =>
      (await scene.all('/api/v1/search/tasks', body, by)).map(({ task }) => (task as TaskSeen).id)
    expect(await search({ myWorkUserIds: [approver.userId] }, approver)).toEqual([made.id])
    expect(await search({ myWorkUserIds: [approver.userId] }, other)).toEqual([])
    expect(await search({}, other)).toEqual([])
    for (const by of [asker, ref.owner, scene.admin])
      expect(await search({ applicationIds: [ref.appId], taskStates: ['TASK_STATE_OPEN'] }, by)).toEqual([made.id])
    expect(await search({ taskTypes: [{ revoke: {} }], applicationIds: [ref.appId] }, scene.admin)).toEqual([])
    expect(await search({ taskTypes: [{ grant: {} }], subjectIds: [asker.userId] }, asker)).toEqual([made.id])
    await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id }, approver)
    expect(await search({ myWorkUserIds: [approver.userId] }, approver)).toEqual([])
    expect(await search({ previouslyActedOnIds: [approver.userId] }, approver)).toEqual([made.id])
    expect(await search({ grantOutcomes: ['GRANT_OUTCOME_GRANTED'], openerIds: [asker.userId] }, asker)).toEqual([
      made.id,
    ])
    expect(await search({ grantOutcomes: ['GRANT_OUTCOME_DENIED'], openerIds: [asker.userId] }, asker)).toEqual([])
    expect(await search({ query: 'sked', accountOwnerIds: [asker.userId] }, asker)).toEqual([made.id])
  })

  longTest('every order gives every task once over its pages', async () => {
    const asker = await user()
    const made: string[] = []
    for (let i = 0; i < 12; i++)
      made.push(scene.task(await scene.post(grant, target(await scene.target(automatic)), asker)).id)
    let reversed: string[] = []
    for (const order of [
      'UNSPECIFIED',
      'ACCOUNT',
      'RESOURCE',
      'ACCOUNT_OWNER',
      'TICKET_ID',
      'REVERSE_TICKET_ID',
      'CREATED_AT',
      'REVERSE_CREATED_AT',
      'APP_RESOURCE_ID_AND_APP_ENTITLEMENT',
    ]) {
      const found = await scene.all('/api/v1/search/tasks', { sortBy: `TASK_SEARCH_SORT_BY_${order}` }, asker)
      const ids = found.map(({ task }) => (task as TaskSeen).id)
      expect(ids.toSorted(), order).toEqual(made.toSorted())
      if (order === 'REVERSE_TICKET_ID') reversed = ids
    }
    expect(reversed).toEqual(made.toReversed())
  })
})

test('the history of a task tells all that happened, to who may see it', async () => {
  const [approver, other] = [await user(), await user()]
  const { made, asker } = await ask([{ approval: users(approver) }])
  await scene.act(made.id, 'comment', { comment: 'please' }, asker)
  await scene.act(made.id, 'approve', { policyStepId: made.policy.current?.id, comment: 'fine' }, approver)
  const list = await scene.all('/api/v1/task/audits', { taskId: made.id }, asker)
  const told = list.flatMap((each) =>
    ['taskCreated', 'conditionalPolicyExecutionResult', 'comment', 'approvalInstanceChange', 'grantOutcome'].filter(
      (name) => each[name] !== null,
    ),
  )
  expect(told[0]).toBe('taskCreated')
  expect(told).toContain('comment')
  expect(told.at(-1)).toBe('grantOutcome')
  expect(list.some(({ userId }) => userId === approver.userId)).toBe(true)
  const comments = await scene.all('/api/v1/task/audits', { taskId: made.id, commentsOnly: true }, asker)
  // Those of decisions too.
  expect(comments).toHaveLength(2)
  expect(outcomeOf(await scene.post('/api/v1/task/audits', { taskId: made.id }, other))).toBe('404/5 TASK_NOT_FOUND')
})
