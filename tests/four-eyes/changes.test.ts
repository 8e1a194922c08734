import { describe, expect, test } from 'vitest'
import { changeMac } from '#rooms/governance/four-eyes/change.ts'
import { findChange, type KeptChange } from '#rooms/governance/four-eyes/store.ts'
import { recheckOpenTasks } from '#rooms/governance/tasks/index.ts'
import { outcomeOf } from '../fixture/access.ts'
import { listWaiting } from '../fixture/cluster.ts'
import { type Company, company, prepare, roleOf, scene, whyOf } from './company.ts'

prepare()

async function waiting(role = 'system:viewer') {
  const at = await company()
  await at.require('roles')
  const target = await at.person(['system:user'])
  const task = await at.held(await at.post(at.author, roleOf(target.userId, role)))
  return { at, target, task, isGiven: async () => (await at.roles(target.userId)).includes(role) }
}
const tasksIn = async ({ tenant }: Company): Promise<number> =>
  (await scene.server.db`select 1 from tasks where tenant_id = ${tenant.id}`).length

describe('a change that needs approval', () => {
  test('waits in a task with its plan, once, and is made in the name of its author when someone else approves', async () => {
    const { at, target, task, isGiven } = await waiting()
    expect(task).toMatchObject({ state: 'TASK_STATE_OPEN', createdByUserId: at.author.userId })
    expect(task['displayName']).toMatch(/^Change: Granted User \w+ the role Read-Only Administrator$/)
    expect(task['description']).toContain(target.userId)
    expect(await isGiven()).toBe(false)
    const again = await at.held(await at.post(at.author, roleOf(target.userId, 'system:viewer')))
    expect(again.id).toBe(task.id)
    const shown = await at.ask(at.approver, `/api/v1/four_eyes/changes/${task.id}`)
    expect(shown.json['change']).toMatchObject({
      taskId: task.id,
      kind: 'roles',
      operation: 'user.v1.UserRoles.Add',
      authorUserId: at.author.userId,
      carriedOutAt: null,
      plan: [{ activity: 'Update', resources: [{ type: 'user', id: target.userId }] }],
      // Who decides reads names, not ids.
      names: expect.arrayContaining([
        { id: target.userId, type: 'user', displayName: expect.stringMatching(/^User /) as unknown },
        expect.objectContaining({ type: 'role', displayName: 'Read-Only Administrator' }),
      ]) as unknown,
    })
    expect(await at.approve(task.id)).toBe('done')
    expect(await isGiven()).toBe(true)
    const events = await scene.server.db<{ by: string; operation: string }[]>`
      select event::jsonb #>> '{actor,user,uid}' as by, event::jsonb #>> '{api,operation}' as operation
      from systemlog_events where tenant_id = ${at.tenant.id} and event::jsonb ->> 'message' like 'Granted %'`
    expect(events).toEqual([{ by: at.author.userId, operation: 'user.v1.UserRoles.Add' }])
  })

  test('is not decided, hurried or given to others by its author, whatever their role', async () => {
    const { at, task, isGiven } = await waiting()
    expect(task.stepApproverIds).not.toContain(at.author.userId)
    for (const [action, more] of [
      ['approve', {}],
      ['skip-step', {}],
      ['restart', {}],
      ['reset', {}],
      ['process', {}],
      ['reassign', { newStepUserIds: [at.author.userId] }],
    ] as const)
      expect(await at.act(at.author, task.id, action, more), action).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    const toAuthor = { newStepUserIds: [at.author.userId] }
    expect(await at.act(at.approver, task.id, 'reassign', toAuthor)).toBe('400/3 INPUT_INVALID')
    expect(await isGiven()).toBe(false)
  })

  test('is not made when it is denied or closed, and is over then', async () => {
    const denied = await waiting()
    expect(await denied.at.act(denied.at.approver, denied.task.id, 'deny', { comment: 'no' })).toBe('200')
    expect(await denied.isGiven()).toBe(false)
    expect((await denied.at.task(denied.task.id)).actions).toEqual(['TASK_ACTION_TYPE_COMMENT'])
    const closed = await waiting()
    expect(await closed.at.act(closed.at.author, closed.task.id, 'close')).toBe('200')
    const former = { policyStepId: closed.task.policy.current?.id }
    expect(await closed.at.act(closed.at.approver, closed.task.id, 'approve', former)).toBe(
      '409/10 TASK_STEP_NOT_CURRENT',
    )
    expect(await closed.isGiven()).toBe(false)
    const next = await closed.at.post(closed.at.author, roleOf(closed.target.userId, 'system:viewer'))
    expect((await closed.at.held(next)).id).not.toBe(closed.task.id)
  })

  test('is not made when its steps were skipped, so that nobody else approved it', async () => {
    const { at, task, isGiven } = await waiting()
    expect(await at.act(at.approver, task.id, 'skip-step')).toBe('200')
    await expect.poll(() => whyOf(task.id)).toMatch(/Nobody but its author/)
    expect(await isGiven()).toBe(false)
  })

  test('is not made when what it is about was changed since', async () => {
    const { at, target, task, isGiven } = await waiting()
    const other = await at.held(await at.post(at.approver, roleOf(target.userId, 'system:helpdesk')))
    expect(await at.approve(other.id, at.author)).toBe('done')
    expect(await at.approve(task.id)).toBe('failed')
    expect(await whyOf(task.id)).toMatch(/have been changed since it was planned/)
    expect(await isGiven()).toBe(false)
  })

  test('is a merge of users or its split too, which is made as its plan showed it or not at all', async () => {
    const at = await company()
    const [from, into, late] = [await at.person(['system:user']), await at.person(['system:user']), await at.person([])]
    const isMerged = async () => {
      const [row] = await scene.server.db<{ into: string }[]>`
        select merged_into as into from users where user_id = ${from.userId}`
      return row?.into === into.userId
    }
    const merge = async () => {
      const path = `/api/v1/users/${from.userId}/merge`
      const { json } = await at.post(at.author, `${path}/plan`, { intoUserId: into.userId })
      return at.post(at.author, path, { intoUserId: into.userId, fingerprint: json['fingerprint'] })
    }
    await at.require('owners')
    const outdated = await at.held(await merge())
    expect(outdated['displayName']).toMatch(/^Change: Merged User \w+ into User \w+$/)
    await scene.server.db`update users set manager_ids = array[${from.userId}] where user_id = ${late.userId}`
    expect(await at.approve(outdated.id)).toBe('failed')
    expect(await isMerged()).toBe(false)
    const task = await at.held(await merge())
    expect(await isMerged()).toBe(false)
    expect(await at.approve(task.id)).toBe('done')
    expect(await isMerged()).toBe(true)
    const split = await at.held(await at.post(at.author, `/api/v1/users/${from.userId}/split`))
    expect(await isMerged()).toBe(true)
    expect(await at.approve(split.id)).toBe('done')
    expect(await isMerged()).toBe(false)
  })

  test('is not made when its author is disabled, may no longer do it, or deleted the credential', async () => {
    const { server } = scene
    const disabled = await waiting()
    const { at } = disabled
    expect(outcomeOf(await at.post(at.approver, `/api/v1/users/${at.author.userId}/disable`))).toBe('200')
    // It may be over before it is approved: whoever is disabled has what they asked for looked at again.
    expect(['200', '409/10 TASK_STEP_NOT_CURRENT']).toContain(await at.act(at.approver, disabled.task.id, 'approve'))
    await expect.poll(() => whyOf(disabled.task.id)).toMatch(/author of the change is disabled/)

    const demoted = await waiting()
    await server.db`delete from user_roles where user_id = ${demoted.at.author.userId}`
    expect(await demoted.at.approve(demoted.task.id)).toBe('failed')
    expect(await whyOf(demoted.task.id)).toMatch(/no longer has the permission roles.assign/)

    const revoked = await waiting()
    const gone = { method: 'DELETE', body: {} }
    const path = `/api/v1/iam/personal_clients/${revoked.at.author.id}`
    expect(outcomeOf(await revoked.at.ask(revoked.at.author, path, gone))).toBe('200')
    expect(await revoked.at.approve(revoked.task.id)).toBe('failed')
    expect(await whyOf(revoked.task.id)).toMatch(/credential was deleted/)
    for (const each of [disabled, demoted, revoked]) expect(await each.isGiven()).toBe(false)
  })

  test('is not made when it waited for more than 30 days, or was altered in the database', async () => {
    const { server, access } = scene
    const old = await waiting()
    const { id: tenantId } = old.at.tenant
    const change = (await findChange(access.world.db, tenantId, old.task.id)) as KeptChange
    const aged = { ...change, createdAt: new Date(Date.now() - 31 * 86_400_000) }
    await server.db`
      update changes set created_at = ${aged.createdAt}, mac = ${changeMac(access.world.seals, tenantId, aged)}
      where task_id = ${old.task.id}`
    expect(await old.at.approve(old.task.id)).toBe('failed')
    expect(await whyOf(old.task.id)).toMatch(/more than 30 days/)
    expect(await old.isGiven()).toBe(false)
    const altered = await waiting()
    const owner = await access.roleId('system:owner', altered.at.tenant)
    await server.db`
      update changes set path = jsonb_set(path, '{role_id}', to_jsonb(${owner}::text)) where task_id = ${altered.task.id}`
    expect(await altered.at.approve(altered.task.id)).toBe('failed')
    expect(await whyOf(altered.task.id)).toMatch(/altered in the database/)
    expect(await altered.at.roles(altered.target.userId)).toEqual(['system:user'])
  })

  test('is refused at once where it would be refused, and answered where it changes nothing', async () => {
    const at = await company()
    await at.require('roles')
    const target = await at.person(['system:viewer'])
    expect(outcomeOf(await at.post(at.author, roleOf(target.userId, 'system:viewer')))).toBe('200')
    expect(outcomeOf(await at.post(at.author, roleOf(target.userId, 'system:nothing')))).toBe('404/5 ROLE_NOT_FOUND')
    const plain = await at.person(['system:user'])
    expect(outcomeOf(await at.post(plain, roleOf(target.userId, 'system:user')))).toBe('403/7 PERMISSION_DENIED')
    expect(await tasksIn(at)).toBe(0)
  })

  test('waits in one task when it is sent again with its Idempotency-Key', async () => {
    const at = await company()
    await at.require('roles')
    const target = await at.person(['system:user'])
    const asked = { method: 'POST', body: {}, headers: { 'idempotency-key': 'the-same-key' } }
    const path = roleOf(target.userId, 'system:viewer')
    const first = await at.held(await at.ask(at.author, path, asked))
    expect((await at.held(await at.ask(at.author, path, asked))).id).toBe(first.id)
    expect(await tasksIn(at)).toBe(1)
    expect(await at.approve(first.id)).toBe('done')
  })
})

