import type { Policy, PolicyStep, PolicySteps, ProvisionPolicy } from '../../api/types.ts'
import type { Sent } from '../../client/operation.ts'

/** A step as it is edited and sent: what is left out is unset. */
export type DraftStep = Sent<PolicyStep>
export type DraftApproval = NonNullable<DraftStep['approval']>
export type DraftProvision = Sent<ProvisionPolicy>
export type Keyed = { key: number; step: DraftStep }
export type DraftRule = {
  key: number
  condition: string
  /** Another policy whose steps are taken; empty where the rule has its own. */
  policyId: string
  stepKey: string
  steps: readonly Keyed[]
  isByPolicy: boolean
}
export type PolicyType = 'POLICY_TYPE_GRANT' | 'POLICY_TYPE_REVOKE' | 'POLICY_TYPE_CERTIFY'
export type Draft = {
  displayName: string
  description: string
  policyType: PolicyType
  isByPolicy: boolean
  baselinePolicyId: string
  steps: readonly Keyed[]
  rules: readonly DraftRule[]
  remediates: boolean
}

let lastKey = 0
export const keyed = (step: DraftStep): Keyed => ({ key: ++lastKey, step })
export const newRule = (): DraftRule => ({
  key: ++lastKey,
  condition: '',
  policyId: '',
  stepKey: '',
  steps: [keyed(newStep('approval')), keyed(newStep('provision'))],
  isByPolicy: false,
})

export type StepKind = 'approval' | 'provision' | 'accept' | 'reject' | 'wait' | 'form'

export function newStep(kind: StepKind): DraftStep {
  const steps: Record<StepKind, DraftStep> = {
    approval: { approval: { manager: {}, allowReassignment: true, allowDelegation: true } },
    provision: { provision: {} },
    accept: { accept: { acceptMessage: '' } },
    reject: { reject: { rejectMessage: '' } },
    wait: { wait: { name: '', duration: { duration: '86400s' } } },
    form: { form: { form: { fields: [] } } },
  }
  return steps[kind]
}

export const kindOf = (step: DraftStep): StepKind =>
  (['approval', 'provision', 'accept', 'reject', 'wait', 'form'] as const).find((kind) => step[kind]) ?? 'approval'

/** The key of the steps that are taken where no rule says otherwise. */
export const baselineKey = (type: string): string => type.slice('POLICY_TYPE_'.length).toLowerCase()

export const emptyDraft = (): Draft => ({
  displayName: '',
  description: '',
  policyType: 'POLICY_TYPE_GRANT',
  isByPolicy: false,
  baselinePolicyId: '',
  steps: [keyed(newStep('approval')), keyed(newStep('provision'))],
  rules: [],
  remediates: false,
})

export function draftOf(policy: Policy): Draft {
  const lists = (policy.policySteps ?? {}) as Record<string, PolicySteps | undefined>
  const stepsAt = (key: string): Keyed[] => (lists[key]?.steps ?? []).map((step) => keyed(step as DraftStep))
  return {
    displayName: policy.displayName,
    description: policy.description,
    policyType: policy.policyType as PolicyType,
    isByPolicy: policy.baselinePolicyId !== '',
    baselinePolicyId: policy.baselinePolicyId,
    steps: stepsAt(baselineKey(policy.policyType)),
    rules: policy.rules.map(({ condition, policyId, stepKey, policyKey }) => ({
      key: ++lastKey,
      condition,
      policyId,
      stepKey: stepKey || policyKey,
      steps: stepsAt(stepKey || policyKey),
      isByPolicy: policyId !== '',
    })),
    remediates: policy.postActions.some(({ certifyRemediateImmediately }) => certifyRemediateImmediately),
  }
}

/** The key of a rule's own steps: as it was, or one that no other has. */
export function ruleKeys({ rules, policyType }: Pick<Draft, 'rules' | 'policyType'>): string[] {
  const taken = new Set([baselineKey(policyType), ...rules.map(({ stepKey }) => stepKey)])
  const nextKey = (): string => {
    let number = 1
    while (taken.has(`rule-${number}`)) number++
    taken.add(`rule-${number}`)
    return `rule-${number}`
  }
  return rules.map(({ stepKey, isByPolicy }) => (isByPolicy ? '' : stepKey || nextKey()))
}

export function termsOf(draft: Draft) {
  const keys = ruleKeys(draft)
  const stepsOf = (all: readonly Keyed[]) => ({ steps: all.map(({ step }) => step) })
  return {
    displayName: draft.displayName.trim(),
    description: draft.description.trim(),
    policyType: draft.policyType,
    policySteps: {
      ...(!draft.isByPolicy && { [baselineKey(draft.policyType)]: stepsOf(draft.steps) }),
      ...Object.fromEntries(
        draft.rules.flatMap(({ isByPolicy, steps }, place): [string, { steps: DraftStep[] }][] =>
          isByPolicy ? [] : [[keys[place] as string, stepsOf(steps)]],
        ),
      ),
    },
    rules: draft.rules.map(({ condition, policyId, isByPolicy }, place) => ({
      condition: condition.trim(),
      ...(isByPolicy ? { policyId } : { stepKey: keys[place] as string }),
    })),
    baselinePolicyId: draft.isByPolicy ? draft.baselinePolicyId : '',
    postActions: draft.remediates ? [{ certifyRemediateImmediately: true }] : [],
  }
}
