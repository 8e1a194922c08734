import { describe, expect, test } from 'vitest'
import { checkAnswers } from '#rooms/governance/forms/index.ts'
import { CreateFormMessage } from '#rooms/governance/forms/shapes.ts'

const now = new Date('2026-03-10T12:00:00Z')
const formOf = (fields: object[], fieldRelationships: object[] = []) =>
  CreateFormMessage.read({ fields, fieldRelationships }, '', [])
const check = (kind: object, value: unknown) =>
  checkAnswers(formOf([{ name: 'a', ...kind }]), { a: value }, now).problems.map(({ description }) => description)[0]
const byText = (rules: object) => ({ stringField: { rules } })

describe('an answer', () => {
  test.each([
    [byText({ const: 'x' }), 'x', 'y'],
    [byText({ len: '2' }), 'ab', 'abc'],
    [byText({ minLen: '2', maxLen: '3' }), '🦓🦓', 'a'],
    [byText({ maxBytes: '3' }), 'abc', '🦓'],
    [byText({ prefix: 'a', suffix: 'z', contains: 'm' }), 'amz', 'az'],
    [byText({ notContains: 'x' }), 'abc', 'axc'],
    [byText({ in: ['a', 'b'] }), 'a', 'c'],
    [byText({ notIn: ['a'] }), 'b', 'a'],
    [byText({ pattern: '^[A-Z]+-[0-9]+$' }), 'ABC-1', 'abc'],
    [byText({ pattern: '^a*$' }), 'a'.repeat(1000), 'a'.repeat(1001)],
    [byText({ email: true }), 'a@example.com', 'a@'],
    [byText({ hostname: true }), 'example.com', '-x.example'],
    [byText({ ip: true }), '::1', '1.2.3'],
    [byText({ ipv4: true }), '1.2.3.4', '::1'],
    [byText({ ipv6: true }), '::1', '1.2.3.4'],
    [byText({ address: true }), 'example.com', 'a b'],
    [byText({ uri: true }), 'https://example.com/a', 'a'],
    [byText({ uriRef: true }), '/a', 'http://['],
    [byText({ uuid: true }), '123e4567-e89b-12d3-a456-426614174000', '123'],
    [byText({ wellKnownRegex: 'HTTP_HEADER_NAME' }), 'X-A', 'a b'],
    [byText({ wellKnownRegex: 'HTTP_HEADER_VALUE' }), 'a b', 'a\nb'],
    [{ stringField: {} }, 'x', 7],
    [{ stringField: { selectField: { options: [{ value: 'a' }] } } }, 'a', 'b'],
    [{ stringField: { dateField: {} } }, '2026-02-28', '2026-02-30'],
    [{ stringField: { dateField: { minDate: '2026-01-01', maxDaysFromToday: 1 } } }, '2026-03-11', '2026-03-12'],
    [{ stringField: { dateField: { minDaysFromToday: 0 } } }, '2026-03-10', '2026-03-09'],
    [{ boolField: {} }, false, 'false'],
    [{ boolField: { rules: { const: true } } }, true, false],
    [{ int64Field: {} }, '12', 1.5],
    [{ int64Field: { rules: { gt: '0', lte: '9' } } }, 9, 0],
    [{ int64Field: { rules: { gte: '0', lt: '9' } } }, 0, 9],
    [{ int64Field: { rules: { in: ['1'], notIn: ['2'] } } }, 1, 2],
    [{ int64Field: { numberField: { minValue: '1', maxValue: '2' } } }, 2, 3],
    [{ stringSliceField: {} }, ['a'], ['a', 1]],
    [{ stringSliceField: { rules: { unique: true } } }, ['a', 'b'], ['a', 'a']],
    [{ stringSliceField: { rules: { minItems: '2', maxItems: '2' } } }, ['a', 'b'], ['a']],
    [{ stringSliceField: { rules: { items: { string: { maxLen: '1' } } } } }, ['a'], ['ab']],
    [{ stringMapField: {} }, { a: 'b' }, { a: 1 }],
  ])('to %j may be %j, and not %j', (kind, right, wrong) => {
    expect(check(kind, right)).toBeUndefined()
    expect(check(kind, wrong)).toEqual(expect.any(String))
  })

  test('that is missing is an error if it is required; empty values are missing, false and 0 are not', () => {
    const form = formOf([
      { name: 'text', required: true, stringField: {} },
      { name: 'sure', required: true, boolField: {} },
      { name: 'number', required: true, int64Field: {} },
      { name: 'list', required: true, stringSliceField: {} },
      { name: 'other', stringField: {} },
      { name: 'labels', stringMapField: { rules: { isRequired: true } } },
    ])
    const { missing, problems } = checkAnswers(form, { text: '', sure: false, number: 0, list: [], labels: {} }, now)
    expect([missing, problems]).toEqual([['text', 'list', 'labels'], []])
  })

  test('is what the form says where nothing was answered, and cannot be another where it is read-only', () => {
    const form = formOf([
      { name: 'a', stringField: { defaultValue: 'x' } },
      { name: 'b', readOnly: true, int64Field: { defaultValue: '7' } },
      { name: 'day', stringField: { dateField: { defaultToToday: true } } },
    ])
    expect(checkAnswers(form, {}, now)).toEqual({
      answers: { a: 'x', b: 7, day: '2026-03-10' },
      missing: [],
      problems: [],
    })
    expect(checkAnswers(form, { b: 8 }, now).problems).toMatchObject([{ field: 'b' }])
    expect(checkAnswers(form, { b: 7 }, now).problems).toEqual([])
  })

  test('to a question that was not asked is refused', () => {
    expect(checkAnswers(formOf([]), { x: 1 }, now).problems).toMatchObject([{ field: 'x' }])
    expect(checkAnswers(formOf([{ name: 'a', stringField: {} }]), { toString: 'x' }, now).problems).toHaveLength(1)
  })
})

test.each([
  ['atLeastOne', {}, {}, { a: 'x' }],
  ['mutuallyExclusive', {}, { a: 'x', b: 'x' }, { b: 'x' }],
  ['requiredTogether', {}, { a: 'x' }, { a: 'x', b: 'x' }],
  ['dependentOn', { dependencyFieldNames: ['c'] }, { a: 'x' }, { a: 'x', c: 'x' }],
])('fields that are %s', (kind, value, wrong, right) => {
  const fields = ['a', 'b', 'c'].map((name) => ({ name, stringField: {} }))
  const form = formOf(fields, [{ fieldNames: kind === 'dependentOn' ? ['a'] : ['a', 'b'], [kind]: value }])
  expect(checkAnswers(form, wrong, now).problems).toHaveLength(1)
  expect(checkAnswers(form, right, now).problems).toEqual([])
})
