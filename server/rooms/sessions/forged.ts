import { budget } from '#kernel/budget.ts'
import { slot } from '#kernel/memory.ts'
import type { Tenancy } from '#kernel/routes.ts'
import type { World } from '#kernel/world.ts'
import { forgedRecord, grouped } from '#rooms/systemlog/index.ts'

export type Where = { tenant: Tenancy; operation?: string; requestId: string; sourceAddress: string }

// One an hour for each record: whoever is refused because of it may ask a thousand times a second.
const told = slot((world) => budget(world, { burst: 1, perSecond: 1 / 3600 }))

/** Writes down, in both logs, that a record was found which this program did not write. It does not count. */
export async function noteForged(world: World, where: Where, kind: string, id: string): Promise<void> {
  const unrecorded = world.memory(told).take(`${where.tenant.id} ${kind} ${id}`)
  if (unrecorded === null) return
  const record = { kind, id }
  world.log.error(
    { requestId: where.requestId, tenant: where.tenant.domain, record },
    `a ${kind} in the database was not written by this program, and does not count`,
  )
  await world.memory(grouped).record(where.tenant.id, forgedRecord(where, record, unrecorded))
}
