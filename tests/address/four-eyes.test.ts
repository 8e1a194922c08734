import { expect, test } from 'vitest'
import { eventually, type Json, outcomeOf } from '../fixture/access.ts'
import { added, company, moved, post, prepare, scene, signInAt } from './scene.ts'

prepare()

test('with four-eyes approval, an address is used when a second Super Administrator approves it, and not before', async () => {
  const at = await company()
  const otherId = await scene.access.makeUser({ tenant: at.tenant, roles: ['system:owner'] })
  const other = await signInAt(at.tenant, at.old, otherId)
  const policy = await at.admin.ask('/api/v1/policies', {
    body: {
      displayName: 'A second person',
      policyType: 'POLICY_TYPE_GRANT',
      policySteps: {
        grant: { steps: [{ approval: { users: { userIds: [at.adminId, otherId] }, allowReassignment: false } }] },
      },
    },
  })
  const policyId = (policy.json['policy'] as Json)['id']
  const required = { required: true, policyId }
  expect(outcomeOf(await at.admin.ask('/api/v1/four_eyes/address', { body: required }))).toBe('200')
  await added(at)
  // What would be refused is refused at once.
  expect(outcomeOf(await post(at.admin, `${at.wanted}/use`))).toBe('400/9 ADDRESS_OPENED_ELSEWHERE')
  const there = await moved(at.admin, at.wanted)
  const held = await post(there, `${at.wanted}/use`)
  expect(outcomeOf(held)).toBe('409/9 CHANGE_NEEDS_APPROVAL')
  const states = async () => ((await there.ask('/api/v1/address')).json['list'] as Json[]).map(({ state }) => state)
  expect(await states()).toEqual(['CURRENT', 'NEW'])
  const { taskId } = (held.json['details'] as { metadata: { taskId: string } }[])[0]?.metadata ?? { taskId: '' }
  const { json } = await other.ask(`/api/v1/tasks/${taskId}`)
  const task = (json['taskView'] as { task: Json })['task']
  const policyStepId = ((task['policy'] as Json)['current'] as Json)['id']
  const approved = await other.ask(`/api/v1/tasks/${taskId}/action/approve`, { body: { policyStepId } })
  expect(approved.status, approved.text).toBe(200)
  expect(await eventually(async () => (await states()).join() === 'OLD,CURRENT')).toBe(true)
})
