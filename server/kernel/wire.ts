import { type FieldViolation, notSupported } from './refusals.ts'
import { isSingleLine, singleLineHint } from './single-line.ts'

/**
 * The wire's JSON, as the published API's clients know it. A shape says at once what a value is in the program, how it
 * is read from JSON, how it is written as JSON, and how the API document describes it.
 *
 * Reading: names in lowerCamelCase or snake_case, unknown names ignored, null is unset. Writing: every field present.
 */
export type Shape<T> = {
  /** What an unset field holds, in the program and on the wire. */
  readonly unset: T
  read(json: unknown, at: string, problems: FieldViolation[]): T
  write(value: T): unknown
  /** The JSON text of what `write` makes of a value, without making it. */
  text(value: T): string
  /** JSON Schema 2020-12; messages by reference. */
  readonly schema: JsonSchema
  /** What reading refuses beyond that, as JSON Schema: said of what is only sent, as what is stored may be older or imported. */
  readonly limits?: JsonSchema
  /** Refused where it is unset. */
  readonly isRequired?: true
  /** The messages that the schema refers to, for `components`. */
  readonly messages: readonly Message<Fields>[]
  /** The message that a value, or each item of a list, is read by. */
  readonly within?: Message<Fields>
  /** Of a list: the text of one item. */
  itemText?(value: unknown): string
  /** Told by the service: what is sent for it is not read. */
  readonly isReadOnly?: true
  /** Read only, but published as something to be set: another value than it has is refused; this reads what was sent. */
  readonly fixed?: Shape<T>
  /** A message whose fields are what an update changes. */
  readonly isUpdate?: true
  /** Of a field of a reply itself: left out where it is unset. */
  readonly isLeftOut?: true
}
export type JsonSchema = { readonly [key: string]: unknown }

export type Fields = { readonly [name: string]: Shape<never> | Shape<unknown> }
export type MessageOf<F> = { [K in keyof F]: F[K] extends Shape<infer T> ? T : never }
export type Message<F extends Fields> = {
  readonly name: string
  readonly description: string
  readonly fields: F
  read(json: unknown, at: string, problems: FieldViolation[]): MessageOf<F>
  write(value: { readonly [K in keyof F]?: MessageOf<F>[K] | undefined }): Record<string, unknown>
  text(value: { readonly [K in keyof F]?: MessageOf<F>[K] | undefined }): string
  readonly schema: JsonSchema
  /** The schema with what reading refuses: see `limits`. */
  readonly sentSchema: JsonSchema
  readonly reference: JsonSchema
  readonly messages: readonly Message<Fields>[]
}

const asItIs = <T>(value: T): T => value

const complain = <T>(unset: T, field: string, description: string, problems: FieldViolation[]): T => {
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

// What is longer is quicker looked through by JSON.stringify.
const lookedThroughMax = 40
const [quote, backslash, firstPlain, firstSurrogate, lastSurrogate] = [34, 92, 32, 0xd800, 0xdfff]

/** A text as JSON. Most are short and have nothing that is escaped, which is seen sooner than JSON.stringify begins. */
function quoted(value: string): string {
  if (typeof value !== 'string' || value.length > lookedThroughMax) return JSON.stringify(value)
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at)
    if (unit < firstPlain || unit === quote || unit === backslash) return JSON.stringify(value)
    if (unit >= firstSurrogate && unit <= lastSurrogate) return JSON.stringify(value)
  }
  return `"${value}"`
}

// PostgreSQL's text holds neither U+0000 nor half of a surrogate pair.
const storable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()

