import type { MayRequest } from '#rooms/governance/forms/index.ts'
import { isRequestable } from '#rooms/governance/profiles/index.ts'
import { unroutedTerms } from '#rooms/governance/terms/index.ts'

/** Whether a caller may request an entitlement, and so see what applies to it, for the rooms above. */
export const mayRequest: MayRequest = async (db, call, { appId, id: entitlementId }) =>
  (await isRequestable(db, call, call.actor.userId, { appId, entitlementId })) &&
  (await unroutedTerms(db, call, { appId, entitlementId })) !== null