describe('a change that nobody has approved', () => {
  test('goes to the policy that its own is replaced by when nobody decides in time', async () => {
    const at = await company()
    const policy = async (step: object): Promise<string> => {
      const reply = await at.post(at.author, '/api/v1/policies', {
        displayName: 'Changes',
        policyType: 'POLICY_TYPE_GRANT',
        policySteps: { grant: { steps: [step] } },
      })
      expect(reply.status, reply.text).toBe(200)
      return (reply.json['policy'] as { id: string }).id
    }
    const second = await at.person(['system:user'])
    const users = (userId: string) => ({ users: { userIds: [userId] } })
    const escalation = {
      expiration: '3600',
      replacePolicy: { policyId: await policy({ approval: users(second.userId) }) },
    }
    const first = { ...users(at.approver.userId), escalationEnabled: true, escalation }
    await at.require('roles', await policy({ approval: first }))
    const target = await at.person(['system:user'])
    const task = await at.held(await at.post(at.author, roleOf(target.userId, 'system:viewer')))
    const { db } = scene.server
    await db`
      update task_events set data = jsonb_set(data, '{expiresAt}', '"2020-01-01T00:00:00.000Z"')
      where task_id = ${task.id} and kind = 'begun'`
    await db`update jobs set due_at = now() where kind = 'tasks.due' and subject_id = ${task.id}`
    const approversOf = async () => (await at.task(task.id)).stepApproverIds
    await expect.poll(approversOf).toEqual([second.userId])
    expect(await at.approve(task.id, second)).toBe('done')
    expect(await at.roles(target.userId)).toContain('system:viewer')
  })

  test('waits where everyone sees it while nobody but its author could, and goes on once somebody can', async () => {
    const { at, task, isGiven } = await waiting()
    const { db } = scene.server
    await db`
      update users set status = 'DISABLED' where tenant_id = ${at.tenant.id} and user_id <> ${at.author.userId}`
    const reader = await at.person(['system:request-admin'])
    const seen = async () => {
      await recheckOpenTasks(scene.access.world)
      const reply = await at.post(reader, '/api/v1/search/tasks', { stuckOnly: true })
      return (reply.json['list'] as { task: { id: string; annotations: unknown[] } }[]).map((each) => each.task.id)
    }
    await expect.poll(seen).toEqual([task.id])
    for (const action of ['approve', 'skip-step', 'process'])
      expect(
        (
          await at.post(at.author, `/api/v1/tasks/${task.id}/action/${action}`, {
            policyStepId: task.policy.current?.id,
          })
        ).status,
      ).toBe(403)
    const another = await at.person(['system:owner'])
    await expect.poll(seen).toEqual([])
    await db`update users set status = 'ENABLED' where tenant_id = ${at.tenant.id}`
    expect(await at.approve(task.id, another)).toBe('done')
    expect(await isGiven()).toBe(true)
  })
})

