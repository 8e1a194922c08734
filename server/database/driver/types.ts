import pg from 'pg'

/** `count(*)` and `sum` return int8 and numeric; as numbers they are plain JSON, and never silently rounded. */
export function toNumber(text: string): number {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is beyond what a number holds exactly.`)
  return number
}

const usual = pg.types.getTypeParser as (type: number, format?: 'text' | 'binary') => (text: string) => never

type Parse = (text: string) => unknown

const anyTextList: (text: string) => (string | null)[] = usual(1009)

/**
 * Most lists are empty or hold a few plain texts: those that PostgreSQL did not quote need not be read character by
 * character.
 */
function textList(text: string): (string | null)[] {
  if (text === '{}') return []
  if (text.charCodeAt(0) !== openBrace || text.includes('"') || text.lastIndexOf('{') > 0) return anyTextList(text)
  const items: (string | null)[] = text.slice(1, -1).split(',')
  for (const [at, item] of items.entries()) if (item === 'NULL') items[at] = null
  return items
}
const [openBrace, dash, space, dot, zero] = [123, 45, 32, 46, 48]

const listOf =
  (parse: Parse): Parse =>
  (text) =>
    textList(text).map((item) => (item === null ? null : parse(item)))

const asText: Parse = (text) => text

const number = (text: string, from: number, until: number): number => {
  let value = 0
  for (let at = from; at < until; at++) value = value * 10 + text.charCodeAt(at) - zero
  return value
}

// Texts that `Date` does not recognize as ISO 8601 it reads leniently: the year 99 as 1999.
const rare = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)$/

/**
 * `2026-01-31 12:00:00.123+00`, as PostgreSQL writes a timestamp in UTC. `Date` has no fast path for what is almost ISO
 * 8601: it took 0.9 µs, this takes 0.1. Everything else, such as other time zones, years before 100 or after 9999, is
 * left to it.
 */
export function toDate(text: string): Date {
  const end = text.length - 3
  const isUsual =
    end >= 19 &&
    end <= 26 &&
    text.endsWith('+00') &&
    text.charCodeAt(4) === dash &&
    text.charCodeAt(10) === space &&
    text.charCodeAt(0) > zero &&
    (end === 19 || text.charCodeAt(19) === dot)
  if (!isUsual) return new Date(text.replace(rare, '$1T$2$3:00'))
  const fraction = end > 20 ? number(text, 20, Math.min(end, 23)) * 10 ** (3 - Math.min(end - 20, 3)) : 0
  return new Date(
    Date.UTC(
      number(text, 0, 4),
      number(text, 5, 7) - 1,
      number(text, 8, 10),
      number(text, 11, 13),
      number(text, 14, 16),
      number(text, 17, 19),
      fraction,
    ),
  )
}

/** By the number of the type in PostgreSQL's catalog, pg_type. Types not listed here are read as `pg` does by default. */
const parsers = new Map<number, Parse>([
  [1009, textList],
  [1015, textList],
  [20, toNumber],
  [1016, listOf(toNumber)],
  [1700, toNumber],
  [1231, listOf(toNumber)],
  [1082, toDate],
  [1114, toDate],
  [1184, toDate],
  [1185, listOf(toDate)],
  // An interval: `pg` would create an object from it, which is not needed.
  [1186, asText],
])

/**
 * Types defined in a database have other numbers in each database. Of ours only arrays of domains are ever sent (a
 * single value of a domain is sent as its base type), and no other text of such a type begins with a brace.
 */
const firstOwnType = 16_384
const ownType: Parse = (text) => (text.startsWith('{') ? textList(text) : text)

/** How the texts that PostgreSQL sends become values. */
export const types = {
  getTypeParser(type: number, format?: 'text' | 'binary'): Parse {
    return parsers.get(type) ?? (type < firstOwnType ? usual(type, format) : ownType)
  },
}

/** Types whose text is the value: name, text, bpchar, varchar. */
const plainTypes = new Set([19, 25, 1042, 1043])

/** The parser for the texts of a column; null if the texts are the values. */
export const parserOf = (type: number): Parse | null =>
  plainTypes.has(type) ? null : types.getTypeParser(type, 'text')
