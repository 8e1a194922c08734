import { jobName } from '#kernel/jobs.ts'

export const exportDue = jobName<{ exportId: string }>('systemlog.export')
export const retentionDue = jobName('systemlog.retention')

/** In a lane: two jobs of the same export at the same time would send the same events twice. */
export const exportJob = (id: string) => ({
  payload: { exportId: id },
  subject: { type: 'export', id },
  key: id,
  lane: id,
})
