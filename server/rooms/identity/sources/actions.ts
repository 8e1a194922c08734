import { invalid } from '#kernel/refusals.ts'
import type { Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { alarm, type CauseBy, change, record } from '#rooms/foundation/systemlog/index.ts'
import { limitProblems, type SourceLimits } from './limits.ts'
import { findSourceLimits } from './read.ts'
import { putLimits } from './store.ts'

type Setting = CauseBy<'sign-in-policy.change' | 'operator'>

/**
 * Sets from which addresses a tenant may be reached. It applies to requests from now on, also of those who are signed
 * in.
 */
export async function setSourceLimits(tx: Tx, world: World, cause: Setting, limits: SourceLimits): Promise<void> {
  const [first, ...others] = limitProblems(limits)
  if (first) throw invalid(first, ...others)
  const before = await findSourceLimits(world, tx, cause.tenant.id)
  await putLimits(tx, world.seals, cause.tenant.id, { limits, updatedAt: world.now() })
  const { publicId: id, domain: name } = cause.tenant
  const touched = [{ type: 'source limits', id, name, data: { limits, before } }]
  const event = change(cause, 'update', 'Set the addresses that the organization can be used from', touched)
  await record(tx, world, cause, alarm(event))
}
