import { profilesAppId } from '#rooms/foundation/writes/index.ts'

export type EntitlementRef = { appId: string; id: string }

/** What happens to new members. By default, the contents of the profile are requested, each under its own policy. */
export const enrollments = [
  'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_UNSPECIFIED',
  'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_BYPASS_ENTITLEMENT_REQUEST_POLICY',
  'REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_ENFORCE_ENTITLEMENT_REQUEST_POLICY',
] as const
/** What happens to the access of members who leave. By default, nothing. */
export const unenrollments = [
  'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_UNSPECIFIED',
  'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_LEAVE_ACCESS_AS_IS',
  'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_ALL',
  'REQUEST_CATALOG_UNENROLLMENT_BEHAVIOR_REVOKE_UNJUSTIFIED',
] as const
/** Whether revoke policies apply then. By default, they do. */
export const unenrollmentEntitlements = [
  'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_UNSPECIFIED',
  'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_BYPASS',
  'REQUEST_CATALOG_UNENROLLMENT_ENTITLEMENT_BEHAVIOR_ENFORCE',
] as const

export type ProfileTerms = {
  displayName: string
  description: string
  published: boolean
  visibleToEveryone: boolean
  requestBundle: boolean
  enrollmentBehavior: (typeof enrollments)[number]
  unenrollmentBehavior: (typeof unenrollments)[number]
  unenrollmentEntitlementBehavior: (typeof unenrollmentEntitlements)[number]
  annotations: { readonly [name: string]: string }
}

/** An access profile: a "request catalog" in the API. */
export type Profile = ProfileTerms & {
  id: string
  createdByUserId: string
  createdAt: Date
  updatedAt: Date
  deletedAt: Date | null
}

/** The entitlement that its members hold: in the built-in app, with the id of the profile. */
export const enrollmentOf = (profileId: string): EntitlementRef => ({ appId: profilesAppId, id: profileId })
