import type { Tenancy } from '#kernel/routes.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'

/** What a connector does, or what becomes of its work. */
export const connectorCause = (tenant: Tenancy, connector: { displayName: string }, operation: string): Cause => ({
  tenant,
  actor: { userId: '', name: `Connector ${connector.displayName}`, email: '', credentialId: '', tokenId: '' },
  operation,
  requestId: '',
  sourceAddress: '127.0.0.1',
})
