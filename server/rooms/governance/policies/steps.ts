import type { FormAsked } from '#rooms/governance/forms/index.ts'
import type { ProvisionPolicy } from '#rooms/records/apps/index.ts'

/** The steps of a policy, as the program reasons about them. What is stored is the wire's own form: see shapes.ts. */

export type EntitlementRef = { appId: string; id: string }

/** Who may decide an approval step, before anybody is left out. */
export type Approvers =
  | { by: 'users'; userIds: readonly string[] }
  | { by: 'group'; entitlement: EntitlementRef }
  | { by: 'expression'; expressions: readonly string[] }
  /** Another system is asked. Where it cannot be, people decide. */
  | { by: 'webhook'; webhookId: string }
  | { by: 'manager' | 'appOwners' | 'entitlementOwners' | 'resourceOwners' | 'self' }

export type Fallback = { userIds: readonly string[]; groups: readonly EntitlementRef[] }

/** What happens when nobody has decided in time. */
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
  /** Who decides where nobody else can; null where no fallback is set. */
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

/** Every kind of step. A new one does not compile until all that there is to know of it is said: docs/where-to-change.md. */
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
