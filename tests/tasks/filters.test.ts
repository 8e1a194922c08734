import { describe, expect, test } from 'vitest'
import { type Json, outcomeOf } from '../fixture/access.ts'
import type { Caller } from '../grants/scene.ts'
import { automatic, prepareTasks, type TaskSeen, target } from './scene.ts'

const scene = prepareTasks()
const nobody = '0'.repeat(27)
const grant = '/api/v1/task/grant'
const user = () => scene.caller(['system:user'])
const users = (...callers: Caller[]) => ({ users: { userIds: callers.map(({ userId }) => userId) } })
const stepOf = (task: TaskSeen) => ({ policyStepId: task.policy.current?.id })
const search = async (body: object, by: Caller = scene.admin): Promise<string[]> =>
  (await scene.all('/api/v1/search/tasks', body, by)).map(({ task }) => (task as TaskSeen).id)

describe('every published filter', () => {
  test('finds what it says, and nothing else', async () => {
    const [asker, approver, worker] = [await user(), await user(), await user()]
    const { db } = scene.access.world
    await db`update users set employment_status = 'Contractor' where user_id = ${asker.userId}`
    const strict = await scene.target(
      await scene.policy([{ approval: { ...users(approver), requireApprovalReason: true } }]),
    )
    const strictToDeny = await scene.target(
      await scene.policy([{ approval: { ...users(approver), requireDenialReason: true } }]),
    )
    const done = await scene.target(automatic)
    const made: string[] = []
    for (const ref of [strict, strictToDeny, done])
      made.push(scene.task(await scene.post(grant, target(ref), asker)).id)
    const account = await scene.account(strict.appId, { userId: asker.userId })
    await db`update accounts set type = 'APP_USER_TYPE_SERVICE_ACCOUNT', status = 'STATUS_DISABLED'
      where account_id = ${account.id}`
    const [first, second, third] = made as [string, string, string]
    const mine = { openerIds: [asker.userId] }
    const newestFirst = [third, second, first]
    for (const [filter, found] of [
      [{ userEmploymentStatuses: ['Contractor'] }, newestFirst],
      [{ userEmploymentStatuses: ['Employee'] }, []],
      [{ requireApprovalReason: true }, [first]],
      [{ requireDenialReason: true }, [second]],
      [{ accountTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'] }, [first]],
      [{ accountStatuses: ['STATUS_DISABLED'] }, [first]],
      [{ accountTypes: ['APP_USER_TYPE_SERVICE_ACCOUNT'], accountStatuses: ['STATUS_ENABLED'] }, []],
      [{ accountTypes: ['APP_USER_TYPE_USER'] }, [third]],
      [{ pendingActionFilter: 'PENDING_ACTION_FILTER_WITH_PENDING' }, [second, first]],
      [{ pendingActionFilter: 'PENDING_ACTION_FILTER_WITHOUT_PENDING' }, [third]],
      [{ certifyOutcomes: ['CERTIFY_OUTCOME_CERTIFIED'] }, []],
      [{ certifyOutcomes: ['CERTIFY_OUTCOME_CERTIFIED'], grantOutcomes: ['GRANT_OUTCOME_GRANTED'] }, [third]],
      [{ stuckOnly: true }, []],
      [{ refs: [{ id: second }] }, [second]],
      [{ excludeIds: [second] }, [third, first]],
      [{ applicationIds: [strict.appId] }, [first]],
      [{ excludeApplicationIds: [strict.appId] }, [third, second]],
      [{ appEntitlementIds: [done.id] }, [third]],
      [{ excludeAppEntitlementIds: [done.id] }, [second, first]],
      [{ appResourceIds: [nobody] }, []],
      [{ appResourceTypeIds: [nobody] }, []],
      [{ excludeAppResourceTypeIds: [nobody] }, newestFirst],
      [{ appUserSubjectIds: [nobody] }, []],
      [{ accessReviewIds: [nobody] }, []],
      [{ subjectIds: [approver.userId] }, []],
      [{ openerOrSubjectUserId: asker.userId }, newestFirst],
      [{ openerOrSubjectUserId: approver.userId }, []],
      [{ assigneesInIds: [approver.userId] }, [second, first]],
      [{ assignedOrStepApproverUserId: approver.userId }, [second, first]],
      [{ previouslyActedOnIds: [worker.userId] }, []],
      [{ actorId: worker.userId }, []],
      [{ accountOwnerIds: [asker.userId] }, newestFirst],
      [{ taskStates: ['TASK_STATE_OPEN'] }, [second, first]],
      [{ taskStates: ['TASK_STATE_CLOSED'] }, [third]],
      [{ taskTypes: [{ grant: {} }] }, newestFirst],
      [{ taskTypes: [{ revoke: {} }, { offboarding: {} }] }, []],
      [{ taskTypes: [{ action: {} }] }, []],
      [{ currentStep: 'TASK_SEARCH_CURRENT_STEP_APPROVAL' }, [second, first]],
      [{ currentStep: 'TASK_SEARCH_CURRENT_STEP_PROVISION' }, []],
      [{ stepApprovalTypes: ['STEP_APPROVAL_TYPE_USERS'] }, [second, first]],
      [{ stepApprovalTypes: ['STEP_APPROVAL_TYPE_MANAGER', 'STEP_APPROVAL_TYPE_AGENT'] }, []],
      [{ revokeOutcomes: ['REVOKE_OUTCOME_REVOKED'] }, []],
      [{ emergencyStatus: 'EMERGENCY' }, []],
      [{ emergencyStatus: 'NON_EMERGENCY' }, newestFirst],
      [{ createdAfter: '2031-01-01T00:00:00Z' }, []],
      [{ createdBefore: '2020-01-01T00:00:00Z' }, []],
      [{ outcomeAfter: '2020-01-01T00:00:00Z' }, [third]],
      [{ outcomeBefore: '2020-01-01T00:00:00Z' }, []],
      [{ olderThanDuration: '3600s' }, []],
      [{ includeDeleted: true }, newestFirst],
      [{ query: 'no such words' }, []],
    ] as const)
      expect(await search({ ...mine, ...filter }), JSON.stringify(filter)).toEqual(found)

    await scene.act(first, 'approve', { ...stepOf(await scene.look(first)), comment: 'yes' }, approver)
    const work = { myWorkUserIds: [approver.userId] }
    expect(await search(work, approver)).toEqual([second])
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
    expect(await search({ ...work, includeActedAfter: hourAgo }, approver)).toEqual([second, first])
    expect(await search({ ...work, includeActedAfter: inAnHour }, approver)).toEqual([second])
    expect(await search({ ...work, includeActedAfter: hourAgo }, worker)).toEqual([])
    expect((await scene.post('/api/v1/search/tasks', { includeActedAfter: hourAgo })).status).toBe(400)
  })

  test('a page of open requests of the caller reads what applies to them once', async () => {
    const [asker, approver] = [await user(), await user()]
    const policyId = await scene.policy([{ approval: users(approver) }])
    const emergency = await scene.policy([{ accept: {} }])
    const { db } = scene.access.world
    for (let i = 0; i < 4; i++) {
      const ref = await scene.target(policyId)
      if (i % 2 === 0)
        await db`update entitlements set is_emergency_enabled = true, emergency_policy_id = ${emergency}
          where entitlement_id = ${ref.id}`
      scene.task(await scene.post(grant, target(ref), asker))
    }
    const list = await scene.all('/api/v1/search/tasks', { taskStates: ['TASK_STATE_OPEN'] }, asker)
    const canEscalate = list.map(({ task }) =>
      (task as TaskSeen).actions.includes('TASK_ACTION_TYPE_ESCALATE_TO_EMERGENCY_ACCESS'),
    )
    expect(canEscalate).toEqual([false, true, false, true])
  })
})

describe('audits', () => {
  const events = async (id: string, more: object = {}) => {
    const list = await scene.all('/api/v1/task/audits', { taskId: id, ...more })
    const common = new Set([
      'id',
      'ticketId',
      'userId',
      'created',
      'currentState',
      'eventType',
      'source',
      'workflowStep',
      'policyStepId',
      'note',
    ])
    return list.map((each) => {
      const [name, value] = Object.entries(each).find(
        ([key, told]) => told !== null && key !== 'metadata' && !common.has(key),
      ) ?? ['', null]
      return { name, value: value as Json, of: each }
    })
  }

  test('say what happened, in the published words', async () => {
    const [asker, one, two] = [await user(), await user(), await user()]
    const policyId = await scene.policy([{ approval: { ...users(one), allowReassignment: true } }, { accept: {} }])
    const ref = await scene.target(policyId, { maxSeconds: 3600 })
    const made = scene.task(await scene.post(grant, target(ref), asker))
    await scene.act(made.id, 'comment', { comment: 'please' }, asker)
    const moved = scene.task(
      await scene.act(made.id, 'reassign', { ...stepOf(made), newStepUserIds: [two.userId], comment: 'yours' }, one),
    )
    await scene.act(made.id, 'update-grant-duration', { duration: '60s' }, two)
    const done = await scene.act(made.id, 'approve', { ...stepOf(moved), comment: 'fine' }, two)
    expect(scene.task(done).state).toBe('TASK_STATE_CLOSED')
    const told = await events(made.id)
    expect(told.map(({ name }) => name)).toEqual([
      'taskCreated',
      'requestDefaultsApplied',
      'conditionalPolicyExecutionResult',
      'approvalInstanceChange',
      'comment',
      'actionSubmitted',
      'approvalReassigned',
      'actionSubmitted',
      'grantDurationUpdated',
      'actionSubmitted',
      'approvalInstanceChange',
      'policyEvaluationStep',
      'approvalAutoAcceptedByPolicy',
      'policyEvaluationStep',
      'policyEvaluationStep',
      'grantOutcome',
    ])
    const valueOf = (name: string) => told.findLast((each) => each.name === name)?.value
    expect(valueOf('conditionalPolicyExecutionResult')).toMatchObject({
      policyId,
      outcomePolicyId: policyId,
      policyKey: 'grant',
      defaultCondition: true,
      conditionMatched: false,
      chainDepth: 0,
    })
    expect(valueOf('approvalReassigned')).toMatchObject({
      oldPolicyStepId: made.policy.current?.id,
      newPolicyStepId: moved.policy.current?.id,
      newUsers: [two.userId],
      users: [{ id: two.userId }],
    })
    expect(valueOf('grantDurationUpdated')).toEqual({ duration: '60s' })
    expect(valueOf('approvalInstanceChange')).toMatchObject({
      instance: { state: 'APPROVAL_INSTANCE_STATE_DONE', approved: { userId: two.userId } },
    })
    expect(valueOf('actionSubmitted')).toMatchObject({
      action: { actionType: 'TASK_ACTION_TYPE_APPROVE', userId: two.userId, id: done.json['ticketActionId'] },
    })
    expect(valueOf('grantOutcome')).toEqual({ outcome: 'GRANT_OUTCOME_GRANTED' })
    expect(told.at(-1)?.of['currentState']).toBe('TASK_STATE_CLOSED')
    expect(told[0]?.of['metadata']).toMatchObject({ user: { id: asker.userId } })
    const comments = await events(made.id, { commentsOnly: true })
    expect(comments.map(({ value }) => value['comment'])).toEqual(['please', 'yours', 'fine'])
    const backwards = await events(made.id, { newestFirst: true })
    expect(backwards.map(({ of }) => of['id'])).toEqual(told.map(({ of }) => of['id']).toReversed())
  })

  test('name the rule that chose the steps, and whoever decided by asking', async () => {
    const owner = await user()
    const reply = await scene.post('/api/v1/policies', {
      displayName: 'By rule',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: {
        grant: { steps: [{ reject: {} }] },
        quick: { steps: [{ approval: { users: { userIds: [owner.userId], allowSelfApproval: true } } }] },
      },
      rules: [{ condition: 'task.isGrantPermanent', policyKey: 'quick' }],
    })
    const { id } = reply.json['policy'] as { id: string }
    const ref = await scene.target(id)
    const made = scene.task(await scene.post(grant, target(ref), owner))
    expect(made.type.grant?.outcome).toBe('GRANT_OUTCOME_GRANTED')
    const told = await events(made.id)
    expect(told.find(({ name }) => name === 'conditionalPolicyExecutionResult')?.value).toMatchObject({
      condition: 'task.isGrantPermanent',
      conditionMatched: true,
      policyKey: 'quick',
    })
    expect(told.some(({ name }) => name === 'approvedAutomatically')).toBe(true)
  })
})

test('built-in roles that a tenant lacks are there after a start, and can be given', async () => {
  const { seedBuiltInRoles, findRole } = await import('#rooms/identity/roles/index.ts')
  const { world, tenant } = scene.access
  await world.db`delete from roles where tenant_id = ${tenant.id} and name = 'system:helpdesk'
    and not exists (select 1 from user_roles a where a.tenant_id = ${tenant.id} and a.role_id = roles.role_id)`
  await Promise.all([seedBuiltInRoles(world), seedBuiltInRoles(world)])
  expect(await findRole(world.db, tenant.id, 'system:helpdesk')).not.toBeNull()
  const helpdesk = await scene.caller(['system:helpdesk', 'system:user'])
  const other = await user()
  const ref = await scene.target(automatic)
  const made = await scene.post(grant, target(ref, { identityUserId: other.userId }), helpdesk)
  expect(outcomeOf(made)).toBe('200')
})
