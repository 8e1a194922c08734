import type { FormAsked } from '#rooms/governance/forms/index.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'

/** The steps of a policy, in the program's form. They are stored in the form of the wire: see shapes.ts. */

export type EntitlementRef = { appId: string; id: string }

/** Who may decide an approval step, before anyone is left out. */
export type Approvers =
  | { by: 'users'; userIds: readonly string[] }
  | { by: 'group'; entitlement: EntitlementRef }
  | { by: 'expression'; expressions: readonly string[] }
  /** Another system decides. If it cannot be asked, people decide. */
  | { by: 'webhook'; webhookId: string }
  | { by: 'manager' | 'appOwners' | 'entitlementOwners' | 'resourceOwners' | 'self' }

export type Fallback = { userIds: readonly string[]; groups: readonly EntitlementRef[] }

/** What happens if nobody has decided in time. */
export type Escalation = {
  afterSeconds: number
  comment: string
  response:
    | { do: 'replacePolicy'; policyId: string }
    | { do: 'reassign'; userIds: readonly string[] }
    | { do: 'cancel' }
    | { do: 'skip' }
}

export type ApprovalStep = {
  kind: 'approval'
  approvers: Approvers
  allowSelfApproval: boolean
  requireDistinctApprovers: boolean
  /** Who decides if nobody else can; null if no fallback is set. */
  fallback: Fallback | null
  allowDelegation: boolean
  reassignment: { isAllowed: boolean; to: readonly string[]; needsReason: boolean }
  needsReason: { toApprove: boolean; toDeny: boolean }
  escalation: Escalation | null
}

export type WaitStep = {
  kind: 'wait'
  name: string
  commentOnFirstWait: string
  commentOnTimeout: string
  timeoutSeconds: number | null
  until:
    | { by: 'condition'; condition: string }
    | { by: 'duration'; seconds: number }
    | { by: 'time'; hours: number; minutes: number; timezone: string }
}

/** Every kind of step. A new one does not compile until all of its properties are defined: docs/where-to-change.md. */
export type Steps = {
  approval: ApprovalStep
  wait: WaitStep
  provision: { kind: 'provision'; provision: ProvisionPolicy | null }
  accept: { kind: 'accept'; message: string }
  reject: { kind: 'reject'; message: string }
  form: { kind: 'form'; form: FormAsked }
}
export type StepKind = keyof Steps
export type Step = Steps[StepKind]
