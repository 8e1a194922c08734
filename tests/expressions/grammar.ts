import fc, { type Arbitrary } from 'fast-check'
import type { Person } from './world.ts'

// Few values, so that they meet: in users and in expressions.
const words = [
  '',
  'A',
  'a',
  'AB',
  'ab',
  'b',
  'Abc',
  'é',
  'É',
  'a@b.c',
  '😀',
  '\uFFFD',
  'a\nb',
  'ENABLED',
  '0',
  '1',
  'true',
  '%',
  '_',
  '\\',
  "'",
  '"',
]
const word = fc.constantFrom(...words)
const keys = ['level', 'flag', 'site', 'tags', 'nested', 'nothing', 'my key', 'constructor']
const numbers = [0, -0, 1, 2, 3, -1, 0.5, 1e300, 5e-324, 9007199254740992, 2 ** 63, 1.7976931348623157e308]

const scalar: Arbitrary<unknown> = fc.oneof(word, fc.constantFrom(...numbers), fc.boolean(), fc.constant(null))
const json: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...keys, 'a', 'b'), scalar, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.array(scalar, { maxLength: 2 }), { maxLength: 2 }) },
)
const profile = fc.record(
  {
    level: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...numbers) }, json),
    flag: fc.oneof({ weight: 3, arbitrary: fc.boolean() }, json),
    site: fc.oneof({ weight: 3, arbitrary: word }, json),
    tags: fc.oneof({ weight: 3, arbitrary: fc.array(word, { maxLength: 4 }) }, json),
    nested: fc.oneof(
      { weight: 3, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', 'site'), json, { maxKeys: 3 }) },
      json,
    ),
    nothing: fc.oneof(fc.constant(null), json),
    'my key': json,
    constructor: json,
  },
  { requiredKeys: [] },
)

