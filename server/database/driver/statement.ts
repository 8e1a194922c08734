import { channel } from 'node:diagnostics_channel'
import type { Readable, Writable } from 'node:stream'
import type { ArrayValue, JsonValue, Quoted, Row, Rows, Sql, Statement } from '#kernel/statements.ts'
import { BinaryArray } from './binary-array.ts'

/** A statement in the form for PostgreSQL: text with `$1`, values, and the types of those values that only we know. */
export type Built = { text: string; values: unknown[]; types: number[] }

/** What carries out a statement: a connection of a transaction, or whichever is free. */
export type Carrier = {
  run(statement: Built): Promise<Rows<Row[]>>
  /** Text without values, which may be several statements. */
  runText(text: string): Promise<Rows<Row[]>>
  /** Cancels what is running. */
  cancel(): void
  copyIn(text: string): Promise<Writable>
  copyOut(text: string): Promise<Readable>
}

// For tests, which check that all statements follow the rules of CONTRIBUTING.md. Without a subscriber they cost
// nothing.
const written = channel('bailiwick:statement:written')
const sent = channel('bailiwick:statement:sent')

const oid = { bool: 16, bytea: 17, int8: 20, timestamptz: 1184, unknown: 0 } as const

class QuotedText implements Quoted {
  readonly quoted: Quoted['quoted']
  constructor(quoted: Quoted['quoted']) {
    this.quoted = quoted
  }
}

class Json implements JsonValue {
  readonly json: unknown
  constructor(json: unknown) {
    this.json = json
  }
}

class Pending<T extends readonly Row[]> implements Statement<T> {
  readonly [Symbol.toStringTag] = 'Statement'
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #carrier: Carrier
  #sent: Promise<Rows<T>> | undefined

  constructor(carrier: Carrier, strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings
    this.values = values
    this.#carrier = carrier
    if (written.hasSubscribers) written.publish(strings)
  }

  #send(): Promise<Rows<T>> {
    this.#sent ??= this.#carry()
    return this.#sent
  }

  // Async, so that a value which cannot be sent rejects like any other failure.
  async #carry(): Promise<Rows<T>> {
    const rows: unknown = await this.#carrier.run(build(this))
    return rows as Rows<T>
  }

  // oxlint-disable-next-line unicorn/no-thenable -- A statement is sent when it is awaited; that is what makes it a part until then.
  then<A, B>(
    done?: ((rows: Rows<T>) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ) {
    return this.#send().then(done, failed)
  }

  catch<B>(failed?: ((error: unknown) => B | PromiseLike<B>) | null) {
    return this.#send().catch(failed)
  }

  finally(settled?: (() => void) | null) {
    return this.#send().finally(settled)
  }

  execute(): this {
    this.#send().catch(() => {})
    return this
  }

  cancel(): void {
    this.#carrier.cancel()
  }

  writable(): Promise<Writable> {
    return this.#carrier.copyIn(textOf(build(this)))
  }

  readable(): Promise<Readable> {
    return this.#carrier.copyOut(textOf(build(this)))
  }
}

/** Text as it is: with values one statement, without them any number. */
class PendingText<T extends readonly Row[]> extends Pending<T> {
  constructor(carrier: Carrier, text: string, values: readonly unknown[]) {
    const asItIs: Carrier = {
      ...carrier,
      run: () => (values.length === 0 ? carrier.runText(text) : carrier.run({ text, ...prepared(values) })),
    }
    super(asItIs, [text], [])
  }
}

function textOf({ text, values }: Built): string {
  if (values.length > 0) throw new TypeError('COPY takes no parameters.')
  return text
}

function prepared(values: readonly unknown[]): Omit<Built, 'text'> {
  const built: Built = { text: '', values: [], types: [] }
  for (const value of values) parameter(built, value)
  return { values: built.values, types: built.types }
}

function build(statement: Pending<readonly Row[]>): Built {
  const built: Built = { text: '', values: [], types: [] }
  append(built, statement)
  if (sent.hasSubscribers) sent.publish({ strings: statement.strings, ...built })
  return built
}

function append(built: Built, { strings, values }: Pending<readonly Row[]>): void {
  built.text += strings[0]
  for (let i = 0; i < values.length; i++) {
    appendValue(built, values[i])
    built.text += strings[i + 1]
  }
}

function appendValue(built: Built, value: unknown): void {
  if (value instanceof Pending) append(built, value as Pending<readonly Row[]>)
  else if (value instanceof QuotedText) appendQuoted(built, value.quoted)
  else if (Array.isArray(value) && value[0] instanceof Pending) {
    for (const part of value) {
      built.text += ' '
      append(built, part as Pending<readonly Row[]>)
    }
  } else parameter(built, value)
}

// A name may carry the table it belongs to: "u"."email".
const quote = (name: string): string => `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`

function appendQuoted(built: Built, quoted: Quoted['quoted']): void {
  if (typeof quoted === 'string') built.text += quote(quoted)
  else if (!Array.isArray(quoted)) appendRows(built, [quoted])
  else if (typeof quoted[0] === 'string') built.text += (quoted as readonly string[]).map(quote).join(',')
  else appendRows(built, quoted as readonly Row[])
}

function appendRows(built: Built, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) throw new TypeError('There are no rows to insert.')
  built.text += `(${columns.map(quote).join(',')}) values `
  for (const [index, row] of rows.entries()) {
    built.text += index === 0 ? '(' : ',('
    for (const [place, column] of columns.entries()) {
      if (place > 0) built.text += ','
      appendValue(built, row[column])
    }
    built.text += ')'
  }
}

function parameter(built: Built, value: unknown): void {
  if (value === undefined) throw new TypeError('A statement was given an undefined value.')
  built.types.push(typeOf(value))
  built.text += `$${built.values.push(serialised(value))}`
}

/** For cases in which PostgreSQL cannot infer the type from the text, as in `select $1`. */
function typeOf(value: unknown): number {
  if (value instanceof BinaryArray) return value.oid
  if (typeof value === 'boolean') return oid.bool
  if (typeof value === 'bigint') return oid.int8
  if (value instanceof Date) return oid.timestamptz
  if (value instanceof Uint8Array) return oid.bytea
  return oid.unknown
}

function serialised(value: unknown): unknown {
  if (value instanceof BinaryArray) return value.bytes
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Json) return JSON.stringify(value.json)
  if (Array.isArray(value) && value.some((item) => item instanceof Date)) return value.map(serialised)
  return value
}

/** The tag that creates statements for one carrier. */
export function sqlOf(carrier: Carrier): Sql {
  const tag = (first: TemplateStringsArray | Quoted['quoted'], ...values: readonly unknown[]) =>
    isTemplate(first) ? new Pending(carrier, first, values) : new QuotedText(first)
  return Object.assign(tag, {
    json: (value: unknown) => new Json(value),
    array: (type: ArrayValue['type'], values: ArrayValue['values']) => new BinaryArray(type, values),
    unsafe: (text: string, values: readonly unknown[] = []) => new PendingText(carrier, text, values),
  }) as Sql
}

const isTemplate = (first: TemplateStringsArray | Quoted['quoted']): first is TemplateStringsArray =>
  typeof first === 'object' && 'raw' in first
