import type { FieldViolation } from '../refusals.ts'
import { isSingleLine, singleLineHint } from '../single-line.ts'
import type { JsonSchema, Shape } from './shape.ts'

const asItIs = <T>(value: T): T => value

export const complain = <T>(unset: T, field: string, description: string, problems: FieldViolation[]): T => {
  problems.push({ field, description })
  return unset
}

const scalar = <T>(
  unset: T,
  schema: JsonSchema,
  read: (json: {}, no: (description: string) => T) => T,
  write: (value: T) => unknown = asItIs,
  toText: (value: T) => string = (value) => JSON.stringify(write(value)),
): Shape<T> => ({
  unset,
  schema,
  messages: [],
  write: (value) => write(value ?? unset),
  text: (value) => toText(value ?? unset),
  read: (json, at, problems) =>
    json === null || json === undefined
      ? unset
      : read(json, (description) => complain(unset, at, description, problems)),
})

// For longer texts JSON.stringify is faster.
const lookedThroughMax = 40
const [quote, backslash, firstPlain, firstSurrogate, lastSurrogate] = [34, 92, 32, 0xd800, 0xdfff]

/** A text as JSON. Most are short and have nothing to escape, which is checked faster than JSON.stringify starts. */
function quoted(value: string): string {
  if (typeof value !== 'string' || value.length > lookedThroughMax) return JSON.stringify(value)
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at)
    if (unit < firstPlain || unit === quote || unit === backslash) return JSON.stringify(value)
    if (unit >= firstSurrogate && unit <= lastSurrogate) return JSON.stringify(value)
  }
  return `"${value}"`
}

// PostgreSQL's text can contain neither U+0000 nor half of a surrogate pair.
export const storable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

/** `isLine`: a name, though its field is not called one. */
export type TextLimits = { maxLength?: number; pattern?: RegExp; hint?: string; format?: string; isLine?: boolean }
const textMax = 65_536
export const text = ({ maxLength = textMax, pattern, hint, format, isLine }: TextLimits = {}): Shape<string> => ({
  ...scalar<string>(
    '',
    { type: 'string', ...(format && { format }), ...(hint && { description: hint }) },
    (json, no) => {
      if (typeof json !== 'string') return no('must be a string')
      if (!storable(json)) return no('must be text without U+0000 and unpaired surrogates')
      if (json.length > maxLength) return no(`must have at most ${maxLength} characters`)
      if (isLine && !isSingleLine(json)) return no(singleLineHint)
      if (pattern && json !== '' && !pattern.test(json)) return no(hint ?? `must match ${pattern.source}`)
      return json
    },
    asItIs,
    quoted,
  ),
  limits: { maxLength, ...(pattern && { pattern: `^$|${pattern.source}` }) },
})

export const flag = (): Shape<boolean> =>
  scalar(
    false,
    { type: 'boolean' },
    (json, no) => (typeof json === 'boolean' ? json : no('must be true or false')),
    asItIs,
    (value) => (value ? 'true' : 'false'),
  )

const integer = (json: {}): number | undefined => {
  if (typeof json === 'number') return Number.isInteger(json) ? json : undefined
  return typeof json === 'string' && /^-?\d{1,30}$/.test(json) ? Number(json) : undefined
}

/** 0 is unset, and always accepted. */
export const int32 = (range?: { least: number; most: number }): Shape<number> => ({
  ...scalar<number>(0, { type: 'integer', format: 'int32' }, (json, no) => {
    const value = integer(json)
    if (value === undefined) return no('must be an integer')
    if (value !== (value | 0)) return no('must be a 32-bit integer')
    const isWithin = !range || value === 0 || (value >= range.least && value <= range.most)
    return isWithin ? value : no(`must be between ${range.least} and ${range.most}`)
  }),
  ...(range && { limits: { minimum: Math.min(range.least, 0), maximum: range.most } }),
})

/** An integer of any size: for what is clamped rather than refused. */
export const anyInteger = (): Shape<number | null> =>
  scalar<number | null>(
    null,
    { type: 'integer', format: 'int32' },
    (json, no) => integer(json) ?? no('must be an integer'),
    (value) => value ?? 0,
  )

