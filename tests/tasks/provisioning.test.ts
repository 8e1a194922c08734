import { describe, expect, test } from 'vitest'
import { operatorCause } from '#rooms/foundation/systemlog/index.ts'
import { insertGrants } from '#rooms/records/grants/index.ts'
import { eventually, type Json, outcomeOf } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const revoke = '/api/v1/task/revoke'
const user = () => scene.caller(['system:user'])
const users = (...callers: Caller[]) => ({ users: { userIds: callers.map(({ userId }) => userId) } })
const stepOf = (task: TaskSeen) => ({ policyStepId: task.policy.current?.id })
type Target = Ref & { owner: Caller }

async function provisionedBy(policy: Json, field = 'provisionerPolicy'): Promise<Target> {
  const ref = await scene.target(automatic, { maxSeconds: 36_000 })
  const path = `/api/v1/apps/${ref.appId}/entitlements/${ref.id}`
  const reply = await scene.post(path, { entitlement: { [field]: policy }, updateMask: field })
  expect(reply.status, reply.text).toBe(200)
  return ref
}
const request = async (ref: Ref, by: Caller, more: object = {}): Promise<TaskSeen> =>
  scene.task(await scene.post(grant, target(ref, more), by))

describe('by hand', () => {
  test('whoever carries it out sees the instructions, and only they say what became of it', async () => {
    const [helper, asker] = [await user(), await user()]
    const ref = await provisionedBy({ manual: { instructions: 'Turn the key', assignee: users(helper) } })
    const made = await request(ref, asker)
    expect(made.stepApproverIds).toEqual([helper.userId])
    const seen = await scene.look(made.id, helper)
    expect(seen.policy.current?.['provision']).toMatchObject({
      provision: { provisionPolicy: { manual: { instructions: 'Turn the key' } } },
    })
    expect(seen.actions).toEqual(
      expect.arrayContaining(['COMPLETE', 'ERRORED', 'CANCELLED'].map((name) => `TASK_ACTION_TYPE_PROVISION_${name}`)),
    )
    for (const name of ['complete', 'errored', 'cancelled'])
      expect(outcomeOf(await scene.act(made.id, `provision-${name}`, {}, asker))).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    const refused = scene.task(await scene.act(made.id, 'provision-cancelled', { comment: 'no keys left' }, helper))
    expect(refused.type.grant?.outcome).toBe('GRANT_OUTCOME_CANCELLED')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    const audits = await scene.all('/api/v1/task/audits', { taskId: made.id })
    expect(audits.find((each) => each['provisionCancelled'] !== null)?.['provisionCancelled']).toEqual({
      cancelReason: 'no keys left',
    })
  })

  test('the time of a grant begins when it is given, and access is removed by who deprovisions', async () => {
    const [helper, asker] = [await user(), await user()]
    const ref = await provisionedBy({ manual: { assignee: users(helper) } })
    const path = `/api/v1/apps/${ref.appId}/entitlements/${ref.id}`
    const remover = await user()
    await scene.post(path, {
      entitlement: { deprovisionerPolicy: { manual: { instructions: 'Take the key', assignee: users(remover) } } },
      updateMask: 'deprovisionerPolicy',
    })
    const made = await request(ref, asker, { grantDuration: '3600s' })
    await scene.access.world.db`update tasks set created_at = now() - interval '2 hours' where task_id = ${made.id}`
    const before = Date.now()
    scene.task(await scene.act(made.id, 'provision-complete', stepOf(made), helper))
    const [held] = await scene.holds(ref, asker.userId)
    expect(held?.expiresAt?.getTime()).toBeGreaterThanOrEqual(before + 3_600_000)
    const removal = scene.task(await scene.post(revoke, target(ref), asker))
    expect(removal.stepApproverIds).toEqual([remover.userId])
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
    const done = scene.task(await scene.act(removal.id, 'provision-complete', stepOf(removal), remover))
    expect(done.type.revoke?.['outcome']).toBe('REVOKE_OUTCOME_REVOKED')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
  })

  test('in several steps, access is held after the last, and each has its own people', async () => {
    const [one, two, asker] = [await user(), await user(), await user()]
    const steps = [{ manual: { assignee: users(one) } }, { manual: { assignee: users(two) } }]
    const ref = await provisionedBy({ multiStep: { provisionSteps: steps } })
    const made = await request(ref, asker)
    expect(made.stepApproverIds).toEqual([one.userId])
    expect(outcomeOf(await scene.act(made.id, 'provision-complete', stepOf(made), two))).toMatch(/^40[34]/)
    const next = scene.task(await scene.act(made.id, 'provision-complete', stepOf(made), one))
    expect(next.stepApproverIds).toEqual([two.userId])
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    const failed = scene.task(await scene.act(made.id, 'provision-errored', { comment: 'broken' }, two))
    expect(failed.type.grant?.outcome).toBe('GRANT_OUTCOME_ERROR')
    const retried = scene.task(await scene.act(made.id, 'retry-provisioning', {}, scene.admin))
    expect(retried.stepApproverIds).toEqual([two.userId])
    scene.task(await scene.act(made.id, 'provision-complete', stepOf(retried), two))
    expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
  })

  test('who may write policies but not give access cannot have a policy give another entitlement', async () => {
    const other = await scene.target(automatic)
    const admin = await scene.caller(['system:request-admin'])
    const delegated = { delegated: { appId: other.appId, entitlementId: other.id } }
    for (const provisionPolicy of [delegated, { multiStep: { provisionSteps: [delegated] } }]) {
      const reply = await scene.post(
        '/api/v1/policies',
        {
          displayName: 'Brings more',
          policyType: 'POLICY_TYPE_GRANT',
          policySteps: { grant: { steps: [{ provision: { provisionPolicy } }] } },
        },
        admin,
      )
      expect(outcomeOf(reply)).toBe('403/7 PERMISSION_DENIED')
    }
  })
})

