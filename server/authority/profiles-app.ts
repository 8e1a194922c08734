/**
 * The app of a tenant whose entitlements are the enrollments of its access profiles: each has the id of its profile.
 * Every write of a grant of one of them leaves a mark, from which the room of profiles knows whose access to check.
 */
export const profilesAppId = '0builtinAccessProfilesApp01'
