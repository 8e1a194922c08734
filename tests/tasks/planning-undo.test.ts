import { expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const revoke = '/api/v1/task/revoke'

type UndoPlan = {
  possible: boolean
  whyNot: string
  decision: string
  decidedByUserId: string
  possibleUntil: string | null
  laterDecisions: number
  ends: Json[]
  givesBack: Json[]
  cannotGiveBack: Json[]
  byHand: Json[]
}
const planOf = async (id: string, by?: Caller): Promise<UndoPlan> => {
  const reply = await scene.get(`/api/v1/tasks/${id}/undo_plan`, by)
  expect(reply.status, reply.text).toBe(200)
  return reply.json as UndoPlan
}
const undo = (id: string, by: Caller, body: object = {}) => scene.act(id, 'undo', body, by)
const decide = async (id: string, action: 'approve' | 'deny', by: Caller): Promise<TaskSeen> => {
  const { policy } = await scene.look(id)
  return scene.task(await scene.act(id, action, { policyStepId: policy.current?.id }, by))
}
const hold = ({ appId, id }: Ref, userId: string) =>
  scene.post(`/api/v1/apps/${appId}/entitlements/${id}/add-manual-user`, { userIds: [userId] })

async function approved(): Promise<{ asked: Ref & { owner: Caller }; asker: Caller; task: TaskSeen }> {
  const asked = await scene.target()
  const asker = await scene.caller(['system:user'])
  const { id } = scene.task(await scene.post(grant, target(asked, { grantDuration: '3600s' }), asker))
  return { asked, asker, task: await decide(id, 'approve', asked.owner) }
}

test('who approved undoes it: the grant ends, the step opens again for the same people, and all of it is on the record', async () => {
  const { asked, asker, task } = await approved()
  expect(await scene.holds(asked, asker.userId)).toHaveLength(1)
  const plan = await planOf(task.id, asked.owner)
  expect(plan).toMatchObject({
    possible: true,
    decision: 'approved',
    decidedByUserId: asked.owner.userId,
    possibleUntil: expect.any(String) as unknown,
    laterDecisions: 0,
    ends: [
      {
        appEntitlementId: asked.id,
        appDisplayName: 'Asked app',
        entitlementDisplayName: 'Asked',
        staysHeldBy: [],
      },
    ],
    givesBack: [],
  })
  const after = scene.task(await undo(task.id, asked.owner, { comment: 'Wrong person' }))
  expect(after).toMatchObject({
    state: 'TASK_STATE_OPEN',
    stepApproverIds: [asked.owner.userId],
    approverIds: [],
    type: { grant: { outcome: 'GRANT_OUTCOME_UNSPECIFIED' } },
  })
  expect(await scene.holds(asked, asker.userId)).toEqual([])
  const audits = await scene.all('/api/v1/task/audits', { taskId: task.id })
  expect(
    audits.filter(({ comment }) => (comment as Json | null)?.['comment'] === 'A decision was undone: Wrong person'),
  ).toHaveLength(1)
  const logged = await scene.logged('bailiwick.v1.TaskActions.Undo')
  const mine = logged.filter(({ resources }) =>
    resources.some(({ uid, data }) => uid === task.id || data?.['taskId'] === task.id),
  )
  expect(mine.map(({ message }) => message.replace(/\d+/g, 'N'))).toEqual([
    'Undid what task N did: N grants ended, N restored',
    expect.stringMatching(/^Undid the decision \(approved\) of task N/),
  ])
  // Decided again, it is given again; undone again, only that ends.
  await decide(task.id, 'approve', asked.owner)
  expect(await scene.holds(asked, asker.userId)).toHaveLength(1)
  scene.task(await undo(task.id, asked.owner))
  expect(await scene.holds(asked, asker.userId)).toEqual([])
  await decide(task.id, 'deny', asked.owner)
})

test('only the grant of the task ends: manual grants are kept, and an extension returns to the previous expiry', async () => {
  const { asked, asker, task } = await approved()
  const [before] = await scene.holds(asked, asker.userId)
  const { id } = scene.task(await scene.post(grant, target(asked, { grantDuration: '7200s' }), asker))
  await decide(id, 'approve', asked.owner)
  const [longer] = await scene.holds(asked, asker.userId)
  expect(+(longer?.expiresAt ?? 0)).toBeGreaterThan(+(before?.expiresAt ?? 0))
  await hold(asked, asker.userId)
  // The first task's own row was replaced: there is nothing of it to end any more.
  expect(await planOf(task.id, scene.admin)).toMatchObject({ possible: true, ends: [] })
  expect(outcomeOf(await undo(id, asker))).toBe('400/9 DECISION_NOT_UNDOABLE')
  expect(await planOf(id, asked.owner)).toMatchObject({
    ends: [{ staysHeldBy: ['manual'] }],
    givesBack: [{ source: 'request', expiresAt: before?.expiresAt?.toISOString() }],
  })
  scene.task(await undo(id, asked.owner))
  const held = await scene.holds(asked, asker.userId)
  expect(held.toSorted((a, b) => a.source.localeCompare(b.source))).toEqual([
    { source: 'manual', expiresAt: null },
    { source: 'request', expiresAt: before?.expiresAt },
  ])
})

test('a denial is undone, unless the same was requested again since', async () => {
  const asked = await scene.target()
  const asker = await scene.caller(['system:user'])
  const { id } = scene.task(await scene.post(grant, target(asked), asker))
  await decide(id, 'deny', asked.owner)
  const again = scene.task(await scene.post(grant, target(asked), asker))
  expect(outcomeOf(await undo(id, asked.owner))).toBe('409/6 TASK_EXISTS')
  scene.task(await scene.act(again.id, 'close', {}, asker))
  expect(scene.task(await undo(id, asked.owner))).toMatchObject({ state: 'TASK_STATE_OPEN' })
  expect(outcomeOf(await undo(again.id, asked.owner))).toBe('400/9 DECISION_NOT_UNDOABLE')
})

test('a revocation is undone: the grants are restored, and the plan lists those that cannot be', async () => {
  const decider = await scene.caller(['system:user'])
  const asked = await scene.target(automatic)
  const policy = await scene.policy([{ approval: { users: { userIds: [decider.userId] } } }], 'revoke')
  await scene.server.db`update entitlements set revoke_policy_id = ${policy} where entitlement_id = ${asked.id}`
  const asker = await scene.caller(['system:user'])
  scene.task(await scene.post(grant, target(asked, { grantDuration: '3600s' }), asker))
  await hold(asked, asker.userId)
  const before = await scene.holds(asked, asker.userId)
  const { id } = scene.task(await scene.post(revoke, target(asked, { identityUserId: asker.userId })))
  await decide(id, 'approve', decider)
  expect(await scene.holds(asked, asker.userId)).toEqual([])
  expect((await planOf(id, decider)).givesBack).toHaveLength(2)
  await hold(asked, asker.userId)
  const plan = await planOf(id, decider)
  expect(plan.givesBack).toMatchObject([{ source: 'request' }])
  expect(plan.cannotGiveBack).toMatchObject([{ source: 'manual', why: 'It has since been granted or revoked again.' }])
  expect(scene.task(await undo(id, decider))).toMatchObject({
    state: 'TASK_STATE_OPEN',
    stepApproverIds: [decider.userId],
  })
  const after = await scene.holds(asked, asker.userId)
  expect(after).toHaveLength(2)
  expect(after).toEqual(expect.arrayContaining(before.filter(({ source }) => source === 'request')))
})

test('others than who decided are refused, also later ones after an hour; a request administrator is not', async () => {
  const { asked, asker, task } = await approved()
  const admin = await scene.caller(['system:request-admin'])
  const helpdesk = await scene.caller(['system:helpdesk'])
  expect(outcomeOf(await undo(task.id, asker))).toBe('400/9 DECISION_NOT_UNDOABLE')
  expect(await planOf(task.id, asker)).toMatchObject({
    possible: false,
    whyNot: expect.stringContaining('Only the person who decided') as unknown,
  })
  expect(outcomeOf(await undo(task.id, helpdesk))).toBe('404/5 TASK_NOT_FOUND')
  expect(outcomeOf(await undo('2zzzzzzzzzzzzzzzzzzzzzzzzzz', admin))).toBe('404/5 TASK_NOT_FOUND')
  await scene.server.db`
    update task_events set happened_at = now() - interval '61 minutes' where task_id = ${task.id} and kind = 'ended'`
  expect(outcomeOf(await undo(task.id, asked.owner))).toBe('400/9 DECISION_NOT_UNDOABLE')
  expect(await scene.holds(asked, asker.userId)).toHaveLength(1)
  scene.task(await undo(task.id, admin))
  expect(await scene.holds(asked, asker.userId)).toEqual([])
})

test('of several decisions the last is undone by who made it, and an earlier one by an administrator with all that came after', async () => {
  const [first, second] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const asker = await scene.caller(['system:user'])
  const asked = await scene.target(
    await scene.policy([
      { approval: { users: { userIds: [first.userId] } } },
      { approval: { users: { userIds: [second.userId] } } },
    ]),
  )
  const { id, policy } = scene.task(await scene.post(grant, target(asked), asker))
  const policyStepId = policy.current?.id
  await decide(id, 'approve', first)
  await decide(id, 'approve', second)
  expect(outcomeOf(await undo(id, first, { policyStepId }))).toBe('400/9 DECISION_NOT_UNDOABLE')
  const reopened = scene.task(await undo(id, scene.admin, { policyStepId }))
  expect(reopened.stepApproverIds).toEqual([first.userId])
  expect(await scene.holds(asked, asker.userId)).toEqual([])
  await decide(id, 'approve', first)
  expect(scene.task(await undo(id, first)).stepApproverIds).toEqual([first.userId])
  // Undone twice at once: one wins, and the other finds nothing to undo.
  await decide(id, 'approve', first)
  const both = await Promise.all([undo(id, first), undo(id, first)])
  expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400'])
})

test('when the subject left meanwhile, the access ends and the task is closed rather than asked again', async () => {
  const { asked, asker, task } = await approved()
  const disabled = await scene.post(`/api/v1/users/${asker.userId}/disable`, {})
  expect(disabled.status, disabled.text).toBe(200)
  expect(scene.task(await undo(task.id, asked.owner))).toMatchObject({
    state: 'TASK_STATE_CLOSED',
    type: { grant: { outcome: 'GRANT_OUTCOME_CANCELLED' } },
  })
  expect(await scene.holds(asked, asker.userId)).toEqual([])
})

test('what was revoked since is not given back by undoing the extension before it, nor is anything given to who left', async () => {
  const { asked, asker } = await approved()
  const { id } = scene.task(await scene.post(grant, target(asked, { grantDuration: '7200s' }), asker))
  await decide(id, 'approve', asked.owner)
  const gone = scene.task(await scene.post(revoke, target(asked, { identityUserId: asker.userId })))
  expect(gone.state).toBe('TASK_STATE_CLOSED')
  expect(await planOf(id, asked.owner)).toMatchObject({
    ends: [],
    givesBack: [],
    cannotGiveBack: [{ source: 'request' }],
  })
  scene.task(await undo(id, asked.owner))
  expect(await scene.holds(asked, asker.userId)).toEqual([])

  const decider = await scene.caller(['system:user'])
  const policy = await scene.policy([{ approval: { users: { userIds: [decider.userId] } } }], 'revoke')
  await scene.server.db`update entitlements set revoke_policy_id = ${policy} where entitlement_id = ${asked.id}`
  await hold(asked, asker.userId)
  const leaving = scene.task(await scene.post(revoke, target(asked, { identityUserId: asker.userId })))
  await decide(leaving.id, 'approve', decider)
  await scene.post(`/api/v1/users/${asker.userId}/disable`, {})
  expect((await planOf(leaving.id, decider)).cannotGiveBack).toMatchObject([
    { why: 'The person is disabled or deleted.' },
  ])
  scene.task(await undo(leaving.id, decider))
  expect(await scene.holds(asked, asker.userId)).toEqual([])
})
