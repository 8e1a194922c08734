import type { AppEntitlementAutomation, AppEntitlementRef } from '#client/api/types.ts'
import type { Sent } from '#client/operation.ts'

export type RuleKind = 'expression' | 'entitlements' | 'none'

/** A rule while it is edited. The text for one kind is kept while another is shown. */
export type Draft = {
  kind: RuleKind
  /** The API has two names for the same thing; a rule keeps the one it was saved with. */
  expressionField: 'basic' | 'cel'
  expression: string
  refs: readonly AppEntitlementRef[]
  displayName: string
  description: string
  examples: readonly Example[]
}

/** Someone whom the rule must match, or must not. */
export type Example = { userId: string; mustMatch: boolean }

export const emptyDraft: Draft = {
  kind: 'expression',
  expressionField: 'cel',
  expression: '',
  refs: [],
  displayName: '',
  description: '',
  examples: [],
}

// People whom the caller may not see have no id: those examples are kept without being sent.
const examplesOf = ({ examples }: AppEntitlementAutomation): Example[] =>
  [
    ...(examples?.mustMatchUserIds ?? []).map((userId) => ({ userId, mustMatch: true })),
    ...(examples?.mustNotMatchUserIds ?? []).map((userId) => ({ userId, mustMatch: false })),
  ].filter(({ userId }) => userId !== '')

const examplesSent = (examples: readonly Example[]) => ({
  mustMatchUserIds: examples.filter(({ mustMatch }) => mustMatch).map(({ userId }) => userId),
  mustNotMatchUserIds: examples.filter(({ mustMatch }) => !mustMatch).map(({ userId }) => userId),
})

/** What a plan is made of: whom a draft matches, and whom it must. */
export const planOf = (draft: Draft): Sent<AppEntitlementAutomation> => ({
  ...definitionOf(draft),
  examples: examplesSent(draft.examples),
})

export function draftOf(rule: AppEntitlementAutomation): Draft {
  const { displayName, description } = rule
  const about = { ...emptyDraft, displayName, description, examples: examplesOf(rule) }
  if (rule.entitlements) return { ...about, kind: 'entitlements', refs: rule.entitlements.entitlementRefs }
  if (rule.basic) return { ...about, kind: 'expression', expressionField: 'basic', expression: rule.basic.expression }
  if (rule.cel) return { ...about, kind: 'expression', expression: rule.cel.expression }
  return { ...about, kind: 'none' }
}

/** The condition of a draft, in the form of the API. */
function definitionOf({ kind, expressionField, expression, refs }: Draft): Sent<AppEntitlementAutomation> {
  if (kind === 'expression') return { [expressionField]: { expression } }
  if (kind === 'entitlements')
    return { entitlements: { entitlementRefs: refs.map(({ appId, id }) => ({ appId, id })) } }
  return { none: {} }
}

/** A draft as the API takes it. */
export const proposalOf = (draft: Draft): Sent<AppEntitlementAutomation> => ({
  displayName: draft.displayName.trim(),
  description: draft.description.trim(),
  ...planOf(draft),
})

/** Why a draft cannot be planned yet, as a sentence; null if it can. */
export function lackOf({ kind, expression, refs }: Draft): string | null {
  if (kind === 'expression' && expression.trim() === '') return 'Enter an expression to see the plan.'
  if (kind === 'entitlements' && refs.length === 0) return 'Select an entitlement to see the plan.'
  return null
}

export const isSameRule = (a: Draft, b: Draft): boolean =>
  JSON.stringify(proposalOf(a)) === JSON.stringify(proposalOf(b))
