import { describe, expect, test } from 'vitest'
import { type Db, transact, within } from '#kernel/sql.ts'
import { nextNumber, nextNumbers } from '#rooms/governance/tasks/numbers.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import type { Ref } from '../grants/scene.ts'
import { automatic, byManager, prepareTasks, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const revoke = '/api/v1/task/revoke'

describe('asking', () => {
  test('what an owner approves is held, and the task tells who decided', async () => {
    const asked = await scene.target()
    const asker = await scene.caller(['system:user'])
    const made = scene.task(await scene.post(grant, target(asked, { description: 'I need it' }), asker))
    expect(made).toMatchObject({
      state: 'TASK_STATE_OPEN',
      processing: 'TASK_PROCESSING_TYPE_WAITING',
      stepApproverIds: [asked.owner.userId],
      type: { grant: { outcome: 'GRANT_OUTCOME_UNSPECIFIED', identityUserId: asker.userId } },
    })
    expect(made.actions).not.toContain('TASK_ACTION_TYPE_APPROVE')
    expect(await scene.holds(asked, asker.userId)).toEqual([])
    const seen = await scene.look(made.numericId, asked.owner)
    expect(seen.id).toBe(made.id)
    expect(seen.actions).toContain('TASK_ACTION_TYPE_APPROVE')
    const policyStepId = seen.policy.current?.id
    const reply = await scene.act(made.id, 'approve', { policyStepId, comment: 'fine' }, asked.owner)
    expect(scene.task(reply)).toMatchObject({
      state: 'TASK_STATE_CLOSED',
      processing: 'TASK_PROCESSING_TYPE_DONE',
      approverIds: [asked.owner.userId],
      type: { grant: { outcome: 'GRANT_OUTCOME_GRANTED' } },
      policy: { current: null },
    })
    expect(reply.json['ticketActionId']).toMatch(/^\w{27}$/)
    expect(await scene.holds(asked, asker.userId)).toMatchObject([{ source: 'request' }])
    const log = await scene.logged('task.v1.TaskActionsService.Approve')
    expect(log.at(-1)?.resources[0]).toMatchObject({ type: 'task', uid: made.id })
  })

  test('an auditor sees the task, its reasons and its history, and is offered nothing', async () => {
    const asked = await scene.target()
    const asker = await scene.caller(['system:user'])
    const made = scene.task(await scene.post(grant, target(asked, { description: 'For the audit' }), asker))
    const { viewer } = scene
    expect((await scene.look(made.id, viewer)).actions).toEqual([])
    const found = await scene.all('/api/v1/search/tasks', { subjectIds: [asker.userId] }, viewer)
    expect(found.map((each) => (each['task'] as Json)['id'])).toEqual([made.id])
    expect(await scene.all('/api/v1/task/audits', { taskId: made.id }, viewer)).not.toEqual([])
    expect(outcomeOf(await scene.get(`/api/v1/tasks/${made.id}/why`, viewer))).toBe('200')
    expect(outcomeOf(await scene.act(made.id, 'comment', { comment: 'No' }, viewer))).toBe('403/7 PERMISSION_DENIED')
    expect(outcomeOf(await scene.post(grant, target(asked), viewer))).toBe('403/7 PERMISSION_DENIED')
  })

  test('what an owner denies is not held', async () => {
    const asked = await scene.target()
    const asker = await scene.caller(['system:user'])
    const made = scene.task(await scene.post(grant, target(asked), asker))
    const denied = scene.task(await scene.act(made.id, 'deny', {}, asked.owner))
    expect(denied).toMatchObject({ state: 'TASK_STATE_CLOSED', type: { grant: { outcome: 'GRANT_OUTCOME_DENIED' } } })
    expect(await scene.holds(asked, asker.userId)).toEqual([])
  })

  test('a second request for the same access is refused with the first one, in the format that cone reads', async () => {
    const asked = await scene.target()
    const asker = await scene.caller(['system:user'])
    const made = scene.task(await scene.post(grant, target(asked), asker))
    const again = await scene.post(grant, target(asked), asker)
    expect(outcomeOf(again)).toBe('409/6 TASK_EXISTS')
    expect(again.json['message']).toContain('duplicate ticket found')
    expect((again.json['details'] as Json[])[0]?.['id']).toBe(made.id)
  })

  test('so is one with another duration, with emergency access, or by somebody else for the same person', async () => {
    const asked = await scene.target()
    const entitlement = { emergencyGrantEnabled: true, emergencyGrantPolicyId: byManager }
    const updateMask = Object.keys(entitlement).join(',')
    const set = await scene.post(`/api/v1/apps/${asked.appId}/entitlements/${asked.id}`, { entitlement, updateMask })
    expect(set.status, set.text).toBe(200)
    const asker = await scene.caller(['system:user'])
    const made = scene.task(await scene.post(grant, target(asked), asker))
    const whose = { identityUserId: asker.userId }
    for (const [more, by] of [
      [{ grantDuration: '3600s' }, asker],
      [{ emergencyAccess: true }, asker],
      [whose, scene.admin],
      [{ ...whose, emergencyAccess: true }, scene.admin],
    ] as const) {
      const again = await scene.post(grant, target(asked, more), by)
      expect(outcomeOf(again), JSON.stringify(more)).toBe('409/6 TASK_EXISTS')
      expect((again.json['details'] as Json[])[0]?.['id']).toBe(made.id)
    }
  })

  test('ten at once make one task', async () => {
    const asked = await scene.target()
    const asker = await scene.caller(['system:user'])
    const replies = await Promise.all(Array.from({ length: 10 }, () => scene.post(grant, target(asked), asker)))
    expect(replies.map(outcomeOf).toSorted()).toEqual(['200', ...Array.from({ length: 9 }, () => '409/6 TASK_EXISTS')])
  })

  test('a request that names an account of the person is the same as one that names none; two accounts are two', async () => {
    const asker = await scene.caller(['system:user'])
    const whose = { identityUserId: asker.userId }
    const asked = await scene.target()
    const one = await scene.account(asked.appId, { userId: asker.userId })
    const two = await scene.account(asked.appId, { userId: asker.userId })
    const ask = (of: Ref, appUserId = '') => scene.post(grant, target(of, { ...whose, appUserId }), asker)
    const first = scene.task(await ask(asked))
    for (const appUserId of [one.id, two.id, '']) {
      const again = await ask(asked, appUserId)
      expect(outcomeOf(again)).toBe('409/6 TASK_EXISTS')
      expect((again.json['details'] as Json[])[0]?.['id']).toBe(first.id)
    }
    scene.task(await scene.act(first.id, 'close', {}, asker))
    const named = scene.task(await ask(asked, one.id))
    expect(outcomeOf(await ask(asked))).toBe('409/6 TASK_EXISTS')
    const other = scene.task(await ask(asked, two.id))
    for (const { id } of [named, other]) scene.task(await scene.act(id, 'close', {}, asker))
    // The index of the database tells only those apart that name the account alike.
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => ask(asked, i % 2 ? one.id : '')))
    expect(replies.map(outcomeOf).toSorted()).toEqual(['200', ...Array.from({ length: 9 }, () => '409/6 TASK_EXISTS')])
    // Nor is the one that was closed opened again beside it.
    const back = await scene.act(first.id, 'restart', {}, scene.admin)
    expect(outcomeOf(back)).toBe('409/6 TASK_EXISTS')
  })

  test('a revocation of all accounts is asked for once, and beside one of a single account while another holds it', async () => {
    const [asker, owner] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
    const asked = await scene.target()
    const revokePolicyId = await scene.policy([{ approval: { users: { userIds: [owner.userId] } } }], 'revoke')
    await scene.post(`/api/v1/apps/${asked.appId}/entitlements/${asked.id}`, { entitlement: { revokePolicyId } })
    const [one, two] = [
      await scene.account(asked.appId, { userId: asker.userId }),
      await scene.account(asked.appId, { userId: asker.userId }),
    ]
    for (const each of [one, two]) await scene.grant(asked, each)
    const ask = async (appUserId = '') =>
      outcomeOf(await scene.post(revoke, target(asked, { identityUserId: asker.userId, appUserId }), asker))
    expect(await ask(one.id)).toBe('200')
    expect(await ask(one.id)).toBe('409/6 TASK_EXISTS')
    expect(await ask()).toBe('200')
    expect(await ask(two.id)).toBe('409/6 TASK_EXISTS')
    const single = await scene.target()
    await scene.post(`/api/v1/apps/${single.appId}/entitlements/${single.id}`, { entitlement: { revokePolicyId } })
    const only = await scene.account(single.appId, { userId: asker.userId })
    await scene.grant(single, only)
    const whose = { identityUserId: asker.userId }
    scene.task(await scene.post(revoke, target(single, { ...whose, appUserId: only.id }), asker))
    expect(outcomeOf(await scene.post(revoke, target(single, whose), asker))).toBe('409/6 TASK_EXISTS')
  })

  test('more time than the entitlement allows is refused in the words that cone parses; none asked is the most', async () => {
    const asked = await scene.target(automatic, { maxSeconds: 5400 })
    const asker = await scene.caller(['system:user'])
    const long = await scene.post(grant, target(asked, { grantDuration: '5401s' }), asker)
    expect(outcomeOf(long)).toBe('400/9 DURATION_TOO_LONG')
    expect(long.json['message']).toBe('grant duration must be less than or equal to max provision time (1h30m0s)')
    for (const grantDuration of ['0s', '-5s', '1.5s'])
      expect((await scene.post(grant, target(asked, { grantDuration }), asker)).status).toBe(400)
    const before = Date.now()
    const made = scene.task(await scene.post(grant, target(asked), asker))
    expect(made.type.grant).toMatchObject({ grantDuration: '5400s', outcome: 'GRANT_OUTCOME_GRANTED' })
    const [held] = await scene.holds(asked, asker.userId)
    expect(held?.expiresAt?.getTime()).toBeGreaterThanOrEqual(before + 5_400_000)
  })

  test('asking again for what one holds extends it', async () => {
    const asked = await scene.target(automatic, { maxSeconds: 5400 })
    const asker = await scene.caller(['system:user'])
    scene.task(await scene.post(grant, target(asked, { grantDuration: '60s' }), asker))
    const [first] = await scene.holds(asked, asker.userId)
    const again = scene.task(await scene.post(grant, target(asked, { grantDuration: '3600s' }), asker))
    expect(again.type.grant?.source['isExtension']).toBe(true)
    const after = await scene.holds(asked, asker.userId)
    expect(after).toHaveLength(1)
    expect(after[0]?.expiresAt?.getTime()).toBeGreaterThan(first?.expiresAt?.getTime() as number)
  })

  test('what no access profile contains cannot be requested, but by who administers requests', async () => {
    const asked = await scene.target(automatic, { isOffered: false })
    const asker = await scene.caller(['system:user'])
    expect(outcomeOf(await scene.post(grant, target(asked), asker))).toBe('403/7 NOT_REQUESTABLE')
    const admin = await scene.caller(['system:user', 'system:request-admin'])
    expect(scene.task(await scene.post(grant, target(asked), admin)).state).toBe('TASK_STATE_CLOSED')
  })
})

