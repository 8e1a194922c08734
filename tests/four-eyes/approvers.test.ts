import { describe, expect, test } from 'vitest'
import { routes } from '#server/registry/routes.ts'
import { type Json, outcomeOf } from '../fixture/access.ts'
import { automatic } from '../tasks/scene.ts'
import { type Company, company, type Person, prepare, roleOf, scene } from './company.ts'

prepare()

const delegating = 'user.v1.UserService.SetExpiringUserDelegationBindingByAdmin'
const byAdmin = (userId: string): string => `/api/v1/users/${userId}/set-delegation-by-admin`

/** A policy by which a step is decided. */
async function policyOf(at: Company, ...steps: Json[]): Promise<string> {
  const reply = await at.post(at.author, '/api/v1/policies', {
    displayName: 'Deciding',
    policyType: 'POLICY_TYPE_GRANT',
    policySteps: { grant: { steps: steps.map((approval) => ({ approval })) } },
  })
  expect(reply.status, reply.text).toBe(200)
  return (reply.json['policy'] as { id: string }).id
}
const usual = { allowReassignment: true, allowDelegation: true }
const byUsers = (...people: Person[]): Json => ({ users: { userIds: people.map(({ userId }) => userId) }, ...usual })
const assigned = async (at: Company, target: Person) =>
  at.held(await at.post(at.author, roleOf(target.userId, 'system:owner')))

