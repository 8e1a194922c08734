import type { Reads } from '#kernel/sql.ts'
import { builtIns, termsOfBuiltIn } from './built-in.ts'
import { stepsOf } from './decide.ts'
import { baselineKey, type Policy, type PolicyTerms, type PolicyType, type WireStep } from './policy.ts'
import type { Step } from './steps.ts'
import { findPolicies } from './store.ts'

/** The steps that a task takes, and why: in order, one sentence for each choice. */
export type Resolved = {
  policyId: string
  route: readonly Step[]
  wire: readonly WireStep[]
  why: readonly string[]
  /** The same for programs, one for each policy on the way. */
  choices: readonly PolicyChoice[]
}
export type PolicyChoice = {
  policyId: string
  /** The condition of the rule that was true; empty if none was. */
  condition: string
  /** The list of steps that was taken, or the next policy. */
  stepKey: string
  outcomePolicyId: string
}

/** Whether a condition holds for a task, or why that is unknown. */
export type Decides = (condition: string) => Promise<{ isTrue: boolean } | { error: string }>

// Policies can be saved with references up to five deep; one more is a cycle that was not created by saving.
const hopsMax = 6

/** The parts of a policy that decide; also of one that is only proposed. */
export type Chosen = PolicyTerms & Pick<Policy, 'id' | 'policyType'>

/** A policy by its id. Built-in ones are defined by the program: their rows are only for lists. */
export async function termsOf(db: Reads, tenantId: number, id: string): Promise<Chosen | null> {
  const builtIn = builtIns.find((each) => each.id === id)
  if (builtIn) return { ...termsOfBuiltIn(builtIn), id, policyType: builtIn.type }
  const [policy] = await findPolicies(db, tenantId, [id])
  return policy ?? null
}

/**
 * The list of steps by which a policy decides now: its first rule that is true, else its baseline, following references.
 * Null if a policy no longer exists; a condition that fails gives an error, so that nothing is routed by a guess.
 */
export async function resolvePolicy(
  db: Reads,
  tenantId: number,
  { id, type }: { id: string; type: PolicyType },
  decides: Decides,
  draft: Chosen | null = null,
): Promise<Resolved | { error: string } | null> {
  const why: string[] = []
  const choices: PolicyChoice[] = []
  let at = id
  for (let hop = 0; hop < hopsMax; hop++) {
    const policy = draft?.id === at ? draft : await termsOf(db, tenantId, at)
    if (!policy || policy.policyType !== type) return null
    const chosen = await chosenIn(policy, decides)
    if ('error' in chosen) return chosen
    why.push(chosen.why)
    const { key: stepKey, condition } = chosen
    choices.push({ policyId: at, condition, stepKey, outcomePolicyId: chosen.policyId || at })
    if (chosen.policyId === '') {
      const wire = policy.policySteps[chosen.key]?.steps ?? []
      // An empty list would let everything pass: saving refuses it, and so does this.
      if (wire.length === 0) return { error: `The policy ${policy.displayName} has no steps under ${chosen.key}.` }
      return { policyId: id, route: stepsOf(wire), wire, why, choices }
    }
    at = chosen.policyId
  }
  return { error: 'The policy refers to other policies in a cycle.' }
}

type Choice = { key: string; policyId: string; condition: string; why: string }

async function chosenIn(policy: Chosen, decides: Decides): Promise<Choice | { error: string }> {
  const { displayName, rules, baselinePolicyId, policyType } = policy
  for (const [place, { condition, stepKey, policyId }] of rules.entries()) {
    const decided = await decides(condition)
    if ('error' in decided)
      return { error: `The condition of rule ${place + 1} of the policy ${displayName} fails: ${decided.error}` }
    if (decided.isTrue)
      return {
        key: stepKey,
        policyId,
        condition,
        why: `Rule ${place + 1} of the policy ${displayName} is true: ${condition}`,
      }
  }
  const why = rules.length === 0 ? `The policy is ${displayName}.` : `No rule of the policy ${displayName} is true.`
  return { key: baselineKey(policyType), policyId: baselinePolicyId, condition: '', why }
}