export type TextLimits = { maxLength?: number; pattern?: RegExp; hint?: string; format?: string }
const textMax = 65_536
export const text = ({ maxLength = textMax, pattern, hint, format }: TextLimits = {}): Shape<string> => ({
  ...scalar<string>(
    '',
    { type: 'string', ...(format && { format }), ...(hint && { description: hint }) },
    (json, no) => {
      if (typeof json !== 'string') return no('must be a string')
      if (!storable(json)) return no('must be text without U+0000 and unpaired surrogates')
      if (json.length > maxLength) return no(`must have at most ${maxLength} characters`)
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

/** A moment of the years 1 to 9999, or null. `Date` itself takes 30 February for 2 March. */
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

// What was made in one go has one time, and what was never changed has the same twice.
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

// Deeper than anyone nests by hand, and far from where writing it out would overflow the stack.
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

/** An object of the caller's own making. */
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

const itemsMaxDefault = 10_000
// Far more than are told of: the rest of a list that is all wrong need not be read.
const problemsMax = 1000
export const list = <T>(item: Shape<T>, itemsMax = itemsMaxDefault): Shape<readonly T[]> => ({
  unset: [],
  schema: { type: ['array', 'null'], items: item.schema },
  limits: { maxItems: itemsMax, ...(item.limits && { items: { ...item.schema, ...item.limits } }) },
  messages: item.messages,
  write: (value) => (value ?? []).map((each) => item.write(each)),
  text: (value) => (value && value.length > 0 ? `[${value.map((each) => item.text(each)).join(',')}]` : '[]'),
  itemText: item.text,
  read(json, at, problems) {
    if (json === null || json === undefined) return []
    if (!Array.isArray(json)) return complain([], at, 'must be a list', problems)
    if (json.length > itemsMax) return complain([], at, `must have at most ${itemsMax} items`, problems)
    const items: T[] = []
    for (const [index, each] of json.entries()) {
      if (problems.length >= problemsMax) return []
      items.push(
        each === null
          ? complain(item.unset, `${at}[${index}]`, 'must not be null', problems)
          : item.read(each, `${at}[${index}]`, problems),
      )
    }
    return items
  },
})

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
// No field has a longer one: what is longer is none, in any spelling.
const nameLengthMax = 100
const upper = (_: string, letter: string): string => letter.toUpperCase()
/** The name of a field as it is here, whichever spelling was sent. A megabyte of `_a` would take 60 ms, and is none. */
export const camel = (name: string): string =>
  name.length > nameLengthMax || !name.includes('_') ? name : name.replace(/_([a-z0-9])/g, upper)
export const join = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`)

/** Whether a field is said in both spellings, and not the same: one of the two would be lost. */
const isTwice = (from: Record<string, unknown>, name: string, other: string): boolean =>
  name !== other &&
  Object.hasOwn(from, name) &&
  Object.hasOwn(from, other) &&
  JSON.stringify(from[name]) !== JSON.stringify(from[other])

/** Writes all fields of an object as text: twice as fast as objects for JSON.stringify (docs/decisions/0054-replies-as-compiled-text.md). */
function textWriter(fields: readonly (readonly [name: string, write: (value: unknown) => string])[]) {
  const parts = fields.map(([name, write], at) => ({
    before: `${at === 0 ? '' : ','}${JSON.stringify(name)}:`,
    name,
    write,
  }))
  return (value: { readonly [name: string]: unknown }): string => {
    let text = '{'
    for (const { before, name, write } of parts) text += before + write(value[name])
    return `${text}}`
  }
}

/** Fields that are one line wherever they are: what things and people are called. */
const isName = /^(?:name|email|slug|jobTitle|department|alias|\w*(?:Name|Email))$|^username$/

/** An object with known fields. `name` is how the API document calls it. */
/** Of a field that may be left out: whether there is something to say. */
export const isSaid = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

export function message<const F extends Fields>(name: string, fields: F, description = ''): Message<F> {
  const entries = Object.entries(fields as Record<string, Shape<unknown>>).map(
    ([field, shape]) => [field, snake(field), shape, isName.test(field)] as const,
  )
  const write: Message<F>['write'] = (value) => {
    const out: Record<string, unknown> = {}
    for (const [field, , shape] of entries)
      if (!shape.isLeftOut || isSaid(value[field])) out[field] = shape.write(value[field])
    return out
  }
  return {
    name,
    description,
    fields,
    read(json, at, problems) {
      const out: Record<string, unknown> = {}
      const from = (json ?? {}) as Record<string, unknown>
      if (typeof from !== 'object' || Array.isArray(from)) {
        problems.push({ field: at, description: 'must be an object' })
        for (const [field, , shape] of entries) out[field] = shape.unset
        return out as MessageOf<F>
      }
      for (const [field, other, shape, isLine] of entries) {
        if (isTwice(from, field, other))
          problems.push({ field: join(at, field), description: `is set twice, with another value in ${other}` })
        const given = Object.hasOwn(from, field) ? from[field] : Object.hasOwn(from, other) ? from[other] : undefined
        const value = shape.read(given, join(at, field), problems)
        if (isLine && typeof value === 'string' && !isSingleLine(value))
          problems.push({ field: join(at, field), description: singleLineHint })
        out[field] = value
      }
      return out as MessageOf<F>
    },
    write,
    text: entries.some(([, , shape]) => shape.isLeftOut)
      ? (value) => JSON.stringify(write(value))
      : textWriter(entries.map(([field, , shape]) => [field, shape.text])),
    get schema() {
      return {
        type: 'object',
        ...(description && { description }),
        properties: Object.fromEntries(entries.map(([field, , shape]) => [field, shape.schema])),
      }
    },
    get sentSchema() {
      const required = entries.filter(([, , shape]) => shape.isRequired).map(([field]) => field)
      return {
        ...this.schema,
        ...(required.length > 0 && { required }),
        properties: Object.fromEntries(
          entries.map(([field, , shape]) => [field, { ...shape.schema, ...shape.limits }]),
        ),
      }
    },
    reference: { $ref: `#/components/schemas/${name}` },
    get messages() {
      return entries.flatMap(([, , shape]) => shape.messages)
    },
  }
}

/** A field that holds a message; null when unset. */
export const nested = <F extends Fields>(of: Message<F>): Shape<MessageOf<F> | null> => ({
  unset: null,
  schema: { oneOf: [of.reference, { type: 'null' }] },
  messages: [of, ...of.messages],
  within: of,
  read: (json, at, problems) => (json === null || json === undefined ? null : of.read(json, at, problems)),
  write: (value) => (value ? of.write(value) : null),
  text: (value) => (value ? of.text(value) : 'null'),
})

/** A message that is JSON already: see `asWritten`. */
class Written {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/** The JSON of a message, as an item of a list of such messages: it goes into the reply as it is. */
export const asWritten = <F extends Fields>(_of: Message<F>, json: string): MessageOf<F> =>
  new Written(json) as unknown as MessageOf<F>

/** A list of messages: its items are never null. */
export const listOf = <F extends Fields>(
  of: Message<F>,
  itemsMax = itemsMaxDefault,
): Shape<readonly MessageOf<F>[]> => ({
  ...list<MessageOf<F>>(
    {
      unset: null as never,
      schema: of.reference,
      messages: [of, ...of.messages],
      read: of.read,
      write: (value) => (value instanceof Written ? (JSON.parse(value.json) as unknown) : of.write(value)),
      text: (value) => (value instanceof Written ? value.json : of.text(value)),
    },
    itemsMax,
  ),
  within: of,
})

/** Messages by names of the caller's own. */
export const mapOf = <F extends Fields>(
  of: Message<F>,
  { entriesMax, nameLength }: { entriesMax: number; nameLength: number },
): Shape<{ readonly [name: string]: MessageOf<F> }> => ({
  unset: {},
  schema: { type: ['object', 'null'], additionalProperties: of.reference },
  limits: { maxProperties: entriesMax, propertyNames: { minLength: 1, maxLength: nameLength } },
  messages: [of, ...of.messages],
  within: of,
  write: (value) => Object.fromEntries(Object.entries(value ?? {}).map(([name, each]) => [name, of.write(each)])),
  text: (value) =>
    `{${Object.entries(value ?? {})
      .map(([name, each]) => `${JSON.stringify(name)}:${of.text(each)}`)
      .join(',')}}`,
  read(json, at, problems) {
    if (json === null || json === undefined) return {}
    if (typeof json !== 'object' || Array.isArray(json)) return complain({}, at, 'must be an object', problems)
    const entries = Object.entries(json)
    if (entries.length > entriesMax) return complain({}, at, `must have at most ${entriesMax} entries`, problems)
    for (const [name] of entries)
      if (name === '' || name.length > nameLength || !storable(name))
        return complain({}, at, `must have names of 1 to ${nameLength} characters`, problems)
    // Without a prototype: `__proto__` is a name like others.
    const out = Object.create(null) as { [name: string]: MessageOf<F> }
    for (const [name, each] of entries) out[name] = of.read(each, join(at, name), problems)
    return out
  },
})

export const described = <T>(shape: Shape<T>, description: string): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description },
})

