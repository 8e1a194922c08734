import type { Tenancy } from '#kernel/routes.ts'
import { type Cause, programActor, serviceCause } from '#rooms/foundation/systemlog/index.ts'

/** What a connector does, or what becomes of its work. */
export const connectorCause = (tenant: Tenancy, connector: { displayName: string }, operation: string): Cause => ({
  ...serviceCause(tenant, operation),
  actor: programActor(`Connector ${connector.displayName}`),
})
