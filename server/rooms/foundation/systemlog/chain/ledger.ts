import { slot } from '#kernel/memory.ts'
import type { Outcome } from '#kernel/sql.ts'
import type { Head } from '../seals.ts'
import { trailText } from './trail.ts'

/**
 * What this process knows of the log, out of reach of anyone who writes to the database: where each tenant's chain
 * ended, and which of its own events were committed and not yet seen in the chain.
 */
export type Entry = { tenantId: number; eventId: string; writer: Writer; number: number }
type Writer = {
  id: string
  last: number
  /** All numbers up to this one are settled; this many of them were committed. */
  floor: number
  count: number
  open: Map<number, Outcome | null>
}

/** The state of one writer, as stored beside the secret key. */
export type Standing = { tenantId: number; writer: string; floor: number; count: number; waiting: string[] }

// While something keeps the log from being sealed, the oldest are dropped: later events count them too.
const waitingMax = 100_000

/** With the time of the latest event up to it, if known: what the next link is computed from. */
export type KnownEnd = Head & { latestAt?: Date }

class Ledger {
  readonly #ends = new Map<number, KnownEnd>()
  readonly #writers = new Map<number, Writer>()
  readonly #waiting = new Map<number, Map<string, number>>()
  readonly #newId: () => string
  #size = 0
  #changes = 0

  constructor(newId: () => string) {
    this.#newId = newId
  }

  #writerOf(tenantId: number): Writer {
    let writer = this.#writers.get(tenantId)
    if (!writer) {
      writer = { id: this.#newId(), last: 0, floor: 0, count: 0, open: new Map() }
      this.#writers.set(tenantId, writer)
    }
    return writer
  }

  #drop(tenantId: number, eventId: string): boolean {
    const ofTenant = this.#waiting.get(tenantId)
    if (!ofTenant?.delete(eventId)) return false
    this.#size--
    this.#changes++
    if (ofTenant.size === 0) this.#waiting.delete(tenantId)
    return true
  }

  #wait(tenantId: number, eventId: string): void {
    const ofTenant = this.#waiting.get(tenantId) ?? new Map<string, number>()
    this.#waiting.set(tenantId, ofTenant)
    ofTenant.set(eventId, performance.now())
    this.#size++
    if (this.#size > waitingMax) this.#drop(tenantId, ofTenant.keys().next().value as string)
  }

  #settleOne({ tenantId, eventId, writer, number }: Entry, outcome: Outcome): void {
    writer.open.set(number, outcome)
    if (outcome === 'committed') this.#wait(tenantId, eventId)
    // Whether it was committed is unknown: this writer can state no more, and another begins.
    if (outcome === 'unknown') {
      if (this.#writers.get(tenantId) === writer) this.#writers.delete(tenantId)
      return
    }
    for (const [first, settled] of writer.open) {
      if (settled === null || settled === 'unknown') return
      writer.open.delete(first)
      writer.floor = first
      if (settled === 'committed') writer.count++
    }
  }

  /** Grows with every change that is worth storing beside the secret key. */
  changes(): number {
    return this.#changes
  }

  endOf(tenantId: number): KnownEnd | null {
    return this.#ends.get(tenantId) ?? null
  }

  ends(): ReadonlyMap<number, Head> {
    return this.#ends
  }

  setEnd(tenantId: number, { sealNumber, mac, latestAt }: KnownEnd): void {
    this.#ends.set(tenantId, latestAt ? { sealNumber, mac, latestAt } : { sealNumber, mac })
    this.#changes++
  }

  forgetEnd(tenantId: number): void {
    this.#ends.delete(tenantId)
  }

  /** Gives an event its number, and the statement of its writer. */
  enter(tenantId: number, eventId: string): { entry: Entry; trail: string } {
    const writer = this.#writerOf(tenantId)
    const number = ++writer.last
    writer.open.set(number, null)
    const { id, floor, count } = writer
    const trail = trailText({ writer: id, number, floor, count }, this.#ends.get(tenantId) ?? null)
    return { entry: { tenantId, eventId, writer, number }, trail }
  }

  settle(entries: readonly Entry[], outcome: Outcome): void {
    this.#changes++
    for (const entry of entries) this.#settleOne(entry, outcome)
  }

  /** They are in the chain, or known to be missing. Returns those for which that is new. */
  seen(tenantId: number, eventIds: readonly string[]): Set<string> {
    return new Set(eventIds.filter((eventId) => this.#drop(tenantId, eventId)))
  }

  /** Committed by then, and not seen in the chain yet. */
  waitingSince(tenantId: number, until: number): string[] {
    const ids: string[] = []
    for (const [eventId, at] of this.#waiting.get(tenantId) ?? []) if (at <= until) ids.push(eventId)
    return ids
  }

  tenantsWaiting(until: number): number[] {
    return [...this.#waiting].flatMap(([tenantId, ofTenant]) =>
      (ofTenant.values().next().value as number) <= until ? [tenantId] : [],
    )
  }

  /** How long the event that was committed first has been waiting to be sealed. */
  lagMs(): number {
    let oldest = Number.POSITIVE_INFINITY
    for (const ofTenant of this.#waiting.values()) oldest = Math.min(oldest, ofTenant.values().next().value as number)
    return oldest === Number.POSITIVE_INFINITY ? 0 : performance.now() - oldest
  }

  standings(): Standing[] {
    return [...new Set([...this.#waiting.keys(), ...this.#writers.keys()])].flatMap((tenantId) => {
      const ids = [...(this.#waiting.get(tenantId)?.keys() ?? [])]
      const writer = this.#writers.get(tenantId)
      return ids.length === 0
        ? []
        : [{ tenantId, writer: writer?.id ?? '', floor: writer?.floor ?? 0, count: writer?.count ?? 0, waiting: ids }]
    })
  }
}

export const ledger = slot(({ newId }) => new Ledger(newId))