export const person = fc.record({
  // Unique where they are not empty.
  email: fc.constant(''),
  emails: fc.array(word, { maxLength: 3 }),
  usernames: fc.array(word, { maxLength: 3 }),
  displayName: word,
  username: word,
  department: word,
  jobTitle: word,
  employmentType: word,
  employmentStatus: word,
  status: fc.constantFrom('ENABLED', 'DISABLED'),
  directoryStatus: fc.constantFrom('ENABLED', 'DISABLED', 'DELETED'),
  type: fc.constantFrom('USER_TYPE_HUMAN', 'USER_TYPE_SERVICE'),
  profile,
}) as Arbitrary<Person>

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`

const textFields = [
  ...[
    'id',
    'email',
    'displayName',
    'display_name',
    'username',
    'department',
    'jobTitle',
    'job_title',
    'employmentType',
  ],
  ...['employment_status', 'status', 'directoryStatus', 'type', 'manager', 'managerId', 'manager_id'],
]
const patterns = [
  '^a',
  'a$',
  '^$',
  'A|b',
  '[a-c]+',
  '(?:a|b){1,2}',
  '\\\\d',
  'b\\\\.c',
  '^.$',
  '[^a]',
  'a?b*',
  '\\\\w+@',
  '(?i)a',
  '^\\\\S+$',
  '\\\\p{L}',
  'a.b',
  '[\\\\w.]+',
  '\\\\bab',
  'a{2,}',
]

const join = (...parts: (string | Arbitrary<string>)[]): Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(''))

type Kinds = 'bool' | 'text' | 'num' | 'dyn' | 'list' | 'any'
/** `e` is what a macro's variable is called where there is one around. */
const make = (element: string | null): Record<Kinds, Arbitrary<string>> =>
  fc.letrec<Record<Kinds, string>>((tie) => {
    const [bool, text, num, dyn, list, any] = (['bool', 'text', 'num', 'dyn', 'list', 'any'] as const).map((kind) =>
      tie(kind),
    ) as [
      Arbitrary<string>,
      Arbitrary<string>,
      Arbitrary<string>,
      Arbitrary<string>,
      Arbitrary<string>,
      Arbitrary<string>,
    ]
    const weighted = (...choices: [number, Arbitrary<string>][]) =>
      fc.oneof(
        { maxDepth: 4, depthIdentifier: 'expression' },
        ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
      )
    const variable: [number, Arbitrary<string>][] = element === null ? [] : [[8, fc.constant(element)]]
    const order = fc.constantFrom('<', '<=', '>', '>=')
    const literal = word.map(quoted)
    const number = fc.constantFrom(
      '0',
      '1',
      '2',
      '-1',
      '0.5',
      '1.0',
      '3u',
      '-0.0',
      '1e300',
      '9007199254740993',
      '9223372036854775807',
      '1.0/0.0',
      '0.0/0.0',
    )
    const constants = fc
      .array(fc.oneof(literal, number, fc.constantFrom('true', 'false', 'null')), { maxLength: 4 })
      .map((all) => `[${all.join(', ')}]`)
    const inner = element === null ? make('e') : null
    const macros: [number, Arbitrary<string>][] = inner
      ? [
          [9, join(list, '.', fc.constantFrom('exists', 'all', 'exists_one'), '(e, ', inner.bool, ')')],
          [1, join('size(', list, '.', fc.constantFrom('filter', 'map'), '(e, ', inner.bool, ')) > 1')],
        ]
      : [
          [
            1,
            fc.constantFrom(
              '[e].exists(e, e == "a")',
              '[e, "a"].all(f, f == e)',
              '["a", 1].exists(f, f == e)',
              '[1, 2].exists(f, f > 1)',
              'subject.emails.exists(f, f == e)',
            ),
          ],
        ]
    return {
      bool: weighted(
        [1, fc.constantFrom('true', 'false')],
        [4, join(any, fc.constantFrom(' == ', ' != '), any)],
        [4, join(text, fc.constantFrom(' == ', ' != '), literal)],
        [2, join(text, ' ', order, ' ', text)],
        [2, join(num, ' ', order, ' ', num)],
        [1, join(dyn, ' ', order, ' ', any)],
        [6, join('(', bool, ' && ', bool, ')')],
        [6, join('(', bool, ' || ', bool, ')')],
        [3, join('!(', bool, ')')],
        [2, join('(', bool, ' ? ', bool, ' : ', bool, ')')],
        [3, join(any, ' in ', list)],
        [3, join(text, ' in ', constants)],
        [2, join(dyn, ' in ', constants)],
        [1, join(any, ' in [', any, ', ', any, ']')],
        [1, join(text, ' in ', dyn)],
        [4, join(text, '.', fc.constantFrom('startsWith', 'endsWith', 'contains'), '(', text, ')')],
        [2, join(text, '.matches("', fc.constantFrom(...patterns), '")')],
        [2, fc.constantFrom(...keys.slice(0, 6)).map((key) => `has(subject.profile.${key})`)],
        [
          2,
          fc
            .constantFrom('nested.a', 'tags.a', 'nested.site', 'missing.a', 'tags[0].a')
            .map((path) => `has(subject.attributes.${path})`),
        ],
        [
          1,
          fc
            .constantFrom('department', 'job_title', 'emails', 'profile', 'manager')
            .map((field) => `has(subject.${field})`),
        ],
        [
          1,
          fc.constantFrom('c1.user.v1.HasApp(subject, "$APP")', 'c1.user.v1.HasEntitlement(subject, "$APP", "$ENT")'),
        ],
        [
          1,
          fc.constantFrom(
            'now() > timestamp("2020-01-01T00:00:00Z")',
            'now() - duration("24h") > now()',
            'timestamp(subject.profile.site) < now()',
          ),
        ],
        [
          1,
          fc.constantFrom(
            'subject.status == UserStatus.ENABLED',
            'subject.type == UserType.HUMAN',
            'subject.directory_status == DirectoryStatus.DELETED',
          ),
        ],
        [2, dyn],
        ...macros,
      ),
      text: weighted(
        ...variable,
        [4, fc.constantFrom(...textFields).map((field) => `subject.${field}`)],
        [3, literal],
        [3, dyn],
        [2, join(text, '.', fc.constantFrom('lowerAscii', 'upperAscii'), '()')],
        [1, join('(', text, ' + ', text, ')')],
        [1, join('(', bool, ' ? ', text, ' : ', text, ')')],
        [1, fc.constantFrom('subject.emails[0]', 'subject.usernames[1]', 'subject.emails[-1]')],
      ),
      num: weighted(
        [3, number],
        [3, dyn],
        [2, join('size(', text, ')')],
        [1, join(list, '.size()')],
        [1, join('(', num, fc.constantFrom(' + ', ' - ', ' * ', ' / ', ' % '), num, ')')],
        [1, join('(', bool, ' ? ', num, ' : ', num, ')')],
        [1, join('int(', any, ')')],
        [1, join('double(', any, ')')],
      ),
      dyn: weighted(
        ...variable,
        [6, fc.constantFrom(...keys.slice(0, 6), 'missing').map((key) => `subject.profile.${key}`)],
        [2, fc.constantFrom(...keys).map((key) => `subject.attributes["${key}"]`)],
        [
          2,
          fc
            .constantFrom(
              'nested.a',
              'nested.b',
              'nested.site',
              'tags[0]',
              'tags[1]',
              'tags[0][0]',
              'level[0]',
              'site[0]',
              'nested[0]',
              'tags["a"]',
              'nested.missing.a',
            )
            .map((path) => `subject.profile.${path}`),
        ],
        [1, join('subject.profile[', text, ']')],
        [1, join('(', bool, ' ? ', any, ' : ', any, ')')],
      ),
      list: weighted(
        [3, fc.constantFrom('subject.emails', 'subject.usernames')],
        [4, fc.constantFrom('subject.profile.tags', 'subject.profile.nested', 'subject.profile')],
        [2, dyn],
        [1, constants],
        [1, join('[', any, ', ', any, ']')],
        [1, join('(', list, ' + ', list, ')')],
      ),
      any: weighted(
        [3, text],
        [2, num],
        [3, dyn],
        [1, bool],
        [1, list],
        [1, fc.constantFrom('null', '{"a": 1}', '{}', '[]', '[["a"], [1]]', '["a"]', 'b"a"', 'now()')],
      ),
    }
  })

export const boolean = make(null).bool
