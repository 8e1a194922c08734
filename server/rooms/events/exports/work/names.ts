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
