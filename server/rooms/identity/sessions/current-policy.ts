import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type MetBy, reportForged } from '#rooms/foundation/systemlog/index.ts'
import { closedPolicy, defaultPolicy, type SignInPolicy } from './policy/policy.ts'
import { findPolicyRow, isAuthenticPolicy } from './policy/store.ts'

/** The present policy of a tenant. */
export async function findPolicy(world: World, db: Reads, where: MetBy): Promise<SignInPolicy> {
  const row = await findPolicyRow(db, where.tenant.id)
  if (!row) return defaultPolicy
  if (isAuthenticPolicy(world.seals, where.tenant.id, row)) return row
  await reportForged(world, where, { type: 'sign-in policy', id: where.tenant.publicId })
  return closedPolicy
}
