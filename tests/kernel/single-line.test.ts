import { expect, test } from 'vitest'
import { isPlainAddress, isSingleLine, toSingleLine } from '#kernel/single-line.ts'
import { message, text } from '#kernel/wire.ts'

const bad = ['a\nb', 'a\r\nb', 'a\tb', 'a\u001db', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u202eb', 'a\u2066b']

test('names are one line that reads as it is written', () => {
  for (const each of bad) {
    expect(isSingleLine(each), JSON.stringify(each)).toBe(false)
    expect(toSingleLine(each)).toBe('a b')
  }
  for (const good of ['Zoë O’Neil', 'محمد\u200f علي', '王小明', '👩‍💻 team', '']) {
    expect(isSingleLine(good)).toBe(true)
    expect(toSingleLine(good)).toBe(good)
  }
})

test('an address does not end where another header begins', () => {
  for (const each of ['a@b.test>\r\nBcc: x@evil', 'a@b.test>', 'a@b.test, c@d.test', '"a" <a@b.test>', 'a@b.test x'])
    expect(isPlainAddress(each), each).toBe(false)
  for (const good of ["o'neil+x@b.test", 'zoë@b.test', 'a']) expect(isPlainAddress(good)).toBe(true)
})

test('the API refuses such names in every message, and takes lines in texts', () => {
  const shape = message('test.Named', { displayName: text(), userName: text(), description: text(), filename: text() })
  for (const each of bad) {
    const problems: { field: string; description: string }[] = []
    shape.read({ displayName: each, userName: each, description: each, filename: each }, '', problems)
    expect(problems.map(({ field }) => field)).toEqual(['displayName', 'userName'])
  }
})
