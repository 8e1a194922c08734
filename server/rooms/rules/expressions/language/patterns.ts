/**
 * A regular expression of RE2 in PostgreSQL's syntax, if both certainly have the same meaning; otherwise null. Whether a
 * text matches anywhere does not depend on which match is preferred, so only the characters, classes and repetitions must
 * agree. Not supported: flags, boundaries, Unicode classes, lazy repetitions (which PostgreSQL treats as a property of the
 * whole pattern), and everything that grows when it is repeated.
 */
export function postgresPattern(source: string): string | null {
  const reader = new PatternReader(source)
  try {
    const { sql, size } = reader.alternatives()
    return reader.isAtEnd && size <= sizeMax ? sql : null
  } catch (error) {
    if (error instanceof NotAlike) return null
    throw error
  }
}

/**
 * How many places a pattern has, including repetitions: the cost of matching grows with it. Works for every text, whether it
 * is a valid pattern or not: it is called before RE2.
 */
export function patternSize(source: string): number {
  // For the open groups, and the last atom in each.
  const open = [{ sum: 0, last: 0 }]
  const add = (group: { sum: number; last: number }, size: number): void => {
    group.sum += size
    group.last = size
  }
  for (const [part, counts] of source.matchAll(
    /\\[^]|\[\^?\]?(?:\\[^]|\[:\^?\w*:\]|[^\]\\])*\]?|\{(\d+(?:,\d*)?)\}|\(\?[^:)]*[:)]|[^]/g,
  )) {
    const group = open.at(-1) as { sum: number; last: number }
    if (counts !== undefined) {
      const [least, most] = counts.split(',')
      const times = Math.max(Number(least), Number(most ?? 0)) + (most === '' ? 1 : 0)
      group.sum += group.last * (times - 1)
      group.last *= times
    } else if (part.startsWith('(')) {
      if (!part.endsWith(')')) open.push({ sum: 1, last: 0 })
    } else if (part === ')' && open.length > 1) add(open.at(-2) as { sum: number; last: number }, open.pop()?.sum ?? 0)
    else add(group, 1)
  }
  return open.reduce((sum, group) => sum + group.sum, 0)
}

/** Unicode's classes: RE2 takes most of a second to build its tables for these, the first time that one is used. */
export const hasUnicodeClass = (source: string): boolean => /(?:^|[^\\])(?:\\\\)*\\[pP]/.test(source)

class NotAlike extends Error {}

// In characters to be matched, including repetitions.
const sizeMax = 400
const countMax = 50
const depthMax = 10

type Piece = { sql: string; size: number }

// In RE2 these are limited to ASCII; in PostgreSQL they depend on the collation.
const classes: Record<string, string> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\n\\f\\r ' }
const escapes: Record<string, string> = { t: '\\t', n: '\\n', r: '\\r', f: '\\f' }
const special = /^[\\^$.|?*+()[\]{}]$/

/**
 * A literal character, inside and outside brackets: PostgreSQL accepts a backslash before any punctuation, but not before a
 * letter.
 */
const literal = (character: string): string =>
  /^[\p{ASCII}]$/u.test(character) && /^[^A-Za-z0-9\s_]$/.test(character) ? `\\${character}` : character

class PatternReader {
  readonly #characters: readonly string[]
  #at = 0
  #depth = 0
  constructor(source: string) {
    this.#characters = Array.from(source)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#characters.length
  }

  #skip(text: string): boolean {
    if (this.#characters.slice(this.#at, this.#at + text.length).join('') !== text) return false
    this.#at += text.length
    return true
  }

