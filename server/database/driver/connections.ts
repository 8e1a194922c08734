import type { Target } from './connect.ts'
import { Connection } from './connection.ts'

/** How long connections are kept: when idle, at most, and how often this is checked. */
export type Lives = { idleMs: number; ageMaxMs: number; sweepMs: number }

/** A statement without a reply for this long delays those behind it: they use other connections, if they can. */
const slowMs = 25
/** With this many connections, statements share them rather than open more. */
const pipelinesMin = 4

type Waiter = { take(connection: Connection): void; refuse(error: Error): void }

// Backends keep what they prepared, and the memory of their largest statement: they are closed when they are idle or
// old.
const usualLives: Lives = { idleMs: 60_000, ageMaxMs: 30 * 60_000, sweepMs: 10_000 }

export type ConnectionsOptions = {
  target: Target
  /** Connections that single statements share. */
  sharedMax: number
  /** Connections that each transaction has exclusively. */
  ownMax: number
  /** How long statements wait, while there are few connections, for one of those rather than for a new one. */
  patienceMs: number
  lives?: Partial<Lives> | undefined
}

/** Connections to one database: some are shared, others belong to one caller until released. */
export class Connections {
  readonly #target: Target
  readonly #sharedMax: number
  readonly #ownMax: number
  readonly #patienceMs: number
  readonly #lives: Lives
  readonly #sweeping: NodeJS.Timeout
  readonly #shared = new Set<Connection>()
  /** Old ones that get no new statements: under load they always have one, and would never be closed. */
  readonly #leaving = new Set<Connection>()
  readonly #own = new Set<Connection>()
  /** At most one: it carries out statements in the order in which they were sent. */
  readonly #line = new Set<Connection>()
  readonly #idle: Connection[] = []
  readonly #waiters: Waiter[] = []
  #isEnded = false

  constructor({ target, sharedMax, ownMax, patienceMs, lives }: ConnectionsOptions) {
    this.#target = target
    this.#sharedMax = sharedMax
    this.#ownMax = ownMax
    this.#patienceMs = patienceMs
    this.#lives = { ...usualLives, ...lives }
    this.#sweeping = setInterval(() => this.#sweep(), this.#lives.sweepMs).unref()
  }

  /** Whether a shared one can take a statement now, or there are enough of them. */
  get isSharedReady(): boolean {
    return this.#shared.size >= pipelinesMin || [...this.#shared].some(({ inFlight }) => inFlight === 0)
  }

  /** Whether a caller gets an exclusive connection without waiting for another caller. */
  get isOwnReady(): boolean {
    return this.#idle.length > 0 || this.#own.size === 0
  }

