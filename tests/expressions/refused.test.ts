import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#kernel/refusals.ts'
import { fewOrMany, longTest } from '../fixture/long.ts'
import { compileExpression } from './compiled.ts'
import { boolean } from './grammar.ts'

/** What compiling throws, if it does. */
function thrownBy(source: string): unknown {
  try {
    compileExpression(source, 'automation.cel.expression')
    return null
  } catch (error) {
    return error
  }
}

/** Where and why an expression is refused. */
function refusal(source: string): { at: string; why: string } {
  const error = thrownBy(source)
  expect(error).toBeInstanceOf(Refusal)
  const { reason, status, code, message, detail } = error as Refusal
  expect({ reason, status, code }).toEqual({ reason: 'EXPRESSION_INVALID', status: 400, code: 3 })
  const { line, column } = detail.metadata as { line: string; column: string }
  const [violation] = detail.violations ?? []
  expect(violation?.field).toBe('automation.cel.expression')
  expect(message).toBe(`automation.cel.expression: ${violation?.description}`)
  const prefix = `line ${line}, column ${column}: `
  expect(violation?.description.startsWith(prefix)).toBe(true)
  return { at: `${line}:${column}`, why: violation?.description.slice(prefix.length) ?? '' }
}

const app = 'a'.repeat(27)

describe('a bad expression is refused with line and column', () => {
  test.each([
    // What is not CEL.
    ['', '1:1', 'an expression must not be empty'],
    ['subject.department ==', '1:22', 'expected a value, found the end'],
    ['subject.department ==\n  == "x"', '2:3', 'expected a value, found "=="'],
    ['subject.department = "x"', '1:20', '"=" has no meaning here; did you mean ==?'],
    ['subject.department == "x" & true', '1:27', '"&" has no meaning here; did you mean &&?'],
    ['(subject.department == "x"', '1:27', 'expected ")", found the end'],
    ['subject.department == "x")', '1:26', 'expected an operator or the end, found ")"'],
    ['subject.department in ["a" "b"]', '1:28', 'expected "," or "]", found "\\"b\\""'],
    ['"é" == "x" || subject. == 1', '1:24', 'expected a name, found "=="'],
    ['"unterminated', '1:1', 'this string is not terminated'],
    ['true and false', '1:6', 'expected an operator or the end, found "and"'],
    ['if (true) false', '1:1', '"if" is a reserved word'],
    ['"\\xZZ" == ""', '1:1', 'Invalid code point NaN'],
    ['"\ud800" == ""', '1:2', 'an unpaired surrogate'],
    // What means nothing here.
    ['subject', '1:1', 'subject must be used with one of its fields, as in subject.department'],
    ['subject.title == "x"', '1:8', 'subject has no field "title"'],
    ['user.department == "x"', '1:1', 'there is no "user"; a user\'s fields are in subject, as in subject.department'],
    ['subject[subject.id] == "x"', '1:16', 'the field of subject must be a literal, as in subject.department'],
    ['subject.status == UserStatus.GONE', '1:29', 'UserStatus has no value "GONE"'],
    [
      'subject.status == UserStatus',
      '1:19',
      'UserStatus must be used with one of its values, as in UserStatus.ENABLED',
    ],
    ['subject.department.trim() == "x"', '1:19', 'there is no function "trim"'],
    ['c1.user.v1.Knows(subject, "x")', '1:11', 'there is no function "c1.user.v1.Knows"'],
    [
      `c1.user.v1.HasApp("${app}")`,
      '1:11',
      'write it as c1.user.v1.HasApp(subject, "app id"), with the ids as string literals',
    ],
    [
      `c1.user.v1.HasEntitlement(subject, "${app}", subject.id)`,
      '1:11',
      'write it as c1.user.v1.HasEntitlement(subject, "app id", "entitlement id"), with the ids as string literals',
    ],
    ['c1.user.v1.HasApp(subject, "x")', '1:28', '"x" is not an id: an id has 27 letters and digits'],
    ['subject.emails.exists(subject, true)', '1:15', '"subject" is already defined; choose another name'],
    [
      'subject.emails.exists(e)',
      '1:15',
      'exists() takes a name and an expression, as in subject.emails.exists(e, e != "")',
    ],
    ['has(subject)', '1:1', 'has() takes a field, as in has(subject.profile.site)'],
    // What certainly fails, for everyone.
    ['subject.department', '1:8', 'the expression must be a bool, but is a string'],
    ['1 + 2', '1:3', 'the expression must be a bool, but is an int'],
    ['now()', '1:1', 'the expression must be a bool, but is a timestamp'],
    ['subject.emails', '1:8', 'the expression must be a bool, but is a list'],
    ['subject.department > 3', '1:20', '> cannot be used with a string and an int'],
    ['subject.department && true', '1:8', '&& takes bools, and this is a string'],
    ['!subject.department', '1:1', '! cannot be used with a string'],
    ['"x" in subject.department', '1:5', 'in cannot be used with a string and a string'],
    ['subject.department ? true : false', '1:8', 'the operand before ? must be a bool, and this is a string'],
    ['subject.department.x == 1', '1:19', 'a string has no fields, so no "x"'],
    ['subject.department[0] == "x"', '1:19', 'a string has no elements'],
    ['subject.department.exists(x, true)', '1:8', 'a string has no elements to iterate over'],
    ['subject.emails["a"] == "x"', '1:16', 'a list has no element by a string'],
    ['subject.department.startsWith(1)', '1:19', 'there is no string.startsWith(int)'],
    ['size(1) == 1', '1:1', 'there is no size(int)'],
    ['99999999999999999999 == 1', '1:1', 'an int has at most 64 bits'],
    [
      'now() > timestamp("yesterday")',
      '1:19',
      'Failed to parse timestamp: Error: cannot decode message google.protobuf.Timestamp from JSON: invalid RFC 3339 string',
    ],
    ['now() - duration("1 day") > now()', '1:18', 'Failed to parse duration: invalid syntax'],
    [
      'subject.email.matches("(a")',
      '1:23',
      'RE2 does not accept this pattern: error parsing regexp: missing closing ): `(a`',
    ],
    ['subject.email.matches(subject.id)', '1:30', 'the pattern of matches() must be a string literal'],
  ])('%j at %s', (source, at, why) => {
    expect(refusal(source)).toEqual({ at, why })
  })
})

