import { denied, mayEverywhere } from '#authority/may.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { message, text } from '#kernel/wire.ts'
import type { ProvisionPolicy } from './entitlements/provision.ts'
import type { PolicyIds } from './records.ts'

export const PolicyRef = message('policy.v1.PolicyRef', { id: text() })

/** A field that names a policy, which must be of a type. '' names none. */
export type NamedPolicy = {
  field: string
  id: string
  type: 'POLICY_TYPE_GRANT' | 'POLICY_TYPE_REVOKE' | 'POLICY_TYPE_CERTIFY'
  /** Where it is used: a policy with a scope is for emergencies of one app or entitlement. */
  use: { isEmergency: boolean; appId: string; entitlementId: string }
}

/**
 * What is wrong with the policies and provisioners that apps and entitlements name. Policies belong to a room further down,
 * which this one cannot import: the route table (server/registry/routes.ts) passes these in. Policies that are found stay
 * locked until the transaction ends.
 */
export type PolicyChecks = {
  policyProblems(tx: Tx, call: Call, named: readonly NamedPolicy[]): Promise<FieldViolation[]>
  provisionProblems(
    tx: Tx,
    call: Call,
    policy: ProvisionPolicy,
    of: { at: string; kept: readonly ProvisionPolicy[] },
  ): Promise<FieldViolation[]>
}

const typeOfField = {
  grantPolicyId: 'POLICY_TYPE_GRANT',
  revokePolicyId: 'POLICY_TYPE_REVOKE',
  certifyPolicyId: 'POLICY_TYPE_CERTIFY',
  emergencyGrantPolicyId: 'POLICY_TYPE_GRANT',
} as const
type PolicyField = keyof typeof typeOfField

/** The policies that are named by what was sent. */
export const namedPolicies = (
  sent: Partial<PolicyIds & { emergencyGrantPolicyId: string }>,
  prefix: string,
  of: { appId: string; entitlementId: string },
): NamedPolicy[] =>
  (Object.keys(typeOfField) as PolicyField[])
    .map((name) => ({
      field: `${prefix}${name}`,
      id: sent[name] ?? '',
      type: typeOfField[name],
      use: { isEmergency: name === 'emergencyGrantPolicyId', ...of },
    }))
    .filter(({ id }) => id !== '')

const isEmpty = (policy: ProvisionPolicy): boolean => Object.values(policy).every((kind) => kind === null)

/** A provisioner without a kind counts as none: clients send `{}` along. */
export const provisionerOf = (policy: ProvisionPolicy | null): ProvisionPolicy | null =>
  policy === null || isEmpty(policy) ? null : policy

/** The entitlements that a provisioner grants along, in one step or in several. */
export const delegatedIn = (policy: ProvisionPolicy | null | undefined): { appId: string; entitlementId: string }[] =>
  [policy, ...(policy?.multiStep?.provisionSteps ?? [])].flatMap((step) =>
    step?.delegated && step.delegated.entitlementId !== '' ? [step.delegated] : [],
  )

/**
 * To delegate to another entitlement grants that one as well, in any app: this takes the permission to grant access
 * everywhere, not only to what the caller owns.
 */
export function mayDelegate({ actor }: Call, ...policies: (ProvisionPolicy | null | undefined)[]): void {
  const isDelegating = policies.some((policy) => delegatedIn(policy).length > 0)
  if (!isDelegating || mayEverywhere(actor, 'grants.give')) return
  throw denied('grants.give', ' everywhere, to delegate to another entitlement')
}
