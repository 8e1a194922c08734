import type { Database } from '#database/open.ts'
import type { World } from '#kernel/world.ts'
import { datasourcesOf } from '#rooms/events/exports/index.ts'
import { keepHeads, refuseDatabaseBehind, sealUnheld } from '#rooms/foundation/systemlog/index.ts'
import { seedBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { seedBuiltInRoles } from '#rooms/identity/roles/index.ts'
import { endAllLeases } from '#server/engine/lease.ts'
import type { Config } from '#server/settings/config.ts'
import { certificateFor } from './certificate.ts'

/** Checks the data before the server accepts requests. Returns the self-signed certificate if the settings require one. */
export async function checkData(config: Config, world: World, { embedded, background }: Database) {
  // A mistyped datasource is reported now, not when the first export fails.
  datasourcesOf(world)
  await refuseDatabaseBehind(world)
  // Events that the last run did not seal are sealed first, and removed events are detected.
  await sealUnheld(world)
  await keepHeads(world)
  // Tenants may be older than built-in roles and policies.
  await seedBuiltInRoles(world)
  await seedBuiltInPolicies(world)
  // No other process uses this database: leases that are still held belong to processes that have exited.
  if (embedded?.owned) await endAllLeases(background)
  return config.tlsSelfSigned ? certificateFor(config, world) : null
}
