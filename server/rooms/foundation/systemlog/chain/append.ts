import { hash } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import { isSameMac } from '#kernel/seals.ts'
import { isDatabaseError } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { nextTimes, type Seal } from '../seals.ts'
import type { NewEventRow } from '../store.ts'
import { ledger } from './ledger.ts'
import { headMac, sealMac } from './link-mac.ts'
import { type Ending, insertSealed, listLinkDigests } from './store.ts'

/** What the next link is computed from. */
type KnownSeal = Pick<Seal, 'sealNumber' | 'mac' | 'latestAt'>
/** A link that this process appended, until it has seen it in the database with all its events. */
type Appended = { seal: Seal; digest: string; eventIds: string[] }

/** Fewer are left to the sealer, which puts everything from a quarter of a second into one link. */
export const appendedMin = 8
// If the database refuses it, it is not tried with every group; if it keeps refusing, as a distributed one does (its
// shards do not receive what the statement sets), ever less often: each attempt is an error in its log.
const refusedMs = 60_000
const refusedMaxMs = 86_400_000

/**
 * Writes events together with the link that contains them. The sealer would update each of them a quarter of a second
 * later: half of what PostgreSQL does for an event, and as much write-ahead log again. It is tried without waiting: if
 * another process seals, or the end of the chain is not the one that this process knows, the events are written to be
 * sealed later.
 */
export const appended = slot((world) => {
  const unchecked = new Map<number, Appended[]>()
  /** For each tenant, the last link that was sent and has no reply yet, and how many such links there are. */
  const ahead = new Map<number, { last: KnownSeal; count: number }>()
  let refusedUntil = 0
  let pauseMs = refusedMs

  const endOf = (tenantId: number): KnownSeal | null => {
    const last = ahead.get(tenantId)?.last ?? world.memory(ledger).endOf(tenantId)
    return last?.latestAt ? { ...last, latestAt: last.latestAt } : null
  }
  const send = async (tenantId: number, ending: Ending, rows: readonly NewEventRow[]): Promise<boolean> => {
    const under = ahead.get(tenantId) ?? { last: ending.seal, count: 0 }
    under.last = ending.seal
    under.count++
    ahead.set(tenantId, under)
    let isThere = false
    try {
      isThere = await insertSealed(world.db.inOrder, tenantId, ending, rows)
      return isThere
    } finally {
      // Those that were sent after a missing one build on it: they will be missing too, and nothing more is built on
      // them.
      if ((--under.count === 0 || !isThere) && ahead.get(tenantId) === under) ahead.delete(tenantId)
    }
  }

  return {
    /**
     * Returns whether it did. Throws if that is not known. The next may be requested before the reply to this one: it
     * follows a link that is not there yet. PostgreSQL carries them out in order, and each only if the chain ends where
     * the one before it was to leave it. So if one failed, none of those behind it exists.
     */
    async append(tenantId: number, rows: readonly NewEventRow[]): Promise<boolean> {
      const last = endOf(tenantId)
      if (!last || rows.length < appendedMin || performance.now() < refusedUntil) return false
      const ending = endingOf(world, tenantId, last, rows)
      const { seal } = ending
      const known = world.memory(ledger)
      try {
        if (!(await send(tenantId, ending, rows))) {
          // Until the sealer has read the end again.
          const end = known.endOf(tenantId)
          if (end?.sealNumber === last.sealNumber) known.setEnd(tenantId, { sealNumber: end.sealNumber, mac: end.mac })
          return false
        }
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        refusedUntil = performance.now() + pauseMs
        pauseMs = Math.min(pauseMs * 10, refusedMaxMs)
        return false
      }
      pauseMs = refusedMs
      if ((known.endOf(tenantId)?.sealNumber ?? 0) < seal.sealNumber) known.setEnd(tenantId, seal)
      const link = { seal, digest: digestOf(rows), eventIds: rows.map((row) => row.eventId) }
      const links = unchecked.get(tenantId)
      if (links) links.push(link)
      else unchecked.set(tenantId, [link])
      return true
    },
    /**
     * Checks the links that were appended: they and all their events are in the database. This finds what accepts
     * events and removes them again, as a trigger can. Those that differ from what was written are left to be checked
     * one by one.
     */
    async check(tenantId: number): Promise<void> {
      const links = unchecked.get(tenantId)
      if (!links) return
      unchecked.delete(tenantId)
      const found = await findDigests(world, tenantId, links)
      for (const { seal, digest, eventIds } of links) {
        const there = found.get(seal.sealNumber)
        if (there?.digest === digest && isSameMac(there.mac, seal.mac)) world.memory(ledger).seen(tenantId, eventIds)
      }
    },
  }
})

async function findDigests(world: World, tenantId: number, links: readonly Appended[]) {
  const numbers = links.map(({ seal }) => seal.sealNumber)
  const digests = await listLinkDigests(world.db, tenantId, Math.min(...numbers), Math.max(...numbers))
  return new Map(digests.map((each) => [each.sealNumber, each]))
}

const digestOf = (rows: readonly NewEventRow[]): string =>
  hash('sha256', Buffer.concat(rows.map((row) => row.mac)), 'base64')

function endingOf(world: World, tenantId: number, last: KnownSeal, rows: readonly NewEventRow[]): Ending {
  const { seals } = world
  const link = { sealNumber: last.sealNumber + 1, ...nextTimes(rows, last), sealedAt: world.now() }
  const macs = rows.map((row) => row.mac)
  const mac = sealMac(seals, tenantId, link, last.mac, macs)
  return {
    last,
    lastHeadMac: headMac(seals, tenantId, last.sealNumber, last.mac),
    seal: { ...link, eventCount: rows.length, mac },
    headMac: headMac(seals, tenantId, link.sealNumber, mac),
  }
}
