import { jobName } from '#kernel/jobs.ts'
import type { EntitlementRef } from './profile.ts'

/** Someone was enrolled in a profile, or no longer is: grants or revokes what follows from it. */
export const membersChanged = jobName<{ profileId: string }>('profiles.members')

/** Entitlements were added to a profile, also for its present members. */
export const entriesGiven = jobName<{ profileId: string; refs: readonly EntitlementRef[] }>('profiles.entries')
