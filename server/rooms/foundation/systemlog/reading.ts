import { isSameMac } from '#kernel/seals.ts'
import type { Reads } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { eventMac, listEvents, listSealed, type Place } from './store.ts'

/** An event in its tenant's chain. */
export type SealedEvent = {
  eventId: string
  occurredAt: Date
  /** As it was recorded: JSON. */
  text: string
  place: Place
  /** Whether this program wrote it. */
  isGenuine: boolean
}

/** Events after a place, in the order of the chain: later events come after all of them. */
export async function readSealed(
  { db, seals }: Pick<World, 'db' | 'seals'>,
  tenantId: number,
  after: Place,
  limit: number,
): Promise<SealedEvent[]> {
  const rows = await listSealed(db, tenantId, after, Number.MAX_SAFE_INTEGER, limit)
  return rows.map((row) => ({
    eventId: row.eventId,
    occurredAt: row.occurredAt,
    text: row.event,
    place: [row.sealNumber, row.position],
    isGenuine: isSameMac(row.mac, eventMac(seals, tenantId, row)),
  }))
}

/** The first event in the chain that occurred at a time or later. */
export async function findPlaceSince(db: Reads, tenantId: number, since: Date): Promise<Place | null> {
  const filter = { since, until: null, after: null, before: null, isDescending: false }
  const [first] = await listEvents(db, tenantId, filter, 1)
  return first?.place ?? null
}
