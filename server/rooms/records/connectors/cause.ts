import type { Tenancy } from '#kernel/routes.ts'
import { type CauseBy, programActor, provenCause, serviceCause } from '#rooms/foundation/systemlog/index.ts'

/** Something that a connector does, or that happens to its work. */
export const connectorCause = (
  tenant: Tenancy,
  connector: { displayName: string },
  operation: string,
): CauseBy<'connector'> =>
  provenCause<'connector'>({
    ...serviceCause(tenant, operation),
    actor: programActor(`Connector ${connector.displayName}`),
  })
