import { beforeAll, describe, expect, test } from 'vitest'
import { compileExpression } from './compiled.ts'
import { type Person, prepare, type Verdict } from './world.ts'

const world = prepare()

const ada: Person = {
  email: 'ada@example.com',
  emails: ['ada@example.com', 'ada@home.example'],
  displayName: 'Ada Ångström',
  username: 'ada',
  usernames: ['ada', 'ADA'],
  department: 'Engineering',
  jobTitle: 'Engineer 😀',
  employmentType: 'Full Time',
  employmentStatus: '',
  status: 'ENABLED',
  directoryStatus: 'DISABLED',
  type: 'USER_TYPE_HUMAN',
  profile: {
    level: 4,
    half: 0.5,
    big: 9007199254740992,
    flag: true,
    site: 'Oslo',
    none: null,
    tags: ['a', 'b', 1, null],
    nested: { a: { b: 'deep' }, list: [1, 2, 3], true: 'x' },
    'a key': 'x',
    year: '2026',
    from: '2020-01-02T03:04:05Z',
  },
}

let adaId: string
let bossId: string
beforeAll(async () => {
  ;[bossId = ''] = await world.people([{ email: 'boss@example.com', department: 'Board' }])
  ;[adaId = ''] = await world.people([{ ...ada, managerId: bossId }])
})

/** Those that only `evaluate` knows are marked; all others are asked of both. */
type Fact = [source: string, verdict: Verdict, how?: 'not in SQL']