describe('for others', () => {
  test('managers and the help desk ask for others; nobody else learns whether they exist', async () => {
    const asked = await scene.target()
    const [manager, helpdesk] = [await scene.caller(['system:user']), await scene.caller(['system:helpdesk'])]
    const person = await scene.caller(['system:user'], manager.userId)
    const other = await scene.caller(['system:user'])
    const body = target(asked, { identityUserId: person.userId, appUserId: '' })
    const refused = [body, target(asked, { identityUserId: scene.access.world.newId() })]
    for (const each of refused) expect(outcomeOf(await scene.post(grant, each, other))).toBe('403/7 PERMISSION_DENIED')
    const made = scene.task(await scene.post(grant, body, manager))
    expect(made.type.grant).toMatchObject({ identityUserId: person.userId })
    expect(outcomeOf(await scene.post(grant, body, helpdesk))).toBe('409/6 TASK_EXISTS')
  })

  test('nobody asks for someone who is disabled', async () => {
    const asked = await scene.target(automatic)
    const helpdesk = await scene.caller(['system:helpdesk'])
    const gone = await scene.user({ status: 'DISABLED' })
    const reply = await scene.post(grant, target(asked, { identityUserId: gone }), helpdesk)
    expect(outcomeOf(reply)).toBe('400/9 SUBJECT_DISABLED')
  })

  test('a manager who asks for someone has approved by asking, and only that step', async () => {
    const asked = await scene.target('0builtinGrantManagerOwner01')
    const manager = await scene.caller(['system:user'])
    const person = await scene.caller(['system:user'], manager.userId)
    const made = scene.task(await scene.post(grant, target(asked, { identityUserId: person.userId }), manager))
    expect(made).toMatchObject({ approverIds: [manager.userId], stepApproverIds: [asked.owner.userId] })
    expect(await scene.holds(asked, person.userId)).toEqual([])
  })

  test('who owns the app and asks for themselves does not decide it', async () => {
    const asked = await scene.target()
    const made = scene.task(await scene.post(grant, target(asked), asked.owner))
    expect(made.state).toBe('TASK_STATE_OPEN')
    expect(made.stepApproverIds).not.toContain(asked.owner.userId)
    const policyStepId = made.policy.current?.id
    const reply = await scene.act(made.id, 'approve', { policyStepId }, asked.owner)
    expect(outcomeOf(reply)).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
  })
})