  #take(): string {
    const character = this.#characters[this.#at++]
    // Of the control characters, only those with an escape are accepted.
    if (character === undefined || /^\p{Cc}$/u.test(character)) throw new NotAlike()
    return character
  }

  alternatives(): Piece {
    if (++this.#depth > depthMax) throw new NotAlike()
    const pieces = [this.#sequence()]
    while (this.#skip('|')) pieces.push(this.#sequence())
    this.#depth--
    // PostgreSQL does not accept an empty alternative next to others.
    if (pieces.length > 1 && pieces.some(({ sql }) => sql === '')) throw new NotAlike()
    return { sql: pieces.map(({ sql }) => sql).join('|'), size: pieces.reduce((sum, { size }) => sum + size, 0) }
  }

  #sequence(): Piece {
    let [sql, size] = ['', 0]
    while (!this.isAtEnd && this.#characters[this.#at] !== '|' && this.#characters[this.#at] !== ')') {
      const piece = this.#repeated()
      sql += piece.sql
      size += piece.size
    }
    return { sql, size }
  }

  #repeated(): Piece {
    if (this.#skip('^')) return this.#unrepeated({ sql: '^', size: 0 })
    if (this.#skip('$')) return this.#unrepeated({ sql: '$', size: 0 })
    const atom = this.#atom()
    const sign = ['*', '+', '?'].find((each) => this.#skip(each))
    if (sign) return this.#unrepeated({ sql: `${atom.sql}${sign}`, size: atom.size + 1 })
    if (!this.#skip('{')) return atom
    const rest = this.#characters.slice(this.#at).join('')
    const [whole, from, comma, to] = /^(\d{1,2})(?:(,)(\d{1,2})?)?\}/.exec(rest) ?? []
    if (whole === undefined) throw new NotAlike()
    this.#at += whole.length
    const [least, most] = [Number(from), to === undefined ? Number(from) : Number(to)]
    if (most > countMax || most < least) throw new NotAlike()
    return this.#unrepeated({
      sql: `${atom.sql}{${least}${comma ?? ''}${to === undefined ? '' : most}}`,
      size: atom.size * (most + 1),
    })
  }

  /** A repetition of a repetition, or a lazy one. */
  #unrepeated(piece: Piece): Piece {
    if (['*', '+', '?', '{'].includes(this.#characters[this.#at] ?? '')) throw new NotAlike()
    return piece
  }

  #atom(): Piece {
    if (this.#skip('(')) {
      if (!this.#skip('?:') && this.#characters[this.#at] === '?') throw new NotAlike()
      const { sql, size } = this.alternatives()
      if (!this.#skip(')') || sql === '') throw new NotAlike()
      return { sql: `(?:${sql})`, size: size + 1 }
    }
    // In RE2 it does not match a line end.
    if (this.#skip('.')) return { sql: '[^\\n]', size: 1 }
    if (this.#skip('[')) return this.#brackets()
    if (this.#skip('\\')) return this.#escape()
    const character = this.#take()
    if (special.test(character)) throw new NotAlike()
    return { sql: literal(character), size: 1 }
  }

  #escape(): Piece {
    const character = this.#take()
    const known = classes[character]
    if (known) return { sql: `[${known}]`, size: 1 }
    const sql = escapes[character] ?? (/^[A-Za-z0-9]$/.test(character) ? null : literal(character))
    if (sql === null || !/^\p{ASCII}$/u.test(character)) throw new NotAlike()
    return { sql, size: 1 }
  }

  #brackets(): Piece {
    const isNot = this.#skip('^')
    let sql = ''
    while (!this.#skip(']')) {
      const from = this.#inBrackets()
      if (this.#characters[this.#at] === '-' && this.#characters[this.#at + 1] !== ']') {
        this.#at++
        const to = this.#inBrackets()
        if (!/^[A-Za-z0-9]$/.test(from) || !/^[A-Za-z0-9]$/.test(to) || from > to) throw new NotAlike()
        sql += `${from}-${to}`
      } else sql += from
    }
    if (sql === '') throw new NotAlike()
    return { sql: `[${isNot ? '^' : ''}${sql}]`, size: 1 }
  }

  #inBrackets(): string {
    const character = this.#take()
    if (character === '[') throw new NotAlike()
    if (character !== '\\') return literal(character)
    const escaped = this.#take()
    const known = classes[escaped] ?? escapes[escaped]
    if (known) return known
    if (/^[A-Za-z0-9]$/.test(escaped) || !/^\p{ASCII}$/u.test(escaped)) throw new NotAlike()
    return literal(escaped)
  }
}
