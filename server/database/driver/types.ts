import pg from 'pg'

/** `count(*)` and `sum` answer int8 and numeric; as numbers they are plain JSON, and never silently another number. */
export function toNumber(text: string): number {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is beyond what a number holds exactly.`)
  return number
}

const usual = pg.types.getTypeParser as (type: number, format?: 'text' | 'binary') => (text: string) => never

type Parse = (text: string) => unknown

const textList: (text: string) => (string | null)[] = usual(1009)

const listOf =
  (parse: Parse): Parse =>
  (text) =>
    textList(text).map((item) => (item === null ? null : parse(item)))

const asText: Parse = (text) => text
const toDate: Parse = (text) => new Date(text)

/** By the number of the type in PostgreSQL's catalogue, pg_type. What is not here is read as `pg` does by itself. */
const parsers = new Map<number, Parse>([
  [20, toNumber],
  [1016, listOf(toNumber)],
  [1700, toNumber],
  [1231, listOf(toNumber)],
  [1082, toDate],
  [1114, toDate],
  [1184, toDate],
  [1185, listOf(toDate)],
  // An interval: `pg` makes an object of it that nobody asked for.
  [1186, asText],
])

/**
 * Types that are not PostgreSQL's own have other numbers in each database. Of ours only arrays of domains are ever sent (a
 * domain by itself is sent as what it is made of), and no other text of such a type begins with a brace.
 */
const firstOwnType = 16_384
const ownType: Parse = (text) => (text.startsWith('{') ? textList(text) : text)

/** How the texts that PostgreSQL sends become values. */
export const types = {
  getTypeParser(type: number, format?: 'text' | 'binary'): Parse {
    return parsers.get(type) ?? (type < firstOwnType ? usual(type, format) : ownType)
  },
}
