import { lineBytesMax } from './blocks.ts'

/** A row and the line that it begins on; `problem` if it is not valid CSV. */
export type CsvRow = { line: number; cells: string[]; problem: string | null }

export type CsvReader = {
  /** Takes any number of whole lines, and returns the rows that end in them. */
  read(text: string): CsvRow[]
  /** The row that the file ends in. */
  end(): CsvRow[]
}

/** A row with more cells is refused: 1 MiB of commas is a million. */
const columnsMax = 1000
const tooManyCells = `has more than ${columnsMax} columns`

/** The next position of a character, or the end of the text. It does not search again before the last result. */
function finder(text: string, character: string): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) {
      const next = text.indexOf(character, from)
      found = next < 0 ? text.length : next
    }
    return found
  }
}

/** The row that is being read, of which the text so far contains a part. */
function rowReader(firstLine: number) {
  let line = firstLine
  let rowLine = firstLine
  let cells: string[] = []
  let problem: string | null = null
  /** What was read within quotes so far; null outside quotes. */
  let quoted: string | null = null
  let length = 0

  const refuse = (reason: string): void => {
    problem ??= reason
  }

  const addCell = (cell: string): void => {
    if (cells.length <= columnsMax) cells.push(cell)
    if (cells.length > columnsMax) refuse(tooManyCells)
  }

  const endRow = (rows: CsvRow[]): void => {
    const isBlank = cells.length === 1 && cells[0] === ''
    if (!isBlank || problem !== null) rows.push({ line: rowLine, cells, problem })
    cells = []
    problem = null
    length = 0
    line++
    rowLine = line
  }

  /** Reads from within a quoted cell to after the cell; returns -1 if the cell does not end in this text. */
  const takeQuoted = (text: string, from: number): number => {
    let at = from
    for (;;) {
      const quote = text.indexOf('"', at)
      const isDoubled = quote >= 0 && text[quote + 1] === '"'
      const part = text.slice(at, quote < 0 ? text.length : isDoubled ? quote + 1 : quote)
      length += part.length
      if (length <= lineBytesMax) quoted += part
      else refuse('a cell in quotes does not end within 1 MiB')
      for (let n = part.indexOf('\n'); n >= 0; n = part.indexOf('\n', n + 1)) line++
      if (quote < 0) return -1
      if (!isDoubled) {
        addCell(quoted as string)
        quoted = null
        return quote + 1
      }
      at = quote + 2
    }
  }

  return {
    addCell,
    endRow,
    refuse,
    /** Whether the row has so many cells that no more are read. */
    isTooLong: () => cells.length > columnsMax,
    /** Whether the text so far ends within quotes. */
    isInQuotes: () => quoted !== null,
    /** Reads a quoted cell, from right after its opening quote. */
    beginQuoted(text: string, from: number): number {
      quoted = ''
      return takeQuoted(text, from)
    },
    /** Reads on in a quoted cell that an earlier text began. */
    continueQuoted: (text: string): number => takeQuoted(text, 0),
    /** The row, if the file ends here. */
    end(): CsvRow[] {
      if (quoted === null) return []
      quoted = null
      return [{ line: rowLine, cells, problem: 'a cell in quotes is not closed' }]
    },
  }
}

/**
 * CSV according to RFC 4180: cells separated by commas, in quotes if they contain a comma, a quote (doubled) or a line end;
 * lines end with CRLF or LF. An empty line is not a row. Text comes in pieces: a row may begin in one and end in another.
 */
export function csvReader(firstLine = 1): CsvReader {
  const { addCell, endRow, refuse, isTooLong, ...row } = rowReader(firstLine)

  const read = (text: string): CsvRow[] => {
    const rows: CsvRow[] = []
    const nextComma = finder(text, ',')
    const nextLineEnd = finder(text, '\n')
    const nextQuoted = finder(text, ',"')
    let at = 0
    let isBehindQuotes = false
    if (row.isInQuotes()) {
      at = row.continueQuoted(text)
      if (at < 0) return rows
      isBehindQuotes = true
    }
    while (at < text.length || isBehindQuotes) {
      if (!isBehindQuotes && text[at] === '"') {
        at = row.beginQuoted(text, at + 1)
        if (at < 0) return rows
        isBehindQuotes = true
        continue
      }
      const lineEnd = nextLineEnd(at)
      if (!isBehindQuotes && isTooLong()) {
        // Of a refused row, only the end is searched for; a line end in quotes does not count.
        const quote = nextQuoted(at)
        at = Math.min(quote, lineEnd) + 1
        if (quote >= lineEnd) endRow(rows)
        continue
      }
      const comma = nextComma(at)
      const isLast = comma >= lineEnd
      const to = isLast ? lineEnd : comma
      const cell = text.slice(at, isLast && text[to - 1] === '\r' && to > at ? to - 1 : to)
      if (isBehindQuotes) {
        if (cell !== '') refuse('there is text between a quoted cell and the next comma')
      } else {
        if (cell.includes('"')) refuse('there is a quote in a cell that does not begin with one')
        addCell(cell)
      }
      isBehindQuotes = false
      at = to + 1
      // A comma at the very end of the file is followed by an empty cell.
      if (!isLast && at === text.length) addCell('')
      if (isLast || at === text.length) endRow(rows)
    }
    return rows
  }

  return { read, end: row.end }
}
