import { type CelValue, isCelList } from '@bufbuild/cel'
import type { Reads } from '#kernel/sql.ts'
import type { Fragment } from '../expression.ts'
import {
  type Conversions,
  doubleOf,
  isText,
  jsonOf,
  type SqlValue,
  Untranslatable,
  type Value,
  valueOf,
} from './values.ts'

export type Order = '<' | '<=' | '>' | '>='

/** `==`, the orders and `in`, by the types of both sides: values of different types are not equal, and have no order. */
export const comparisons = (sql: Reads, to: Conversions) => ({
  ...equality(sql, to),
  ...ordering(sql, to),
  ...inConstants(sql, to),
  ...inRows(sql, to),
})

const bool = (fragment: Fragment, ...parts: readonly SqlValue[]): SqlValue => valueOf('bool', fragment, ...parts)
const failed = (to: Conversions): SqlValue => bool(to.nothing.bool)
/** False, unless one of the values is null. */
const never = (to: Conversions, ...values: readonly SqlValue[]): SqlValue =>
  bool(to.falseUnlessNull(...values), ...values)

function equality(sql: Reads, to: Conversions) {
  function equal(a: Value, b: Value): SqlValue {
    if (a.kind === 'failure' || b.kind === 'failure') return failed(to)
    if (a.kind === 'constant') {
      // Two constants have become one already, in translate.ts.
      if (b.kind === 'constant') throw new Untranslatable('two constants')
      return equalsConstant(b, a.constant)
    }
    if (b.kind === 'constant') return equalsConstant(a, b.constant)
    if (a.kind === b.kind) {
      // Columns have different collations; the one to use has to be stated.
      const isTexts = a.kind === 'text'
      return bool(isTexts ? sql`(${a.sql} collate "C" = ${b.sql})` : sql`(${a.sql} = ${b.sql})`, a, b)
    }
    if (b.kind === 'json') return equal(b, a)
    if (a.kind !== 'json') return never(to, a, b)
    if (b.kind !== 'number') return bool(sql`(${a.sql} = ${to.asJson(b).sql})`, a, b)
    return bool(
      sql`(case when ${b.sql} is null then null when ${to.isOf('number', a)} then ${to.read('number', a)} = ${b.sql}
        when ${a.sql} is not null then false end)`,
      ...[a, a, a, b, b],
    )
  }

  function equalsConstant(value: SqlValue, constant: CelValue): SqlValue {
    const number = doubleOf(constant)
    switch (value.kind) {
      case 'text':
        return isText(constant) ? bool(sql`(${value.sql} = ${constant}::text)`, value) : never(to, value)
      case 'bool':
        return typeof constant === 'boolean'
          ? bool(sql`(${value.sql} = ${constant}::boolean)`, value)
          : never(to, value)
      case 'number':
        return number === null || Number.isNaN(number)
          ? never(to, value)
          : bool(sql`(${value.sql} = ${number}::float8)`, value)
      case 'texts': {
        if (!isCelList(constant)) return never(to, value)
        const items = [...constant]
        return items.every(isText) ? bool(sql`(${value.sql} = ${items}::text[])`, value) : never(to, value)
      }
      case 'json': {
        if (number !== null)
          return Number.isNaN(number)
            ? never(to, value)
            : bool(
                sql`(case when ${to.isOf('number', value)} then ${to.read('number', value)} = ${number}::float8
                  when ${value.sql} is not null then false end)`,
                ...[value, value, value],
              )
        const json = jsonOf(constant)
        if (json !== undefined) return bool(sql`(${value.sql} = ${JSON.stringify(json)}::text::jsonb)`, value)
        // A list may contain a value that no JSON equals, next to values that are equal; a single such value is just not
        // equal.
        if (typeof constant === 'object') throw new Untranslatable('no JSON')
        return never(to, value)
      }
    }
  }

  return { equal }
}

function ordering(sql: Reads, to: Conversions) {
  /** The kinds that have an order, and the condition under which a side of a row is of that kind. */
  function order(sign: Order, a: Value, b: Value): SqlValue {
    if (a.kind === 'failure' || b.kind === 'failure') return failed(to)
    const cases: { when: Fragment[]; is: Fragment }[] = []
    for (const kind of ['text', 'number', 'bool'] as const) {
      const [left, right] = [sideOf(kind, a), sideOf(kind, b)]
      if (!left || !right) continue
      cases.push({
        when: [left.when, right.when].filter((each) => each !== null),
        is: compare(sign, kind, left.sql, right.sql),
      })
    }
    const parts = [a, b].filter((each) => each.kind !== 'constant')
    const [only] = cases
    if (!only) return failed(to)
    if (cases.length === 1 && only.when.length === 0) return bool(only.is, ...parts)
    const branches = cases.map(({ when, is }) => {
      const [first, ...others] = when
      return sql`when ${others.reduce((all, each) => sql`${all} and ${each}`, first as Fragment)} then ${is}`
    })
    return bool(sql`(case ${branches} end)`, ...parts, ...parts, ...parts)
  }

  function sideOf(kind: 'bool' | 'text' | 'number', value: Value): { when: Fragment | null; sql: Fragment } | null {
    if (value.kind === kind) return { when: null, sql: value.sql }
    if (value.kind === 'json') return { when: to.isOf(kind, value), sql: to.read(kind, value) }
    const constant = value.kind === 'constant' ? to.constantAs(kind, value.constant) : null
    return constant && { when: null, sql: constant }
  }

  // By code points, as in CEL: this is the order of the bytes in UTF-8, as in "C".
  function compare(sign: Order, kind: string, a: Fragment, b: Fragment): Fragment {
    const left = kind === 'text' ? sql`${a} collate "C"` : a
    if (sign === '<') return sql`(${left} < ${b})`
    if (sign === '<=') return sql`(${left} <= ${b})`
    return sign === '>' ? sql`(${left} > ${b})` : sql`(${left} >= ${b})`
  }

  return { order }
}

