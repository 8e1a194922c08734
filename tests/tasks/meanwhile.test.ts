import { describe, expect, test } from 'vitest'
import { transact } from '#kernel/sql.ts'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { recheckOpenTasks } from '#rooms/governance/tasks/index.ts'
import { setStatus } from '#rooms/identity/users/index.ts'
import { eventually, type Json, outcomeOf } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, byManager, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const user = () => scene.caller(['system:user'])
const users = (...callers: Caller[]) => ({ users: { userIds: callers.map(({ userId }) => userId) } })
const stepOf = (task: TaskSeen) => ({ policyStepId: task.policy.current?.id })

async function ask(
  steps: Json[],
  by?: Caller,
): Promise<{ made: TaskSeen; asker: Caller; ref: Ref & { owner: Caller } }> {
  const ref = await scene.target(await scene.policy(steps), { maxSeconds: 36_000 })
  const asker = by ?? (await user())
  return { made: scene.task(await scene.post(grant, target(ref), asker)), asker, ref }
}

const disable = (userId: string, status: 'ENABLED' | 'DISABLED' = 'DISABLED') => {
  const { world, tenant } = scene.access
  return transact(world.db, (tx) => setStatus(tx, world, operatorCause(tenant, 'a test'), userId, { status }))
}
const soon = async (isSo: () => Promise<boolean>) => expect(await eventually(isSo)).toBe(true)
const recheck = () => recheckOpenTasks(scene.access.world)
/** The same for what only a recheck finds: the server may be at it itself, and then it is not done again beside it. */
const soonAgain = (isSo: () => Promise<boolean>) =>
  soon(async () => {
    await recheck()
    return isSo()
  })
const approversOf = async (task: TaskSeen): Promise<string[]> => (await scene.look(task.id)).stepApproverIds

