import type { MayRequest } from '#rooms/governance/forms/index.ts'
import { isRequestable } from '#rooms/governance/profiles/index.ts'
import { findTerms } from '#rooms/governance/terms/index.ts'

/** Whether a caller may request an entitlement, for the rooms above. Where its routing rules fail nobody may. */
export const mayRequest: MayRequest = async (db, call, { appId, id: entitlementId }) => {
  if (!(await isRequestable(db, call, call.actor.userId, { appId, entitlementId }))) return false
  const terms = await findTerms(db, call, { appId, entitlementId })
  return terms !== null && !('refusal' in terms)
}