function inConstants(sql: Reads, to: Conversions) {
  /** `x in [...]` of constants. */
  function isInConstants(value: SqlValue, items: readonly CelValue[]): SqlValue {
    const texts = items.filter(isText)
    const numbers = items.map(doubleOf).filter((each) => each !== null && !Number.isNaN(each))
    const anyText = (fragment: Fragment): Fragment =>
      texts.length > 0 ? sql`${fragment} = any(${texts}::text[])` : sql`false`
    const anyNumber = (fragment: Fragment): Fragment =>
      numbers.length > 0 ? sql`${fragment} = any(${numbers}::float8[])` : sql`false`
    switch (value.kind) {
      case 'text':
        return texts.length > 0 ? bool(sql`(${anyText(value.sql)})`, value) : never(to, value)
      case 'number':
        return numbers.length > 0 ? bool(sql`(${anyNumber(value.sql)})`, value) : never(to, value)
      case 'bool':
        return bool(
          sql`(case when ${value.sql} then ${items.includes(true)}::boolean
            when not ${value.sql} then ${items.includes(false)}::boolean end)`,
          ...[value, value],
        )
      case 'json':
        if (items.some((each) => typeof each === 'object' && each !== null && doubleOf(each) === null))
          throw new Untranslatable('a list of lists')
        return bool(
          sql`(case jsonb_typeof(${value.sql}) when 'string' then ${anyText(to.read('text', value))}
            when 'number' then ${anyNumber(to.read('number', value))}
            when 'boolean' then case when ${to.read('bool', value)} then ${items.includes(true)}::boolean
              else ${items.includes(false)}::boolean end
            when 'null' then ${items.includes(null)}::boolean
            when 'array' then false when 'object' then false end)`,
          ...[value, value, value, value],
        )
      case 'texts':
        throw new Untranslatable('a list in a list')
    }
  }

  return { isInConstants }
}

/** `in` a list or a map that depends on the row. */
function inRows(sql: Reads, to: Conversions) {
  /** `x in subject.emails`. */
  function isInTexts(value: Value, texts: SqlValue): SqlValue {
    if (value.kind === 'failure') return failed(to)
    if (value.kind === 'constant')
      return isText(value.constant) ? bool(sql`(${value.constant}::text = any(${texts.sql}))`, texts) : never(to, texts)
    // A null is not in an empty list either: `null = any('{}')` is false.
    if (value.kind === 'text')
      return bool(
        sql`(case when ${value.sql} is not null then ${value.sql} collate "C" = any(${texts.sql}) end)`,
        ...[value, value, texts],
      )
    if (value.kind !== 'json') return never(to, value, texts)
    return bool(
      sql`(case when ${to.isOf('text', value)} then ${to.read('text', value)} = any(${texts.sql})
        when ${value.sql} is not null then false end)`,
      ...[value, value, value, texts],
    )
  }

  /** `x in subject.profile.tags`: an element of a list, or a key of a map; nothing else. */
  function isInJson(value: Value, json: SqlValue): SqlValue {
    if (value.kind === 'failure') return failed(to)
    if (value.kind === 'text' || (value.kind === 'constant' && isText(value.constant))) {
      const text = to.as('text', value)
      // `?` does exactly this, except that it also finds a text in a JSON string equal to it.
      const then = sql`(${json.sql}) ? ${text.sql}`
      return bool(sql`(case when jsonb_typeof(${json.sql}) in ('array', 'object') then ${then} end)`, text, json, json)
    }
    if (value.kind !== 'constant') throw new Untranslatable('what is in it is not known')
    const wanted = jsonOf(value.constant)
    // A key may be a number or a bool, but none of these maps has such keys.
    const isKey = value.constant !== null && typeof wanted !== 'object'
    if (wanted === undefined || typeof wanted === 'object') {
      if (wanted !== null) throw new Untranslatable('a list or a map')
    }
    const list = JSON.stringify([wanted])
    return bool(
      sql`(case jsonb_typeof(${json.sql}) when 'array' then ${json.sql} @> ${list}::text::jsonb
        when 'object' then ${isKey ? sql`false` : to.nothing.bool} end)`,
      ...[json, json],
    )
  }

  return { isInTexts, isInJson }
}
