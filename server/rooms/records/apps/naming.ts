import { denied, may } from '#authority/may.ts'
import type { Call } from '#kernel/routes.ts'
import type { Tx } from '#kernel/sql.ts'
import { message, text } from '#kernel/wire.ts'

export const EntitlementRef = message('app.v1.AppEntitlementRef', { appId: text(), id: text() })

/** The object that was just created. Only a resource has a type: '' otherwise. */
export type MadeObject = {
  kind: 'app' | 'entitlement' | 'resource' | 'connector'
  appId: string
  typeId: string
  id: string
}
export type FirstOwners = { userIds: readonly string[]; entitlements: readonly { appId: string; id: string }[] }

/**
 * Sets the first owners of a new object, in the transaction that creates it; unknown owners are refused, and so the object.
 * Ownership belongs to a room further down, which this one cannot import: the route table (server/registry/routes.ts) passes
 * this in.
 */
export type NameOwners = (tx: Tx, call: Call, made: MadeObject, owners: FirstOwners) => Promise<void>

/** Setting owners requires the permission to change them. */
export function mayNameOwners({ actor }: Call, { userIds, entitlements }: FirstOwners): void {
  if (userIds.length + entitlements.length === 0 || may(actor, 'owners.change')) return
  throw denied('owners.change', ', to name owners')
}
