/**
 * Which tables and columns a text of SQL names. It is read by its words and not parsed: most texts in the sources are parts of
 * statements.
 */

/** Placeholders in a text for values that are inserted at run time: anything, and a name, as in `${tx(table)}`. */
export const hole = '\u0001'
export const runTimeName = '\u0002'

/** The columns of each table. */
export type Columns = ReadonlyMap<string, ReadonlySet<string>>

export type Words = {
  /** The tables that are written. */
  writes: string[]
  /** Whether it reads or writes a table that is named at run time. */
  hasRunTimeName: boolean
  /** The tables that are read or written, by the name that the text gives them. */
  aliases: Map<string, Set<string>>
  /** Words that may be columns: without, and with the name of a table before them, as in `u.email`. */
  bare: Set<string>
  dotted: Set<string>
}

const notAliases = new Set(
  (
    'on using where join left right inner cross full natural set order group limit for returning union select values ' +
    'and or having window offset tablesample default when end then else asc desc'
  ).split(' '),
)

const isWord = (token: string | undefined): token is string => token !== undefined && /^[a-z_]\w*$/.test(token)

const tokensOf = (text: string): string[] =>
  (
    text
      .replaceAll(/--[^\n]*/g, ' ')
      .replaceAll(/'(?:[^']|'')*'/g, " '' ")
      .match(/"[^"]*"|[a-z_]\w*|::|\S/gi) ?? []
  ).map((token) => token.toLowerCase())

export function wordsOf(text: string, columns: Columns): Words {
  const tokens = tokensOf(text)
  const words: Words = { writes: [], hasRunTimeName: false, aliases: new Map(), bare: new Set(), dotted: new Set() }
  const reader = new Reader(tokens, columns, words.aliases)
  tokens.forEach((token, at) => {
    const written = writtenAt(tokens, at)
    if (written !== null) {
      const { table } = reader.read(written, true)
      if (table !== null) words.writes.push(table)
      if ([hole, runTimeName].includes(tokens[written] ?? '')) words.hasRunTimeName = true
    } else if (token === 'from' || token === 'join' || (token === 'using' && tokens[at + 1] !== '('))
      reader.readList(at + 1)
    if (token === runTimeName && ['from', 'join', 'using', 'into', 'update'].includes(tokens[at - 1] ?? ''))
      words.hasRunTimeName = true
    addColumn(words, tokens, at)
  })
  return words
}

/** Where the name of the table begins that the words at a place write; null where they write none. */
function writtenAt(tokens: readonly string[], at: number): number | null {
  const [before, token] = [tokens[at - 1], tokens[at]]
  const isWrite =
    (token === 'into' && (before === 'insert' || before === 'merge')) ||
    (token === 'update' && !['for', 'do', 'key'].includes(before ?? '')) ||
    (token === 'from' && before === 'delete') ||
    token === 'truncate' ||
    (token === 'copy' && before === undefined)
  if (!isWrite) return null
  return tokens[at + 1] === 'table' ? at + 2 : at + 1
}

/** Reads the tables after FROM and similar words, into `aliases`. */
class Reader {
  readonly #tokens: readonly string[]
  readonly #columns: Columns
  readonly #aliases: Map<string, Set<string>>
  readonly #ctes: ReadonlySet<string>

  constructor(tokens: readonly string[], columns: Columns, aliases: Map<string, Set<string>>) {
    this.#tokens = tokens
    this.#columns = columns
    this.#aliases = aliases
    this.#ctes = new Set(tokens.filter((token, at) => columns.has(token) && isCte(tokens, at)))
  }

  /** Reads the table at a place, with the name it is given; and where what follows begins. */
  read(at: number, isWritten = false): { table: string | null; next: number } {
    const tokens = this.#tokens
    let place = at
    while (['only', 'lateral', '('].includes(tokens[place] ?? '')) place++
    if (tokens[place] === 'public' && tokens[place + 1] === '.') place += 2
    const table = tokens[place]?.replaceAll('"', '') ?? ''
    const after = tokens[place + 1]
    const isOther = after === '.' || (!isWritten && (after === '(' || this.#ctes.has(table)))
    if (isOther || !this.#columns.has(table)) return { table: null, next: at }
    const named = tokens[place + 1] === 'as' ? place + 2 : place + 1
    const alias = tokens[named]
    const isNamed = isWord(alias) && !notAliases.has(alias)
    const name = isNamed ? alias : table
    this.#aliases.set(name, (this.#aliases.get(name) ?? new Set()).add(table))
    return { table, next: isNamed ? named + 1 : place + 1 }
  }

  /** Reads tables that are separated by commas, as after FROM. */
  readList(at: number): void {
    for (let place = at; ; ) {
      const { table, next } = this.read(place)
      const end = table === null ? this.#endOfItem(place) : next
      if (this.#tokens[end] !== ',') return
      place = end + 1
    }
  }

  /** Where an item ends that is no table: a query in brackets, a function, something that is put in at run time. */
  #endOfItem(at: number): number {
    let depth = 0
    let place = at
    for (; place < this.#tokens.length; place++) {
      const token = this.#tokens[place] ?? ''
      if (depth === 0 && ([',', ')', ';'].includes(token) || notAliases.has(token))) break
      if (token === '(') depth++
      if (token === ')') depth--
    }
    return place
  }
}

/** Whether the word at a place is defined by WITH: `name (columns) as not materialized (`. */
function isCte(tokens: readonly string[], at: number): boolean {
  if (!['with', ',', 'recursive', hole, undefined].includes(tokens[at - 1])) return false
  let next = at + 1
  if (tokens[next] === '(') next = tokens.indexOf(')', next) + 1
  if (tokens[next] !== 'as') return false
  next++
  if (tokens[next] === 'not') next++
  if (tokens[next] === 'materialized') next++
  return tokens[next] === '('
}

function addColumn({ bare, dotted }: Words, tokens: readonly string[], at: number): void {
  const token = tokens[at]
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  const table = tokens[at - 2]?.replaceAll('"', '')
  if (token === '*') {
    if (before === '.') dotted.add(`${table}.*`)
    else if (before === 'select') bare.add('*')
  } else if (!isWord(token)) return
  else if (before === '.') dotted.add(`${table}.${token}`)
  else if (after !== '.' && after !== '(') bare.add(token)
}
