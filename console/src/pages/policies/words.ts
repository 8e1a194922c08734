import type { PolicyStep } from '#client/api/types.ts'
import { stepTitle } from '../tasks/words.ts'
import type { DraftStep, PolicyType } from './draft.ts'

export const typeWords: Readonly<Record<PolicyType, string>> = {
  POLICY_TYPE_GRANT: 'Granting access',
  POLICY_TYPE_REVOKE: 'Revoking access',
  POLICY_TYPE_CERTIFY: 'Access reviews (not available yet)',
}

/** What new policies can be for: there are no access reviews yet, and the API stores policies for them. */
export const offeredTypes = (['POLICY_TYPE_GRANT', 'POLICY_TYPE_REVOKE'] as const).map((value) => ({
  value,
  label: typeWords[value],
}))

export const titleOf = (step: DraftStep): string => stepTitle(step as PolicyStep)
