import { invalid, Refusal } from '#kernel/refusals.ts'
import type { Terms } from '#rooms/governance/terms/index.ts'
import { durationProblem } from '#rooms/records/apps/index.ts'
import { durationTooLong } from './refuse.ts'

/** In an emergency the policy for it, where the entitlement has one. */
export function policyOf(
  { kind, isEmergency }: { kind: 'grant' | 'revoke'; isEmergency: boolean },
  terms: Terms,
): string {
  if (kind === 'revoke') return terms.revokePolicyId
  if (!isEmergency) return terms.grantPolicyId
  if (!terms.isEmergencyEnabled || terms.emergencyPolicyId === '')
    throw new Refusal('EMERGENCY_UNAVAILABLE', 'This entitlement has no emergency access.')
  return terms.emergencyPolicyId
}

/** How long access is asked for: what the entitlement allows at most, unless less is said. */
export function durationOf(
  asked: number | null,
  { maxSeconds }: Pick<Terms, 'maxSeconds'>,
  field: string,
): number | null {
  if (asked === null) return maxSeconds
  if (maxSeconds !== null && asked > maxSeconds) throw durationTooLong(field, maxSeconds)
  const problem = durationProblem(field, { durationGrant: asked, durationUnset: null })
  if (problem) throw invalid(problem)
  return asked
}
