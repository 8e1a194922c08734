import { expect, test } from 'vitest'
import { changedFields, nameIn, resourceWords } from '../../console/src/pages/tasks/change-lines.ts'

const nameOf = nameIn([
  { id: '3MAhNBzXCQUK98fRJb9NMApjARB', type: 'user', displayName: 'Ann Lee' },
  { id: '3MAhNBzXCQUK98fRJb9NMApjARC', type: 'role', displayName: 'Help Desk' },
])
const approval = (by: object) => ({ approval: { requireApprovalReason: false, ...by } })

test('a change of a policy shows its steps in words, before and after, and only what is another', () => {
  const manager = approval({ manager: { requireDistinctApprovers: false } })
  const users = approval({ users: { userIds: ['3MAhNBzXCQUK98fRJb9NMApjARB'] }, requireApprovalReason: true })
  const data = {
    policyType: 'POLICY_TYPE_GRANT',
    version: 2,
    description: 'Same',
    policySteps: { grant: { steps: [manager, users] } },
    rules: [{ condition: 'true', stepKey: 'grant', policyId: '' }],
    before: { description: 'Same', policySteps: { grant: { steps: [manager] } }, rules: [] },
  }
  expect(changedFields({ data }, nameOf)).toEqual([
    {
      name: 'Policy steps, grant',
      before: ['Approval by the manager'],
      after: ['Approval by the manager', 'Approval by named people (Ann Lee). Approval requires a reason.'],
    },
    { name: 'Rules', before: [], after: ['Condition: true; Step key: grant'] },
  ])
})

test('changes of rules, status, roles and owners are shown in words', () => {
  const rule = { definition: { expression: 'true', enabled: true }, before: { expression: 'false', enabled: true } }
  expect(changedFields({ data: rule }, nameOf)).toEqual([{ name: 'Expression', before: ['false'], after: ['true'] }])
  expect(changedFields({ data: { status: 'ENABLED', before: 'DISABLED' } }, nameOf)).toEqual([
    { name: 'Status', before: ['DISABLED'], after: ['ENABLED'] },
  ])
  const role = { roleId: '3MAhNBzXCQUK98fRJb9NMApjARC', roleName: 'system:helpdesk', before: [] }
  expect(changedFields({ data: role }, nameOf)).toEqual([{ name: 'Role', before: null, after: ['Help Desk'] }])
  const owner = { type: 'owner', id: 'x', name: '', data: { change: 'removed', userId: '3MAhNBzXCQUK98fRJb9NMApjARB' } }
  expect(resourceWords(owner, nameOf)).toBe('No longer an owner: Ann Lee')
})
