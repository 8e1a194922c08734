import type { Reads } from '#kernel/sql.ts'
import { kindOfConstant } from './constants.ts'
import { type conversions, failure, isText, type SqlValue, Untranslatable, type Value, valueOf } from './values.ts'

type Conversions = ReturnType<typeof conversions>

// A profile has at most 64 KiB (the import refuses more), so at most this many values, and this much text.
export const profileMax = 65_536

/** Operations on values of CEL, in SQL. */
export class Operations {
  readonly #sql: Reads
  readonly #to: Conversions

  constructor(sql: Reads, to: Conversions) {
    this.#sql = sql
    this.#to = to
  }

  member(operand: Value, key: string): Value {
    if (operand.kind === 'constant') throw new Untranslatable('a field of a constant')
    if (operand.kind !== 'json' || !isText(key)) return failure
    return valueOf('json', this.#sql`(${operand.sql} -> ${key}::text)`, operand)
  }

  has(operand: Value, key: string): Value {
    const sql = this.#sql
    if (operand.kind === 'constant') throw new Untranslatable('a field of a constant')
    if (operand.kind === 'failure') return failure
    if (operand.kind !== 'json' || !isText(key)) return valueOf('bool', this.#to.falseUnlessNull(operand), operand)
    return valueOf(
      'bool',
      sql`(case when jsonb_typeof(${operand.sql}) = 'object' then (${operand.sql}) ? ${key}::text
        when ${operand.sql} is not null then false end)`,
      ...[operand, operand, operand],
    )
  }

  either(condition: SqlValue, yes: Value, no: Value): Value {
    const sql = this.#sql
    const kinds = [yes, no].map((each) => (each.kind === 'constant' ? kindOfConstant(each.constant) : each.kind))
    const known = kinds.filter((kind) => kind !== 'failure')
    const kind = known.every((each) => each === known[0]) ? (known[0] ?? 'json') : 'json'
    const as = (value: Value): SqlValue => {
      if (value.kind === kind) return value
      return kind === 'bool' || kind === 'text' || kind === 'number' ? this.#to.as(kind, value) : this.#to.asJson(value)
    }
    const [a, b] = [as(yes), as(no)]
    return valueOf(
      a.kind,
      sql`(case when ${condition.sql} then ${a.sql} when not ${condition.sql} then ${b.sql} end)`,
      ...[condition, condition, a, b],
    )
  }

  index(operand: Value, index: Value): Value {
    const sql = this.#sql
    if (operand.kind === 'failure' || index.kind === 'failure') return failure
    if (operand.kind === 'constant') throw new Untranslatable('an element of a constant')
    if (index.kind === 'text' && operand.kind === 'json')
      return valueOf('json', sql`(${operand.sql} -> ${index.sql})`, operand, index)
    if (index.kind !== 'constant') throw new Untranslatable('an index that is not known')
    if (typeof index.constant === 'string') return this.member(operand, index.constant)
    if (typeof index.constant !== 'bigint') throw new Untranslatable('an index that is no int')
    // PostgreSQL counts negative indexes from the end, CEL does not.
    if (index.constant < 0n || index.constant >= BigInt(profileMax)) return failure
    const at = Number(index.constant)
    if (operand.kind === 'texts') return valueOf('text', sql`(${operand.sql})[${at + 1}::int]`, operand)
    if (operand.kind !== 'json') return failure
    // For the element 0, PostgreSQL would return a JSON string itself.
    return valueOf(
      'json',
      sql`(case when jsonb_typeof(${operand.sql}) = 'array' then ${operand.sql} -> ${at}::int end)`,
      ...[operand, operand],
    )
  }

  part(name: string, text: SqlValue, given: Value): Value {
    const sql = this.#sql
    if (given.kind === 'constant' && typeof given.constant === 'string' && !isText(given.constant))
      return valueOf('bool', this.#to.falseUnlessNull(text), text)
    const part = this.#to.as('text', given)
    if (name === 'startsWith') return valueOf('bool', sql`starts_with(${text.sql}, ${part.sql})`, text, part)
    if (name === 'contains') return valueOf('bool', sql`(strpos(${text.sql} collate "C", ${part.sql}) > 0)`, text, part)
    const end = sql`right(${text.sql}, char_length(${part.sql}))`
    return valueOf('bool', sql`(${end} collate "C" = ${part.sql})`, text, part, part)
  }
}
