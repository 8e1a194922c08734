import { isIPv6 } from 'node:net'
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

/** Whoever has one IPv6 address has the whole /64 around it: it counts as one. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = address.includes('::') ? Array<string>(8 - left.length - right.length).fill('0') : []
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

/** Writes down that a request was turned away, before it is answered. */
export async function recordDenial(world: World, cause: Cause, refusal: Refusal): Promise<void> {
  const isKnown = cause.actor.userId !== ''
  const unrecorded = isKnown ? 0 : world.memory(strangers).take(`${cause.tenant.id} ${networkOf(cause.sourceAddress)}`)
  if (unrecorded !== null) await world.memory(grouped).record(cause.tenant.id, denial(cause, refusal, unrecorded))
}
