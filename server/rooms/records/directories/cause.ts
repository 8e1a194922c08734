import type { JobCall } from '#kernel/jobs.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'

/** On behalf of the person who requested it. */
export const causeOfJob = ({ tenant, job }: JobCall): Cause => ({
  tenant,
  actor: { userId: job.cause.userId, name: '', email: '', credentialId: '', tokenId: '' },
  operation: job.cause.operation,
  requestId: job.cause.requestId,
  sourceAddress: '127.0.0.1',
})
