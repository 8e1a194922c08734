import type { Tenancy } from '#kernel/routes.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'

/** The engine's own hand: what a rule does outside any request. */
export const engineCause = (tenant: Tenancy): Cause => ({
  tenant,
  actor: { userId: '', name: 'Bailiwick', email: '', credentialId: '', tokenId: '' },
  operation: 'run automation rules',
  requestId: '',
  sourceAddress: '127.0.0.1',
})
