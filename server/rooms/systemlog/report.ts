import { slot } from '#kernel/memory.ts'
import type { World } from '#kernel/world.ts'
import { tampered } from './event.ts'
import { grouped } from './record.ts'
import { findTenancy } from './store.ts'

/** How many events this process found missing. */
export const missingCount = slot(() => ({ events: 0 }))

const namedMax = 100

/** Events were committed and are gone: told in the server's log, and in the system log itself, which `verify` repeats. */
export async function reportMissing(world: World, tenantId: number, eventIds: readonly string[]): Promise<void> {
  world.memory(missingCount).events += eventIds.length
  const named = eventIds.slice(0, namedMax)
  world.log.error(
    { tenantId, count: eventIds.length, eventIds: named },
    'recorded events are missing from the system log: someone removed them from the database',
  )
  const tenant = await findTenancy(world.db, tenantId)
  if (!tenant) return
  const event = tampered(
    tenant,
    `${eventIds.length} recorded ${eventIds.length === 1 ? 'event was' : 'events were'} removed from the database`,
    {
      count: eventIds.length,
      eventIds: named,
    },
  )
  await world
    .memory(grouped)
    .record(tenantId, event)
    .catch((err: unknown) => world.log.error({ err, tenantId }, 'cannot record that events are missing'))
}
