import { jobName } from '#kernel/jobs.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'

export const exportDue = jobName<{ exportId: string }>('systemlog.export')
export const retentionDue = jobName('systemlog.retention')

/** What the server does by itself about exports. */
export const exportCause = (tenant: Tenancy, operation: string): Cause => ({
  tenant,
  actor: { userId: '', name: 'Bailiwick', email: '', credentialId: '', tokenId: '' },
  operation,
  requestId: '',
  sourceAddress: '127.0.0.1',
})

/** In a lane: one that is enqueued while another runs for the same export would send the same events at the same time. */
export const exportJob = (id: string) => ({
  payload: { exportId: id },
  subject: { type: 'export', id },
  key: id,
  lane: id,
})