const facts: Record<string, Fact[]> = {
  'fields, in either spelling': [
    ['subject.department == "Engineering"', true],
    ['subject.jobTitle == subject.job_title', true],
    ['subject["displayName"] == "Ada Ångström"', true],
    ['subject.employment_type == "Full Time"', true],
    ['subject.manager == "boss@example.com"', true],
    ['subject.attributes.site == subject.profile.site', true],
    ['subject.emails[1] == "ada@home.example"', true],
    ['subject.emails[2] == ""', 'error'],
    ['subject.status == UserStatus.ENABLED && subject.status == "ENABLED"', true],
    ['subject.status == UserStatus.USER_STATUS_ENABLED', true],
    ['subject.directory_status == DirectoryStatus.DISABLED', true],
    ['subject.type == UserType.HUMAN && subject.type == UserType.USER_TYPE_HUMAN', true],
  ],
  'has() of a field is whether it is empty, of a key whether it is there': [
    ['has(subject.department)', true],
    ['has(subject.employment_status)', false],
    ['has(subject.emails) && has(subject.profile)', true],
    ['has(subject.profile.site)', true],
    ['has(subject.profile.none)', true],
    ['has(subject.profile.missing)', false],
    ['has(subject.profile.nested.a.b)', true],
    ['has(subject.profile.missing.a)', 'error'],
    ['has(subject.profile.site.a)', false],
    ['"none" in subject.profile && !("missing" in subject.profile)', true],
  ],
  'what is of another type is not equal, and has no order': [
    ['subject.department == 1', false],
    ['subject.department != null', true],
    ['subject.profile.level == "4"', false],
    ['subject.profile.level == 4 && subject.profile.level == 4.0 && subject.profile.level == 4u', true],
    ['subject.profile.none == null', true],
    ['subject.profile.level < "5"', 'error'],
    ['subject.profile.site > 1', 'error'],
    ['subject.profile.none < 1', 'error'],
    ['subject.profile.flag == true && subject.profile.flag', true],
    ['subject.profile.nested.a == {"b": "deep"}', true],
    ['subject.profile.tags == ["a", "b", 1, null]', true],
  ],
  'what fails is absorbed by && and ||, and by nothing else': [
    ['subject.profile.missing == "x"', 'error'],
    ['subject.profile.missing == "x" || true', true],
    ['subject.profile.missing == "x" && false', false],
    ['subject.profile.missing == "x" && true', 'error'],
    ['!(subject.profile.missing == "x")', 'error'],
    ['(subject.profile.missing ? true : true)', 'error'],
    ['(subject.profile.site ? true : true)', 'error'],
    ['subject.profile.flag ? true : subject.profile.missing', true],
    ['subject.profile.site', 'error'],
    ['subject.profile.flag', true],
    ['subject.profile.site && subject.profile.flag', 'error'],
    ['[subject.profile.missing, "x"].exists(x, x == "x")', 'error', 'not in SQL'],
    ['"x" in ["x", subject.profile.missing]', 'error'],
  ],
  numbers: [
    ['subject.profile.level > 3 && subject.profile.level >= 4.0 && subject.profile.half < 1', true],
    ['subject.profile.big == 9007199254740992', true],
    ['subject.profile.big == 9007199254740993', false],
    ['subject.profile.level < 1.0 / 0.0', true],
    ['subject.profile.level == 0.0 / 0.0', false],
    ['subject.profile.level + 1.0 == 5.0', true, 'not in SQL'],
    ['subject.profile.level + 1 == 5.0', 'error', 'not in SQL'],
    ['9223372036854775807 + 1 > 0', 'error'],
    ['1 / 0 == 1', 'error'],
    ['int(subject.profile.year) == 2026 && double(subject.profile.level) == 4.0', true, 'not in SQL'],
    ['int(subject.profile.site) == 1', 'error', 'not in SQL'],
  ],
  texts: [
    [
      'subject.department.startsWith("Eng") && subject.department.endsWith("ing") && subject.department.contains("nee")',
      true,
    ],
    ['subject.department.startsWith("") && subject.department.endsWith("") && subject.department.contains("")', true],
    ['subject.department.contains("%") || subject.department.contains("_")', false],
    ['subject.profile.level.startsWith("4")', 'error'],
    ['subject.display_name.lowerAscii() == "ada Ångström"', true],
    ['subject.display_name.upperAscii() == "ADA ÅNGSTRöM"', true],
    ['size(subject.job_title) == 10 && subject.jobTitle.size() == 10', true],
    ['size(subject.emails) == 2 && size(subject.profile.tags) == 4 && size(subject.profile.nested) == 3', true],
    ['size(subject.profile.level) == 1', 'error'],
    // U+1F600 comes after U+FFFD, though not in UTF-16.
    ['"😀" > "\\uFFFD" && subject.jobTitle > "Engineer \\uFFFD"', true],
    ['subject.department < "a" && subject.department > "E"', true],
    ['subject.department == "\\u0000"', false],
    ['subject.department.contains("\\u0000")', false],
    ['subject.department + "/" + subject.username == "Engineering/ada"', true, 'not in SQL'],
    ['subject.department.matches("^Eng[a-z]+$")', true],
    ['subject.department.matches("(?i)^eng")', true, 'not in SQL'],
    ['subject.email.matches("@example\\\\.com$")', true],
    ['subject.email.matches("^.+@(home|example)\\\\.(com|org)$")', true],
  ],
  lists: [
    ['subject.department in ["Sales", "Engineering"]', true],
    ['subject.department in []', false],
    ['subject.profile.level in [1, 2.0, 4u]', true],
    ['subject.profile.missing in ["a"]', 'error'],
    ['subject.profile.missing in []', 'error'],
    ['subject.profile.none in [null]', true],
    ['"a" in subject.profile.tags && 1 in subject.profile.tags && null in subject.profile.tags', true],
    ['"c" in subject.profile.tags', false],
    ['"Oslo" in subject.profile.site', 'error'],
    ['"a" in subject.profile.nested && !(1 in subject.profile.nested)', true],
    ['"ada@home.example" in subject.emails', true],
    ['subject.profile.site in subject.emails', false],
    ['subject.emails[5] in subject.emails', 'error'],
    ['subject.usernames[5] in subject.usernames.filter(u, false)', 'error', 'not in SQL'],
    ['subject.emails.exists(e, e.endsWith("@home.example"))', true],
    ['subject.emails.all(e, e.startsWith("ada@"))', true],
    ['subject.usernames.exists_one(u, u == "ada")', true],
    ['subject.profile.tags.exists(t, t == "b")', true],
    ['subject.profile.tags.exists(t, t.startsWith("b"))', true],
    ['subject.profile.tags.all(t, t.startsWith("a"))', false],
    ['subject.profile.tags.exists(t, t.startsWith("z"))', 'error'],
    ['subject.profile.tags.exists_one(t, t.startsWith("b"))', 'error'],
    ['subject.profile.nested.exists(key, key == "list")', true],
    ['subject.profile.site.exists(x, true)', 'error'],
    ['subject.profile.nested.list.filter(n, n > 1.0).map(n, n * 2.0) == [4, 6]', true, 'not in SQL'],
    ['subject.emails.exists(e, subject.usernames.exists(u, e.startsWith(u)))', true, 'not in SQL'],
    ['subject.emails.filter(e, e != "").map(e, size(e)).filter(n, n > 1).exists(n, n == 15)', true, 'not in SQL'],
    ['subject.usernames.exists(u, [u].exists(u, u == "ada"))', true, 'not in SQL'],
    ['subject.profile.tags[0] == "a" && subject.profile.nested.list[2] == 3', true],
    ['subject.profile.tags[-1] == "a"', 'error'],
    ['subject.profile.site[0] == "O"', 'error'],
    ['subject.profile["a key"] == "x" && subject.profile.nested["true"] == "x"', true],
  ],
  time: [
    ['now() > timestamp("2020-01-01T00:00:00Z")', true],
    ['now() - duration("24h") > now()', false],
    ['timestamp(subject.profile.from) < now() - duration("720h")', true, 'not in SQL'],
    ['timestamp(subject.profile.site) < now()', 'error', 'not in SQL'],
    ['timestamp(60) == timestamp("1970-01-01T00:01:00Z")', true],
  ],
}