describe('an approved change is carried out once', () => {
  test('when two approve at once', async () => {
    const { at, task, target } = await waiting()
    const third = await at.person(['system:owner'])
    const stepId = (await at.task(task.id)).policy.current?.id
    const body = { policyStepId: stepId }
    const both = await Promise.all(
      [at.approver, third].map((by) => at.post(by, `/api/v1/tasks/${task.id}/action/approve`, body)),
    )
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    await expect.poll(() => at.roles(target.userId)).toContain('system:viewer')
  })

  test('when the server loses its database in the middle of it', async () => {
    const { at, task, target, isGiven } = await waiting()
    const { db } = scene.server
    const held = await db.reserve()
    await held`begin`
    await held`
      select 1 from roles where tenant_id = ${at.tenant.id} and name = 'system:owner' for update`
    expect(await at.act(at.approver, task.id, 'approve')).toBe('200')
    const stuck = async () => (await listWaiting(db)).filter(({ query }) => query.includes('system:owner'))
    await expect.poll(async () => (await stuck()).length).toBe(1)
    for (const { pid } of await stuck()) await db`select pg_terminate_backend(${pid}::int)`
    await held`rollback`
    held.release()
    await expect.poll(isGiven).toBe(true)
    await expect.poll(async () => (await at.task(task.id)).state).toBe('TASK_STATE_CLOSED')
    const events = await db`
      select 1 from systemlog_events where tenant_id = ${at.tenant.id} and event::jsonb ->> 'message' like 'Granted %'
        and event::jsonb #>> '{resources,0,uid}' = ${target.userId}`
    expect(events).toHaveLength(1)
  })
})
