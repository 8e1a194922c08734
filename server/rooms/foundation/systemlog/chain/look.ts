import { idTime } from '#kernel/ids.ts'
import { isSameMac } from '#kernel/seals.ts'
import type { World } from '#kernel/world.ts'
import { findSeal, findSealBefore, listSealedMacs } from '../seals.ts'
import { findSeam } from '../seam/seam.ts'
import { findEvents } from '../store.ts'
import type { Standing } from './ledger.ts'
import { eventsPerSealMax, sealMac } from './link-mac.ts'

export type Looked = {
  /** Not in the database. */
  missing: string[]
  /**
   * Not in the database, and as old as events that were archived and removed: a server that was killed recorded them
   * long ago.
   */
  archived: string[]
  /** In a link that does not contain them: an attacker who writes to the database put them there, or changed the link. */
  misplaced: string[]
  /** In the database, and not in the chain yet. */
  unsealed: string[]
}

const idsAtOnce = 1_000

/**
 * What happened to events that were waiting. That an event has the number of a link proves nothing, since an attacker
 * who writes to the database can give it one, and remove it when no process waits for it any more. So the link must
 * match its events.
 */
export async function look(
  world: Pick<World, 'db' | 'seals'>,
  { tenantId, waiting }: Pick<Standing, 'tenantId' | 'waiting'>,
): Promise<Looked> {
  const looked: Looked = { missing: [], archived: [], misplaced: [], unsealed: [] }
  const fits = new Map<number, boolean>()
  for (let from = 0; from < waiting.length; from += idsAtOnce) {
    const ids = waiting.slice(from, from + idsAtOnce)
    const found = new Map((await findEvents(world.db, tenantId, ids)).map((each) => [each.eventId, each.sealNumber]))
    for (const id of ids) {
      const sealNumber = found.get(id)
      if (sealNumber === undefined) looked.missing.push(id)
      else if (sealNumber === null) looked.unsealed.push(id)
      else {
        if (!fits.has(sealNumber)) fits.set(sealNumber, await isWhole(world, tenantId, sealNumber))
        if (!fits.get(sealNumber)) looked.misplaced.push(id)
      }
    }
  }
  if (looked.missing.length > 0) {
    const archivedUntil = (await findSeam(world, world.db, tenantId))?.latestAt ?? null
    const isArchived = (id: string): boolean => archivedUntil !== null && idTime(id) <= archivedUntil
    looked.archived = looked.missing.filter(isArchived)
    looked.missing = looked.missing.filter((id) => !isArchived(id))
  }
  return looked
}

/** Whether a link authenticates the events that are in it, and the link before it. Links do not change once they exist. */
async function isWhole({ db, seals }: Pick<World, 'db' | 'seals'>, tenantId: number, number: number): Promise<boolean> {
  const seal = await findSeal(db, tenantId, number)
  if (!seal) return false
  const before = await findSealBefore(db, tenantId, number)
  const macs = await listSealedMacs(db, tenantId, number, eventsPerSealMax + 1)
  return isSameMac(seal.mac, sealMac(seals, tenantId, seal, before?.mac ?? Buffer.alloc(0), macs))
}
