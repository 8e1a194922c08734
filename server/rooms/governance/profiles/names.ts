import { jobName } from '#kernel/jobs.ts'
import type { EntitlementRef } from './profile.ts'

/** Someone was enrolled in a profile, or is no longer: what follows from it. */
export const membersChanged = jobName<{ profileId: string }>('profiles.members')

/** Entitlements were added to a profile, for its members too. */
export const entriesGiven = jobName<{ profileId: string; refs: readonly EntitlementRef[] }>('profiles.entries')
