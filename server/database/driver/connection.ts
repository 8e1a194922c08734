import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Row, Rows } from '#kernel/sql.ts'
import { abandon, connect, streamOf, type Target, wireOf, withCode } from './connect.ts'
import { Group } from './group.ts'
import { forgetName, nameOf } from './prepared.ts'
import { type Described, Prepared, Sent, type Settle } from './sent.ts'
import type { Built } from './statement.ts'

const commitInDoubt = 'failed to commit transaction on '

const inFailedTransaction = '25P02'
/** The error of a statement that was sent before PostgreSQL had prepared it, when preparing it failed. */
const notPrepared = '26000'

const isOutdated = (error: unknown): boolean => (error as { routine?: string }).routine === 'RevalidateCachedQuery'

const rowsOf = (result: pg.QueryResult | pg.QueryResult[] | undefined): Rows<Row[]> => {
  // Several statements in one text: the last one's rows.
  const last = Array.isArray(result) ? result.at(-1) : result
  return Object.defineProperty(last?.rows ?? [], 'count', { value: last?.rowCount ?? 0 }) as Rows<Row[]>
}

/** One connection to PostgreSQL. Once the connection is lost, it refuses everything; it is never opened again. */
export class Connection {
  #client!: pg.Client & { pipeline?: boolean }
  readonly #onLost: (connection: Connection) => void
  #lost: Error | null = null
  #connecting: Promise<void>
  #isReady = false
  #copying: Promise<void> | null = null
  readonly #described: Described = new Map()
  /** Callers that wait for something other than a reply, and must be notified when the connection is lost. */
  readonly #waiting = new Set<(error: Error) => void>()
  cancelling: Promise<void> | null = null
  #doubt: string | null = null
  /** Why PostgreSQL refuses the statements of the open transaction; null if it does not. */
  #failed: Error | null = null
  #isGathering = false
  /** Whether a transaction is open, or about to be opened: statements that are then sent together may fail together. */
  isInTransaction = false
  /** Its statements that are not sent yet. */
  #group: Prepared[] = []
  /** Statements that were sent and have no reply yet. */
  inFlight = 0
  /** When the oldest of them was sent. */
  busySince = 0
  readonly openedAt = performance.now()
  usedAt = performance.now()

  constructor(target: Target, onLost: (connection: Connection) => void) {
    this.#onLost = onLost
    this.#connecting = connect(target).then(
      ({ client, lost }) => {
        this.#client = client
        this.#isReady = true
        if (this.#lost) abandon(client)
        client.on('notice', ({ severity, message = '' }) => {
          if (severity === 'WARNING' && message.startsWith(commitInDoubt)) this.#doubt = message
        })
        void lost.then((error) => this.#lose(error))
      },
      (error: Error) => {
        this.#lose(error)
        throw error
      },
    )
    this.#connecting.catch(() => {})
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  #lose(error: Error): void {
    if (this.#lost) return
    this.#lost = withCode(error)
    this.#onLost(this)
    for (const refuse of this.#waiting) refuse(this.#lost)
    this.#waiting.clear()
  }

  /**
   * The result of some work, or an error if the connection is lost before. A race with one promise that lives as long
   * as the connection would keep the result of every transaction until then, half an hour.
   */
  unlessLost<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#lost) reject(this.#lost)
      this.#waiting.add(reject)
      work.then(resolve, reject).finally(() => this.#waiting.delete(reject))
    })
  }

  #refusal(): Error {
    // A new error each time: the caller that gets it may add to it.
    return Object.assign(new Error(`The connection to the database is lost: ${this.#lost?.message}`), {
      code: 'CONNECTION_CLOSED',
    })
  }

