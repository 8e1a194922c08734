import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Tests of a file that no run has: `npm test` leaves them out, and where there are `onlyLongTest`s the long run does so too. */
function neverRun(text: string): string[] {
  if (!/\bonlyLongTest\(/.test(text)) return []
  const groups = text.match(/^longDescribe\([\s\S]*?^\}\)/gm) ?? []
  return [
    ...(text.match(/^ *longTest\b.*$/gm) ?? []),
    ...groups.flatMap((group) => group.match(/^ +test(?:\(|\.each|\.for).*$/gm) ?? []),
  ]
}

test('every test is in some run: beside `onlyLongTest` there are no others for the long run', () => {
  const files = globSync('tests/**/*.test.ts')
  expect(files.length).toBeGreaterThan(100)
  expect(
    Object.fromEntries(
      files.map((file) => [file, neverRun(readFileSync(file, 'utf8'))]).filter(([, found]) => found?.length),
    ),
  ).toEqual({})
})

test('one that is in none is found', () => {
  const only = `onlyLongTest('a', f)\n`
  expect(neverRun(`longTest('b', f)\n`)).toEqual([])
  expect(neverRun(`${only}longTest('b', f)\n`)).toEqual([`longTest('b', f)`])
  expect(neverRun(`${only}longDescribe('c', () => {\n  test('d', f)\n})\n`)).toEqual([`  test('d', f)`])
})
