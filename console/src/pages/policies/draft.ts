import type { Policy, PolicySteps, ProvisionPolicy } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'
import { type DraftStep, stepKinds } from './step-kinds.ts'

export type { DraftStep }
export type DraftApproval = NonNullable<DraftStep['approval']>
export type DraftProvision = Sent<ProvisionPolicy>
export type Keyed = { key: number; step: DraftStep }
export type DraftRule = {
  key: number
  condition: string
  /** Another policy whose steps apply; empty if the rule has its own. */
  policyId: string
  stepKey: string
  steps: readonly Keyed[]
  isByPolicy: boolean
}
export type PolicyType = 'POLICY_TYPE_GRANT' | 'POLICY_TYPE_REVOKE' | 'POLICY_TYPE_CERTIFY'
export type DraftScope = { appId: string; appEntitlementId: string }
export type Draft = {
  displayName: string
  description: string
  policyType: PolicyType
  /** The entitlement whose emergency access it decides; null for a policy that can be chosen everywhere. */
  scope: DraftScope | null
  isByPolicy: boolean
  baselinePolicyId: string
  steps: readonly Keyed[]
  rules: readonly DraftRule[]
  /** Lists of steps that no rule uses. The API keeps them, and so does the editor. */
  untaken: Readonly<Record<string, readonly DraftStep[]>>
  /** Null if the policy has no post action; one that is turned off is false. */
  remediates: boolean | null
}

let lastKey = 0
export const keyed = (step: DraftStep): Keyed => ({ key: ++lastKey, step })
export const newRule = (): DraftRule => ({
  key: ++lastKey,
  condition: '',
  policyId: '',
  stepKey: '',
  steps: [keyed(stepKinds.approval.first), keyed(stepKinds.provision.first)],
  isByPolicy: false,
})

/** The key of the steps that apply if no rule matches. */
export const baselineKey = (type: string): string => type.slice('POLICY_TYPE_'.length).toLowerCase()

export const emptyDraft = (): Draft => ({
  displayName: '',
  description: '',
  policyType: 'POLICY_TYPE_GRANT',
  scope: null,
  isByPolicy: false,
  baselinePolicyId: '',
  steps: [keyed(stepKinds.approval.first), keyed(stepKinds.provision.first)],
  rules: [],
  untaken: {},
  remediates: null,
})

export function draftOf(policy: Policy): Draft {
  const lists = (policy.policySteps ?? {}) as Record<string, PolicySteps | undefined>
  const stepsAt = (key: string): Keyed[] => (lists[key]?.steps ?? []).map((step) => keyed(step as DraftStep))
  const baseline = baselineKey(policy.policyType)
  const taken = new Set([baseline, ...policy.rules.map(({ stepKey, policyKey }) => stepKey || policyKey)])
  return {
    displayName: policy.displayName,
    description: policy.description,
    policyType: policy.policyType as PolicyType,
    scope: policy.scope && { appId: policy.scope.appId, appEntitlementId: policy.scope.appEntitlementId },
    isByPolicy: policy.baselinePolicyId !== '',
    baselinePolicyId: policy.baselinePolicyId,
    steps: stepsAt(baseline),
    rules: policy.rules.map(({ condition, policyId, stepKey, policyKey }) => ({
      key: ++lastKey,
      condition,
      policyId,
      stepKey: stepKey || policyKey,
      steps: stepsAt(stepKey || policyKey),
      isByPolicy: policyId !== '',
    })),
    untaken: Object.fromEntries(
      Object.entries(lists)
        .filter(([key]) => !taken.has(key))
        .map(([key, list]) => [key, (list?.steps ?? []) as DraftStep[]]),
    ),
    remediates:
      policy.postActions.length === 0
        ? null
        : policy.postActions.some(({ certifyRemediateImmediately }) => certifyRemediateImmediately),
  }
}

type Lists = Pick<Draft, 'rules' | 'policyType' | 'isByPolicy' | 'steps' | 'untaken'>
type Put = { lists: Record<string, { steps: DraftStep[] }>; keys: string[] }

/**
 * The lists of steps by their keys, and the key of each rule's list. A rule keeps the key that it had. Two rules may share a
 * list, or a rule the default list: they share it until one of them is edited, and then the edited one gets a separate list.
 */
function putLists({ rules, policyType, isByPolicy, steps, untaken }: Lists): Put {
  const baseline = baselineKey(policyType)
  const lists: Put['lists'] = Object.fromEntries(
    Object.entries(untaken).map(([key, list]) => [key, { steps: [...list] }]),
  )
  const plain = (all: readonly Keyed[]): DraftStep[] => all.map(({ step }) => step)
  if (!isByPolicy) lists[baseline] = { steps: plain(steps) }
  const wanted = new Set([baseline, ...rules.map(({ stepKey }) => stepKey)])
  const nextKey = (): string => {
    let number = 1
    while (wanted.has(`rule-${number}`) || Object.hasOwn(lists, `rule-${number}`)) number++
    return `rule-${number}`
  }
  const keyFor = ({ stepKey, steps: own }: DraftRule): string => {
    if (stepKey === '') return nextKey()
    const there = lists[stepKey]
    if (there) return JSON.stringify(there.steps) === JSON.stringify(plain(own)) ? stepKey : nextKey()
    return stepKey === baseline ? nextKey() : stepKey
  }
  const keys = rules.map((rule) => {
    if (rule.isByPolicy) return ''
    const key = keyFor(rule)
    lists[key] = { steps: plain(rule.steps) }
    return key
  })
  return { lists, keys }
}

/** The keys under which the steps of rules are sent. */
export const ruleKeys = (draft: Lists): string[] => putLists(draft).keys

export function termsOf(draft: Draft) {
  const { lists, keys } = putLists(draft)
  return {
    displayName: draft.displayName.trim(),
    description: draft.description,
    policyType: draft.policyType,
    policySteps: lists,
    rules: draft.rules.map(({ condition, policyId, isByPolicy }, place) => ({
      condition: condition.trim(),
      ...(isByPolicy ? { policyId } : { stepKey: keys[place] as string }),
    })),
    baselinePolicyId: draft.isByPolicy ? draft.baselinePolicyId : '',
    postActions: draft.remediates === null ? [] : [{ certifyRemediateImmediately: draft.remediates }],
  }
}

/** The fields of a new policy that cannot be changed later. */
export const scopeOf = ({ scope }: Draft) =>
  scope ? { scope: { ...scope, slot: 'POLICY_SCOPE_SLOT_EMERGENCY' as const } } : {}
