/**
 * The app of a tenant whose entitlements are the enrollments of its access profiles: each has the id of its profile. Whoever
 * writes a grant of one of them leaves a mark, from which the room of profiles knows whom to look at.
 */
export const profilesAppId = '0builtinAccessProfilesApp01'
