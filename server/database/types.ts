import pg from 'pg'

/** `count(*)` and `sum` answer int8 and numeric; as numbers they are plain JSON, and never silently another number. */
export function toNumber(text: string): number {
  const number = Number(text)
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) throw new RangeError(`${text} is beyond what a number holds exactly.`)
  return number
}

type Parse = (text: string) => unknown

const textList = pg.types.getTypeParser(1009 as number)

const listOf =
  (parse: Parse): Parse =>
  (text) =>
    (textList(text) as (string | null)[]).map((item) => (item === null ? null : parse(item)))

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

/** How the texts that PostgreSQL sends become values. */
export const types = {
  getTypeParser: ((type: number, format?: 'text' | 'binary') =>
    parsers.get(type) ?? pg.types.getTypeParser(type, format as 'text')) as typeof pg.types.getTypeParser,
}