const isEmpty = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() === '' : value === null || (Array.isArray(value) && value.length === 0)

/** What a schema says where something must be there. */
function filled({ schema, limits = {} }: Shape<never> | Shape<unknown>): JsonSchema {
  const { type, oneOf: either, enum: names } = schema
  if (Array.isArray(either)) return { oneOf: undefined, ...(either as JsonSchema[])[0] }
  if (Array.isArray(names)) return { enum: names.slice(1) }
  const [own] = [type].flat()
  if (own === 'array') return { ...limits, type: own, minItems: 1 }
  return own === 'string' ? { pattern: '\\S', ...limits, type: own, minLength: 1 } : { ...limits, type: own }
}

const isOfChars = ({ type, enum: names, format }: JsonSchema): boolean =>
  ['string', 'array'].includes([type].flat()[0] as string) && !names && !format

/** A field of a request that must be there: what is unset or blank is refused, by what `description` says. */
export const required = <T>(
  shape: Shape<T>,
  description = isOfChars(shape.schema) ? 'must not be empty' : 'must be given',
): Shape<NonNullable<T>> =>
  ({
    ...shape,
    isRequired: true,
    limits: filled(shape),
    read(json, at, problems) {
      const before = problems.length
      const value = shape.read(json, at, problems)
      const isUnnamed = 'enum' in shape.schema && value === shape.unset
      if (problems.length === before && (isUnnamed || isEmpty(value))) problems.push({ field: at, description })
      return value
    },
  }) satisfies Shape<T> as unknown as Shape<NonNullable<T>>

