import { RE2JS } from '@bufbuild/re2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { patternSize, postgresPattern } from '../../server/rooms/rules/expressions/language/patterns.ts'
import { fewOrMany } from '../fixture/long.ts'
import { prepare } from './world.ts'

const world = prepare()
const runs = Number(process.env['EXPRESSIONS_RUNS'] ?? fewOrMany(150, 10_000))

const atom = fc.constantFrom(
  'a',
  'b',
  'A',
  '1',
  '.',
  '-',
  '_',
  '@',
  ' ',
  'é',
  '😀',
  '\\d',
  '\\w',
  '\\s',
  '\\.',
  '\\\\',
  '\\n',
  '\\-',
  '\\(',
  '[ab]',
  '[^a]',
  '[a-c1-2]',
  '[\\w.-]',
  '[^\\d\\s]',
  '[]a]',
  '[a-]',
  '[-a]',
  '[a\\]]',
  '[^-]',
  ',',
  '#',
  '/',
  '"',
  '!',
  '=',
  ':',
  '[[:alpha:]]',
  '\\b',
  '\\D',
  '\\W',
  '\\x41',
  '[.]',
  '[.a.]',
  '[=a=]',
  '~',
  '%',
  '<',
)
const repeat = fc.constantFrom(
  '',
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,3}',
  '{0}',
  '{0,1}',
  '{2,}',
  '*?',
  '+?',
  '{,2}',
  '{a}',
  '**',
)
const pattern = fc.letrec<{ pattern: string; sequence: string }>((tie) => ({
  sequence: fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.tuple(atom, repeat) },
        {
          weight: 1,
          arbitrary: fc.constantFrom<[string, string]>(['^', ''], ['$', ''], ['^', '*'], ['(?i)', '']),
        },
        {
          weight: 2,
          arbitrary: fc.tuple(
            tie('pattern').map((inner) => `(${inner})`),
            repeat,
          ),
        },
        {
          weight: 1,
          arbitrary: fc.tuple(
            tie('pattern').map((inner) => `(?:${inner})`),
            repeat,
          ),
        },
      ),
      { maxLength: 4, depthIdentifier: 'pattern' },
    )
    .map((parts) => parts.map(([what, often]) => what + often).join('')),
  pattern: fc.oneof(
    { weight: 3, arbitrary: tie('sequence') },
    { weight: 1, arbitrary: fc.tuple(tie('sequence'), tie('sequence')).map(([a, b]) => `${a}|${b}`) },
  ),
})).pattern
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      '1',
      '2',
      '.',
      '-',
      '_',
      '@',
      ' ',
      '\n',
      '\t',
      'é',
      'É',
      '😀',
      '(',
      '\\',
      ']',
      ',',
      '٣',
      ':',
      '=',
      'ß',
    ),
    { maxLength: 6 },
  )
  .map((all) => all.join(''))

test('a pattern that is translated matches in PostgreSQL what RE2 matches', async () => {
  let translated = 0
  await fc.assert(
    fc.asyncProperty(pattern, fc.array(text, { minLength: 20, maxLength: 20 }), async (source, texts) => {
      const sql = postgresPattern(source)
      if (sql === null) return
      translated++
      const re2 = RE2JS.compile(source)
      const rows = await world.server.db<{ text: string; isMatch: boolean }[]>`
        select t.text, t.text collate "C" ~ ${sql}::text as "isMatch" from unnest(${texts}::text[]) as t (text)`
      const wrong = rows.filter((row) => row.isMatch !== re2.test(row.text))
      expect(wrong, `${source} -> ${sql}`).toEqual([])
    }),
    { numRuns: runs },
  )
  // Of the patterns that are made, about a quarter.
  expect(translated).toBeGreaterThan(runs / 10)
})

test.each([
  ['', 0],
  ['abc', 3],
  ['[a-z]{60}$', 61],
  ['(?:a|b){3}', 12],
  ['((a{0,100}){0,100}){0,100}', 1_010_100],
  ['\\d{2,}', 3],
  ['[[:alpha:]]]', 2],
  ['a{,5}', 5],
  ['(((', 3],
])('the size of %s is %s', (source, size) => {
  expect(patternSize(source)).toBe(size)
})
