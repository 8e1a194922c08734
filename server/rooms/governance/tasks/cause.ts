import type { Call } from '#kernel/routes.ts'
import type { Cause } from '#rooms/foundation/systemlog/index.ts'

/** The service itself, when its time has come. */
export const serviceCause = (doing: Pick<Call, 'tenant'>, operation: string): Cause => ({
  tenant: doing.tenant,
  actor: { userId: '', name: 'Bailiwick', email: '', credentialId: '', tokenId: '' },
  operation,
  requestId: '',
  sourceAddress: '127.0.0.1',
})
