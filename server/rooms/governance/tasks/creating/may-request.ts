import type { MayRequest } from '#rooms/governance/forms/index.ts'
import { findTerms } from '#rooms/governance/terms/index.ts'
import { isRequestable } from './actions.ts'

/** Whether a caller may request an entitlement, for the rooms above. Where its routing rules fail nobody may. */
export const mayRequest: MayRequest = async (db, call, { appId, id: entitlementId }) => {
  const terms = await findTerms(db, call, { appId, entitlementId })
  return terms !== null && !('refusal' in terms) && isRequestable(call, terms)
}
