import pg from 'pg'
import type { Prepared } from './sent.ts'

/** What `pg` calls on a query: see pg/lib/client.js. */
type Internals = { prepare(wire: pg.Connection): void }
const base = pg.Query.prototype as unknown as Internals

const nothing = { value: () => {} }

/** The same connection to PostgreSQL, by which only values are sent, and that a statement is to be executed. */
const bareOnes = new WeakMap<pg.Connection, pg.Connection>()
function barely(wire: pg.Connection): pg.Connection {
  let bare = bareOnes.get(wire)
  if (!bare) {
    bare = Object.create(wire, { describe: nothing, sync: nothing, close: nothing }) as pg.Connection
    bareOnes.set(wire, bare)
  }
  return bare
}

/**
 * Statements of a transaction that are sent together, with one Sync at their end. At each Sync PostgreSQL sends what it has to
 * say, with a system call of its own, and wakes us. What follows a statement that fails is skipped until then: it fails with
 * the same error. Outside a transaction they would be one.
 */
export class Group extends pg.Query {
  readonly #members: readonly Prepared[]
  /** Of those that were sent, the one that is answered next. */
  #sent: readonly Prepared[] = []
  #next = 0

  constructor(members: readonly Prepared[]) {
    super('')
    this.#members = members
    // A property, as the types of `pg` have it.
    this.submit = (wire) => {
      const stream = (wire as unknown as { stream: { cork(): void; uncork(): void } }).stream
      stream.cork()
      try {
        const bare = barely(wire)
        // One with a value that cannot be sent is refused at once, and was not sent.
        this.#sent = this.#members.filter((member) => {
          base.prepare.call(member, bare)
          return !member.isRefused
        })
        ;(wire as unknown as { sync(): void }).sync()
      } finally {
        stream.uncork()
      }
    }
  }

  handleDataRow(message: Parameters<Prepared['handleDataRow']>[0]): void {
    this.#sent[this.#next]?.handleDataRow(message)
  }

  handleCommandComplete(message: unknown, wire: pg.Connection): void {
    const member = this.#sent[this.#next++]
    member?.handleCommandComplete(message, wire)
    member?.finish(wire)
  }

  handleEmptyQuery(wire: pg.Connection): void {
    this.#sent[this.#next++]?.finish(wire)
  }

  handleError(error: Error): void {
    // Lost before it was sent: all of them.
    const left = this.#sent.length > 0 ? this.#sent.slice(this.#next) : this.#members
    this.#next = this.#sent.length
    for (const member of left) if (!member.isRefused) member.handleError(error)
  }

  handleReadyForQuery(): void {
    if (this.#next < this.#sent.length) this.handleError(new Error('PostgreSQL did not answer all statements.'))
  }
}
