import { scimRefusal } from './refuse.ts'

/**
 * Filters of RFC 7644 section 3.4.2.2, as a tree. Why there is a separate parser: docs/decisions/0075. It looks at each
 * character once, and recurses no deeper than `depthMax`.
 */
export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'
export type Value = string | number | boolean | null
export type Filter =
  | { readonly is: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly is: 'not'; readonly of: Filter }
  | { readonly is: 'present'; readonly path: string }
  | { readonly is: 'compare'; readonly path: string; readonly by: Comparison; readonly value: Value }
  /** `emails[type eq "work"]`, and `emails[type eq "work"].value eq "x"`, where both apply to the same value. */
  | { readonly is: 'some'; readonly path: string; readonly of: Filter }

const filterLengthMax = 4096
const depthMax = 20
const termsMax = 100

const comparisons: ReadonlySet<string> = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])

type Token = { is: 'word' | 'text' | '(' | ')' | '[' | ']'; text: string; at: number }

const isSpace = (character: string): boolean => character === ' ' || character === '\t'
const isBreak = (character: string): boolean => isSpace(character) || '()[]"'.includes(character)

/** Where the text that begins at `from` with a quotation mark ends: after its closing one. */
function endOfText(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++)
    if (source[at] === '\\') at++
    else if (source[at] === '"') return at + 1
  throw wrong(from, 'the text has no closing quotation mark')
}

const wrong = (at: number, why: string) =>
  scimRefusal('invalidFilter', `The filter is not valid at position ${at}: ${why}.`)

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < source.length; ) {
    const character = source[at] as string
    if (isSpace(character)) at++
    else if (character === '"') {
      const end = endOfText(source, at)
      tokens.push({ is: 'text', text: source.slice(at, end), at })
      at = end
    } else if ('()[]'.includes(character)) tokens.push({ is: character as '(', text: character, at: at++ })
    else {
      const from = at
      while (at < source.length && !isBreak(source[at] as string)) at++
      tokens.push({ is: 'word', text: source.slice(from, at), at: from })
    }
  }
  return tokens
}

const pathForm = /^(?:urn:[A-Za-z0-9._:-]+:)?[$A-Za-z][\w$-]*(?:\.[$A-Za-z][\w$-]*)?$/

/** The tokens of a filter, and how far they have been read. */
type Reading = {
  /** The next token, or one after it. */
  peek(ahead?: number): Token | undefined
  /** Where the next token begins. */
  at(): number
  isKeyword(word: string): boolean
  skip(): void
  take(is: Token['is'], what: string): Token
  /** Counts one more comparison. */
  beginTerm(): void
}

function read(source: string): Reading {
  const tokens = tokensOf(source)
  let next = 0
  let terms = 0
  const at = (): number => tokens[next]?.at ?? source.length
  return {
    peek: (ahead = 0) => tokens[next + ahead],
    at,
    isKeyword(word) {
      const token = tokens[next]
      return token?.is === 'word' && token.text.toLowerCase() === word
    },
    skip: () => void next++,
    take(is, what) {
      const token = tokens[next]
      if (token?.is !== is) throw wrong(at(), `${what} is expected`)
      next++
      return token
    },
    beginTerm() {
      if (++terms > termsMax) throw wrong(at(), `it has more than ${termsMax} comparisons`)
    },
  }
}

export function parseFilter(source: string): Filter {
  if (source.length > filterLengthMax)
    throw scimRefusal('invalidFilter', `The filter is longer than ${filterLengthMax} characters.`)
  const reading = read(source)
  const filter = anyOf(reading, 0)
  if (reading.peek()) throw wrong(reading.at(), 'nothing more is expected')
  return filter
}

type Part = (reading: Reading, depth: number) => Filter

/** "and" binds more tightly than "or". */
const anyOf: Part = (reading, depth) => listed(reading, 'or', allOf, depth)
const allOf: Part = (reading, depth) => listed(reading, 'and', term, depth)

function listed(reading: Reading, is: 'and' | 'or', part: Part, depth: number): Filter {
  const of = [part(reading, depth)]
  while (reading.isKeyword(is)) {
    reading.skip()
    of.push(part(reading, depth))
  }
  return of.length === 1 ? (of[0] as Filter) : { is, of }
}