/** 64-bit integers are strings on the wire. */
export const int64 = (): Shape<number> =>
  scalar<number>(
    0,
    { type: 'string', format: 'int64', pattern: '^-?[0-9]+$' },
    (json, no) => {
      const value = integer(json)
      return value !== undefined && Number.isSafeInteger(value) ? value : no('must be an integer')
    },
    String,
    (value) => `"${value}"`,
  )

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** A timestamp of the years 1 to 9999, or null. `Date` itself takes 30 February for 2 March. */
function momentIn(json: string): Date | null {
  const [year = 0, month = 0, day = 0, hour = 24] = (rfc3339.exec(json) ?? []).slice(1, 5).map(Number)
  if (month < 1 || day < 1 || day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate() || hour > 23)
    return null
  const moment = new Date(json.toUpperCase())
  const utcYear = moment.getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999 ? moment : null
}

export const timestamp = (): Shape<Date | null> =>
  scalar<Date | null>(
    null,
    { type: ['string', 'null'], format: 'date-time' },
    (json, no) => (typeof json === 'string' && momentIn(json)) || no('must be a time as in 2026-01-31T12:00:00Z'),
    (value) => value?.toISOString() ?? null,
    (value) => (value ? momentText(value) : 'null'),
  )

// Objects created together have the same time, and one that was never changed has the same twice.
let lastMoment = { time: Number.NaN, text: '' }
function momentText(moment: Date): string {
  const time = moment.getTime()
  if (time !== lastMoment.time) lastMoment = { time, text: `"${moment.toISOString()}"` }
  return lastMoment.text
}

const seconds = /^-?[0-9]{1,12}(\.[0-9]{1,9})?s$/
/** Seconds in the program, `"600s"` on the wire. */
export const duration = (): Shape<number | null> =>
  scalar<number | null>(
    null,
    { type: ['string', 'null'], pattern: seconds.source, description: 'Seconds.', examples: ['600s'] },
    (json, no) =>
      typeof json === 'string' && seconds.test(json) ? Number(json.slice(0, -1)) : no('must be seconds, as in "600s"'),
    (value) => (value === null ? null : `${value}s`),
    (value) => (value === null ? 'null' : `"${value}s"`),
  )

/** One of a closed list of names. The first is what unset means. */
export const oneOf = <const N extends readonly [string, ...string[]]>(names: N): Shape<N[number]> =>
  scalar<N[number]>(
    names[0],
    { type: 'string', enum: names },
    (json, no) => (typeof json === 'string' && names.includes(json) ? json : no(`must be one of ${names.join(', ')}`)),
    asItIs,
    quoted,
  )

// Deeper than anyone nests manually, and far from where writing it out would overflow the stack.
const structDepthMax = 32
const isStruct = (json: unknown, depth = 0): boolean => {
  if (typeof json === 'string') return storable(json)
  if (typeof json !== 'object' || json === null) return true
  if (depth === structDepthMax) return false
  return Array.isArray(json)
    ? json.every((item) => isStruct(item, depth + 1))
    : Object.entries(json).every(([name, item]) => storable(name) && isStruct(item, depth + 1))
}

/** An object as JSON: most are empty. */
export function objectText(value: object): string {
  for (const _ in value) return JSON.stringify(value)
  return Array.isArray(value) ? '[]' : '{}'
}

/** An object with fields that the caller chooses. */
export const struct = (): Shape<{ readonly [key: string]: unknown } | null> =>
  scalar<{ readonly [key: string]: unknown } | null>(
    null,
    { type: ['object', 'null'], additionalProperties: true },
    (json, no) => {
      if (typeof json !== 'object' || Array.isArray(json)) return no('must be an object')
      if (!isStruct(json)) return no(`must contain storable text and at most ${structDepthMax} levels`)
      return json as { [key: string]: unknown }
    },
    asItIs,
    (value) => (value ? objectText(value) : 'null'),
  )
