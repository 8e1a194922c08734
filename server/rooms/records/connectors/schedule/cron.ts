/**
 * Cron expressions: minute, hour, day of the month, month and day of the week, in a time zone. If both days are limited,
 * either of them is enough, as in cron. Implemented here: it is one page, and what a library also reads (seconds, `L`, `#`)
 * would have to be refused.
 */
export type Cron = {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** Whether a day must match both lists, because one of them is not limited; otherwise either is enough. */
  readonly needsBothDays: boolean
}

const macros: ReadonlyMap<string, string> = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
])
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

type Field = { name: string; min: number; max: number; names?: readonly string[] }
const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of the month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: monthNames },
  // 7 is Sunday too.
  { name: 'day of the week', min: 0, max: 7, names: dayNames },
]

const specLengthMax = 200

/** A cron expression, or what is wrong with it. */
export function parseCron(spec: string): Cron | string {
  if (spec.length > specLengthMax) return `must have at most ${specLengthMax} characters`
  const trimmed = spec.trim().toLowerCase()
  const parts = (macros.get(trimmed) ?? trimmed).split(/\s+/)
  if (parts.length !== fields.length)
    return 'must have five fields: minute, hour, day of the month, month and day of the week'
  const read: number[][] = []
  for (const [i, field] of fields.entries()) {
    const values = parseField(parts[i] as string, field)
    if (typeof values === 'string') return values
    read.push(values)
  }
  const [minutes, hours, days, months, weekdays] = read as [number[], number[], number[], number[], number[]]
  return {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(weekdays.map((day) => day % 7)),
    needsBothDays: (parts[2] as string).startsWith('*') || (parts[4] as string).startsWith('*'),
  }
}

/** The values of a field in ascending order, or what is wrong with it. */
function parseField(text: string, field: Field): number[] | string {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const match = /^(?:\*|([a-z\d]{1,3})(?:-([a-z\d]{1,3}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (!match) return `has an invalid ${field.name}: ${JSON.stringify(part)}`
    const [, first, last, every] = match
    const step = every === undefined ? 1 : Number(every)
    const from = first === undefined ? field.min : valueOf(first, field)
    // `5/15` is from 5 to the end.
    const to = last !== undefined ? valueOf(last, field) : first === undefined || every ? field.max : from
    if (!(from >= field.min && to <= field.max && from <= to && step > 0))
      return `has an invalid ${field.name}: ${JSON.stringify(part)} must be between ${field.min} and ${field.max}`
    for (let value = from; value <= to; value += step) values.add(value)
  }
  return [...values].toSorted((a, b) => a - b)
}

const valueOf = (text: string, { names }: Field): number => {
  if (/^\d+$/.test(text)) return Number(text)
  const at = names?.indexOf(text) ?? -1
  return at < 0 ? Number.NaN : names === monthNames ? at + 1 : at
}

const minuteMs = 60_000
const dayMs = 86_400_000
/** A leap day comes after eight years at most. */
const daysMax = 366 * 9

/** The first moment after `after` at which a cron expression is due; null if it never is. */
export function nextAfter(cron: Cron, timeZone: string, after: Date): Date | null {
  const offset = offsetsOf(timeZone)
  // Local times in the time zone, written as if they were UTC.
  const shown = after.getTime() + offset(after.getTime())
  const today = Math.floor(shown / dayMs) * dayMs
  for (let i = 0; i < daysMax; i++) {
    const day = today + i * dayMs
    if (!isDue(cron, new Date(day))) continue
    for (const hour of cron.hours)
      for (const minute of cron.minutes) {
        const at = day + (hour * 60 + minute) * minuteMs
        // Clocks are changed by an hour and a half at most; near a change, the moment itself decides.
        if (at <= shown - 2 * 60 * minuteMs) continue
        const moment = momentOf(at, offset)
        if (moment > after.getTime()) return new Date(moment)
      }
  }
  return null
}

function isDue({ months, days, weekdays, needsBothDays }: Cron, day: Date): boolean {
  if (!months.has(day.getUTCMonth() + 1)) return false
  const [isDay, isWeekday] = [days.has(day.getUTCDate()), weekdays.has(day.getUTCDay())]
  return needsBothDays ? isDay && isWeekday : isDay || isWeekday
}

/** How far the clocks of a time zone are ahead of UTC at a moment. */
function offsetsOf(timeZone: string): (moment: number) => number {
  if (timeZone === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', { ...clockParts, timeZone })
  return (moment) => {
    const at = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = at
    const whole = Math.floor(moment / 1000) * 1000
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole
  }
}
const clockParts = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/**
 * The moment at which local clocks show a time. A time that they skip becomes the moment later by as much as was skipped;
 * for one that they show twice it is always the same one of the two.
 */
function momentOf(shown: number, offset: (moment: number) => number): number {
  const first = shown - offset(shown)
  const second = shown - offset(first)
  if (first === second || second + offset(second) === shown) return second
  return Math.max(first, second)
}

export function isTimeZone(name: string): boolean {
  // Intl accepts offsets such as +01:00, which are not time zones: they have no daylight saving time.
  if (name === '' || name.length > 64 || /^[+-]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
