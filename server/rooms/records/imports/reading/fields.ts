import { isPlainAddress, isSingleLine, singleLineHint } from '#kernel/single-line.ts'
import { struct, timestamp } from '#kernel/wire.ts'

/** Why a value is refused. */
export class Wrong {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** One field of a record: how it is read, and the column it is staged in. */
export type Field<T = unknown> = {
  read(given: {}): T | Wrong
  /** The value for a record without this field. */
  readonly unset: T
  readonly type: 'text' | 'text[]' | 'jsonb' | 'timestamptz'
  readonly isRequired: boolean
  /** False for a field that is merged into another one once it is read. */
  readonly isStaged: boolean
  /** External ids are compared by their bytes. */
  readonly isKey: boolean
}

const plain = { isRequired: false, isStaged: true, isKey: false }

// PostgreSQL's text can contain neither U+0000 nor unpaired surrogates.
const readText = (given: {}, lengthMax: number): string | Wrong => {
  if (typeof given !== 'string') return new Wrong('must be text')
  if (given.length > lengthMax) return new Wrong(`must have at most ${lengthMax} characters`)
  return given.includes('\0') || !given.isWellFormed() ? new Wrong('must be text that can be stored') : given
}

export const text = (lengthMax: number): Field<string> => ({
  read: (given) => readText(given, lengthMax),
  unset: '',
  type: 'text',
  ...plain,
})

/** A name, or another single line of text. */
export const line = (lengthMax: number): Field<string> => ({
  ...text(lengthMax),
  read: (given) => {
    const value = readText(given, lengthMax)
    return value instanceof Wrong || isSingleLine(value) ? value : new Wrong(singleLineHint)
  },
})

/** The caller's key of an object. */
export const key = (): Field<string> => ({ ...text(500), isKey: true })

// Good enough to catch a shifted column; only a message sent to it proves an address.
const emailForm = /^[^\s@]{1,64}@[^\s@]{1,255}$/
export const email = (): Field<string> => ({
  ...text(320),
  read: (given) => {
    const value = readText(given, 320)
    return value instanceof Wrong || value === '' || (emailForm.test(value) && isPlainAddress(value))
      ? value
      : new Wrong('is not an email address')
  },
})

const itemsMax = 1000
export const listed = (item: Field<string>): Field<readonly string[]> => ({
  read: (given) => {
    if (!Array.isArray(given)) return new Wrong('must be a list')
    if (given.length > itemsMax) return new Wrong(`must have at most ${itemsMax} items`)
    const values: string[] = []
    for (const each of given as unknown[]) {
      const value = each === null || each === undefined ? new Wrong('must not contain null') : item.read(each)
      if (value instanceof Wrong) return value
      if (value !== '') values.push(value)
    }
    return values
  },
  unset: [],
  type: 'text[]',
  ...plain,
  isKey: item.isKey,
})

/**
 * One of a few words, ignoring case, for values that the database stores by their published names; these names are accepted
 * too.
 */
export const choice = <const V extends string>(byWord: Record<string, V>, unset: V): Field<V> => {
  const known = new Map(Object.entries(byWord).flatMap(([word, value]) => [[word, value] as const, [value, value]]))
  const words = Object.keys(byWord).join(', ')
  return {
    read: (given) => {
      if (given === '') return unset
      const value = typeof given === 'string' ? (known.get(given) ?? known.get(given.toLowerCase())) : undefined
      return value ?? new Wrong(`must be one of ${words}`)
    },
    unset,
    type: 'text',
    ...plain,
  }
}

const instant = timestamp()
export const time = (): Field<Date | null> => ({
  read: (given) => {
    if (given === '') return null
    const problems: { description: string }[] = []
    const value = instant.read(given, '', problems as never)
    return problems[0] ? new Wrong(problems[0].description) : value
  },
  unset: null,
  type: 'timestamptz',
  ...plain,
})

const object = struct()
const profileLengthMax = 65_536
/** An object that the caller chooses, stored as JSON. */
export const profile = (): Field<string> => ({
  read: (given) => {
    const problems: { description: string }[] = []
    const value = object.read(given, '', problems as never)
    if (problems[0]) return new Wrong(problems[0].description)
    const json = JSON.stringify(value)
    return json.length > profileLengthMax ? new Wrong(`must have at most ${profileLengthMax} characters`) : json
  },
  unset: '{}',
  type: 'jsonb',
  ...plain,
})

export const required = <T>(field: Field<T>): Field<T> => ({ ...field, isRequired: true })
export const folded = <T>(field: Field<T>): Field<T> => ({ ...field, isStaged: false })
