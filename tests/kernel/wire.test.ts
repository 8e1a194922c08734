import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeMessage } from '#kernel/json.ts'
import type { FieldViolation } from '#kernel/refusals.ts'
import {
  duration,
  flag,
  int32,
  int64,
  leftOut,
  list,
  listOf,
  message,
  nested,
  oneOf,
  readOnly,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'
import { routes } from '#server/registry/routes.ts'

const Part = message('Part', { partName: text() })
const All = message('All', {
  someText: text({ maxLength: 10 }),
  isOn: flag(),
  count: int32(),
  bigCount: int64(),
  madeAt: timestamp(),
  lifeSpan: duration(),
  colour: oneOf(['COLOUR_UNSPECIFIED', 'COLOUR_RED']),
  freeForm: struct(),
  names: list(text()),
  part: nested(Part),
  partList: listOf(Part),
  madeBy: readOnly(text()),
})

const read = (json: unknown) => {
  const problems: FieldViolation[] = []
  return { value: All.read(json, '', problems), problems }
}

test('what is unset is written as nothing of its kind, and every field is there', () => {
  expect(All.write({})).toEqual({
    someText: '',
    isOn: false,
    count: 0,
    bigCount: '0',
    madeAt: null,
    lifeSpan: null,
    colour: 'COLOUR_UNSPECIFIED',
    freeForm: null,
    names: [],
    part: null,
    partList: [],
    madeBy: '',
  })
})

test('64-bit integers are strings, times RFC 3339 in UTC, durations seconds', () => {
  const written = All.write({ bigCount: 9_007_199_254_740_991, madeAt: new Date(0), lifeSpan: 600 })
  expect(written).toMatchObject({
    bigCount: '9007199254740991',
    madeAt: '1970-01-01T00:00:00.000Z',
    lifeSpan: '600s',
  })
})

test('fields are read in lowerCamelCase and in snake_case', () => {
  const given = { someText: 'a', isOn: true, bigCount: '7', partList: [{ partName: 'x' }] }
  const snake = { some_text: 'a', is_on: true, big_count: '7', part_list: [{ part_name: 'x' }] }
  expect(read(snake)).toEqual(read(given))
  expect(read(snake).value).toMatchObject(given.partList ? { someText: 'a', isOn: true, bigCount: 7 } : {})
})

test('the moments that there are are read: a leap day, another zone, the end of all times', () => {
  for (const madeAt of ['2024-02-29T12:00:00.5Z', '2026-01-01T00:00:00+14:00', '9999-12-31T23:59:59Z'])
    expect(read({ madeAt })).toMatchObject({ problems: [], value: { madeAt: new Date(madeAt) } })
})

test('unknown fields are ignored, and null means unset', () => {
  const { value, problems } = read({
    nobody: 1,
    __proto__: { someText: 'no' },
    someText: null,
    names: null,
    part: null,
  })
  expect(problems).toEqual([])
  expect(value).toEqual(read({}).value)
})

test('a field that only the service tells is ignored when sent', () => {
  expect(read({ madeBy: 'me' })).toEqual(read({}))
})

test.each([
  [{ someText: 1 }, 'someText'],
  [{ someText: 'a\u0000b' }, 'someText'],
  [{ someText: '\ud800' }, 'someText'],
  [{ someText: '12345678901' }, 'someText'],
  [{ is_on: 'true' }, 'isOn'],
  [{ count: 1.5 }, 'count'],
  [{ count: 2 ** 31 }, 'count'],
  [{ bigCount: '1e3' }, 'bigCount'],
  [{ bigCount: '9007199254740993' }, 'bigCount'],
  [{ madeAt: 'yesterday' }, 'madeAt'],
  [{ madeAt: '2026-02-30' }, 'madeAt'],
  [{ madeAt: '2026-13-01T00:00:00Z' }, 'madeAt'],
  [{ madeAt: '2026-02-29T00:00:00Z' }, 'madeAt'],
  [{ madeAt: '2026-01-01T24:00:00Z' }, 'madeAt'],
  [{ madeAt: '9999-12-31T23:59:59-23:59' }, 'madeAt'],
  [{ madeAt: '0000-12-31T23:59:59Z' }, 'madeAt'],
  [{ lifeSpan: '10m' }, 'lifeSpan'],
  [{ colour: 'COLOUR_MAUVE' }, 'colour'],
  [{ freeForm: [] }, 'freeForm'],
  [{ names: 'x' }, 'names'],
  [{ names: ['x', 2] }, 'names[1]'],
  [{ names: [null] }, 'names[0]'],
  [{ part: [] }, 'part'],
  [{ part_list: [{ part_name: {} }] }, 'partList[0].partName'],
])('%j is refused, naming the field', (json, field) => {
  expect(read(json).problems.map((problem) => problem.field)).toEqual([field])
})

test('an object nested too deeply is refused rather than overflowing', () => {
  const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
  expect(read({ freeForm: deep }).problems).toHaveLength(1)
})

test('whatever JSON comes, reading neither throws nor lets through what cannot be written', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(All.fields)), fc.jsonValue()), (json) => {
      const { value, problems } = read(json)
      if (problems.length > 0) return
      const written = All.write(value)
      expect(read(JSON.parse(JSON.stringify(written)))).toEqual({ value: { ...value, madeBy: '' }, problems: [] })
    }),
  )
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('"', '\\', '\ud800', '\u2028', '\x7f', 'é'),
)
const anyPart = fc.record({ partName: fc.option(anyText, { nil: undefined }) })

