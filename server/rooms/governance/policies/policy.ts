import type { MessageOf } from '#kernel/wire.ts'
import type { PolicyStepMessage } from './shapes.ts'

export const policyTypes = ['POLICY_TYPE_GRANT', 'POLICY_TYPE_REVOKE', 'POLICY_TYPE_CERTIFY'] as const
export type PolicyType = (typeof policyTypes)[number]

/** The key of the steps that are taken if no rule applies: `grant`, `revoke`, `certify`. */
export const baselineKey = (type: PolicyType): string => type.slice('POLICY_TYPE_'.length).toLowerCase()

/** A step as it is stored and sent: what was sent, in its normal form. */
export type WireStep = MessageOf<(typeof PolicyStepMessage)['fields']>
export type WireSteps = { readonly [key: string]: { readonly steps: readonly WireStep[] } }

/** The first rule whose condition is true determines the steps: by key, or those of another policy. */
export type PolicyRule = { condition: string; stepKey: string; policyId: string }

export type PolicyScope = { appId: string; appEntitlementId: string; slot: 'POLICY_SCOPE_SLOT_EMERGENCY' }

export type PolicyTerms = {
  displayName: string
  description: string
  policySteps: WireSteps
  rules: readonly PolicyRule[]
  /** Certify only: whether decertified access is revoked at once. Null if there is no post action. */
  remediatesImmediately: boolean | null
  /** A policy whose steps are taken if no rule applies; empty if the policy has its own. */
  baselinePolicyId: string
  annotations: { readonly [name: string]: string }
}

export type Policy = PolicyTerms & {
  id: string
  policyType: PolicyType
  scope: PolicyScope | null
  /** The name of a built-in policy, which cannot be changed; null for policies of the tenant. */
  builtIn: string | null
  version: number
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}