describe.each(Object.entries(facts))('%s', (_about, those) => {
  test.each(those)('%s is %s', async (source, verdict, how) => {
    const compiled = compileExpression(source)
    expect((await world.byEvaluation(compiled, [adaId])).get(adaId), 'evaluated').toBe(verdict)
    const inSql = await world.bySql(compiled, [adaId])
    expect(inSql?.get(adaId), 'in SQL').toBe(how === undefined ? verdict : undefined)
  })
})

test('how the database orders texts is of no account', async () => {
  const { db } = world.server
  const sources = [
    ...[
      'subject.department < "a"',
      'subject.department > "E"',
      'subject.department == "Engineering"',
      'subject.department < subject.username',
    ],
    ...[
      'subject.department.startsWith("Eng")',
      'subject.department.endsWith("ing")',
      'subject.department.contains("gin")',
    ],
    ...[
      'subject.department.matches("^[A-F]")',
      'subject.department.lowerAscii() > "a"',
      'subject.username in subject.usernames',
    ],
    ...['subject.department in ["Engineering"]', 'subject.department != subject.id', 'size(subject.department) == 11'],
    ...['subject.usernames.exists(u, u < "B")', 'subject.username == subject.usernames[0]'],
  ]
  for (const source of sources) {
    const condition = compileExpression(source).toSql(db, { tenantId: world.tenantId, now: world.now, users: 'u' })
    if (!condition) throw new Error(source)
    // English: small letters beside large ones.
    const [row] = await db`
      select ${condition} as value from (
        select tenant_id, user_id, department collate "en-x-icu" as department, username collate "en-x-icu" as username,
          usernames collate "de-x-icu" as usernames
        from users) u
      where u.tenant_id = ${world.tenantId} and u.user_id = ${adaId}`
    expect(row?.['value'], source).toBe(true)
  }
})

test('what fails is not one of none', async () => {
  const compiled = compileExpression('subject.emails[0] in subject.emails')
  expect((await world.byEvaluation(compiled, [bossId])).get(bossId)).toBe('error')
  expect((await world.bySql(compiled, [bossId]))?.get(bossId)).toBe('error')
})

test('an expression knows what can change its answer', () => {
  const [app, id] = ['a'.repeat(27), 'b'.repeat(27)]
  const { reads } = compileExpression(
    `subject.job_title == "x" && has(subject.attributes.site) && c1.user.v1.HasApp(subject, "${app}")
      && c1.user.v1.HasEntitlement(subject, "${app}", "${id}") && now() > timestamp(0) && subject.manager != ""`,
  )
  expect(reads).toEqual({
    fields: new Set(['jobTitle', 'profile', 'manager']),
    apps: [app],
    entitlements: [{ appId: app, id }],
    isClocked: true,
    looksAtManager: true,
  })
  expect(compileExpression('subject.department == "x"').reads).toEqual({
    fields: new Set(['department']),
    apps: [],
    entitlements: [],
    isClocked: false,
    looksAtManager: false,
  })
})

test('the fields that an expression reads are listed, including missing ones', async () => {
  const compiled = compileExpression(
    'subject.department == "x" || subject.attributes.nested["a"].b == "y" || subject.profile.missing || has(subject.profile.none) || subject.profile.tags[1] == "b"',
  )
  const [subject] = await world.subjects(compiled, [adaId])
  expect(subject && compiled.look(subject)).toEqual([
    { path: 'subject.department', value: 'Engineering', isMissing: false },
    { path: 'subject.profile.nested.a.b', value: 'deep', isMissing: false },
    { path: 'subject.profile.missing', value: null, isMissing: true },
    { path: 'subject.profile.none', value: null, isMissing: false },
    { path: 'subject.profile.tags[1]', value: 'b', isMissing: false },
  ])
})

test('a failed evaluation says where and why', async () => {
  const compiled = compileExpression('subject.department == "x" ||\n  subject.profile.missing == 1')
  const [subject] = await world.subjects(compiled, [adaId])
  expect(subject && compiled.evaluate(subject, world.now)).toEqual({
    error: 'line 2, column 18: field not found: missing',
  })
})

test('only what is read is fetched, and deleted users are nobody', async () => {
  const [gone = ''] = await world.people([{ isDeleted: true }])
  const compiled = compileExpression('subject.department == "Board"')
  const found = await world.subjects(compiled, [adaId, bossId, gone])
  expect(found.map(({ id, department, profile, emails }) => ({ id, department, profile, emails }))).toEqual(
    [
      { id: adaId, department: 'Engineering', profile: {}, emails: [] },
      { id: bossId, department: 'Board', profile: {}, emails: [] },
    ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
})