test('a task is not there for people who have nothing to do with it', async () => {
  const asked = await scene.target()
  const [asker, other] = [await scene.caller(['system:user']), await scene.caller(['system:user'])]
  const made = scene.task(await scene.post(grant, target(asked), asker))
  for (const id of [made.id, made.numericId, '999999', 'nothing'])
    expect(outcomeOf(await scene.get(`/api/v1/tasks/${id}`, other))).toBe('404/5 TASK_NOT_FOUND')
  const policyStepId = made.policy.current?.id
  for (const action of ['approve', 'deny', 'comment', 'close', 'restart'])
    expect(outcomeOf(await scene.act(made.id, action, { policyStepId, comment: 'x' }, other))).toBe(
      '404/5 TASK_NOT_FOUND',
    )
  for (const by of [asker, asked.owner, scene.admin]) expect((await scene.look(made.id, by)).id).toBe(made.id)
})

test('if two people decide at the same time, one decision is accepted, and the other gets the current step', async () => {
  const [one, two, last] = [
    await scene.caller(['system:user']),
    await scene.caller(['system:user']),
    await scene.caller(['system:user']),
  ]
  const asked = await scene.target(
    await scene.policy([
      { approval: { users: { userIds: [one.userId, two.userId] } } },
      { approval: { users: { userIds: [last.userId] } } },
    ]),
  )
  const asker = await scene.caller(['system:user'])
  const made = scene.task(await scene.post(grant, target(asked), asker))
  const policyStepId = made.policy.current?.id
  const replies = await Promise.all([one, two].map((by) => scene.act(made.id, 'approve', { policyStepId }, by)))
  expect(replies.map(outcomeOf).toSorted()).toEqual(['200', '409/10 TASK_STEP_NOT_CURRENT'])
  const now = await scene.look(made.id)
  const lost = replies.find(({ status }) => status === 409)
  expect(lost?.json['message']).toContain(now.policy.current?.id)
  expect(now.stepApproverIds).toEqual([last.userId])
  const done = await scene.act(made.id, 'approve', { policyStepId: now.policy.current?.id }, last)
  // The policy does not say that it is carried out: what is approved is.
  expect(scene.task(done).type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
  expect(await scene.holds(asked, asker.userId)).toHaveLength(1)
})

describe('revoking', () => {
  test('what is held is revoked at once by the built-in policy; what is not held is refused', async () => {
    const asked = await scene.target(automatic)
    const asker = await scene.caller(['system:user'])
    expect(outcomeOf(await scene.post(revoke, target(asked), asker))).toBe('400/9 ACCESS_NOT_HELD')
    scene.task(await scene.post(grant, target(asked), asker))
    const made = scene.task(await scene.post(revoke, target(asked, { identityUserId: asker.userId }), asker))
    expect(made).toMatchObject({ state: 'TASK_STATE_CLOSED', type: { revoke: { outcome: 'REVOKE_OUTCOME_REVOKED' } } })
    expect(await scene.holds(asked, asker.userId)).toEqual([])
  })
})

test('a policy without anybody able leads to Super Administrators', async () => {
  const asked = await scene.target(byManager)
  const asker = await scene.caller(['system:user'])
  const made = scene.task(await scene.post(grant, target(asked), asker))
  expect(made.stepApproverIds).toContain(scene.admin.userId)
})

test('no number is given out twice, also where the transaction that asked for one is rolled back', async () => {
  const { world, tenant } = scene.access
  const numbers: number[] = []
  const take = async (db: Db): Promise<void> => {
    const asking = { ...world, db }
    // More than a block of them.
    for (let i = 0; i < 25; i++) numbers.push(await nextNumber(asking, tenant.id))
  }
  const undone = transact(world.db, async (tx) => {
    await take(within(tx))
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await take(world.db)
  numbers.push(await nextNumbers(world, tenant.id, 1))
  await take(world.db)
  expect(new Set(numbers).size).toBe(numbers.length)
})
