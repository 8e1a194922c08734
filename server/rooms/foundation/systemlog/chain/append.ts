import { hash } from 'node:crypto'
import { slot } from '#kernel/memory.ts'
import { isSameMac } from '#kernel/seals.ts'
import { isDatabaseError } from '#kernel/sql.ts'
import type { World } from '#kernel/world.ts'
import { ledger } from '../kept/ledger.ts'
import { type NewEventRow, nextTimes, type Seal } from '../store.ts'
import { headMac, sealMac } from './link-mac.ts'
import { insertSealed, listLinkDigests } from './store.ts'

/** A link that this process appended, until it has seen it in the database with all its events. */
type Appended = { seal: Seal; digest: string; eventIds: string[] }

/** Fewer are left to the sealer, which puts all that came in a quarter of a second into one link. */
export const appendedMin = 8
// A database that refuses it is not asked with every group; one that goes on refusing, as one that is distributed does (its
// shards do not hear what the statement sets), ever more rarely: each time is an error in its log.
const refusedMs = 60_000
const refusedMaxMs = 86_400_000

/**
 * Writes events together with the link that holds them. The sealer would update each of them a quarter of a second later: half
 * of what PostgreSQL does for an event, and as much write-ahead log again. It is tried, and never waited for: where somebody else
 * seals, or the end of the chain is not the one that this process knows, the events are written to be sealed later.
 */
export const appended = slot((world) => {
  const unchecked = new Map<number, Appended[]>()
  let refusedUntil = 0
  let pauseMs = refusedMs

  return {
    /** Whether it did. Throws where nobody knows. */
    async append(tenantId: number, rows: readonly NewEventRow[]): Promise<boolean> {
      const last = world.memory(ledger).endOf(tenantId)
      if (!last?.latestAt || rows.length < appendedMin || performance.now() < refusedUntil) return false
      const ending = endingOf(world, tenantId, { ...last, latestAt: last.latestAt }, rows)
      const { seal } = ending
      try {
        if (!(await insertSealed(world.db, tenantId, ending, rows))) {
          // Until the sealer has seen the end again.
          const { sealNumber, mac } = last
          if (world.memory(ledger).endOf(tenantId) === last) world.memory(ledger).setEnd(tenantId, { sealNumber, mac })
          return false
        }
      } catch (error) {
        if (!isDatabaseError(error)) throw error
        refusedUntil = performance.now() + pauseMs
        pauseMs = Math.min(pauseMs * 10, refusedMaxMs)
        return false
      }
      pauseMs = refusedMs
      const known = world.memory(ledger)
      if ((known.endOf(tenantId)?.sealNumber ?? 0) < seal.sealNumber) known.setEnd(tenantId, seal)
      const link = { seal, digest: digestOf(rows), eventIds: rows.map((row) => row.eventId) }
      unchecked.set(tenantId, [...(unchecked.get(tenantId) ?? []), link])
      return true
    },
    /**
     * Looks at the links that were appended: they and all their events are in the database. What accepts events and removes them
     * again, as a trigger can, is found so. Those that are not as they were written are left to be looked at one by one.
     */
    async check(tenantId: number): Promise<void> {
      const links = unchecked.get(tenantId)
      if (!links) return
      unchecked.delete(tenantId)
      const numbers = links.map(({ seal }) => seal.sealNumber)
      const found = new Map(
        (await listLinkDigests(world.db, tenantId, Math.min(...numbers), Math.max(...numbers))).map((each) => [
          each.sealNumber,
          each,
        ]),
      )
      for (const { seal, digest, eventIds } of links) {
        const there = found.get(seal.sealNumber)
        if (there?.digest === digest && isSameMac(there.mac, seal.mac)) world.memory(ledger).seen(tenantId, eventIds)
      }
    },
  }
})

const digestOf = (rows: readonly NewEventRow[]): string =>
  hash('sha256', Buffer.concat(rows.map((row) => row.mac)), 'base64')

function endingOf(
  world: World,
  tenantId: number,
  last: Pick<Seal, 'sealNumber' | 'mac' | 'latestAt'>,
  rows: readonly NewEventRow[],
) {
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
