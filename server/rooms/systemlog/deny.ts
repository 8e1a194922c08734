import { budget } from '#kernel/budget.ts'
import { slot } from '#kernel/memory.ts'
import type { Refusal } from '#kernel/refusals.ts'
import type { World } from '#kernel/world.ts'
import { type Cause, denial } from './event.ts'
import { grouped } from './record.ts'

/**
 * How many denials of strangers are written down, for each address: enough to tell who tried what, and not enough to
 * fill the disk with noise. What is left out is counted in the next one that is written.
 */
const strangers = slot((world) => budget(world, { burst: 200, perSecond: 10 }))

/** Writes down that a request was turned away, before it is answered. */
export async function recordDenial(world: World, cause: Cause, refusal: Refusal): Promise<void> {
  const isKnown = cause.actor.userId !== ''
  const unrecorded = isKnown ? 0 : world.memory(strangers).take(`${cause.tenant.id} ${cause.sourceAddress}`)
  if (unrecorded !== null) await world.memory(grouped).record(cause.tenant.id, denial(cause, refusal, unrecorded))
}