  #open(set: Set<Connection>): Connection {
    const connection = new Connection(this.#target, (lost) => {
      set.delete(lost)
      this.#leaving.delete(lost)
      const place = this.#idle.indexOf(lost)
      if (place >= 0) this.#idle.splice(place, 1)
      if (set === this.#own) this.#handOver()
    })
    set.add(connection)
    return connection
  }

  /**
   * An idle one; else a new one, while there are few; else the one with the fewest statements waiting. Those whose
   * oldest statement takes long, such as one that waits for a lock, are excluded: later statements would wait for it.
   */
  choose(): Connection {
    if (this.#isEnded) throw ended()
    const now = performance.now()
    let quick: Connection | undefined
    let any: Connection | undefined
    for (const each of this.#shared) {
      if (each.inFlight === 0) return each
      if (now - each.busySince <= slowMs && each.inFlight < (quick?.inFlight ?? Number.POSITIVE_INFINITY)) quick = each
      if (each.inFlight < (any?.inFlight ?? Number.POSITIVE_INFINITY)) any = each
    }
    if (quick && this.#shared.size >= pipelinesMin) return quick
    if (!any || this.#shared.size < this.#sharedMax) return this.#open(this.#shared)
    return quick ?? any
  }

  lineNow(): Connection {
    if (this.#isEnded) throw ended()
    const [current] = this.#line
    return current ?? this.#open(this.#line)
  }

  async take(): Promise<Connection> {
    if (this.#isEnded) throw ended()
    const ready = this.#idle.pop()
    if (ready) return ready
    const isWorthAMoment =
      this.#patienceMs > 0 && this.#own.size > 0 && this.#own.size < Math.min(pipelinesMin, this.#ownMax)
    const soon = isWorthAMoment ? await this.givenBack(this.#patienceMs) : null
    if (soon) return soon
    if (this.#isEnded) throw ended()
    return this.#own.size < this.#ownMax ? this.#open(this.#own) : ((await this.givenBack(null)) as Connection)
  }

  /** The next one that is released, or null after that time. */
  givenBack(mostMs: number | null): Promise<Connection | null> {
    if (this.#isEnded) return Promise.reject(ended())
    const { promise, resolve, reject } = Promise.withResolvers<Connection | null>()
    const waiter = { take: resolve, refuse: reject }
    this.#waiters.push(waiter)
    if (mostMs === null) return promise
    const timer = setTimeout(() => {
      const place = this.#waiters.indexOf(waiter)
      if (place >= 0) this.#waiters.splice(place, 1)
      resolve(null)
    }, mostMs)
    return promise.finally(() => clearTimeout(timer))
  }

  // One was lost: a waiting caller may open another.
  #handOver(): void {
    if (this.#own.size < this.#ownMax) this.#waiters.shift()?.take(this.#open(this.#own))
  }

  giveBack(connection: Connection): void {
    if (connection.isLost) return
    if (connection.cancelling) {
      const { cancelling } = connection
      connection.cancelling = null
      void cancelling.then(() => this.giveBack(connection))
      return
    }
    if (this.#isEnded || performance.now() - connection.openedAt > this.#lives.ageMaxMs) {
      this.#own.delete(connection)
      void connection.close(1_000)
      this.#handOver()
      return
    }
    const next = this.#waiters.shift()
    if (next) next.take(connection)
    else this.#idle.push(connection)
  }

  #sweep(): void {
    const now = performance.now()
    for (const [place, each] of [...this.#shared].entries()) {
      const isIdle = place > 0 && each.inFlight === 0 && now - each.usedAt >= this.#lives.idleMs
      // One at a time: until it has closed, there is one connection more than the maximum.
      const isOld = this.#leaving.size === 0 && now - each.openedAt >= this.#lives.ageMaxMs
      if (!isIdle && !isOld) continue
      this.#shared.delete(each)
      this.#leaving.add(each)
    }
    // Not while statements are running: what follows must come after them.
    for (const each of this.#line) {
      if (each.inFlight > 0 || (now - each.usedAt < this.#lives.idleMs && now - each.openedAt < this.#lives.ageMaxMs))
        continue
      this.#line.delete(each)
      this.#leaving.add(each)
    }
    for (const each of [...this.#leaving]) {
      if (each.inFlight > 0) continue
      this.#leaving.delete(each)
      void each.close(1_000)
    }
    // The one that was used last is at the end: those that a burst needed move to the front.
    const last = this.#idle.at(-1)
    for (const each of [...this.#idle]) {
      const isIdle = each !== last && now - each.usedAt >= this.#lives.idleMs
      if (!isIdle && now - each.openedAt < this.#lives.ageMaxMs) continue
      this.#idle.splice(this.#idle.indexOf(each), 1)
      this.#own.delete(each)
      void each.close(1_000)
    }
  }

  async end(graceMs: number): Promise<void> {
    this.#isEnded = true
    clearInterval(this.#sweeping)
    for (const each of this.#waiters.splice(0)) each.refuse(ended())
    const all = [...this.#shared, ...this.#leaving, ...this.#own, ...this.#line]
    await Promise.all(all.map((connection) => connection.close(graceMs)))
  }
}

const ended = (): Error =>
  Object.assign(new Error('The connections to the database are closed.'), { code: 'CONNECTION_ENDED' })
