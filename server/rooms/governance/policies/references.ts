import type { FieldViolation } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import { referencesOf } from './decide.ts'
import type { Policy, PolicyTerms, PolicyType } from './policy.ts'
import { holdPolicies } from './store.ts'

const depthMax = 5

/**
 * What is wrong with the policies that a policy refers to: each must exist and be of its type, none may lead back to it, and
 * the chain to the last has at most five references. Existing ones cannot be deleted until the transaction ends.
 */
export async function referenceProblems(
  tx: Tx,
  tenantId: number,
  of: { id: string; type: PolicyType },
  terms: PolicyTerms,
): Promise<FieldViolation[]> {
  const known = new Map<string, Policy>()
  let wanted = referencesOf(terms).policyIds
  const field = 'policySteps, rules, baselinePolicyId'
  for (let depth = 1; wanted.length > 0; depth++) {
    if (wanted.includes(of.id)) return [{ field, description: `refer to the policy itself, over ${depth} steps` }]
    if (depth > depthMax)
      return [{ field, description: `refer to policies that refer to others more than ${depthMax} deep` }]
    const missing = wanted.filter((id) => !known.has(id))
    for (const policy of await holdPolicies(tx, tenantId, missing)) known.set(policy.id, policy)
    const gone = wanted.filter((id) => !known.has(id))
    if (gone.length > 0) return gone.map((id) => ({ field, description: `name a policy that does not exist: ${id}` }))
    const found = wanted.map((id) => known.get(id) as Policy)
    const others = found.filter(({ policyType }) => policyType !== of.type)
    if (others.length > 0)
      return others.map(({ id, policyType }) => ({
        field,
        description: `name ${id}, which is of the type ${policyType}`,
      }))
    wanted = [...new Set(found.flatMap((policy) => referencesOf(policy).policyIds))]
  }
  return []
}
