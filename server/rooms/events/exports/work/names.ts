import { jobName } from '#kernel/jobs.ts'

export const exportDue = jobName<{ exportId: string }>('systemlog.export')
export const retentionDue = jobName('systemlog.retention')

/** In a lane: one that is enqueued while another runs for the same export would send the same events at the same time. */
export const exportJob = (id: string) => ({
  payload: { exportId: id },
  subject: { type: 'export', id },
  key: id,
  lane: id,
})