test('the text of a message is the JSON of what is written of it, whatever it holds', () => {
  const anything = fc.record(
    {
      someText: anyText,
      isOn: fc.boolean(),
      count: fc.integer(),
      bigCount: fc.integer(),
      madeAt: fc.option(fc.date({ noInvalidDate: true })),
      lifeSpan: fc.option(fc.integer()),
      colour: fc.constantFrom('COLOUR_UNSPECIFIED' as const, 'COLOUR_RED' as const),
      freeForm: fc.option(fc.dictionary(anyText, fc.jsonValue())),
      names: fc.array(anyText),
      part: fc.option(anyPart),
      partList: fc.array(anyPart),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(anything, (value) => {
      expect(All.text(value as never)).toBe(JSON.stringify(All.write(value as never)))
      expect(writeMessage(All, value)).toBe(JSON.stringify(All.write(value as never)))
    }),
  )
})

test('a field that may be left out is absent where it is unset, and there where it is not, first or later', () => {
  const Some = message('Some', {
    first: leftOut(text()),
    part: leftOut(nested(Part)),
    last: flag(),
    names: leftOut(list(text())),
  })
  const AfterOne = message('AfterOne', { ...Part.fields, ...Some.fields })
  const values = [
    {},
    { first: 'a' },
    { part: { partName: '' } },
    { first: '', part: null, names: [] },
    { last: true, names: ['b'] },
  ]
  expect(values.map((value) => Object.keys(Some.write(value)).join())).toEqual([
    ...['last', 'first,last', 'part,last', 'last', 'last,names'],
  ])
  for (const each of [Some, AfterOne])
    for (const value of values) {
      expect(each.text(value)).toBe(JSON.stringify(each.write(value)))
      expect(writeMessage(each, value)).toBe(JSON.stringify(each.write(value)))
    }
})

test('a long reply is written in pieces, as it would be at once', async () => {
  const Long = message('Long', { partList: listOf(Part), after: text() })
  const value = { partList: Array.from({ length: 40 }, () => ({ partName: 'é'.repeat(20_000) })), after: 'end' }
  const pieces = (await writeMessage(Long, value)) as readonly Buffer[]
  expect(pieces.length).toBeGreaterThan(1)
  expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(value))
})

test.each(routes)('$id writes as text what it writes as objects', ({ reply }) => {
  expect(reply.text({})).toBe(JSON.stringify(reply.write({})))
})