describe('people', () => {
  test('an approver who is disabled is replaced at once, without anybody asking', async () => {
    const [one, two] = [await user(), await user()]
    const both = await ask([{ approval: users(one, two) }])
    const alone = await ask([{ approval: users(one) }])
    await disable(one.userId)
    await soon(async () => !(await approversOf(both.made)).includes(one.userId))
    expect(await approversOf(both.made)).toEqual([two.userId])
    await soon(async () => !(await approversOf(alone.made)).includes(one.userId))
    expect(await approversOf(alone.made)).toContain(scene.admin.userId)
    const list = await scene.all('/api/v1/task/audits', { taskId: alone.made.id })
    const fallback = list.find((each) => each['reassignmentFallbackToAdmin'] !== null)
    expect(fallback).toMatchObject({
      reassignmentFallbackToAdmin: { adminUserIds: expect.arrayContaining([scene.admin.userId]) as unknown },
    })
  })

  test('a subject who is disabled has their open requests cancelled, and revocations of theirs go on', async () => {
    const approver = await user()
    const { made, asker, ref } = await ask([{ approval: users(approver) }])
    const held = await scene.target(automatic)
    scene.task(await scene.post(grant, target(held), asker))
    const { db } = scene.access.world
    const revoking = await scene.policy([{ approval: users(approver) }], 'revoke')
    await db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${held.id}`
    const revocation = scene.task(await scene.post('/api/v1/task/revoke', target(held), asker))
    await disable(asker.userId)
    await soon(async () => (await scene.look(made.id)).state === 'TASK_STATE_CLOSED')
    expect((await scene.look(made.id)).type.grant?.outcome).toBe('GRANT_OUTCOME_CANCELLED')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    const done = await scene.act(revocation.id, 'approve', stepOf(revocation), approver)
    expect(scene.task(done).type.revoke?.['outcome']).toBe('REVOKE_OUTCOME_REVOKED')
    expect(await scene.holds(held, asker.userId)).toEqual([])
  })

  test('a manager who was changed decides nothing more: the step goes to the new one', async () => {
    const [old, fresh] = [await user(), await user()]
    const asker = await scene.caller(['system:user'], old.userId)
    const ref = await scene.target(byManager)
    const made = scene.task(await scene.post(grant, target(ref), asker))
    expect(made.stepApproverIds).toEqual([old.userId])
    await scene.access.world.db`
      update users set manager_ids = ${[fresh.userId]}, updated_at = now() where user_id = ${asker.userId}`
    const refused = await scene.act(made.id, 'approve', stepOf(made), old)
    expect(outcomeOf(refused)).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    expect(await approversOf(made)).toEqual([fresh.userId])
    const done = scene.task(await scene.act(made.id, 'approve', stepOf(made), fresh))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  })

  test('who left the group decides nothing more; an emptied group leaves the step to others', async () => {
    const [one, two] = [await user(), await user()]
    const group = await scene.entitlement(await scene.app('Group'), 'Deciders')
    for (const { userId } of [one, two]) {
      const account = await scene.account(group.appId, { userId })
      await scene.grant(group, account, { source: 'manual' })
    }
    const { made, ref, asker } = await ask([{ approval: { group: { appId: group.appId, appGroupId: group.id } } }])
    expect(made.stepApproverIds.toSorted()).toEqual([one.userId, two.userId].toSorted())
    const { db } = scene.access.world
    const leave = (userId: string) => db`
      update grants g set ended_at = now(), ended_why = 'revoked' from accounts a
      where a.tenant_id = g.tenant_id and a.account_id = g.account_id and g.entitlement_id = ${group.id}
        and a.user_id = ${userId}`
    await leave(one.userId)
    expect(outcomeOf(await scene.act(made.id, 'approve', stepOf(made), one))).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(await approversOf(made)).toEqual([two.userId])
    await leave(two.userId)
    await soonAgain(async () => (await approversOf(made)).includes(scene.admin.userId))
    expect(outcomeOf(await scene.act(made.id, 'deny', stepOf(made), two))).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
  })

  test('a delegate decides what was requested after they were named, and no longer once they are not', async () => {
    const [boss, deputy] = [await user(), await user()]
    const step = [{ approval: { ...users(boss), allowDelegation: true } }]
    const before = await ask(step)
    const name = async (delegatedUserId: string) => {
      const path = `/api/v1/users/${boss.userId}/set-delegation-by-admin`
      const reply = await scene.post(path, { delegatedUserId })
      expect(reply.status, reply.text).toBe(200)
    }
    await name(deputy.userId)
    expect(await approversOf(before.made)).toEqual([boss.userId])
    const after = await ask(step)
    expect(after.made.stepApproverIds).toEqual([deputy.userId])
    const other = await user()
    await name(other.userId)
    await soon(async () => (await approversOf(after.made)).includes(boss.userId))
    await name('')
    expect(outcomeOf(await scene.act(after.made.id, 'approve', stepOf(after.made), deputy))).toBe(
      '403/7 TASK_ACTION_NOT_ALLOWED',
    )
    const done = scene.task(await scene.act(after.made.id, 'approve', stepOf(after.made), boss))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  })
})

describe('records', () => {
  test('a deleted entitlement and a deleted app cancel their tasks at once, with the reason', async () => {
    const approver = await user()
    const [one, two] = [await ask([{ approval: users(approver) }]), await ask([{ approval: users(approver) }])]
    await scene.remove(`/api/v1/apps/${one.ref.appId}/entitlements/${one.ref.id}`, {})
    await scene.remove(`/api/v1/apps/${two.ref.appId}`, {})
    for (const { made } of [one, two]) {
      await soon(async () => (await scene.look(made.id)).state === 'TASK_STATE_CLOSED')
      expect((await scene.look(made.id)).type.grant?.outcome).toBe('GRANT_OUTCOME_CANCELLED')
    }
  })

  test('a policy that an open task refers to for its escalation may go: the task is stuck, and says why', async () => {
    const approver = await user()
    const next = await scene.policy([{ accept: {} }])
    const escalation = { expiration: '3600', replacePolicy: { policyId: next } }
    const policyId = await scene.policy([{ approval: { ...users(approver), escalationEnabled: true, escalation } }])
    const ref = await scene.target(policyId)
    const asker = await user()
    const made = scene.task(await scene.post(grant, target(ref), asker))
    const { db } = scene.access.world
    // Nothing refers to it any more but the task, which keeps the steps that it began with.
    await db`update entitlements set grant_policy_id = '' where entitlement_id = ${ref.id}`
    expect((await scene.remove(`/api/v1/policies/${policyId}`, {})).status).toBe(200)
    expect((await scene.remove(`/api/v1/policies/${next}`, {})).status).toBe(200)
    await due(made)
    await soon(async () => (await scene.look(made.id)).annotations.length > 0)
    expect(JSON.stringify((await scene.look(made.id)).annotations)).toContain('does not exist')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    const stuck = await scene.all('/api/v1/search/tasks', { stuckOnly: true })
    expect(stuck.map(({ task }) => (task as TaskSeen).id)).toContain(made.id)
    const done = scene.task(await scene.act(made.id, 'approve', stepOf(made), approver))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  })
})

/** As if the time of its step had come: the event says when it is due, and the job when it runs. */
async function due(task: TaskSeen): Promise<void> {
  const { db } = scene.access.world
  await db`
    update task_events set data = jsonb_set(data, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')
    where task_id = ${task.id} and kind = 'begun'`
  await asked(task)
}
const asked = (task: TaskSeen) =>
  scene.access.world.db`update jobs set due_at = now() where kind = 'tasks.due' and subject_id = ${task.id}`

describe('a condition that is waited for', () => {
  const waiting = (condition: string): Json[] => [
    { wait: { name: 'the move', condition: { condition }, timeoutDuration: '7200s' } },
  ]
  const move = (userId: string, department: string) =>
    scene.access.world.db`update users set department = ${department} where user_id = ${userId}`

  test('is asked again and again, and goes on when it is true', async () => {
    const { made, asker, ref } = await ask(waiting('subject.department == "Sales"'))
    expect(made.policy.current?.['wait']).toMatchObject({ state: 'WAIT_INSTANCE_STATE_WAITING' })
    await asked(made)
    const isAskedAgain = async () => {
      const [row] = await scene.access.world.db<{ isLater: boolean }[]>`
        select due_at > now() + interval '1 minute' as "isLater" from jobs where subject_id = ${made.id}`
      return row?.isLater ?? false
    }
    await soon(isAskedAgain)
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    await move(asker.userId, 'Sales')
    await asked(made)
    await soon(async () => (await scene.look(made.id)).state === 'TASK_STATE_CLOSED')
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
  })

  test('is waited for no longer than it says', async () => {
    const { made, asker, ref } = await ask(waiting('subject.department == "Sales"'))
    await due(made)
    await soon(async () => (await scene.look(made.id)).state === 'TASK_STATE_CLOSED')
    expect((await scene.look(made.id)).type.grant?.outcome).toBe('GRANT_OUTCOME_WAIT_TIMED_OUT')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
  })

  test('that fails is stuck where all see it, and goes on once it does not fail', async () => {
    const { made, asker } = await ask(
      waiting('c1.directory.users.v1.FindByEmail("chief@example.com").department == "Board"'),
    )
    expect(JSON.stringify(made.annotations)).toContain('no user has the address')
    await recheck()
    const before = await scene.all('/api/v1/task/audits', { taskId: made.id })
    await recheck()
    expect(await scene.all('/api/v1/task/audits', { taskId: made.id })).toHaveLength(before.length)
    await scene.user({ email: 'chief@example.com', department: 'Board' })
    await scene.access.world.db`update users set department = 'Board' where email = 'chief@example.com'`
    await soonAgain(async () => (await scene.look(made.id, asker)).type.grant?.outcome === 'GRANT_OUTCOME_GRANTED')
  })
})

describe('what was seen', () => {
  test('a decision about another duration than the current one is refused, and one about this one counts', async () => {
    const approver = await user()
    const { made, ref, asker } = await ask([{ approval: users(approver) }])
    const { revision } = made as TaskSeen & { revision: string }
    expect(revision).toBe('0')
    scene.task(await scene.act(made.id, 'update-grant-duration', { duration: '60s' }, scene.admin))
    for (const action of ['approve', 'deny'])
      expect(outcomeOf(await scene.act(made.id, action, { ...stepOf(made), revision }, approver))).toBe(
        '409/10 TASK_CHANGED',
      )
    expect((await scene.act(made.id, 'approve', { ...stepOf(made), revision: 'x' }, approver)).status).toBe(400)
    // Who names the step that was seen before, and no revision, has not seen it either.
    expect(outcomeOf(await scene.act(made.id, 'approve', stepOf(made), approver))).toBe('409/10 TASK_STEP_NOT_CURRENT')
    const again = await scene.look(made.id, approver)
    const done = scene.task(await scene.act(made.id, 'approve', { ...stepOf(again), revision: '1' }, approver))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
  })
})

test('reopening a closed task is refused with the id of another open task for the same access, also concurrently', async () => {
  const approver = await user()
  const { made, asker, ref } = await ask([{ approval: users(approver) }])
  await scene.act(made.id, 'close', {}, asker)
  const [reopened, created] = await Promise.all([
    scene.act(made.id, 'restart', {}, scene.admin),
    scene.post(grant, target(ref), asker),
  ])
  const outcomes = [reopened, created].map(outcomeOf)
  expect(outcomes.toSorted()).toEqual(['200', '409/6 TASK_EXISTS'])
  const again = await scene.act(made.id, 'restart', {}, scene.admin)
  expect(outcomeOf(again)).toBe(reopened.status === 200 ? '200' : '409/6 TASK_EXISTS')
})

test('a task that cannot be processed does not prevent others from being reassigned', async () => {
  const { db } = scene.access.world
  const [gone, other] = [await user(), await user()]
  const broken = await ask([{ approval: users(gone) }])
  const found = await ask([{ approval: users(gone, other) }])
  await db`update task_events set data = data - 'wire' where task_id = ${broken.made.id} and kind = 'routed'`
  // Written past the service, so that no job is told of it.
  await db`update users set status = 'DISABLED' where user_id = ${gone.userId}`
  await soon(async () => {
    await recheck().catch(() => {})
    return !(await approversOf(found.made)).includes(gone.userId)
  })
  expect(await approversOf(found.made)).toEqual([other.userId])
  // Nor does it where a job is told: the tasks behind it are looked at in the first attempt.
  const late = await ask([{ approval: users(other, scene.admin) }])
  await disable(other.userId)
  await soon(async () => !(await approversOf(late.made)).includes(other.userId))
  expect(await approversOf(late.made)).toEqual([scene.admin.userId])
  await db`update tasks set is_open = false where task_id = ${broken.made.id}`
})
