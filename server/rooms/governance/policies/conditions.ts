import { invalid } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'

/**
 * Conditions of policies see subject, account, entitlement, task and ip; approver expressions answer users. The language of
 * rules knows subject alone: until it knows the others, an expression is refused rather than saved and never true.
 */
export async function checkCondition(_call: Call, _text: string, field: string): Promise<void> {
  throw invalid({ field, description: 'conditions are not supported yet' })
}

export async function checkApproverExpression(_call: Call, _text: string, field: string): Promise<void> {
  throw invalid({ field, description: 'approver expressions are not supported yet' })
}
