import { type CelValue, isCelList, isCelMap, isCelUint } from '@bufbuild/cel'
import type { Reads } from '#kernel/sql.ts'
import type { Fragment, Json } from '../expression.ts'

/**
 * A value of an expression, as SQL. Null in SQL corresponds to a failed evaluation in CEL: functions pass it on in the same
 * way, and `and` and `or` absorb it just as `&&` and `||` do.
 *
 * A `json` has any type, depending on the row; CEL's null is its 'null'. A `number` is a finite float8. A `constant` is the
 * same for every row. `size` counts the fragments in it: a value that contains itself twice, inside another that does, grows
 * to a statement of megabytes.
 */
export type SqlKind = 'bool' | 'text' | 'number' | 'json' | 'texts'
export type SqlValue = { kind: SqlKind; sql: Fragment; size: number }
export type Value = SqlValue | { kind: 'constant'; constant: CelValue } | { kind: 'failure' }

/** Thrown for everything that cannot be expressed exactly in SQL; it is then evaluated row by row. */
export class Untranslatable extends Error {}

export const failure: Value = { kind: 'failure' }

const sizeMax = 5000

export function valueOf(kind: SqlKind, sql: Fragment, ...parts: readonly SqlValue[]): SqlValue {
  const size = parts.reduce((sum, part) => sum + part.size, 1)
  if (size > sizeMax) throw new Untranslatable('too large')
  return { kind, sql, size }
}

/** PostgreSQL's text has no U+0000, so no row has one either. */
export const isText = (constant: CelValue): constant is string =>
  typeof constant === 'string' && !constant.includes('\0')

/** A number as the exactly equal double; null if there is none, or if it is not a number. */
export function doubleOf(constant: CelValue): number | null {
  if (typeof constant === 'number') return constant
  const int = isCelUint(constant) ? constant.value : constant
  return typeof int === 'bigint' && BigInt(Number(int)) === int ? Number(int) : null
}

/** CEL compares the order of an int and a double by the nearest double. */
function nearestDoubleOf(constant: CelValue): number | null {
  if (typeof constant === 'number') return constant
  const int = isCelUint(constant) ? constant.value : constant
  return typeof int === 'bigint' ? Number(int) : null
}

/** The JSON that equals a constant; undefined if there is none. */
export function jsonOf(constant: CelValue): Json | undefined {
  if (constant === null || typeof constant === 'boolean') return constant
  if (typeof constant === 'string') return isText(constant) ? constant : undefined
  const number = doubleOf(constant)
  if (number !== null) return Number.isFinite(number) ? number : undefined
  if (isCelList(constant)) {
    const items = [...constant].map((each) => jsonOf(each))
    return items.includes(undefined) ? undefined : (items as Json[])
  }
  if (!isCelMap(constant)) return undefined
  const entries = [...constant.entries()].map(([key, value]) => [key, jsonOf(value)] as const)
  const isJson = entries.every(([key, value]) => typeof key === 'string' && isText(key) && value !== undefined)
  return isJson ? Object.fromEntries(entries as [string, Json][]) : undefined
}

/** Converts values to another kind. A value with another type becomes null: an evaluation that fails. */
export function conversions(sql: Reads) {
  const nothing = { bool: sql`null::boolean`, text: sql`null::text`, number: sql`null::float8` } as const
  const jsonTypes = { bool: 'boolean', text: 'string', number: 'number' } as const

  /** To be used within a case that has checked its type. */
  const read = (kind: 'bool' | 'text' | 'number', { sql: json }: SqlValue): Fragment => {
    if (kind === 'bool') return sql`(${json})::boolean`
    return kind === 'text' ? sql`((${json}) #>> '{}')` : sql`(${json})::float8`
  }
  const isOf = (kind: 'bool' | 'text' | 'number', { sql: json }: SqlValue): Fragment =>
    sql`jsonb_typeof(${json}) = ${jsonTypes[kind]}`

  const constantAs = (kind: 'bool' | 'text' | 'number', constant: CelValue): Fragment | null => {
    if (kind === 'bool') return typeof constant === 'boolean' ? sql`${constant}::boolean` : null
    if (kind === 'text') {
      if (typeof constant !== 'string') return null
      if (!isText(constant)) throw new Untranslatable('U+0000')
      return sql`${constant}::text`
    }
    const number = nearestDoubleOf(constant)
    if (Number.isNaN(number)) throw new Untranslatable('NaN')
    return number === null ? null : sql`${number}::float8`
  }

  const as = (kind: 'bool' | 'text' | 'number', value: Value): SqlValue => {
    if (value.kind === kind) return value
    if (value.kind === 'constant') return valueOf(kind, constantAs(kind, value.constant) ?? nothing[kind])
    if (value.kind !== 'json') return valueOf(kind, nothing[kind])
    return valueOf(kind, sql`(case when ${isOf(kind, value)} then ${read(kind, value)} end)`, value, value)
  }

  const asJson = (value: Value): SqlValue => {
    if (value.kind === 'json') return value
    if (value.kind === 'failure') return valueOf('json', sql`null::jsonb`)
    if (value.kind !== 'constant') return valueOf('json', sql`to_jsonb(${value.sql})`, value)
    const json = jsonOf(value.constant)
    if (json === undefined) throw new Untranslatable('no JSON')
    return valueOf('json', sql`${JSON.stringify(json)}::text::jsonb`)
  }

  /** Null if any of them is. */
  const falseUnlessNull = (...values: readonly SqlValue[]): Fragment => {
    const [first, ...others] = values.map(({ sql: each }) => sql`${each} is not null`)
    return sql`(case when ${others.reduce((all, each) => sql`${all} and ${each}`, first as Fragment)} then false end)`
  }

  return { as, asJson, read, isOf, constantAs, falseUnlessNull, nothing }
}
export type Conversions = ReturnType<typeof conversions>
