import { askedBy } from '#rooms/governance/enforcement/index.ts'
import type { ApprovalStep } from '#rooms/governance/policies/index.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'
import type { Snapshot } from '../machine/record.ts'
import type { Assignee } from '../machine/task.ts'
import { findApprovers } from './approvers.ts'
import type { Facts } from './facts.ts'

type Approvers = ApprovalStep['approvers']

/** The people who provision something: those whom the provisioner names, else the owners of the app. */
export async function carriersOf(facts: Facts, of: Snapshot, named: ProvisionPolicy['manual']): Promise<Assignee[]> {
  const { assignees } = await findApprovers(facts, of, carryingBy(named))
  return assignees.map((each) => ({ ...each, why: 'provisioner' }))
}

/** The rules of approvals, except that requesters may provision their own request: it was decided already. */
export const carrying = (approvers: Approvers, fallbackUserIds: readonly string[] = []): ApprovalStep => ({
  kind: 'approval',
  approvers,
  allowSelfApproval: true,
  requireDistinctApprovers: false,
  fallback: { userIds: fallbackUserIds, groups: [] },
  allowDelegation: true,
  reassignment: { isAllowed: true, to: [], needsReason: false },
  needsReason: { toApprove: false, toDeny: false },
  escalation: null,
})

/** An approval step for finding the people who provision something. */
export function carryingBy(of: ProvisionPolicy['manual']): ApprovalStep {
  const { fallbackUserIds, ...approvers } = askedBy(of)
  return carrying(approvers, fallbackUserIds)
}
