import { expect, test } from 'vitest'
import { diffOf } from '../../console/src/pages/automation/text-diff.ts'
import { profileName, valuePlaceAt, written } from '../../console/src/parts/value-place.ts'

const placeOf = (text: string): unknown[] | null => {
  const place = valuePlaceAt(text, text.length)
  return place && [place.field, place.typed, place.appId]
}

test.each([
  ['subject.department == "En', ['department', 'En', '']],
  ["subject.department != 'En", ['department', 'En', '']],
  ['subject.job_title.startsWith("', ['jobTitle', '', '']],
  ['subject.department.lowerAscii() == "e', ['department', 'e', '']],
  ['x && subject.department in ["a b", "c', ['department', 'c', '']],
  ['subject.profile.site == "O', ['profile.site', 'O', '']],
  ['subject.profile["cost center"] == "R', ['profile.cost center', 'R', '']],
  ['c1.user.v1.HasApp(subject, "w', ['app', 'w', '']],
  ['c1.user.v1.HasEntitlement(subject, "app1", "e', ['entitlement', 'e', 'app1']],
  ['subject.email == "a" && subject.department == "\\"q', ['department', '\\"q', '']],
  ['subject.department == "done" && sub', null],
  ['"subject.department == ', null],
  ['subject.department in ["a"] && "', null],
  ['subject.department == "a\n"b', null],
])('what is compared with the text at the end of %j', (text, place) => {
  expect(placeOf(text)).toEqual(place)
})

test('a value is written so that it stays one text, and a key so that it is read', () => {
  expect(written('a "b" \\ \'c\'\n', '"')).toBe(String.raw`a \"b\" \\ 'c'\n`)
  expect(written("it's", "'")).toBe(String.raw`it\'s`)
  expect([profileName('site'), profileName('cost "x"')]).toEqual([
    'subject.profile.site',
    String.raw`subject.profile["cost \"x\""]`,
  ])
})

test('the difference of two texts holds all of both, and the other way round changes sides', () => {
  const [a, b] = ['subject.department == "Sales" && true', 'subject.department in ["Sales", "Support"]']
  const parts = diffOf(a, b)
  const side = (name: string): string =>
    parts
      .filter((part) => part.side === 'both' || part.side === name)
      .map(({ text }) => text)
      .join('')
  expect([side('before'), side('after')]).toEqual([a, b])
  expect(parts.filter((part) => part.side === 'both').length).toBeGreaterThan(1)
  expect(diffOf('', '')).toEqual([])
  expect(diffOf('x', 'x')).toEqual([{ text: 'x', side: 'both' }])
  const long = 'word '.repeat(3000)
  expect(diffOf(long, `${long}!`).map((part) => part.side)).toEqual(['before', 'after'])
})