  /** Sent at once, after those that were sent before; replies come in the same order. */
  async run(statement: Built): Promise<Rows<Row[]>> {
    this.#begin()
    try {
      if (!this.#isReady) await this.#connecting
      while (this.#copying) await this.#copying
      return await this.#query(statement, nameOf(statement.text))
    } finally {
      this.#end()
    }
  }

  /**
   * The same for a statement that is not part of a transaction. If its columns have changed, it is prepared again. So
   * is one that was sent behind another that failed to prepare it, when that failure is no longer known because a later
   * statement succeeded.
   */
  async runAlone(statement: Built): Promise<Rows<Row[]>> {
    try {
      return await this.run(statement)
    } catch (error) {
      if (!isOutdated(error) && (error as { code?: string }).code !== notPrepared) throw error
      return this.run(statement)
    }
  }

  /**
   * Asks PostgreSQL, on another connection, to cancel what this connection is doing. Until that is done, this one
   * cannot be used.
   */
  cancel(by: (text: string) => Promise<unknown>): void {
    const pid = (this.#client as { processID?: number } | undefined)?.processID
    if (this.#lost || this.inFlight === 0 || pid === undefined) return
    this.cancelling = by(`select pg_cancel_backend(${pid})`).then(
      () => {},
      () => {},
    )
  }

  /** Uses the simple protocol, which takes several statements at once. */
  async runText(text: string): Promise<Rows<Row[]>> {
    this.#begin()
    try {
      if (!this.#isReady) await this.#connecting
      while (this.#copying) await this.#copying
      return await this.#query({ text, values: [], types: [] }, undefined)
    } finally {
      this.#end()
    }
  }

  /** Receives what is sent to a channel by NOTIFY, from when this returns until the connection is lost. */
  async listen(channel: string, hear: (payload: string) => void): Promise<void> {
    await this.#connecting
    this.#client.on('notification', ({ payload = '' }) => hear(payload))
    await this.runText(`listen ${channel}`)
  }

  /** Sent as a prepared statement, so that what follows can be sent along with it: see group.ts. */
  async begin(how: string): Promise<void> {
    this.isInTransaction = true
    await this.run({ text: how === '' ? 'begin' : `begin ${how}`, values: [], types: [] })
  }

  /**
   * If Citus loses a worker that was to commit, it replies to COMMIT with success and a warning: whether it committed
   * is unknown. A transaction on one worker, as ours are, is not prepared first.
   * Not in a group: replies to what was sent before it, such as the id of the transaction, must arrive before it is
   * done.
   */
  async commit(): Promise<void> {
    this.#doubt = null
    await this.runText('commit')
    if (this.#doubt !== null) throw Object.assign(new Error(this.#doubt), { code: 'CONNECTION_LOST_AT_COMMIT' })
  }

  copyIn(text: string): Promise<Writable> {
    return this.#copy(copyFrom(text))
  }

  copyOut(text: string): Promise<Readable> {
    return this.#copy(copyTo(text))
  }

  /** Begins when everything sent before has a reply; what comes after waits until the stream is over. */
  async #copy<S extends Writable | Readable>(stream: S & pg.Submittable): Promise<S> {
    if (!this.#isReady) await this.#connecting
    while (this.#copying) await this.#copying
    if (this.inFlight > 0) await this.runText('select 1')
    if (this.#lost) throw this.#refusal()
    this.#begin()
    // During COPY nothing else may be in the pipeline.
    this.#client.pipeline = false
    const { promise: over, resolve } = Promise.withResolvers<void>()
    this.#copying = over
    const end = (): void => {
      if (this.#copying !== over) return
      this.#copying = null
      this.#client.pipeline = true
      this.#end()
      resolve()
    }
    stream.once('close', end)
    stream.once('error', (error: Error) => {
      withCode(error)
      // `pg-copy-streams` drops its connection now, but still ends the stream once the socket has drained: an exception
      // that nothing handles.
      stream.destroy()
      end()
    })
    return this.#client.query(stream)
  }

  #query(statement: Built, name: string | undefined): Promise<Rows<Row[]>> {
    if (this.#lost) return Promise.reject(this.#refusal())
    this.#gather()
    return new Promise((resolve, reject) => {
      const settle: Settle = (error, result) => {
        if (error && isOutdated(error)) forgetName(statement.text)
        if (error) reject(this.#causeOf(withCode(error)))
        else {
          this.#failed = null
          resolve(rowsOf(result))
        }
      }
      if (name === undefined) return this.#send(new Sent(statement, name, settle))
      const query = new Prepared(statement, name, this.#described, settle)
      if (this.isInTransaction && query.joins(wireOf(this.#client))) this.#group.push(query)
      else this.#send(query)
    })
  }

  /** After the statements that are gathered. */
  #send(query: Sent): void {
    this.#sendGroup()
    this.#client.query(query)
  }

  #sendGroup(): void {
    const group = this.#group
    if (group.length === 0) return
    this.#group = []
    this.#client.query(group.length === 1 ? (group[0] as Prepared) : new Group(group))
  }

  /**
   * Statements that were sent together with one that failed fail too, and a caller that waits for all of them may see
   * the error of those first: each of them gets the error of the first one. The same applies to those that were sent
   * behind the one that was to prepare them: otherwise a lock that this one did not get in time was an internal error
   * for them, a lost race would not be run again, and a refusal would be an internal error.
   */
  #causeOf(error: Error): Error {
    const { code } = error as { code?: string }
    if (code === inFailedTransaction || code === notPrepared) return this.#failed ?? error
    this.#failed ??= error
    return error
  }

  /** Statements that are sent in the same turn of the event loop leave in one write. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const stream = streamOf(this.#client)
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      this.#sendGroup()
      stream.uncork()
    })
  }

  #begin(): void {
    if (this.inFlight++ === 0) this.busySince = performance.now()
  }

  #end(): void {
    this.inFlight--
    this.usedAt = performance.now()
    this.busySince = this.usedAt
  }

  /** Closes in order when everything sent has a reply; after this time, without waiting. */
  async close(graceMs: number): Promise<void> {
    if (this.#lost) return
    const closing = this.#connecting.then(
      () => this.#client.end(),
      () => {},
    )
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, graceMs)
    await Promise.race([closing, over])
    clearTimeout(timer)
    this.destroy()
  }

  /** At once. Statements without a reply are refused. */
  destroy(): void {
    this.#lose(new Error('it was closed'))
    if (this.#isReady) abandon(this.#client)
  }
}
