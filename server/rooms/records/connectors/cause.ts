import type { Tenancy } from '#kernel/routes.ts'
import { type CauseBy, causeBy, programActor, serviceCause } from '#rooms/foundation/systemlog/index.ts'

/** Something that a connector does, or that happens to its work. */
export const connectorCause = (
  tenant: Tenancy,
  connector: { displayName: string },
  operation: string,
): CauseBy<'connector'> =>
  causeBy<'connector'>({
    ...serviceCause(tenant, operation),
    actor: programActor(`Connector ${connector.displayName}`),
  })
