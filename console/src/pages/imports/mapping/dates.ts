/** How the dates of a column are written. */
export type DateFormat = 'ymd' | 'dmy' | 'mdy'
export const dateFormats: Readonly<Record<DateFormat, string>> = {
  ymd: 'Year, month, day',
  dmy: 'Day, month, year',
  mdy: 'Month, day, year',
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ][\d:.,Z+-]*)?$/
const yearLast = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:[T ].{0,20})?$/
const named = /^(?:(\d{1,2})[-. ]+([a-z]{3,9})|([a-z]{3,9})[-. ]+(\d{1,2})),?[-. ]+(\d{4})$/i

type Parts = { year: number; month: number; day: number }

/** The date as `2026-01-31`; null if there is no such day. */
function dateOf({ year, month, day }: Parts): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1900 && year < 2200
  return isReal ? date.toISOString().slice(0, 'yyyy-mm-dd'.length) : null
}

/** A date as the API writes it, if the text is one in the format. Dates with the name of a month, or a year first, need no format. */
export function readDate(text: string, format: DateFormat | null): string | null {
  const iso = yearFirst.exec(text)
  if (iso) return dateOf({ year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) })
  const words = named.exec(text)
  if (words) {
    const month = months.indexOf((words[2] ?? words[3] ?? '').slice(0, 3).toLowerCase()) + 1
    return month === 0 ? null : dateOf({ year: Number(words[5]), month, day: Number(words[1] ?? words[4]) })
  }
  const numbers = yearLast.exec(text)
  if (!numbers || (format !== 'dmy' && format !== 'mdy')) return null
  const [one, two] = [Number(numbers[1]), Number(numbers[2])]
  const [day, month] = format === 'dmy' ? [one, two] : [two, one]
  return dateOf({ year: Number(numbers[3]), month, day })
}

/**
 * The format of a column whose values are all dates; `unclear` if day and month cannot be told apart: 03/04/2026 is two dates. A dot
 * between the numbers is only used where the day comes first.
 */
export function dateFormatOf(values: readonly string[]): DateFormat | 'unclear' | null {
  const filled = values.filter((value) => value !== '')
  if (filled.length === 0) return null
  if (filled.every((value) => readDate(value, null) !== null)) return 'ymd'
  const isDmy = filled.every((value) => readDate(value, 'dmy') !== null)
  const isMdy = filled.every((value) => readDate(value, 'mdy') !== null)
  if (isDmy && isMdy) return filled.some((value) => /^\d{1,2}\.\d/.test(value)) ? 'dmy' : 'unclear'
  return isDmy ? 'dmy' : isMdy ? 'mdy' : null
}
