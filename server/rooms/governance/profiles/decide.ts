import type { FieldViolation } from '#kernel/refusals.ts'
import type { Profile, ProfileTerms } from './profile.ts'

export const bypassesGrants = ({ enrollmentBehavior }: Pick<Profile, 'enrollmentBehavior'>): boolean =>
  enrollmentBehavior === 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY'

export const bypassesRevokes = ({
  unenrollmentEntitlementBehavior,
}: Pick<Profile, 'unenrollmentEntitlementBehavior'>): boolean =>
  unenrollmentEntitlementBehavior === 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_BYPASS'

/** Which access of a member who leaves is revoked. */
export function revokedOf({ unenrollmentBehavior }: Pick<Profile, 'unenrollmentBehavior'>) {
  if (unenrollmentBehavior === 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_ALL') return 'all'
  return unenrollmentBehavior === 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_UNJUSTIFIED' ? 'unjustified' : 'none'
}

export const nameProblem = (field: string, { displayName }: ProfileTerms): FieldViolation | null =>
  displayName.trim() === '' ? { field, description: 'must be given' } : null

/** Removes duplicates; the first occurrence counts. */
export const onceEach = <R extends { appId: string; id: string }>(refs: readonly R[]): R[] =>
  [...new Map(refs.toReversed().map((ref) => [`${ref.appId}/${ref.id}`, ref])).values()].toReversed()

export const keyOf = ({ appId, id }: { appId: string; id: string }): string => `${appId}/${id}`