describe('the author of a change does not choose who approves it', () => {
  test('a delegate whom they set for the only approver, before that needed approval, approves nothing', async () => {
    const at = await company()
    const [puppet, third] = [await at.person(['system:user']), await at.person(['system:user'])]
    const policy = await policyOf(at, byUsers(at.approver))
    const set = await at.post(at.author, byAdmin(at.approver.userId), { delegatedUserId: puppet.userId })
    expect(outcomeOf(set)).toBe('200')
    await at.require('roles', policy)
    const task = await assigned(at, third)
    expect(task.stepApproverIds).toEqual([at.approver.userId])
    expect(await at.approve(task.id, puppet)).not.toBe('done')
    expect(await at.roles(third.userId)).toEqual(['system:user'])
    expect(await at.approve(task.id)).toBe('done')
  })

  test('to set a delegate for somebody waits for approval, whichever kind of change needs it, and needs a recent sign-in', async () => {
    expect(routes.find(({ id }) => id === delegating)?.needsFresh).toBe(true)
    for (const kind of ['automations', 'policies', 'owners', 'roles']) {
      const at = await company()
      const puppet = await at.person(['system:user'])
      await at.require(kind)
      const path = byAdmin(at.approver.userId)
      const task = await at.held(await at.post(at.author, path, { delegatedUserId: puppet.userId }))
      expect(await at.approve(task.id)).toBe('done')
      const [row] = await scene.server.db`
        select delegated_user_id as delegate, named_by as by from user_delegations
        where tenant_id = ${at.tenant.id} and user_id = ${at.approver.userId}`
      expect(row).toEqual({ delegate: puppet.userId, by: at.author.userId })
    }
  })

  test('the delegate whom an approver names themselves approves in their place, until somebody else changes that', async () => {
    const at = await company()
    const [delegate, third] = [await at.person(['system:user']), await at.person(['system:user'])]
    const policy = await policyOf(at, byUsers(at.approver))
    const own = { delegatedUserId: delegate.userId }
    const set = await at.post(at.approver, '/api/v1/users/introspect/delegation', own)
    expect(outcomeOf(set), set.text).toBe('200')
    await at.require('roles', policy)
    const task = await assigned(at, third)
    expect(task.stepApproverIds).toEqual([delegate.userId])
    expect(await at.approve(task.id, delegate)).toBe('done')
  })

  test('nor a delegate whom they set for that delegate, or in the place of that delegate', async () => {
    for (const replaces of [false, true]) {
      const at = await company()
      const [delegate, puppet, third] = [
        await at.person(['system:user']),
        await at.person(['system:user']),
        await at.person(['system:user']),
      ]
      const policy = await policyOf(at, byUsers(at.approver))
      const own = { delegatedUserId: delegate.userId }
      expect(outcomeOf(await at.post(at.approver, '/api/v1/users/introspect/delegation', own))).toBe('200')
      const whose = replaces ? at.approver : delegate
      const set = await at.post(at.author, byAdmin(whose.userId), { delegatedUserId: puppet.userId })
      expect(outcomeOf(set), set.text).toBe('200')
      await at.require('roles', policy)
      const task = await assigned(at, third)
      expect(task.stepApproverIds).toEqual([(replaces ? at.approver : delegate).userId])
      expect(await at.approve(task.id, puppet)).not.toBe('done')
      expect(await at.roles(third.userId)).toEqual(['system:user'])
    }
  })

  test('nor are they approvers themselves, though the only approver has named them as the delegate', async () => {
    const at = await company()
    const third = await at.person(['system:user'])
    const policy = await policyOf(at, byUsers(at.approver))
    const own = { delegatedUserId: at.author.userId }
    expect(outcomeOf(await at.post(at.approver, '/api/v1/users/introspect/delegation', own))).toBe('200')
    await at.require('roles', policy)
    const task = await assigned(at, third)
    expect(task.stepApproverIds).not.toContain(at.author.userId)
    expect(await at.approve(task.id, at.author)).not.toBe('done')
    expect(await at.roles(third.userId)).toEqual(['system:user'])
  })

  test('administrators of requests neither reassign nor skip the step of another', async () => {
    const at = await company()
    const [requestAdmin, third] = [await at.person(['system:request-admin']), await at.person(['system:user'])]
    await at.require('roles', await policyOf(at, byUsers(at.approver)))
    const task = await assigned(at, third)
    const toSelf = { newStepUserIds: [requestAdmin.userId] }
    expect(await at.act(requestAdmin, task.id, 'reassign', toSelf)).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    expect(await at.act(requestAdmin, task.id, 'skip-step')).toBe('403/7 TASK_ACTION_NOT_ALLOWED')
    // The one whose step it is hands it on.
    expect(await at.act(at.approver, task.id, 'reassign', toSelf)).toBe('200')
    expect(await at.approve(task.id, requestAdmin)).toBe('done')
  })

  test('whom they put into the group that approves, since it does, approves nothing', async () => {
    const at = await company()
    const [early, byHand, byRequest, byOther, third] = [
      await at.person(['system:user']),
      await at.person(['system:user']),
      await at.person(['system:user']),
      await at.person(['system:user']),
      await at.person(['system:user']),
    ]
    const app = (await at.post(at.author, '/api/v1/apps', { displayName: 'App' })).json['app'] as { id: string }
    const made = await at.post(at.author, `/api/v1/apps/${app.id}/entitlements`, {
      displayName: 'Approvers',
      grantPolicyId: automatic,
    })
    const { appEntitlement } = made.json['appEntitlementView'] as Json as { appEntitlement: { id: string } }
    const add = async (by: Person, { userId }: Person): Promise<void> => {
      const path = `/api/v1/apps/${app.id}/entitlements/${appEntitlement.id}/add-manual-user`
      expect(outcomeOf(await at.post(by, path, { userIds: [userId] }))).toBe('200')
    }
    await add(at.author, early)
    const group = { appId: app.id, appGroupId: appEntitlement.id }
    await at.require('roles', await policyOf(at, { group, ...usual }))
    await add(at.author, byHand)
    await add(at.approver, byOther)
    const request = { appId: app.id, appEntitlementId: appEntitlement.id, identityUserId: byRequest.userId }
    expect(outcomeOf(await at.post(at.author, '/api/v1/task/grant', request))).toBe('200')
    const listHolders = () => scene.server.db`
      select 1 from grants where tenant_id = ${at.tenant.id} and entitlement_id = ${appEntitlement.id} and ended_at is null`
    await expect.poll(async () => (await listHolders()).length).toBe(4)
    const task = await assigned(at, third)
    expect(task.stepApproverIds.toSorted()).toEqual([early.userId, byOther.userId].toSorted())
    expect(await at.approve(task.id, byHand)).not.toBe('done')
    expect(await at.approve(task.id, byRequest)).not.toBe('done')
    expect(await at.approve(task.id, byOther)).toBe('done')
  })

  test('nor do they make another Super Administrator, who approves what nobody else can', async () => {
    const at = await company()
    const puppet = await at.person(['system:user'])
    await at.require('policies')
    expect(outcomeOf(await at.post(at.author, roleOf(puppet.userId, 'system:viewer')))).toBe('200')
    const task = await assigned(at, puppet)
    expect(await at.approve(task.id)).toBe('done')
    expect(await at.roles(puppet.userId)).toContain('system:owner')
  })
})