/** Milliseconds of work, of five times: the machine may be busy with something else. */
function quickest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const began = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

describe('a hostile expression is refused, at once', () => {
  const many = (count: number, part: string, between = ''): string =>
    Array.from({ length: count }, () => part).join(between)
  test.each([
    ['a long text', `subject.id == "${many(1_000_000, 'x')}"`, 'an expression has at most 10000 characters'],
    ['deep brackets', `${many(2000, '(')}true${many(2000, ')')}`, 'nested more than 40 deep'],
    ['deep lists', `${many(2000, '[')}true${many(2000, ']')}`, 'nested more than 40 deep'],
    ['deep maps', `${many(2000, '{1:')}true${many(2000, '}')}`, 'nested more than 40 deep'],
    ['deep calls', `${many(1500, 'size(')}true${many(1500, ')')}`, 'nested more than 40 deep'],
    ['deep indexes', `subject.profile${many(600, '[subject.profile')}`, 'nested more than 40 deep'],
    ['many conditions', `${many(1200, 'true?1:')}true`, 'nested more than 40 deep'],
    ['many signs', `${many(5000, '!')}true`, 'more than 100 in a row'],
    ['many sums', many(4000, '1', '+'), 'more than 100 in a row'],
    ['many accesses', `subject.profile${many(4000, '.a')}`, 'more than 100 in a row'],
    ['many calls of calls', `subject.id${many(700, '.lowerAscii()')}`, 'more than 100 in a row'],
    [
      'operators within brackets within operators',
      `${many(38, '(')}1${many(38, `${many(90, '+1')})`)} == 1`,
      'nested too deeply',
    ],
    [
      'accesses within brackets within accesses',
      `${many(38, '(')}subject.profile${many(38, `${many(90, '.a')})`)} == 1`,
      'nested too deeply',
    ],
    ['a long list', `1 in [${many(4000, '1', ',')}]`, 'a list of more than 500'],
    ['a long map', `1 in {${many(2000, '1:1', ',')}}`, 'a map of more than 500'],
    ['many macros', many(3, '[1, 2].exists(a, ') + 'true' + many(3, ')'), 'macros can be nested at most 2 deep'],
    [
      'a long pattern',
      `subject.id.matches("${many(600, 'a')}")`,
      'a pattern of more than 100 characters, repetitions counted',
    ],
    [
      'an exploding pattern',
      'subject.id.matches("((a{0,100}){0,100}){0,100}")',
      'a pattern of more than 100 characters, repetitions counted',
    ],
    [
      'many patterns',
      many(9, 'subject.id.matches("[a-z]{60}$")', ' || '),
      'patterns of more than 500 characters together, repetitions counted',
    ],
    ['a slow class', 'subject.id.matches("\\\\p{L}")', 'there are no Unicode classes in patterns'],
  ])('%s', (_name, source, why) => {
    expect(refusal(source).why).toEqual(why)
  })

  longTest('the longest that is accepted compiles within 50 ms, where nothing else is done', () => {
    const longest = [
      many(320, 'subject.department == "abc"', ' || '),
      `subject.id in [${many(420, '"0123456789abcdefghi"', ', ')}]`,
      `subject.id == "${many(9_900, 'x')}"`,
      many(49, 'subject.profile.a[subject.id].b[0].c + subject.profile.d', ' + ') + ' == 1',
      many(25, 'subject.profile.t.exists(t, t.x.exists(u, u == 1))', ' || '),
      many(8, 'subject.department.matches("^(a|b)*[a-z]{1,50}c?$")', ' || '),
    ]
    for (const source of longest) {
      expect(
        quickest(() => compileExpression(source)),
        source.slice(0, 50),
      ).toBeLessThan(500)
    }
  })
})

test('whatever the text, it is compiled or refused', () => {
  const signs = [
    'subject',
    '.',
    'department',
    'profile',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    '?',
    ':',
    '"',
    "'",
    '\\',
    '1',
    '1.5',
    'u',
    '==',
    '<',
    '&&',
    '||',
    '!',
    '-',
    '+',
    ' ',
    '\n',
    'in',
    'has',
    'exists',
    'e',
    'null',
    'true',
    '//',
    'b"',
    'r"',
    '\0',
    'matches',
    'c1.user.v1.HasApp',
    '@',
    '`',
    '\u2028',
    '0x',
    '1e',
    '"""',
  ]
  const soup = fc.array(fc.constantFrom(...signs), { maxLength: 30 }).map((parts) => parts.join(''))
  const torn = fc
    .tuple(boolean, fc.nat(), fc.nat(5), fc.string({ unit: 'binary', maxLength: 3 }))
    .map(([text, at, cut, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + cut)
    })
  fc.assert(
    fc.property(fc.oneof(soup, torn, fc.string({ unit: 'binary' }), fc.string()), (source) => {
      const error = thrownBy(source)
      expect(error === null || error instanceof Refusal).toBe(true)
    }),
    { numRuns: Number(process.env['EXPRESSIONS_RUNS'] ?? fewOrMany(300, 20_000)) },
  )
})
