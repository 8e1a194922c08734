import { describe, expect, test } from 'vitest'
import { spendFromBudget } from '#kernel/budget-store.ts'
import { ask, type Json, outcomeOf } from '../fixture/access.ts'
import { longTest } from '../fixture/long.ts'
import type { Caller, Ref } from '../grants/scene.ts'
import { automatic, byManager, byOwners, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const grant = '/api/v1/task/grant'
const revoke = '/api/v1/task/revoke'
const user = () => scene.caller(['system:user'])
const users = (...callers: Caller[]) => ({ users: { userIds: callers.map(({ userId }) => userId) } })
const stepOf = (task: TaskSeen) => ({ policyStepId: task.policy.current?.id })
const notAllowed = '403/7 TASK_ACTION_NOT_ALLOWED'

describe('who is to lose access', () => {
  test('cannot close a revocation that others asked for, nor their own offboarding and what it opens', async () => {
    const [manager, approver] = [await user(), await user()]
    const subject = await scene.caller(['system:user'], manager.userId)
    const ref = await scene.target(automatic)
    scene.task(await scene.post(grant, target(ref), subject))
    const revoking = await scene.policy([{ approval: users(approver) }], 'revoke')
    await scene.access.world.db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${ref.id}`
    const made = scene.task(await scene.post(revoke, target(ref, { identityUserId: subject.userId }), manager))
    expect((await scene.look(made.id, subject)).actions).not.toContain('TASK_ACTION_TYPE_CLOSE')
    expect(outcomeOf(await scene.act(made.id, 'close', {}, subject))).toBe(notAllowed)
    expect((await scene.look(made.id)).state).toBe('TASK_STATE_OPEN')
    // Who asked for it may think again.
    expect(outcomeOf(await scene.act(made.id, 'close', {}, manager))).toBe('200')

    const leaving = scene.task(await scene.post('/api/v1/task/offboarding', { subjectUserId: subject.userId }))
    expect(outcomeOf(await scene.act(leaving.id, 'close', {}, subject))).toBe(notAllowed)
    const child = async () => {
      const [row] = await scene.access.world.db<{ id: string }[]>`
        select task_id as id from tasks where parent_id = ${leaving.id}`
      return row?.id
    }
    await expect.poll(child).toBeTruthy()
    const id = (await child()) as string
    expect(outcomeOf(await scene.act(id, 'close', {}, subject))).toBe(notAllowed)
    expect(outcomeOf(await scene.act(id, 'approve', stepOf(await scene.look(id)), approver))).toBe('200')
    expect(await scene.holds(ref, subject.userId)).toEqual([])
  })

  test('may close what they asked for themselves, to lose it or to get it', async () => {
    const [subject, approver] = [await user(), await user()]
    const ref = await scene.target(automatic)
    scene.task(await scene.post(grant, target(ref), subject))
    const revoking = await scene.policy([{ approval: users(approver) }], 'revoke')
    await scene.access.world.db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${ref.id}`
    const made = scene.task(await scene.post(revoke, target(ref), subject))
    expect(outcomeOf(await scene.act(made.id, 'close', {}, subject))).toBe('200')
    const wanted = await scene.target(byOwners)
    const forThem = { identityUserId: subject.userId }
    const asked = scene.task(await scene.post(grant, target(wanted, forThem), await scene.caller(['system:helpdesk'])))
    expect(outcomeOf(await scene.act(asked.id, 'close', {}, subject))).toBe('200')
  })

  test('cannot keep it by asking for its end beforehand and closing that afterwards', async () => {
    const [subject, approver, manager] = [await user(), await user(), await user()]
    const { db } = scene.access.world
    await db`update users set manager_ids = ${[manager.userId]} where user_id = ${subject.userId}`
    const revoking = await scene.policy([{ approval: users(approver) }], 'revoke')
    const target1 = async () => {
      const ref = await scene.target(automatic)
      await db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${ref.id}`
      return ref
    }
    const accountOf = async ({ appId }: { appId: string }) =>
      (await db<{ id: string }[]>`select account_id as id from accounts where app_id = ${appId}`)[0]?.id ?? ''
    // By time: whoever asked, the access has had its time.
    /** Asked for while the access still has time; a busy machine may need more of it. */
    const askedInTime = async (by: Caller, seconds = 2): Promise<{ ref: Ref; made: TaskSeen }> => {
      const ref = await target1()
      scene.task(await scene.post(grant, target(ref, { grantDuration: `${seconds}s` }), subject))
      const whose = { identityUserId: subject.userId, appUserId: await accountOf(ref) }
      const reply = await scene.post(revoke, target(ref, whose), by)
      const seen = reply.status === 200 ? await scene.look(scene.task(reply).id, by) : null
      // What is over may not have been ended yet.
      const isInTime = (await scene.holds(ref, subject.userId)).some(
        ({ expiresAt }) => expiresAt !== null && expiresAt > new Date(),
      )
      if (!isInTime) return askedInTime(by, seconds * 2)
      expect(seen?.actions, reply.text).toContain('TASK_ACTION_TYPE_CLOSE')
      return { ref, made: seen as TaskSeen }
    }
    for (const by of [subject, manager]) {
      const { ref, made } = await askedInTime(by)
      const isEndless = async () => (await scene.holds(ref, subject.userId)).some(({ expiresAt }) => expiresAt === null)
      await expect.poll(isEndless).toBe(true)
      expect(outcomeOf(await scene.act(made.id, 'close', {}, by))).toBe(notAllowed)
      // What is given again has an end again.
      scene.task(await scene.post(grant, target(ref, { grantDuration: '3600s' }), subject))
      expect(await scene.holds(ref, subject.userId)).toMatchObject([{ expiresAt: expect.any(Date) as Date }])
      scene.task(await scene.act(made.id, 'approve', stepOf(made), approver))
      expect(await scene.holds(ref, subject.userId)).toEqual([])
    }
    // By leaving: an offboarding counts what is asked for already.
    const ref = await target1()
    scene.task(await scene.post(grant, target(ref), subject))
    const made = scene.task(await scene.post(revoke, target(ref), subject))
    const leaving = scene.task(await scene.post('/api/v1/task/offboarding', { subjectUserId: subject.userId }))
    const isAdopted = async () =>
      (await db`select 1 from tasks where task_id = ${made.id} and parent_id = ${leaving.id}`).length > 0
    await expect.poll(isAdopted).toBe(true)
    expect(outcomeOf(await scene.act(made.id, 'close', {}, subject))).toBe(notAllowed)
  })
})

describe('another duration', () => {
  /** Little time is for one person to give, more is for two. */
  async function byTime(): Promise<{ first: Caller; second: Caller; policyId: string }> {
    const [first, second] = [await user(), await user()]
    const reply = await scene.post('/api/v1/policies', {
      displayName: 'By time',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: {
        little: { steps: [{ approval: users(first) }] },
        grant: { steps: [{ approval: users(first) }, { approval: users(second) }] },
      },
      rules: [{ condition: '!task.isGrantPermanent && task.grantDuration <= duration("1h")', stepKey: 'little' }],
    })
    expect(reply.status, reply.text).toBe(200)
    return { first, second, policyId: (reply.json['policy'] as { id: string }).id }
  }

  test('takes the steps that the policy demands for it, whoever changes it and whatever was approved', async () => {
    const { first, second, policyId } = await byTime()
    const ref = await scene.target(policyId, { maxSeconds: 360_000 })
    const asker = await user()
    const made = scene.task(await scene.post(grant, target(ref, { grantDuration: '600s' }), asker))
    expect(made.policy.next).toHaveLength(1)
    const longer = scene.task(await scene.act(made.id, 'update-grant-duration', { duration: '360000s' }, first))
    const half = scene.task(await scene.act(longer.id, 'approve', stepOf(longer), first))
    expect(half.state).toBe('TASK_STATE_OPEN')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    expect(half.stepApproverIds).toEqual([second.userId])
    // And back: for little time one is enough, who has to say so again.
    const shorter = scene.task(await scene.act(half.id, 'update-grant-duration', { duration: '60s' }, second))
    expect(shorter.stepApproverIds).toEqual([first.userId])
    const done = scene.task(await scene.act(half.id, 'approve', stepOf(shorter), first))
    expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    const why = await scene.get(`/api/v1/tasks/${made.id}/why`)
    expect((why.json['rounds'] as Json[]).length).toBe(3)
  })

  test('of none at all is longer than any: what is for little time is not for good', async () => {
    const { first, second } = await byTime()
    const reply = await scene.post('/api/v1/policies', {
      displayName: 'By time, told in fewer words',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: { little: { steps: [{ accept: {} }] }, grant: { steps: [{ approval: users(first, second) }] } },
      rules: [{ condition: 'task.grantDuration <= duration("1h")', stepKey: 'little' }],
    })
    const ref = await scene.target((reply.json['policy'] as { id: string }).id)
    const asker = await user()
    expect(scene.task(await scene.post(grant, target(ref), asker)).state).toBe('TASK_STATE_OPEN')
    expect(await scene.holds(ref, asker.userId)).toEqual([])
    const brief = await user()
    scene.task(await scene.post(grant, target(ref, { grantDuration: '60s' }), brief))
    expect(await scene.holds(ref, brief.userId)).toHaveLength(1)
  })

  test('leaves the steps of a task alone where the policy does not ask for how long', async () => {
    const approver = await user()
    const policyId = await scene.policy([{ approval: users(approver) }, { approval: users(approver) }])
    const ref = await scene.target(policyId, { maxSeconds: 36_000 })
    const made = scene.task(await scene.post(grant, target(ref), await user()))
    const policy = { policySteps: { grant: { steps: [{ accept: {} }] } } }
    const edited = await scene.post(`/api/v1/policies/${policyId}`, { policy, updateMask: 'policySteps' })
    expect(edited.status, edited.text).toBe(200)
    const changed = scene.task(await scene.act(made.id, 'update-grant-duration', { duration: '60s' }, scene.admin))
    expect(changed.policy.next).toHaveLength(made.policy.next.length)
    expect(changed.stepApproverIds).toEqual([approver.userId])
  })

  test('is asked again of a step that was skipped for another duration', async () => {
    const [first, second] = [await user(), await user()]
    const ref = await scene.target(await scene.policy([{ approval: users(first) }, { approval: users(second) }]), {
      maxSeconds: 36_000,
    })
    const made = scene.task(await scene.post(grant, target(ref, { grantDuration: '60s' }), await user()))
    const skipped = scene.task(await scene.act(made.id, 'skip-step', stepOf(made), scene.admin))
    expect(skipped.stepApproverIds).toEqual([second.userId])
    const longer = scene.task(await scene.act(made.id, 'update-grant-duration', { duration: '36000s' }, second))
    expect(longer.stepApproverIds).toEqual([first.userId])
  })

  test('is refused where it is longer than the longest, negative, none, broken or beyond all time', async () => {
    const [ref, endless, asker] = [
      await scene.target(byOwners, { maxSeconds: 3600 }),
      await scene.target(),
      await user(),
    ]
    for (const grantDuration of [
      '3601s',
      '-1s',
      '0s',
      '0.5s',
      '3600.000000001s',
      '1h',
      '',
      '1e3s',
      '٣s',
      60,
      '999999999999s',
      ' 1s',
      '1s\u0000',
      'NaNs',
      '9'.repeat(400) + 's',
    ])
      expect((await scene.post(grant, target(ref, { grantDuration }), asker)).status, String(grantDuration)).toBeOneOf([
        400, 409,
      ])
    expect((await scene.post(grant, target(endless, { grantDuration: '999999999999s' }), asker)).status).toBe(400)
    const made = scene.task(await scene.post(grant, target(ref, { grantDuration: '60s' }), asker))
    for (const duration of ['3601s', '-1s', '0s', '0.5s', null, '', '999999999999s'])
      expect(
        (await scene.act(made.id, 'update-grant-duration', { duration }, ref.owner)).status,
        String(duration),
      ).toBeOneOf([400, 409])
    expect((await scene.look(made.id)).type.grant?.grantDuration).toBe('60s')
    expect((await scene.post('/api/v1/search/tasks', { olderThanDuration: '999999999999s' })).status).toBeOneOf([
      200, 400,
    ])
    expect((await scene.post('/api/v1/search/tasks', { olderThanDuration: '-999999999999s' })).status).toBeOneOf([
      200, 400,
    ])
  })
})

describe('who administers requests', () => {
  test('has no say in what they are to get themselves, unless they may give access anyway', async () => {
    const [admin, puppet] = [await scene.caller(['system:user', 'system:request-admin']), await user()]
    const ref = await scene.target(byOwners, { maxSeconds: 3600 })
    const made = scene.task(await scene.post(grant, target(ref), admin))
    for (const [action, body] of [
      ['skip-step', stepOf(made)],
      ['reassign', { ...stepOf(made), newStepUserIds: [puppet.userId] }],
      ['restart', {}],
      ['reset', {}],
      ['process', {}],
      ['update-grant-duration', { duration: '60s' }],
    ] as const)
      expect(outcomeOf(await scene.act(made.id, action, body, admin)), action).toBe(notAllowed)
    scene.task(await scene.act(made.id, 'deny', stepOf(made), ref.owner))
    for (const action of ['restart', 'reset', 'undo'])
      expect((await scene.act(made.id, action, {}, admin)).status, action).toBeGreaterThanOrEqual(400)
    expect(await scene.holds(ref, admin.userId)).toEqual([])

    // Others administer it, and they administer others.
    const again = scene.task(await scene.post(grant, target(ref), admin))
    expect(outcomeOf(await scene.act(again.id, 'skip-step', stepOf(again), scene.admin))).toBe('200')
    const other = scene.task(await scene.post(grant, target(ref), puppet))
    expect(outcomeOf(await scene.act(other.id, 'skip-step', stepOf(other), admin))).toBe('200')
    const own = scene.task(await scene.post(grant, target(ref), scene.admin))
    expect(outcomeOf(await scene.act(own.id, 'skip-step', stepOf(own), scene.admin))).toBe('200')
  })

  test('does not keep what they are to lose', async () => {
    const [admin, approver] = [await scene.caller(['system:user', 'system:request-admin']), await user()]
    const ref = await scene.target(automatic)
    scene.task(await scene.post(grant, target(ref), admin))
    const revoking = await scene.policy([{ approval: users(approver) }], 'revoke')
    await scene.access.world.db`update entitlements set revoke_policy_id = ${revoking} where entitlement_id = ${ref.id}`
    const made = scene.task(await scene.post(revoke, target(ref, { identityUserId: admin.userId })))
    expect(outcomeOf(await scene.act(made.id, 'close', {}, admin))).toBe(notAllowed)
  })
})

describe('a policy', () => {
  test('cannot give access before a step that may keep it back', async () => {
    const approver = await user()
    const wait = {
      wait: { name: 'w', condition: { condition: 'subject.department == "Sales"' }, timeoutDuration: '7200s' },
    }
    const form = {
      form: { form: { displayName: 'F', fields: [{ name: 'why', displayName: 'Why', stringField: {} }] } },
    }
    for (const after of [{ approval: users(approver) }, { reject: {} }, wait, form]) {
      const reply = await scene.post('/api/v1/policies', {
        displayName: 'Too soon',
        policyType: 'POLICY_TYPE_GRANT',
        policySteps: { grant: { steps: [{ provision: {} }, after] } },
      })
      expect(reply.status, JSON.stringify(after)).toBe(400)
      expect(reply.text).toContain('access would be granted first')
    }
    await scene.policy([wait, { approval: users(approver) }, { provision: {} }, { provision: {} }, { accept: {} }])
  })
})

describe('the account that a request names', () => {
  test('gets nothing once it is deleted or someone else’s: the request is cancelled', async () => {
    const [asker, other, third] = [await user(), await user(), await user()]
    for (const change of ['deleted', 'of another'] as const) {
      const ref = await scene.target(byOwners)
      const account = await scene.account(ref.appId, { userId: asker.userId })
      const made = scene.task(
        await scene.post(grant, target(ref, { identityUserId: asker.userId, appUserId: account.id }), asker),
      )
      const { db } = scene.access.world
      if (change === 'deleted') await db`update accounts set deleted_at = now() where account_id = ${account.id}`
      else await db`update accounts set user_id = ${other.userId} where account_id = ${account.id}`
      // By the approval, or before it by a recheck of open tasks.
      await scene.act(made.id, 'approve', stepOf(made), ref.owner)
      const outcome = async () => (await scene.look(made.id)).type.grant?.outcome
      await expect.poll(outcome, { message: change }).toBe('GRANT_OUTCOME_CANCELLED')
      for (const { userId } of [asker, other, third]) expect(await scene.holds(ref, userId)).toEqual([])
      const [row] = await db<
        { count: number }[]
      >`select count(*)::int as count from grants where account_id = ${account.id}`
      expect(row?.count).toBe(0)
    }
  })
})

describe('what one may not know', () => {
  test('is not told by how a request is refused', async () => {
    const [asker, other] = [await user(), await user()]
    const hidden = await scene.target(byOwners, { isOffered: false })
    const missing = { appId: hidden.appId, id: scene.access.world.newId() }
    const broken = await scene.target(byOwners, { isOffered: false })
    const rule = { displayName: 'Broken', enabled: true, condition: 'int(entitlement.displayName) > 1', settings: {} }
    expect((await scene.post(`/api/v1/apps/${broken.appId}/entitlement_configuration_rules`, rule)).status).toBe(200)
    const account = await scene.account(hidden.appId, { userId: other.userId })
    const same = (replies: { status: number; text: string }[]) => {
      const texts = replies.map(({ status, text }) => `${status} ${text.replaceAll(/[0-9A-Za-z]{27}/g, 'ID')}`)
      expect(new Set(texts.map((text) => text.replaceAll(/"requestId":"[^"]*"/g, '')))).toHaveLength(1)
    }
    for (const path of [grant, revoke, '/api/v1/task/plan'])
      same(await Promise.all([hidden, missing, broken].map((ref) => scene.post(path, target(ref), asker))))
    for (const path of [grant, revoke, '/api/v1/task/plan'])
      same(
        await Promise.all(
          [account.id, scene.access.world.newId()].map((appUserId) =>
            scene.post(path, target(hidden, { identityUserId: asker.userId, appUserId }), asker),
          ),
        ),
      )
    const terms = ({ appId, id }: { appId: string; id: string }) =>
      scene.get(`/api/v1/apps/${appId}/entitlements/${id}/request_terms`, asker)
    same(await Promise.all([hidden, missing, broken].map(terms)))
    const binding = ({ appId, id }: { appId: string; id: string }) =>
      ask(scene.server, '/api/v1/request_schema_entitlement_binding', {
        method: 'PUT',
        token: asker.token,
        body: { entitlementRef: { appId, id } },
      })
    same(await Promise.all([hidden, missing].map(binding)))
  })

  test('is not told by which tasks a filter finds: of the subject’s employment and accounts', async () => {
    const asker = await user()
    const ref = await scene.target(byOwners)
    const made = scene.task(await scene.post(grant, target(ref), asker))
    for (const filter of [
      { userEmploymentStatuses: ['On leave'] },
      { accountStatuses: ['STATUS_DISABLED'] },
      { accountTypes: ['APP_USER_TYPE_USER'] },
    ]) {
      expect(outcomeOf(await scene.post('/api/v1/search/tasks', filter, ref.owner))).toBe('400/3 INPUT_INVALID')
      expect(outcomeOf(await scene.post('/api/v1/search/tasks', filter))).toBe('200')
      // Of oneself everybody knows it.
      expect(
        outcomeOf(await scene.post('/api/v1/search/tasks', { ...filter, subjectIds: [asker.userId] }, asker)),
      ).toBe('200')
    }
    expect(made.state).toBe('TASK_STATE_OPEN')
  })
})

test('nobody is their own manager for a request, by whatever chain of managers and delegates', async () => {
  const [a, b] = [await user(), await user()]
  const { db } = scene.access.world
  await db`update users set manager_ids = ${[a.userId, b.userId]} where user_id = ${a.userId}`
  const delegate = async (userId: string, delegatedUserId: string) =>
    expect((await scene.post(`/api/v1/users/${userId}/set-delegation-by-admin`, { delegatedUserId })).status).toBe(200)
  await delegate(b.userId, a.userId)
  const ref = await scene.target(byManager)
  const made = scene.task(await scene.post(grant, target(ref), a))
  expect(made.stepApproverIds).toEqual([b.userId])
  expect(outcomeOf(await scene.act(made.id, 'approve', stepOf(made), a))).toBe(notAllowed)
  expect(await scene.holds(ref, a.userId)).toEqual([])
})

test('what is changed after somebody looked at it is not approved by what they saw, also by clients that know no revision', async () => {
  const [one, two, asker] = [await user(), await user(), await user()]
  const form = await scene.post('/api/v1/request_schemas', {
    name: 'Why',
    fields: [{ name: 'why', displayName: 'Why', stringField: {} }],
  })
  const formId = (form.json['requestSchema'] as { id: string }).id
  const ref = await scene.target(await scene.policy([{ approval: users(one, two) }]), { maxSeconds: 36_000 })
  const binding = { entitlementRef: { appId: ref.appId, id: ref.id }, requestSchemaId: formId }
  expect((await scene.post('/api/v1/request_schema_entitlement_binding', binding)).status).toBe(200)
  const made = scene.task(
    await scene.post(grant, target(ref, { requestData: { why: 'To read' }, grantDuration: '60s' }), asker),
  )
  // Bait and switch: the answers, or by one of the approvers the duration.
  scene.task(await scene.act(made.id, 'update-request-data', { data: { why: 'To delete' } }, asker))
  expect(outcomeOf(await scene.act(made.id, 'approve', stepOf(made), one))).toBe('409/10 TASK_STEP_NOT_CURRENT')
  const seen = await scene.look(made.id, one)
  expect(seen.stepApproverIds.toSorted()).toEqual([one.userId, two.userId].toSorted())
  const longer = scene.task(await scene.act(made.id, 'update-grant-duration', { duration: '36000s' }, two))
  expect(outcomeOf(await scene.act(made.id, 'approve', stepOf(seen), one))).toBe('409/10 TASK_STEP_NOT_CURRENT')
  expect(await scene.holds(ref, asker.userId)).toEqual([])
  const done = scene.task(await scene.act(made.id, 'approve', stepOf(longer), one))
  expect(done.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
})

test('who changes what they alone decide goes on with the step that they saw', async () => {
  const [one, asker] = [await user(), await user()]
  const ref = await scene.target(await scene.policy([{ approval: users(one) }]), { maxSeconds: 36_000 })
  const made = scene.task(await scene.post(grant, target(ref), asker))
  scene.task(await scene.act(made.id, 'update-grant-duration', { duration: '60s' }, one))
  expect(outcomeOf(await scene.act(made.id, 'approve', stepOf(made), one))).toBe('200')
})

test('what an entitlement brings along is what it did when the steps were chosen, not what was put there since', async () => {
  const [one, asker] = [await user(), await user()]
  const secret = await scene.entitlement(await scene.app('Vault'), 'Keys')
  const ref = await scene.target(await scene.policy([{ approval: users(one) }]))
  const made = scene.task(await scene.post(grant, target(ref), asker))
  const provisionerPolicy = { delegated: { appId: secret.appId, entitlementId: secret.id } }
  const changed = await scene.post(`/api/v1/apps/${ref.appId}/entitlements/${ref.id}`, {
    entitlement: { provisionerPolicy },
    updateMask: 'provisionerPolicy',
  })
  expect(changed.status, changed.text).toBe(200)
  scene.task(await scene.act(made.id, 'approve', stepOf(made), one))
  expect(await scene.holds(ref, asker.userId)).toHaveLength(1)
  expect(await scene.holds(secret, asker.userId)).toEqual([])
})

longTest('nobody fills the disk with requests and comments', async () => {
  const asker = await user()
  const ref = await scene.target(byOwners)
  const made = scene.task(await scene.post(grant, target(ref), asker))
  const comment = () => scene.act(made.id, 'comment', { comment: 'x'.repeat(10_000) }, asker)
  expect((await scene.act(made.id, 'comment', { comment: 'x'.repeat(10_001) }, asker)).status).toBe(400)
  // As if they had commented a thousand times before, by another server.
  const { world, tenant } = scene.access
  const name = 'requests and comments'
  const place = world.seals.mac('budget', '', name, `${tenant.id} ${asker.userId}`).readUInt16BE(0)
  await spendFromBudget(world.db, { name, limit: { burst: 1_000, perSecond: 0.1 } }, new Map([[place, 1_000]]))
  for (let i = 0; i < 55; i++) expect((await comment()).status).toBeOneOf([200, 429])
  const another = await scene.target(byOwners)
  await expect.poll(async () => outcomeOf(await comment())).toBe('429/8 TOO_MANY_REQUESTS')
  expect(outcomeOf(await scene.post(grant, target(another), asker))).toBe('429/8 TOO_MANY_REQUESTS')
  // What others ask of them they can still do, and others are not held up.
  expect(outcomeOf(await scene.act(made.id, 'close', {}, asker))).toBe('200')
  scene.task(await scene.post(grant, target(ref), await user()))
})

test('what is enormous, endless or no text is refused, and never a fault of the server', async () => {
  const [asker, approver] = [await user(), await user()]
  const policy = (more: object) =>
    scene.post('/api/v1/policies', { displayName: 'Big', policyType: 'POLICY_TYPE_GRANT', ...more })
  const many = <T>(length: number, of: (place: number) => T): T[] => Array.from({ length }, (_, place) => of(place))
  const step = { approval: users(approver) }
  const accept = { grant: { steps: [{ accept: {} }] } }
  const conditions = [
    '('.repeat(2000) + 'true' + ')'.repeat(2000),
    'subject.email.matches("(a+)+$")',
    '[1,2,3].all(a, [1,2,3].all(b, [1,2,3].all(c, [1,2,3].all(d, [1,2,3].all(e, a+b+c+d+e > 0)))))',
    `subject.displayName == "${'x'.repeat(20_000)}"`,
    '1/0 == 1',
    'true || ',
    '\u0000',
  ]
  const replies = [
    policy({ policySteps: { grant: { steps: many(1000, () => step) } } }),
    policy({ policySteps: Object.fromEntries(many(1000, (i) => [`k${i}`, { steps: [step] }] as const)) }),
    policy({ policySteps: accept, rules: many(1000, () => ({ condition: 'true', stepKey: 'grant' })) }),
    policy({
      policySteps: { grant: { steps: [{ approval: { users: { userIds: many(10_000, () => approver.userId) } } }] } },
    }),
    policy({ policySteps: { grant: { steps: [{ wait: { name: 'w', duration: { duration: '-1s' } } }] } } }),
    policy({ policySteps: { grant: { steps: [{ wait: { name: 'w', duration: { duration: '999999999999s' } } }] } } }),
    policy({
      policySteps: {
        grant: {
          steps: [
            {
              approval: {
                ...users(approver),
                escalationEnabled: true,
                escalation: { expiration: '9223372036854775807', skipStep: {} },
              },
            },
          ],
        },
      },
    }),
    policy({ policySteps: { __proto__: null, constructor: { steps: [step] } } }),
    ...conditions.map((condition) => policy({ policySteps: accept, rules: [{ condition, stepKey: 'grant' }] })),
    ...conditions.map((text) => scene.post('/api/v1/policies/validate/cel', { text })),
    scene.post('/api/v1/request_schemas', {
      name: 'F',
      fields: [{ name: 'a', displayName: 'A', stringField: { rules: { pattern: '(x{0,1000}){0,1000}' } } }],
    }),
    scene.post('/api/v1/search/tasks', { refs: many(5000, () => ({ id: 'x' })) }),
    scene.post('/api/v1/search/tasks', { query: '%'.repeat(900) + '\\_' }),
    scene.post(grant, { appId: '\u0000', appEntitlementId: 'x' }, asker),
    scene.get('/api/v1/tasks/999999999999999', asker),
    scene.get('/api/v1/tasks/9999999999999999999999', asker),
    scene.get('/api/v1/tasks/-1', asker),
    scene.get('/api/v1/tasks/%00', asker),
  ]
  for (const [i, reply] of (await Promise.all(replies)).entries())
    expect(reply.status, `${i}: ${reply.text.slice(0, 300)}`).toBeLessThan(500)
})

test('who is no longer to decide a step cannot hand it to a friend either, nor change what it is about', async () => {
  const [old, fresh, friend] = [await user(), await user(), await user()]
  const asker = await scene.caller(['system:user'], old.userId)
  const ref = await scene.target(await scene.policy([{ approval: { manager: {}, allowReassignment: true } }]), {
    maxSeconds: 36_000,
  })
  const made = scene.task(await scene.post(grant, target(ref, { grantDuration: '60s' }), asker))
  await scene.access.world.db`update users set manager_ids = ${[fresh.userId]} where user_id = ${asker.userId}`
  const handing = { ...stepOf(made), newStepUserIds: [friend.userId] }
  expect(outcomeOf(await scene.act(made.id, 'reassign', handing, old))).toBe(notAllowed)
  expect((await scene.look(made.id)).stepApproverIds).toEqual([fresh.userId])
  // Also the moment before the step is given to others, for whatever else it allows.
  await scene.access.world.db`update users set manager_ids = ${[old.userId]} where user_id = ${asker.userId}`
  expect(outcomeOf(await scene.act(made.id, 'reassign', handing, fresh))).toBe(notAllowed)
  await scene.access.world.db`update users set manager_ids = ${[fresh.userId]} where user_id = ${asker.userId}`
  expect(outcomeOf(await scene.act(made.id, 'update-grant-duration', { duration: '36000s' }, old))).toBe(notAllowed)
  expect((await scene.look(made.id)).type.grant?.grantDuration).toBe('60s')
  expect(outcomeOf(await scene.act(made.id, 'reassign', handing, fresh))).toBe('200')
})

test('where approvers must be distinct, one person and their delegate are not two', async () => {
  const [boss, deputy, asker] = [await user(), await user(), await user()]
  const named = { delegatedUserId: deputy.userId }
  expect((await scene.post(`/api/v1/users/${boss.userId}/set-delegation-by-admin`, named)).status).toBe(200)
  const { userIds } = users(boss).users
  const ref = await scene.target(
    await scene.policy([
      { approval: { users: { userIds }, allowDelegation: true } },
      { approval: { users: { userIds, requireDistinctApprovers: true } } },
    ]),
  )
  const made = scene.task(await scene.post(grant, target(ref), asker))
  expect(made.stepApproverIds).toEqual([deputy.userId])
  const half = scene.task(await scene.act(made.id, 'approve', stepOf(made), deputy))
  expect(half.stepApproverIds).not.toContain(boss.userId)
  expect(half.stepApproverIds).not.toContain(deputy.userId)
  expect(half.stepApproverIds).toContain(scene.admin.userId)
})