describe('by another entitlement', () => {
  const bringing = (ref: Ref) => ({ delegated: { appId: ref.appId, entitlementId: ref.id } })

  test('both are given, and what another reason still holds stays', async () => {
    const brought = await scene.target(automatic)
    const [one, two] = [await provisionedBy(bringing(brought)), await provisionedBy(bringing(brought))]
    const asker = await user()
    await request(one, asker)
    await request(two, asker, { grantDuration: '600s' })
    expect(await scene.holds(brought, asker.userId)).toMatchObject([{ expiresAt: expect.any(Date) as unknown }])
    scene.task(await scene.post(revoke, target(one), asker))
    const [left] = await scene.holds(brought, asker.userId)
    const [second] = await scene.holds(two, asker.userId)
    expect(left?.expiresAt).toEqual(second?.expiresAt)
    scene.task(await scene.post(revoke, target(two), asker))
    expect(await scene.holds(brought, asker.userId)).toEqual([])
  })

  test('what was requested for itself stays when what brought it along goes', async () => {
    const brought = await scene.target(automatic)
    const one = await provisionedBy(bringing(brought))
    const asker = await user()
    await request(brought, asker)
    await request(one, asker)
    scene.task(await scene.post(revoke, target(one), asker))
    expect(await scene.holds(brought, asker.userId)).toHaveLength(1)
    scene.task(await scene.post(revoke, target(brought), asker))
    expect(await scene.holds(brought, asker.userId)).toEqual([])
  })

  test('where that one is gone, the owners of the app are asked, and what was approved stays so', async () => {
    const brought = await scene.target(automatic)
    const one = await provisionedBy(bringing(brought))
    await scene.remove(`/api/v1/apps/${brought.appId}/entitlements/${brought.id}`, {})
    const asker = await user()
    const made = await request(one, asker)
    expect(made).toMatchObject({ state: 'TASK_STATE_OPEN', stepApproverIds: [one.owner.userId] })
    expect(await scene.holds(one, asker.userId)).toEqual([])
    const done = scene.task(await scene.act(made.id, 'provision-complete', stepOf(made), one.owner))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    expect(await scene.holds(one, asker.userId)).toHaveLength(1)
  })
})

