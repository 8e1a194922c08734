import { shownText } from './glyphs.ts'
import { wrapped } from './wrap.ts'
import { type Line, type Page, writePdf } from './write.ts'

/** A part of a document. `columns` are shares of the width of the page. */
export type Part =
  | { is: 'heading'; text: string }
  | { is: 'text'; text: string }
  | { is: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { is: 'table'; columns: readonly number[]; head: readonly string[]; rows: readonly (readonly Cell[])[] }
/** The lines of a cell. A line break within one of them is written out: it cannot look like another cell. */
type Cell = readonly string[]

export type Document = { title: string; createdAt: Date; footer: string; parts: readonly Part[] }

// A4, landscape.
const size = { width: 842, height: 595 }
const margin = 40
const inside = size.width - 2 * margin
const bottom = margin + 14
const [titleSize, headingSize, textSize, cellSize] = [16, 11, 9, 7.5]
const gap = 6
const leading = 1.25
const factNameWidth = 130

/** Writes parts from the top of a page to its bottom, and continues on the next one. */
class Paper {
  readonly #pages: { lines: Line[]; strokes: { x: number; y: number; width: number }[] }[] = []
  #y = 0

  constructor() {
    this.turn()
  }

  turn(): void {
    this.#pages.push({ lines: [], strokes: [] })
    this.#y = size.height - margin
  }

  /** Whether so much fits below what is written. */
  has(height: number): boolean {
    return this.#y - height >= bottom
  }

  down(height: number): void {
    this.#y -= height
  }

  /** Writes a line at the current height, without moving on. */
  write(shown: string, x: number, fontSize: number, isBold = false): void {
    if (shown !== '') this.#pages.at(-1)?.lines.push({ x, y: this.#y - fontSize, size: fontSize, isBold, shown })
  }

  rule(): void {
    this.#pages.at(-1)?.strokes.push({ x: margin, y: this.#y, width: inside })
  }

  paragraph(text: string, fontSize: number, isBold = false): void {
    for (const line of wrapped(shownText(text), fontSize, inside)) {
      if (!this.has(fontSize * leading)) this.turn()
      this.write(line, margin, fontSize, isBold)
      this.down(fontSize * leading)
    }
  }

  /** Cells beside one another. What does not fit on a page continues on the next one. */
  cells(cells: readonly Cell[], widths: readonly number[], fontSize: number, bold: (place: number) => boolean): void {
    const texts = cells.map((lines, i) =>
      lines.flatMap((line) => wrapped(shownText(line), fontSize, (widths[i] as number) - gap)),
    )
    const count = Math.max(...texts.map(({ length }) => length))
    for (let row = 0; row < count; row++) {
      if (!this.has(fontSize * leading)) this.turn()
      let x = margin
      for (const [i, lines] of texts.entries()) {
        this.write(lines[row] ?? '', x, fontSize, bold(i))
        x += widths[i] as number
      }
      this.down(fontSize * leading)
    }
  }

  /** The pages, each with its number. */
  finished(footer: string): Page[] {
    const shown = shownText(footer)
    return this.#pages.map(({ lines, strokes }, place) => {
      const numbered = `${shown}   Page ${place + 1} of ${this.#pages.length}`
      return {
        strokes,
        lines: [...lines, { x: margin, y: margin - 8, size: cellSize, isBold: false, shown: numbered }],
      }
    })
  }
}

/** A document as a PDF. The same document always gives the same bytes. */
export function pdfOf({ title, createdAt, footer, parts }: Document): Buffer {
  const paper = new Paper()
  paper.paragraph(title, titleSize, true)
  paper.down(gap)
  for (const part of parts) writePart(paper, part)
  return writePdf(paper.finished(footer), size, { title, createdAt })
}

function writePart(paper: Paper, part: Part): void {
  switch (part.is) {
    case 'heading':
      if (!paper.has(headingSize * 4)) paper.turn()
      paper.down(gap)
      return paper.paragraph(part.text, headingSize, true)
    case 'text':
      paper.paragraph(part.text, textSize)
      return paper.down(gap / 2)
    case 'facts':
      for (const fact of part.facts)
        paper.cells(
          fact.map((each) => [each]),
          [factNameWidth, inside - factNameWidth],
          textSize,
          (place) => place === 0,
        )
      return paper.down(gap / 2)
    case 'table':
      return writeTable(paper, part)
  }
}

function writeTable(paper: Paper, { columns, head, rows }: Extract<Part, { is: 'table' }>): void {
  const total = columns.reduce((sum, each) => sum + each, 0)
  const widths = columns.map((share) => (share * inside) / total)
  const writeHead = (): void =>
    paper.cells(
      head.map((each) => [each]),
      widths,
      cellSize,
      () => true,
    )
  writeHead()
  for (const row of rows) {
    if (!paper.has(cellSize * leading * 2 + gap)) {
      paper.turn()
      writeHead()
    }
    paper.rule()
    paper.down(2)
    paper.cells(row, widths, cellSize, () => false)
    paper.down(2)
  }
  paper.down(gap)
}
