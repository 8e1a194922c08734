import { idPattern } from '#kernel/ids.ts'
import { isSameMac } from '#kernel/seals.ts'
import type { Reads, Tx } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import type { Seal } from '../seals.ts'
import { deleteEvents, findFilesAround, findSeamRow, putSeam, type Seam } from './store.ts'

/**
 * Where the chain in the database begins, once older events were archived and removed. The record has a MAC: an
 * attacker who writes to the database without the secret key cannot move it, and so cannot present what they removed as
 * archived.
 */
const seamMac = ({ seals }: Pick<World, 'seals'>, tenantId: number, seam: Seam): Buffer =>
  seals.mac(
    'systemlog seam',
    String(tenantId),
    String(seam.sealNumber),
    seam.sealMac,
    seam.latestAt.toISOString(),
    String(seam.eventCount),
    seam.removedAt.toISOString(),
  )

/** Null if nothing was removed, or if the record of it was not written by this program. */
export async function findSeam(
  world: Pick<World, 'seals'>,
  db: Reads,
  tenantId: number,
  onForged: () => void = () => {},
): Promise<Seam | null> {
  const row = await findSeamRow(db, tenantId)
  if (row === null) return null
  const { mac, ...seam } = row
  if (isSameMac(mac, seamMac(world, tenantId, seam))) return seam
  onForged()
  return null
}

/**
 * Removes the events of links up to one, and records that they were archived: both or neither. The caller has checked
 * that the archive has them. Returns how many.
 */
export async function removeArchived(
  tx: Tx,
  world: Pick<World, 'seals' | 'now'>,
  tenantId: number,
  { before, upTo, expected }: { before: Seam | null; upTo: Seal; expected: number },
): Promise<Seam> {
  const removed = await deleteEvents(tx, tenantId, before?.sealNumber ?? 0, upTo.sealNumber)
  if (removed !== expected)
    throw new Error(
      `${removed} events would be removed from the system log and ${expected} were archived; see bailiwick systemlog verify`,
    )
  const seam: Seam = {
    sealNumber: upTo.sealNumber,
    sealMac: upTo.mac,
    latestAt: upTo.latestAt,
    eventCount: (before?.eventCount ?? 0) + removed,
    removedAt: world.now(),
  }
  await putSeam(tx, tenantId, { ...seam, mac: seamMac(world, tenantId, seam) })
  return seam
}

/**
 * What happened to an event that the database does not have, if it may have been archived: `was archived on 2026-11-16;
 * look in FILE`. Null if no events of its time were archived.
 */
export async function archivedNote(
  world: Pick<World, 'seals'>,
  db: Reads,
  tenantId: number,
  eventId: string,
): Promise<string | null> {
  if (!idPattern.test(eventId)) return null
  const seam = await findSeam(world, db, tenantId)
  const files = seam ? await findFilesAround(db, tenantId, eventId, seam.sealNumber) : []
  if (!seam || files.length === 0) return null
  const names = files.map(({ name, datasourceId }) => `${name} (datasource ${datasourceId})`).join(' or ')
  return `is no longer in the database: events of its time were archived by ${seam.removedAt.toISOString().slice(0, 10)} in ${names}`
}
