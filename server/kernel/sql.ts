import type { Readable, Writable } from 'node:stream'
import { Refusal } from './refusals.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- A row is what the statement says; who asks says its type.
export type Row = Record<string, any>

/** The rows of a statement, and how many it read or changed. */
export type Rows<T> = T & { readonly count: number }

/** A statement that is sent when it is awaited, or a part of another one, which is never sent by itself. */
export interface Statement<T extends readonly Row[] = Row[]> extends Promise<Rows<T>> {
  /** `copy … from stdin`: what is written goes into the table; `finish` says that it is there. */
  writable(): Promise<Writable>
  /** `copy … to stdout`. */
  readable(): Promise<Readable>
}

/** Part of a statement. */
export type Fragment = Statement

/** A name of a table or column, a list of them, or rows to insert: text that the driver quotes. */
export type Quoted = { readonly quoted: string | readonly string[] | readonly Row[] }
export type JsonValue = { readonly json: unknown }

/** What becomes a parameter. Not `undefined`: what is not there is said with `null`. */
export type Value =
  | string
  | number
  | boolean
  | bigint
  | Date
  | Uint8Array
  | null
  | JsonValue
  | readonly (string | number | boolean | Date | Uint8Array | null)[]
type Part = Value | Quoted | Fragment | readonly Fragment[]

/** SQL in tagged templates: values become parameters, fragments become part of the text. */
export type Sql = {
  <T extends readonly Row[] = Row[]>(strings: TemplateStringsArray, ...values: readonly Part[]): Statement<T>
  (quoted: string | readonly string[] | readonly Row[]): Quoted
  /** A value for a column of type json or jsonb. */
  json(value: unknown): JsonValue
  /** Text as it is. Several statements, where there are no values. */
  unsafe<T extends readonly Row[] = Row[]>(text: string, values?: readonly Value[]): Statement<T>
}

declare const transaction: unique symbol

/** An open transaction. What writes asks for a `Tx`, so a write cannot be sent outside one: it does not compile. */
export type Tx = Sql & { readonly [transaction]: true }

/** A connection that is ours alone until it is released. */
export type Reserved = Sql & { release(): void }

/** The database, outside any transaction: it can be read, and it can begin a transaction. */
export type Db = Sql & {
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** `options` follow `begin`, as in `isolation level repeatable read read only`. */
  begin<T>(options: string, work: (tx: Tx) => Promise<T>): Promise<T>
  reserve(): Promise<Reserved>
  /** Waits for running statements for so many milliseconds, then closes all connections. */
  end(graceMs?: number): Promise<void>
}

/** What only reads is content with either. */
export type Reads = Db | Tx

// Class 40: the database rolled back to keep transactions apart; the same work may succeed when done again. So may work
// that met a table which a newer program had changed since the statement was prepared.
const isLostRace = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '40001' || code === '40P01' || routine === 'RevalidateCachedQuery'
}

const attemptsMax = 5

/** Runs `work` in one transaction; work that lost a race to another transaction is done again from its start. */
export async function transact<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.begin(work)
    } catch (error) {
      if (!isLostRace(error)) throw error
      if (attempt === attemptsMax) throw new Refusal('LOST_RACE', 'Others were changing the same thing; try again.')
    }
  }
}
