import type { Database } from '#database/open.ts'
import type { World } from '#kernel/world.ts'
import { datasourcesOf } from '#rooms/events/exports/index.ts'
import { keepHeads, refuseDatabaseBehind, sealUnheld } from '#rooms/foundation/systemlog/index.ts'
import { seedBuiltInPolicies } from '#rooms/governance/policies/index.ts'
import { seedBuiltInRoles } from '#rooms/identity/roles/index.ts'
import { endAllLeases } from '#server/engine/lease.ts'
import type { Config } from '#server/settings/config.ts'
import { certificateFor } from './certificate.ts'

/** What is looked at before anyone is let in. Answers the self-signed certificate, where one is asked for. */
export async function checkData(config: Config, world: World, { embedded, background }: Database) {
  // Whoever mistyped one is told now, not when the first export fails.
  datasourcesOf(world)
  await refuseDatabaseBehind(world)
  // What the last run left unsealed, or what was removed since, is known first.
  await sealUnheld(world)
  await keepHeads(world)
  // Tenants may be older than built-in roles and policies.
  await seedBuiltInRoles(world)
  await seedBuiltInPolicies(world)
  // Nobody else uses this database: what is still held was held by those who are gone.
  if (embedded?.owned) await endAllLeases(background)
  return config.tlsSelfSigned ? certificateFor(config, world) : null
}
