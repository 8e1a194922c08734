import { slot } from '#kernel/memory.ts'
import type { Outcome } from '#kernel/sql.ts'
import type { Head } from '../store.ts'
import { trailText } from './trail.ts'

/**
 * What this process knows of the log and whoever writes to the database does not reach: where each tenant's chain ended,
 * and which of its own events were committed and not yet seen in the chain.
 */
export type Entry = { tenantId: number; eventId: string; writer: Writer; number: number }
type Writer = {
  id: string
  last: number
  /** All numbers up to this one are settled; so many of them were committed. */
  floor: number
  count: number
  open: Map<number, Outcome | null>
}

/** How one writer stands, as it is kept beside the secret key. */
export type Standing = { tenantId: number; writer: string; floor: number; count: number; waiting: string[] }

// While something keeps the log from being sealed, the oldest are let go: later events count them too.
const waitingMax = 100_000

/** With when the latest event up to it occurred, where that is known: what the next link is made from. */
export type KnownEnd = Head & { latestAt?: Date }

export const ledger = slot(({ newId }) => {
  const ends = new Map<number, KnownEnd>()
  const writers = new Map<number, Writer>()
  const waiting = new Map<number, Map<string, number>>()
  let size = 0
  let changes = 0

  const writerOf = (tenantId: number): Writer => {
    let writer = writers.get(tenantId)
    if (!writer) {
      writer = { id: newId(), last: 0, floor: 0, count: 0, open: new Map() }
      writers.set(tenantId, writer)
    }
    return writer
  }
  const drop = (tenantId: number, eventId: string): boolean => {
    const ofTenant = waiting.get(tenantId)
    if (!ofTenant?.delete(eventId)) return false
    size--
    changes++
    if (ofTenant.size === 0) waiting.delete(tenantId)
    return true
  }
  const wait = (tenantId: number, eventId: string): void => {
    const ofTenant = waiting.get(tenantId) ?? new Map<string, number>()
    waiting.set(tenantId, ofTenant)
    ofTenant.set(eventId, performance.now())
    size++
    if (size > waitingMax) drop(tenantId, ofTenant.keys().next().value as string)
  }
  const settleOne = ({ tenantId, eventId, writer, number }: Entry, outcome: Outcome): void => {
    writer.open.set(number, outcome)
    if (outcome === 'committed') wait(tenantId, eventId)
    // Nobody knows whether it was committed: this writer can say no more, and another begins.
    if (outcome === 'unknown') {
      if (writers.get(tenantId) === writer) writers.delete(tenantId)
      return
    }
    for (const [first, settled] of writer.open) {
      if (settled === null || settled === 'unknown') return
      writer.open.delete(first)
      writer.floor = first
      if (settled === 'committed') writer.count++
    }
  }

  return {
    /** Grows with everything that is worth keeping beside the secret key. */
    changes: () => changes,
    endOf: (tenantId: number): KnownEnd | null => ends.get(tenantId) ?? null,
    ends: (): ReadonlyMap<number, Head> => ends,
    setEnd(tenantId: number, { sealNumber, mac, latestAt }: KnownEnd): void {
      ends.set(tenantId, latestAt ? { sealNumber, mac, latestAt } : { sealNumber, mac })
      changes++
    },
    forgetEnd: (tenantId: number): void => void ends.delete(tenantId),
    /** Gives an event its number, and says what its writer knows. */
    enter(tenantId: number, eventId: string): { entry: Entry; trail: string } {
      const writer = writerOf(tenantId)
      const number = ++writer.last
      writer.open.set(number, null)
      const { id, floor, count } = writer
      const trail = trailText({ writer: id, number, floor, count }, ends.get(tenantId) ?? null)
      return { entry: { tenantId, eventId, writer, number }, trail }
    },
    settle(entries: readonly Entry[], outcome: Outcome): void {
      changes++
      for (const entry of entries) settleOne(entry, outcome)
    },
    /** They are in the chain, or found to be missing. Answers those of which that was not known yet. */
    seen: (tenantId: number, eventIds: readonly string[]): Set<string> =>
      new Set(eventIds.filter((eventId) => drop(tenantId, eventId))),
    /** Committed by then, and not seen in the chain yet. */
    waitingSince(tenantId: number, until: number): string[] {
      const ids: string[] = []
      for (const [eventId, at] of waiting.get(tenantId) ?? []) if (at <= until) ids.push(eventId)
      return ids
    },
    tenantsWaiting: (until: number): number[] =>
      [...waiting].flatMap(([tenantId, ofTenant]) =>
        (ofTenant.values().next().value as number) <= until ? [tenantId] : [],
      ),
    /** How long the one that was committed first has been waiting to be sealed. */
    lagMs(): number {
      let oldest = Number.POSITIVE_INFINITY
      for (const ofTenant of waiting.values()) oldest = Math.min(oldest, ofTenant.values().next().value as number)
      return oldest === Number.POSITIVE_INFINITY ? 0 : performance.now() - oldest
    },
    standings: (): Standing[] =>
      [...new Set([...waiting.keys(), ...writers.keys()])].flatMap((tenantId) => {
        const ids = [...(waiting.get(tenantId)?.keys() ?? [])]
        const writer = writers.get(tenantId)
        return ids.length === 0
          ? []
          : [{ tenantId, writer: writer?.id ?? '', floor: writer?.floor ?? 0, count: writer?.count ?? 0, waiting: ids }]
      }),
  }
})
