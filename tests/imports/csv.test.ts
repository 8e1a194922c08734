import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvReader } from '../../server/rooms/records/imports/reading/csv.ts'

const read = (...parts: string[]) => {
  const reader = csvReader()
  return [...parts.flatMap((part) => reader.read(part)), ...reader.end()]
}
const cellsOf = (...parts: string[]): string[][] => read(...parts).map(({ cells }) => cells)
const problemsOf = (...parts: string[]): (string | null)[] => read(...parts).map(({ problem }) => problem)

test('cells stand between commas, and lines end with CRLF, LF or the file', () => {
  expect(cellsOf('a,b\r\n1,2\n3,')).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', ''],
  ])
})

test('in quotes a cell may hold commas, line ends and doubled quotes', () => {
  expect(cellsOf('"a,b","say ""hi""","two\r\nlines"\n')).toEqual([['a,b', 'say "hi"', 'two\r\nlines']])
})

test('a row is identified by its first line, and empty lines are ignored', () => {
  expect(read('a\n\n"x\ny\nz",1\n\r\nb\n').map(({ line }) => line)).toEqual([1, 3, 7])
})

test('a cell in quotes may go on in the next piece', () => {
  expect(cellsOf('1,"a\n', 'b\n', 'c",2\n')).toEqual([['1', 'a\nb\nc', '2']])
})

test('a quote amid a cell, something behind quotes and quotes without an end are refused', () => {
  expect(problemsOf('a"b\n')).toEqual([expect.stringContaining('does not begin with one')])
  expect(problemsOf('"a"b,c\n')).toEqual([expect.stringContaining('between a quoted cell')])
  expect(problemsOf('a\n"b\nc')).toEqual([null, 'a cell in quotes is not closed'])
})

test('a cell in quotes that goes on for more than 1 MiB is refused, and not held', () => {
  const line = `${'x'.repeat(1000)}\n`
  const rows = read('"', ...Array.from({ length: 2000 }, () => line), '"\n')
  expect(rows.map(({ problem }) => problem)).toEqual(['a cell in quotes does not end within 1 MiB'])
  expect(rows[0]?.cells.join('').length).toBeLessThan(1024 * 1024 + 1)
})

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const written = (cell: string): string => (/[",\r\n]/.test(cell) ? quoted(cell) : cell)

test('whatever is written as CSV is read back, however it is cut at its lines', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', 'é', '', ' ') })
  // A row of one empty cell is an empty line, and no row.
  const row = fc.array(cell, { minLength: 1, maxLength: 4 }).filter((cells) => cells.length > 1 || cells[0] !== '')
  fc.assert(
    fc.property(fc.array(row), fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, end, isQuoted) => {
      const text = rows.map((cells) => `${cells.map(isQuoted ? quoted : written).join(',')}${end}`).join('')
      const parts = text.split(/(?<=\n)/)
      expect(cellsOf(...parts)).toEqual(rows)
      expect(cellsOf(text)).toEqual(rows)
    }),
    { numRuns: 300 },
  )
})

test('a row of more than 1,000 columns is refused, and the next one is read', () => {
  const wide = 'x,'.repeat(1200)
  for (const end of ['', '"a\nb"', '"a\nb",c', 'c\r'])
    expect(problemsOf(`a,b\n${wide}${end}\n1,2\n`)).toEqual([null, 'has more than 1000 columns', null])
  expect(problemsOf(`a\n${wide}`, 'b\n')).toEqual([null, 'has more than 1000 columns', null])
  expect(problemsOf(`${'x,'.repeat(999)}x\n`)).toEqual([null])
})
