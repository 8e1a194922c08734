import { denied, mayEverywhere } from '#authority/may.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Call } from '#kernel/routes.ts'
import { bypassesGrants, bypassesRevokes } from './decide.ts'
import type { EntitlementRef, ProfileTerms } from './profile.ts'

export const profileNotFound = (id: string): Refusal =>
  new Refusal('REQUEST_CATALOG_NOT_FOUND', `There is no access profile ${id}.`, { metadata: { requestCatalogId: id } })

export const entryNotFound = (profileId: string, { appId, id }: EntitlementRef): Refusal =>
  new Refusal(
    'REQUESTABLE_ENTRY_NOT_FOUND',
    `The access profile ${profileId} does not contain the entitlement ${id}.`,
    {
      metadata: { requestCatalogId: profileId, appId, appEntitlementId: id },
    },
  )

export const tooManyEntries = (profileId: string, max: number): Refusal =>
  new Refusal('PROFILE_ENTRIES_TOO_MANY', `An access profile contains at most ${max} entitlements.`, {
    metadata: { requestCatalogId: profileId, max: String(max) },
  })

/**
 * A profile that bypasses policies grants and revokes access automatically: configuring that, and adding entitlements to
 * such a profile, requires permission to grant any access.
 */
export function refuseBypass({ actor }: Pick<Call, 'actor'>, terms: ProfileTerms): void {
  if ((!bypassesGrants(terms) && !bypassesRevokes(terms)) || mayEverywhere(actor, 'grants.give')) return
  throw denied('grants.give', ' everywhere: the access profile bypasses the policies of its entitlements')
}
