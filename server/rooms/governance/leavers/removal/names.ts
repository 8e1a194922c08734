import { jobName } from '#kernel/jobs.ts'

/** Opens a revocation for each item of access that people have to remove in an app. */
export const removalRevocations = jobName<{ removalId: string }>('leavers.revocations')

export const revocationsOf = (removalId: string) => ({
  payload: { removalId },
  subject: { type: 'access_removal', id: removalId },
  key: removalId,
})
