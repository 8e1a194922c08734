import { denied, may } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { message, text } from '#kernel/wire.ts'

export const EntitlementRef = message('app.v1.AppEntitlementRef', { appId: text(), id: text() })

/** What was just made. Only a resource has a type: '' elsewhere. */
export type MadeObject = {
  kind: 'app' | 'entitlement' | 'resource' | 'connector'
  appId: string
  typeId: string
  id: string
}
export type FirstOwners = { userIds: readonly string[]; entitlements: readonly { appId: string; id: string }[] }

/**
 * Names the first owners of what was made, in the transaction that makes it; unknown ones refuse it all. Who owns what is
 * a room further down, which this one cannot ask: the route table (server/registry/routes.ts) hands this in.
 */
export type NameOwners = (tx: Tx, call: Call, made: MadeObject, owners: FirstOwners) => Promise<void>

/** To name owners takes what it takes to change them. */
export function mayNameOwners({ actor }: Call, { userIds, entitlements }: FirstOwners): void {
  if (userIds.length + entitlements.length === 0 || may(actor, 'owners.change')) return
  throw denied('owners.change', ', to name owners')
}
