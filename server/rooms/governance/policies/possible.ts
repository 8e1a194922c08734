import type { Reads } from '#kernel/sql.ts'
import { stepsOf } from './decide.ts'
import { baselineKey, type PolicyType } from './policy.ts'
import { termsOf } from './resolve.ts'
import type { Step } from './steps.ts'

/** A list of steps that a request may take. `when`: the conditions that lead to it; none for the baseline of all. */
export type PossibleList = {
  policyId: string
  policyName: string
  key: string
  when: readonly string[]
  steps: readonly Step[]
}

// Policies can be saved with references up to five deep; only this many lists are returned.
const hopsMax = 6
const listsMax = 100

/** Every list of steps that a policy can lead to, through its rules and references. Null if a policy no longer exists. */
export async function possibleLists(
  db: Reads,
  tenantId: number,
  { id, type }: { id: string; type: PolicyType },
): Promise<PossibleList[] | null> {
  const found: PossibleList[] = []
  let waiting: { id: string; when: readonly string[] }[] = [{ id, when: [] }]
  for (let hop = 0; hop < hopsMax && waiting.length > 0 && found.length < listsMax; hop++) {
    const next: typeof waiting = []
    for (const each of waiting) {
      const policy = await termsOf(db, tenantId, each.id)
      if (!policy || policy.policyType !== type) return null
      const baseline = { condition: '', stepKey: baselineKey(type), policyId: policy.baselinePolicyId }
      for (const { condition, stepKey, policyId } of [...policy.rules, baseline]) {
        const when = condition === '' ? each.when : [...each.when, condition]
        if (policyId !== '') next.push({ id: policyId, when })
        else {
          const steps = stepsOf(policy.policySteps[stepKey]?.steps ?? [])
          found.push({ policyId: policy.id, policyName: policy.displayName, key: stepKey, when, steps })
        }
      }
    }
    waiting = next
  }
  return found.slice(0, listsMax)
}
