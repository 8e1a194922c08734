/** A file of cells: its header, and its rows with the line that each begins on. */
export type Row = { line: number; cells: string[] }
export type FileTable = { header: string[]; rows: Row[]; encoding: string; delimiter: Delimiter }
export type Delimiter = ',' | ';' | '\t' | '|'

export const delimiterNames: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
}

// The file is held in the memory of the browser; larger ones are streamed to the server by its own format.
export const bytesMax = 20 * 1024 * 1024
export const rowsMax = 50_000
const columnsMax = 200
const cellMax = 20_000

/** Why a file cannot be read as a table. */
export class UnreadableFile extends Error {}

/** Spreadsheets save UTF-8, UTF-16 with a mark, or the Western European code page of Windows. */
function decode(bytes: Uint8Array): { text: string; encoding: string } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

/** The delimiter that the first line has most often outside quotes. */
function delimiterOf(text: string): Delimiter {
  const counts = new Map<string, number>()
  let isQuoted = false
  for (const character of text.slice(0, cellMax)) {
    if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && (character === '\n' || character === '\r')) break
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const of = (delimiter: string): number => counts.get(delimiter) ?? 0
  return (['\t', ';', '|'] as const).reduce<Delimiter>((best, each) => (of(each) > of(best) ? each : best), ',')
}

/**
 * Rows of a file with quotes as in RFC 4180. Lenient where other systems are: a quote within a cell that does not begin with one is
 * text, and so is what follows a closing quote. Each character is looked at once.
 */
function rowsOf(text: string, delimiter: Delimiter): Row[] {
  const rows: Row[] = []
  let [at, line] = [0, 1]
  let row: Row = { line, cells: [] }
  const take = (cell: string): void => {
    if (row.cells.length >= columnsMax)
      throw new UnreadableFile(`Line ${row.line} has more than ${columnsMax} columns.`)
    if (cell.length > cellMax)
      throw new UnreadableFile(`Line ${row.line} has a cell of more than ${cellMax} characters.`)
    row.cells.push(cell.trim())
  }
  const quotedCell = (): string => {
    let cell = ''
    for (;;) {
      const end = text.indexOf('"', at)
      if (end < 0) throw new UnreadableFile(`Line ${row.line} has a cell in quotes that is not closed.`)
      cell += text.slice(at, end)
      if (cell.length > cellMax)
        throw new UnreadableFile(`Line ${row.line} has a cell of more than ${cellMax} characters.`)
      at = end + 1
      if (text[at] !== '"') break
      cell += '"'
      at++
    }
    for (let n = cell.indexOf('\n'); n >= 0; n = cell.indexOf('\n', n + 1)) line++
    return cell
  }
  const plainPart = (): string => {
    const from = at
    while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
    return text.slice(from, at)
  }
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      at++
      cell = quotedCell()
    }
    take(cell + plainPart())
    if (text[at] === delimiter) {
      at++
      if (at === text.length) take('')
      continue
    }
    if (text[at] === '\r') at++
    if (text[at] === '\n') at++
    line++
    if (row.cells.some((each) => each !== '')) rows.push(row)
    if (rows.length > rowsMax + 1)
      throw new UnreadableFile(`The file has more than ${rowsMax.toLocaleString('en')} rows.`)
    row = { line, cells: [] }
  }
  if (row.cells.some((each) => each !== '')) rows.push(row)
  return rows
}

/** Reads a file as a table. Short rows are filled with empty cells; a row that is too long is refused. */
export function readTable(bytes: Uint8Array): FileTable {
  if (bytes.length > bytesMax) throw new UnreadableFile(`The file is larger than ${bytesMax / 1024 / 1024} MiB.`)
  const { text, encoding } = decode(bytes)
  const plain = text.startsWith('\u{feff}') ? text.slice(1) : text
  if (plain.includes('\0')) throw new UnreadableFile('This is not a text file.')
  // Excel begins a file with its delimiter.
  const named = /^sep=([,;|\t])\r?\n/.exec(plain)
  const body = named ? plain.slice(named[0].length) : plain
  const delimiter = (named?.[1] as Delimiter | undefined) ?? delimiterOf(body)
  const [first, ...rows] = rowsOf(body, delimiter)
  if (!first || rows.length === 0) throw new UnreadableFile('The file has no rows below its header.')
  const width = first.cells.length
  for (const row of rows) {
    while (row.cells.length > width && row.cells.at(-1) === '') row.cells.pop()
    if (row.cells.length > width)
      throw new UnreadableFile(`Line ${row.line} has ${row.cells.length} cells, and the header has ${width}.`)
    while (row.cells.length < width) row.cells.push('')
  }
  const offset = named ? 1 : 0
  return {
    header: first.cells.map((name, at) => name || `Column ${at + 1}`),
    rows: rows.map(({ line, cells }) => ({ line: line + offset, cells })),
    encoding,
    delimiter,
  }
}