function term(reading: Reading, depth: number): Filter {
  reading.beginTerm()
  if (reading.peek()?.is === '(') return enclosed(reading, '(', depth)
  if (reading.isKeyword('not') && reading.peek(1)?.is === '(') {
    reading.skip()
    return { is: 'not', of: enclosed(reading, '(', depth) }
  }
  const { text: path, at: from } = reading.take('word', 'an attribute')
  if (!pathForm.test(path)) throw wrong(from, `"${path}" is not an attribute`)
  return reading.peek()?.is === '[' ? someOf(reading, path, depth) : compared(reading, path)
}

const closing = { '(': ')', '[': ']' } as const

/** A filter in parentheses or brackets. */
function enclosed(reading: Reading, open: '(' | '[', depth: number): Filter {
  if (depth >= depthMax) throw wrong(reading.at(), `it is nested more than ${depthMax} levels deep`)
  const close = closing[open]
  reading.take(open, `"${open}"`)
  const inner = anyOf(reading, depth + 1)
  reading.take(close, `"${close}"`)
  return inner
}

function someOf(reading: Reading, path: string, depth: number): Filter {
  const inner = enclosed(reading, '[', depth)
  const bracket = reading.peek(-1)
  const after = reading.peek()
  // Not in the grammar of filters, but clients send it: a sub-attribute of the selected value.
  if (after?.is !== 'word' || !after.text.startsWith('.') || after.at !== (bracket?.at ?? 0) + 1)
    return { is: 'some', path, of: inner }
  reading.skip()
  const sub = after.text.slice(1)
  if (!pathForm.test(sub)) throw wrong(after.at, `"${after.text}" is not a sub-attribute`)
  return { is: 'some', path, of: { is: 'and', of: [inner, compared(reading, sub)] } }
}

function compared(reading: Reading, path: string): Filter {
  const { text, at: from } = reading.take('word', 'an operator')
  const by = text.toLowerCase()
  if (by === 'pr') return { is: 'present', path }
  if (!comparisons.has(by)) throw wrong(from, `"${text}" is not an operator`)
  return { is: 'compare', path, by: by as Comparison, value: valueOf(reading) }
}

function valueOf(reading: Reading): Value {
  const token = reading.peek()
  if (token?.is !== 'word' && token?.is !== 'text') throw wrong(reading.at(), 'a value is expected')
  reading.skip()
  // Entra and others write True and False.
  const text = /^(?:true|false|null)$/i.test(token.text) ? token.text.toLowerCase() : token.text
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) throw new Error('not text')
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Value
  } catch {
    // Reported below.
  }
  throw wrong(token.at, 'the value is not a JSON string, number, true, false or null')
}

export function comparisonsIn(filter: Filter): number {
  if (filter.is === 'and' || filter.is === 'or') return filter.of.reduce((sum, each) => sum + comparisonsIn(each), 0)
  return filter.is === 'not' || filter.is === 'some' ? comparisonsIn(filter.of) : 1
}

/** A path of PATCH (RFC 7644 section 3.5.2): an attribute, perhaps some of its values, perhaps a sub-attribute of it. */
export type PatchPath = { readonly attribute: string; readonly filter: Filter | null; readonly sub: string | null }

const invalidPath = (source: string) => scimRefusal('invalidPath', `The path "${source.slice(0, 200)}" is not valid.`)

export function parsePath(source: string): PatchPath {
  if (source.length > filterLengthMax) throw invalidPath(source)
  const open = source.indexOf('[')
  if (open < 0) {
    if (!pathForm.test(source)) throw invalidPath(source)
    return { attribute: source, filter: null, sub: null }
  }
  const close = source.lastIndexOf(']')
  const attribute = source.slice(0, open)
  const rest = source.slice(close + 1)
  const isRest = rest === '' || /^\.[$A-Za-z][\w$-]*$/.test(rest)
  if (close < open || !isRest || !pathForm.test(attribute)) throw invalidPath(source)
  try {
    return {
      attribute,
      filter: parseFilter(source.slice(open + 1, close)),
      sub: rest === '' ? null : rest.slice(1),
    }
  } catch {
    throw invalidPath(source)
  }
}
