import { Refusal } from '#kernel/refusals.ts'
import type { Policy } from './policy.ts'
import type { Referrer } from './store.ts'

export const policyNotFound = (id: string): Refusal =>
  new Refusal('POLICY_NOT_FOUND', `There is no policy ${id}.`, { metadata: { policyId: id } })

export const policyBuiltIn = ({ id, displayName }: Policy): Refusal =>
  new Refusal(
    'POLICY_BUILT_IN',
    `${displayName} is a built-in policy, which cannot be changed or deleted. Create your own policy.`,
    {
      metadata: { policyId: id },
    },
  )

export const policyInUse = ({ id, displayName }: Policy, referrers: readonly Referrer[]): Refusal =>
  new Refusal(
    'POLICY_IN_USE',
    `The policy ${displayName} is used by ${referrers.map(({ type, name, id: by }) => `the ${type} ${name} (${by})`).join(', ')}. ` +
      'Choose another policy there first.',
    { metadata: { policyId: id, usedBy: referrers.map(({ type, id: by }) => `${type}/${by}`).join(',') } },
  )
