import { slot } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { tampered } from './events/event.ts'
import { grouped } from './record.ts'
import { findTenancy } from './store.ts'

/** How many events this process found missing. */
export const missingCount = slot(() => ({ events: 0 }))

const namedMax = 100
const recorded = (count: number): string => `${count} recorded ${count === 1 ? 'event was' : 'events were'}`

/** Events were committed and are gone. */
export function reportMissing(world: World, tenantId: number, eventIds: readonly string[]): Promise<void> {
  world.memory(missingCount).events += eventIds.length
  return report(world, tenantId, eventIds, {
    logged: 'recorded events are missing from the system log: someone removed them from the database',
    told: `${recorded(eventIds.length)} removed from the database`,
  })
}

/**
 * Events have the number of a link that does not contain them: no process would wait for them any more, and they could
 * be removed.
 */
export const reportMisplaced = (world: World, tenantId: number, eventIds: readonly string[]): Promise<void> =>
  report(world, tenantId, eventIds, {
    logged:
      'recorded events are in a link of the system log that no server wrote this way: someone changed the database; see bailiwick systemlog verify',
    told: `${recorded(eventIds.length)} put into a link of the chain in the database, or that link was changed`,
  })

/** In the server's log, and in the system log itself, where `verify` finds it. */
async function report(
  world: World,
  tenantId: number,
  eventIds: readonly string[],
  { logged, told }: { logged: string; told: string },
): Promise<void> {
  const named = eventIds.slice(0, namedMax)
  world.log.error({ tenantId, count: eventIds.length, eventIds: named }, logged)
  const tenant = await findTenancy(world.db, tenantId)
  if (!tenant) return
  const event = tampered(tenant, told, { count: eventIds.length, eventIds: named })
  await world
    .memory(grouped)
    .record(tenantId, event)
    .catch((err: unknown) => world.log.error({ err, tenantId }, 'cannot record that the system log was changed'))
}
