import pg from 'pg'
import type { Prepared } from './sent.ts'

/** What `pg` calls on a query: see pg/lib/client.js. */
type Internals = { prepare(wire: pg.Connection): void }
const base = pg.Query.prototype as unknown as Internals

const nothing = { value: () => {} }

/** The same connection to PostgreSQL, on which only the values are sent, and the request to execute a statement. */
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
 * Statements of a transaction that are sent together, with one Sync at their end. At each Sync PostgreSQL sends its
 * replies, with a separate system call, and wakes this process. What follows a statement that fails is skipped until
 * then: it fails with the same error. Outside a transaction they would be one.
 */
export class Group extends pg.Query {
  readonly #members: readonly Prepared[]
  /** Of those that were sent, the one whose reply comes next. */
  #sent: readonly Prepared[] = []
  #next = 0

  constructor(members: readonly Prepared[]) {
    super('')
    this.#members = members
    // A property, because the types of `pg` declare it as one.
    this.submit = (wire) => {
      const stream = (wire as unknown as { stream: { cork(): void; uncork(): void } }).stream
      stream.cork()
      try {
        const bare = barely(wire)
        // A statement with a value that cannot be sent is refused at once, and is not sent.
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
    // Lost before anything was sent: all of them.
    const left = this.#sent.length > 0 ? this.#sent.slice(this.#next) : this.#members
    this.#next = this.#sent.length
    for (const member of left) if (!member.isRefused) member.handleError(error)
  }

  handleReadyForQuery(): void {
    if (this.#next < this.#sent.length) this.handleError(new Error('PostgreSQL did not answer all statements.'))
  }
}
