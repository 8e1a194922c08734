import type { RequestCatalog } from '#client/api/types.ts'

export const enrollments: readonly { value: RequestCatalog['enrollmentBehavior']; label: string }[] = [
  {
    value: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_ENFORCE_ENTITLEMENT_REQUEST_POLICY',
    label: 'Each entitlement is requested under its own policy',
  },
  {
    value: 'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
    label: 'They get everything immediately, without further approval',
  },
]

export const unenrollments: readonly { value: RequestCatalog['unenrollmentBehavior']; label: string }[] = [
  { value: 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_LEAVE_ACCESS_AS_IS', label: 'They keep their access' },
  {
    value: 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_UNJUSTIFIED',
    label: 'They lose entitlements that none of their other profiles contains',
  },
  { value: 'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_ALL', label: 'They lose all its entitlements' },
]

export const revocations: readonly { value: RequestCatalog['unenrollmentEntitlementBehavior']; label: string }[] = [
  {
    value: 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_ENFORCE',
    label: 'Under the revoke policy of each entitlement',
  },
  { value: 'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_BYPASS', label: 'Immediately' },
]
