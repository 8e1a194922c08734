import type { May } from '#authority/proof.ts'
import type { Call } from '#kernel/routes.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { NameOwners } from '#rooms/records/apps/index.ts'
import type { ConnectorRef } from './ref.ts'

/**
 * Ownership belongs to a room further down, which this one cannot import: the route table (server/registry/routes.ts) passes
 * this in.
 */
export type ConnectorOwners = {
  name: NameOwners
  /** Replaces the users who own a connector in the role primary; entitlements whose holders own it stay. */
  setUsers(tx: Tx, call: May<'owners.change'>, ref: ConnectorRef, userIds: readonly string[]): Promise<void>
  /** The users who own a connector in the role primary, in the order in which they were set. */
  listUsers(db: Reads, call: Call, ref: ConnectorRef): Promise<string[]>
  /** For many connectors of an app at once, by connector. */
  listUsersOfMany(db: Reads, call: Call, appId: string, ids: readonly string[]): Promise<Map<string, string[]>>
}
