import type { MayRequest } from '#rooms/governance/forms/index.ts'
import { isRequestable } from '#rooms/governance/profiles/index.ts'
import { unroutedTerms } from '#rooms/governance/terms/index.ts'

/** For the rooms above: whether a caller may request an entitlement, and therefore see what applies to it. */
export const mayRequest: MayRequest = async (db, call, { appId, id: entitlementId }) =>
  (await isRequestable(db, call, call.actor.userId, { appId, entitlementId })) &&
  (await unroutedTerms(db, call, { appId, entitlementId })) !== null