/** As other specifications have it: a field of a reply that is absent where there is nothing to say. */
export const leftOut = <T>(shape: Shape<T>): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, 'x-omitted-by-default': true },
  isLeftOut: true,
})

/** Told by the service: what a caller sends for it is ignored. */
export const readOnly = <T>(shape: Shape<T>): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, readOnly: true },
  limits: {},
  isReadOnly: true,
  read: () => shape.unset,
})

/** As `readOnly`, for what the published API lets clients set: an update that says something else of it is refused. */
export const fixed = <T>(shape: Shape<T>): Shape<T> => ({ ...readOnly(shape), fixed: shape })

/**
 * Whether a value says no more than that its field is unset: clients send such fields along. An object counts with its
 * fields; one that holds another object says which of several it is, even where that one is empty.
 */
export const isUnset = (json: unknown): boolean => {
  if (json === null || json === undefined || json === '' || json === 0 || json === false) return true
  if (typeof json === 'string') return json.endsWith('_UNSPECIFIED')
  if (Array.isArray(json)) return json.length === 0
  return typeof json === 'object' && Object.values(json).every((value) => !isObject(value) && isUnset(value))
}
const isObject = (json: unknown): boolean => typeof json === 'object' && json !== null && !Array.isArray(json)

const always = (written: string) => (): string => written

/**
 * A published field of something that Bailiwick does not do: always unset, and refused where it is to be set. `instead` is a
 * sentence about what to do instead, or why it is so.
 */
export const neverSet = <T>(shape: Shape<T>, instead = ''): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description: `Not supported: setting it is refused. ${instead}`.trimEnd() },
  limits: {},
  write: () => shape.write(shape.unset),
  text: always(shape.text(shape.unset)),
  read(json, at, problems) {
    if (!isUnset(json))
      problems.push(notSupported(at, ...(instead ? [`is not supported by this service. ${instead}`] : [])))
    return shape.unset
  },
})

export const empty = message('Empty', {}, 'Nothing.')
