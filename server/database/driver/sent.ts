import pg from 'pg'
import type { Row } from '#kernel/sql.ts'
import type { Built } from './statement.ts'
import { parserOf } from './types.ts'

export type Settle = (error: Error | null, result?: pg.QueryResult) => void

/** One statement that is sent. `pg` lets its own class and those derived from it share a pipelined connection. */
export class Sent extends pg.Query {
  constructor({ text, values, types: oids }: Built, name: string | undefined, callback: Settle) {
    // A text rather than an object, which `pg` would copy, property by property with its description.
    super(text)
    const own = this as unknown as { values: unknown; name: unknown; types: unknown; callback: Settle }
    own.values = values
    own.name = name
    own.callback = callback
    // The types of the parameters. The constructor would take them for the types of the result.
    own.types = oids
  }
}

type Field = { name: string; dataTypeID: number }
type Columns = { names: readonly string[]; parsers: readonly ReturnType<typeof parserOf>[]; blank: Row }

/** The columns of prepared statements, by name, as described on one connection; none for those that return no rows. */
export type Described = Map<string, Columns>

/** What a query of `pg` has, and what `pg` calls on it: see pg/lib/query.js. */
type Internals = {
  name: string
  _result: { rows: Row[] }
  _canceledDueToError: unknown
  submit(wire: pg.Connection): Error | null
  hasBeenParsed(wire: pg.Connection): boolean
  handleCommandComplete(message: unknown, wire: pg.Connection): void
  handleReadyForQuery(wire: pg.Connection): void
  handleError(error: Error, wire?: pg.Connection): void
}
const base = pg.Query.prototype as unknown as Internals

/** The same connection to PostgreSQL, on which no description is requested. */
const quietOnes = new WeakMap<pg.Connection, pg.Connection>()
function quietly(wire: pg.Connection): pg.Connection {
  let quiet = quietOnes.get(wire)
  if (!quiet) {
    quiet = Object.create(wire, { describe: { value: () => {} } }) as pg.Connection
    quietOnes.set(wire, quiet)
  }
  return quiet
}

/**
 * A statement that has a name. PostgreSQL describes its columns once per connection, not each time. They cannot change
 * under a name: PostgreSQL then refuses to execute it (`RevalidateCachedQuery`), and it is prepared again under another
 * name.
 */
export class Prepared extends Sent {
  readonly #described: Described
  #columns: Columns | undefined
  /** Whether it was refused. */
  isRefused = false

  constructor(statement: Built, name: string, described: Described, callback: Settle) {
    super(statement, name, callback)
    this.#described = described
    // A property, because the types of `pg` declare it as one.
    this.submit = (wire) => {
      const own = this.#own
      if (own.hasBeenParsed(wire)) this.#columns = described.get(own.name)
      return base.submit.call(this, this.#columns ? quietly(wire) : wire)
    }
  }

  /** Whether it can be sent with others: it is prepared on this connection, and its columns are known. */
  joins(wire: pg.Connection): boolean {
    const own = this.#own
    if (!own.hasBeenParsed(wire)) return false
    this.#columns = this.#described.get(own.name)
    return this.#columns !== undefined
  }

  finish(wire: pg.Connection): void {
    base.handleReadyForQuery.call(this, wire)
  }

  handleError(error: Error, wire?: pg.Connection): void {
    this.isRefused = true
    base.handleError.call(this, error, wire)
  }

  get #own(): Internals {
    return this as unknown as Internals
  }

  handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = columnsOf(fields)
    this.#described.set(this.#own.name, this.#columns)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const own = this.#own
    if (own._canceledDueToError) return
    try {
      own._result.rows.push(rowOf(this.#columns ?? noColumns, fields))
    } catch (error) {
      own._canceledDueToError = error
    }
  }

  handleCommandComplete(message: unknown, wire: pg.Connection): void {
    if (!this.#columns) this.#described.set(this.#own.name, noColumns)
    base.handleCommandComplete.call(this, message, wire)
  }
}

const noColumns: Columns = { names: [], parsers: [], blank: {} }

const columnsOf = (fields: readonly Field[]): Columns => ({
  names: fields.map(({ name }) => name),
  parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
  // Every row begins as a copy: all have their fields in the same order, and so share one hidden class.
  blank: Object.fromEntries(fields.map(({ name }) => [name, null])),
})

function rowOf({ names, parsers, blank }: Columns, fields: readonly (string | null)[]): Row {
  const row: Row = { ...blank }
  for (let i = 0; i < fields.length; i++) {
    const text = fields[i]
    if (text === null || text === undefined) continue
    const parse = parsers[i]
    row[names[i] as string] = parse ? parse(text) : text
  }
  return row
}
