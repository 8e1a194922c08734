import type { Seals } from '#kernel/seals.ts'
import { transact } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { type Head, insertSeal, listTenantsToSeal, listUnsealed, lockHead } from './store.ts'

/** A link authenticates the one before it: none can be taken out, and none put between. */
export const sealMac = (
  seals: Seals,
  tenantId: number,
  number: number,
  previous: Uint8Array,
  eventMacs: readonly Uint8Array[],
): Buffer => seals.mac('systemlog seal', String(tenantId), String(number), previous, Buffer.concat(eventMacs))

export const headMac = (seals: Seals, tenantId: number, number: number, mac: Uint8Array): Buffer =>
  seals.mac('systemlog head', String(tenantId), String(number), mac)

const eventsPerSealMax = 2000

/** Puts a tenant's waiting events into its chain; answers how many. Writers do not wait for it, nor it for them. */
export async function sealTenant(world: World, tenantId: number): Promise<number> {
  let sealed = 0
  for (;;) {
    const count = await transact(world.db, async (tx) => {
      const head = await lockHead(tx, tenantId)
      const events = await listUnsealed(tx, tenantId, eventsPerSealMax)
      if (events.length === 0) return 0
      const number = (head?.sealNumber ?? 0) + 1
      const previous = await previousMac(tx, tenantId, head)
      const mac = sealMac(
        world.seals,
        tenantId,
        number,
        previous,
        events.map((event) => event.mac),
      )
      const eventIds = events.map((event) => event.eventId)
      await insertSeal(tx, tenantId, {
        number,
        eventIds,
        mac,
        headMac: headMac(world.seals, tenantId, number, mac),
        at: world.now(),
      })
      return events.length
    })
    sealed += count
    if (count < eventsPerSealMax) return sealed
  }
}

async function previousMac(tx: Parameters<typeof lockHead>[0], tenantId: number, head: Head | null): Promise<Buffer> {
  if (!head) return Buffer.alloc(0)
  const [row] = await tx<{ mac: Buffer }[]>`
    select mac from systemlog_seals where tenant_id = ${tenantId} and seal_number = ${head.sealNumber}`
  // A missing link is found by `verify`; the chain goes on, so that nothing after it is lost.
  return row?.mac ?? Buffer.alloc(0)
}

/** Seals what waits, in all tenants: run every quarter of a second by the engine. */
export async function sealAll(world: World): Promise<void> {
  for (const tenantId of await listTenantsToSeal(world.db)) await sealTenant(world, tenantId)
}