describe('what is held already', () => {
  test('asking again extends it, and never shortens it', async () => {
    const ref = await scene.target(automatic, { maxSeconds: 36_000 })
    const asker = await user()
    await request(ref, asker, { grantDuration: '600s' })
    const [first] = await scene.holds(ref, asker.userId)
    const longer = await request(ref, asker, { grantDuration: '6000s' })
    expect(longer.type.grant?.source).toMatchObject({ isExtension: true })
    const [second] = await scene.holds(ref, asker.userId)
    expect(second?.expiresAt?.getTime()).toBeGreaterThan((first?.expiresAt?.getTime() ?? 0) + 5_000_000)
    await request(ref, asker, { grantDuration: '60s' })
    expect(await scene.holds(ref, asker.userId)).toEqual([second])
  })

  test('what is given to the same account while a request is approved is extended, and not given twice', async () => {
    const [asker, approver] = [await user(), await user()]
    const ref = await scene.target(await scene.policy([{ approval: users(approver) }]), { maxSeconds: 36_000 })
    const { id: accountId } = await scene.account(ref.appId, { userId: asker.userId })
    const made = await request(ref, asker, { grantDuration: '7200s' })
    const { world, tenant } = scene.access
    const isWaiting = async (): Promise<boolean> =>
      (await listWaiting(world.db)).some(({ query }) => query.startsWith('insert into "grants"'))
    const { approving } = await world.db.begin(async (tx) => {
      const expiresAt = new Date(Date.now() + 600_000)
      const given = { id: world.newId(), appId: ref.appId, entitlementId: ref.id, accountId, expiresAt }
      await insertGrants(tx, operatorCause(tenant, 'test'), [{ ...given, source: 'request' }], new Date())
      // It has looked, and found that nothing is held; what it writes waits for this transaction.
      const waits = scene.act(made.id, 'approve', stepOf(made), approver)
      expect(await eventually(isWaiting)).toBe(true)
      return { approving: waits }
    })
    const approved = scene.task(await approving)
    expect(approved.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    const held = await scene.holds(ref, asker.userId)
    expect(held).toMatchObject([{ source: 'request' }])
    expect(held[0]?.expiresAt?.getTime()).toBeGreaterThan(Date.now() + 7_000_000)
  })

  test('manual and requested grants: when one ends, the other is kept', async () => {
    const ref = await scene.target(automatic, { maxSeconds: 36_000 })
    const asker = await user()
    await request(ref, asker, { grantDuration: '2s' })
    const { db } = scene.access.world
    const [row] = await db<{ id: string }[]>`
      select account_id as id from accounts where app_id = ${ref.appId} and user_id = ${asker.userId}`
    await scene.grant(ref, { appId: ref.appId, id: row?.id ?? '' }, { source: 'manual' })
    expect(await eventually(async () => (await scene.holds(ref, asker.userId)).length === 1)).toBe(true)
    expect(await scene.holds(ref, asker.userId)).toMatchObject([{ source: 'manual' }])
  })

  test('revoking takes it from every account of the person', async () => {
    const ref = await scene.target(automatic)
    const asker = await user()
    for (const _ of [1, 2]) {
      const account = await scene.account(ref.appId, { userId: asker.userId })
      await scene.grant(ref, account, { source: 'manual' })
    }
    expect(await scene.holds(ref, asker.userId)).toHaveLength(2)
    scene.task(await scene.post(revoke, target(ref), asker))
    expect(await scene.holds(ref, asker.userId)).toEqual([])
  })
})

describe('offboarding', () => {
  test('revokes requested and manual grants, under each revoke policy, and ends when that is done', async () => {
    const [leaver, approver] = [await user(), await user()]
    const [asked, byHand, byRule, slow] = [
      await scene.target(automatic),
      await scene.target(automatic),
      await scene.target(automatic),
      await scene.target(automatic),
    ]
    for (const ref of [asked, slow]) await request(ref, leaver)
    for (const [ref, source] of [
      [byHand, 'manual'],
      [byRule, 'rule'],
    ] as const)
      await scene.grant(ref, await scene.account(ref.appId, { userId: leaver.userId }), { source })
    const revoking = await scene.policy([{ approval: users(approver) }], 'revoke')
    await scene.access.world
      .db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${slow.id}`

    const body = { subjectUserId: leaver.userId, description: 'left' }
    expect((await scene.post('/api/v1/task/offboarding', body, approver)).status).toBe(403)
    expect((await scene.post('/api/v1/task/offboarding', { subjectUserId: 'x' })).status).toBe(404)
    const made = scene.task(await scene.post('/api/v1/task/offboarding', body))
    const offboarding = () => scene.look(made.id) as Promise<TaskSeen & { type: { offboarding: Json } }>
    expect((await offboarding()).type.offboarding).toMatchObject({ outcome: 'OFFBOARDING_OUTCOME_IN_PROGRESS' })
    expect(outcomeOf(await scene.post('/api/v1/task/offboarding', body))).toBe('409/6 TASK_EXISTS')

    for (const ref of [byHand, asked])
      expect(await eventually(async () => (await scene.holds(ref, leaver.userId)).length === 0)).toBe(true)
    expect(await scene.holds(slow, leaver.userId)).toHaveLength(1)
    expect((await scene.look(made.id)).state).toBe('TASK_STATE_OPEN')
    const openRevocations = () =>
      scene.all('/api/v1/search/tasks', {
        subjectIds: [leaver.userId],
        taskStates: ['TASK_STATE_OPEN'],
        taskTypes: [{ revoke: {} }],
      })
    expect(await eventually(async () => (await openRevocations()).length === 1)).toBe(true)
    const [open] = await openRevocations()
    const child = open?.['task'] as TaskSeen
    scene.task(await scene.act(child.id, 'approve', stepOf(child), approver))
    expect(await eventually(async () => (await offboarding()).state === 'TASK_STATE_CLOSED')).toBe(true)
    expect((await offboarding()).type.offboarding).toMatchObject({ outcome: 'OFFBOARDING_OUTCOME_DONE' })
    expect(await scene.holds(slow, leaver.userId)).toEqual([])
    // Rules take back what they gave: an offboarding that did so would only have it given again.
    expect(await scene.holds(byRule, leaver.userId)).toMatchObject([{ source: 'rule' }])
  })

  test('a revocation that is denied keeps the access, and the offboarding ends and says so', async () => {
    const [leaver, approver] = [await user(), await user()]
    const ref = await scene.target(automatic)
    await request(ref, leaver)
    const revoking = await scene.policy([{ approval: users(approver) }], 'revoke')
    await scene.access.world.db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${ref.id}`
    // Somebody asked for the same before: that counts.
    const before = scene.task(await scene.post(revoke, target(ref), leaver))
    const made = scene.task(await scene.post('/api/v1/task/offboarding', { subjectUserId: leaver.userId }))
    const { db } = scene.access.world
    const isAdopted = async () => {
      const [row] = await db<{ parent: string }[]>`select parent_id as parent from tasks where task_id = ${before.id}`
      return row?.parent === made.id
    }
    expect(await eventually(isAdopted)).toBe(true)
    scene.task(await scene.act(before.id, 'deny', {}, approver))
    expect(await eventually(async () => (await scene.look(made.id)).state === 'TASK_STATE_CLOSED')).toBe(true)
    expect(await scene.holds(ref, leaver.userId)).toHaveLength(1)
    expect(JSON.stringify(await scene.look(made.id))).toContain('OFFBOARDING_OUTCOME_DONE')
  })
})
