import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { needKey } from '#rooms/rules/expressions/index.ts'
import { compile } from '../../server/rooms/rules/expressions/compile.ts'
import { compilePolicy } from '../../server/rooms/rules/expressions/compile-policy.ts'
import type { Answer, LookedUp, Need, Scene } from '../../server/rooms/rules/expressions/expression.ts'
import { Problem, placeOf } from '../../server/rooms/rules/expressions/language/problem.ts'
import type { PolicyScope } from '../../server/rooms/rules/expressions/scope.ts'

const id = (letter: string): string => letter.repeat(27)
const [ann, bob, cay, app, ent] = [id('a'), id('b'), id('c'), id('x'), id('y')]
const users = [
  {
    id: ann,
    email: 'ann@example.com',
    department: 'Sales',
    jobTitle: 'Clerk',
    managerId: bob,
    profile: '{"site":"Oslo"}',
  },
  { id: bob, email: 'bob@example.com', department: 'Sales', status: 'ENABLED' },
  { id: cay, email: 'cay@example.com', department: 'IT', status: 'DISABLED' },
]
const scene: Scene = {
  subjectId: ann,
  appOwnerIds: [bob, cay],
  ip: '10.1.2.3',
  records: {
    task: {
      id: id('t'),
      numericId: 7,
      origin: 'TASK_ORIGIN_API',
      isGrantPermanent: false,
      grantDuration: 3600,
      createdAt: Date.UTC(2026, 0, 2),
      requestorUserId: ann,
    },
    entitlement: { id: ent, appId: app, slug: 'admin', complianceFrameworkValueIds: ['one', 'two'] },
  },
}
const now = new Date('2026-01-03T00:00:00Z')

function problemOf(source: string, scope: PolicyScope): string | null {
  try {
    compilePolicy(source, scope)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { line, column } = placeOf(source, error.offset)
    return `${line}:${column} ${error.message}`
  }
}

/** By rounds, as the server does; `answer` stands for the database. */
function ask(source: string, scope: PolicyScope, answer: (need: Need) => Answer = () => ({ error: 'unknown' })) {
  const { ask: asked } = compilePolicy(source, scope)
  const answers = new Map<string, Answer>()
  for (let rounds = 1; rounds <= 40; rounds++) {
    const known: LookedUp = { answers: [...answers], users }
    const round = asked(scene, known, now)
    if ('asked' in round) return { ...round.asked, rounds }
    for (const need of round.needs) answers.set(needKey(need), answer(need))
  }
  throw new Error('too many rounds')
}

describe('what an expression sees depends on where it stands', () => {
  test.each<[PolicyScope, string]>([
    ['condition', 'subject.department == "Sales" && task.numericId == 7'],
    ['condition', 'task.created_at < now() && task.grantDuration <= duration("1h") && !task.isGrantPermanent'],
    ['condition', 'task.origin == TaskOrigin.API && ip.startsWith("10.")'],
    ['condition', 'account.id == "" && !has(account.email) && size(account.emails) == 0'],
    ['condition', 'entitlement.slug == "admin" && "two" in entitlement.complianceFrameworkValueIds'],
    ['condition', 'entitlement["slug"] == "admin" && has(entitlement.slug)'],
    ['condition', '[subject].exists(u, u.job_title == "Clerk" && u.profile.site == "Oslo")'],
    ['routing', 'entitlement.slug.matches("^adm") && entitlement.appId != ""'],
  ])('as a %s, %s is true', (scope, source) => {
    expect(ask(source, scope)).toMatchObject({ value: true })
  })

  test.each<[PolicyScope, string, string]>([
    [
      'condition',
      'appOwners.size() > 0',
      '1:1 there is no "appOwners"; expressions here can use subject, account, entitlement, task, ip',
    ],
    ['routing', 'subject.department == "Sales"', '1:1 there is no "subject"; expressions here can use entitlement'],
    ['routing', `c1.directory.users.v1.GetByID("${ann}").email == ""`, ''],
    [
      'condition',
      'task.analysis.hasConflictViolations',
      '1:5 task.analysis is not supported: access conflicts are not detected',
    ],
    ['condition', 'task.owner == ""', '1:5 task has no field "owner"'],
    ['condition', 'task == task', '1:1 task must be used with one of its fields, as in task.id'],
    ['condition', 'subject', '1:1 the expression must be a bool, but is a user'],
    ['approvers', 'subject.email', '1:8 the expression must be a user or a list of users, but is a string'],
    ['approvers', 'true', '1:1 the expression must be a user or a list of users, but is a bool'],
    ['condition', 'subject.team == ""', '1:8 subject has no field "team"'],
    ['approvers', 'appOwners.filter(o, o.team == "")', ''],
    ['condition', `c1.user.v1.HasApp(subject, "short")`, '1:28 "short" is not an id: an id has 27 letters and digits'],
    ['condition', 'c1.user.v1.HasApp("ann", "x")', ''],
    ['condition', `c1.user.v1.GrantedFromEnrollment(subject, "${app}")`, ''],
    ['condition', `c1.user.v1.AutomaticallyGrantedFromEnrollment("${app}", "${ent}")`, ''],
    ['condition', 'c1.directory.groups.v1.FindByName("x") == ""', ''],
    ['condition', 'c1.user.v1.Nothing(subject)', ''],
    ['condition', 'subject.emails.exists(task, task == "")', ''],
    ['condition', '', '1:1 an expression must not be empty'],
    ['condition', 'test', '1:1 there is no "test"; expressions here can use subject, account, entitlement, task, ip'],
  ])('as a %s, %s is refused', (scope, source, told) => {
    const problem = problemOf(source, scope)
    expect(problem).toMatch(/^\d+:\d+ ./)
    expect(told === '' ? '' : problem).toBe(told)
  })

  test('what is not supported is refused by its name', () => {
    for (const name of ['GetAppUserManagers'])
      expect(problemOf(`c1.user.v1.${name}(subject, "${app}", "${ent}")`, 'condition')).toContain(
        `c1.user.v1.${name} is not supported: `,
      )
  })

  test('a rule still sees subject alone', () => {
    for (const source of [
      'task.id == ""',
      'ip == ""',
      'appOwners.size() > 0',
      'subject == subject',
      'AppUserType.USER == ""',
    ])
      expect(() => compile(source)).toThrow(Problem)
    expect(() => compile('subject.emails.exists(task, task == "")')).not.toThrow()
  })
})

describe('what is looked up', () => {
  const bobFound = (need: Need): Answer =>
    need.of === 'GetManagers' || need.of === 'DirectReports' ? { userIds: [bob, cay] } : { userId: bob }

  test.each<[string, string[]]>([
    ['subject', [ann]],
    ['appOwners', [bob, cay]],
    ['appOwners[0]', [bob]],
    ['appOwners.filter(o, o.status == UserStatus.ENABLED)', [bob]],
    ['appOwners + [subject, subject]', [bob, cay, ann]],
    ['appOwners.filter(o, o.department == subject.department && o != subject)', [bob]],
    ['subject.department == "IT" ? [subject] : appOwners', [bob, cay]],
    ['c1.directory.users.v1.FindByEmail("BOB@example.com")', [bob]],
    ['c1.directory.users.v1.GetManagers(c1.directory.users.v1.GetByID(subject.managerId))', [bob, cay]],
    ['[c1.directory.users.v1.GetByID(subject.managerId), subject]', [bob, ann]],
    ['c1.directory.users.v1.DirectReports(appOwners)', [bob, cay]],
    ['appOwners.map(o, c1.directory.users.v1.GetByID(o.id))', [bob]],
    ['[]', []],
  ])('%s names users', (source, userIds) => {
    expect(ask(source, 'approvers', bobFound)).toMatchObject({ userIds })
  })

  test.each([
    ['{"id": "x"}.id == "" ? subject : appOwners[9]', /^line 1, column \d+: /],
    ['[{"id": subject.id}]', /^the result is a list of something other than users$/],
    ['["a"]', /^the result is a list of something other than users$/],
    ['c1.directory.users.v1.FindByEmail("x")', /^line 1, column \d+: no such$/],
    ['[subject, c1.directory.users.v1.FindByEmail("x")]', /^line 1, column \d+: no such$/],
  ])('%s names nobody, and says why', (source, told) => {
    const asked = ask(source, 'approvers', () => ({ error: 'no such' }))
    expect('error' in asked && asked.error).toMatch(told)
  })

  test('a look-up that decides nothing is not waited for, and one error does not hide what another look-up decides', () => {
    const holds = `c1.user.v1.HasApp(subject, "${app}")`
    expect(ask(`subject.department == "Sales" || ${holds}`, 'condition')).toMatchObject({ value: true, rounds: 1 })
    expect(ask(`${holds} || subject.department == "Sales"`, 'condition')).toMatchObject({ value: true, rounds: 1 })
    expect(ask(`subject.profile.none == "" || ${holds}`, 'condition', () => ({ value: true }))).toMatchObject({
      value: true,
    })
    expect(ask(`subject.profile.none == "" || ${holds}`, 'condition', () => ({ value: false }))).toHaveProperty('error')
    expect(ask(`!${holds}`, 'condition', () => ({ error: 'unknown' }))).toHaveProperty('error')
  })

  test('what a filter asks of each of many is asked at once', () => {
    const source = `appOwners.filter(o, c1.user.v1.HasApp(o, "${app}"))`
    expect(ask(source, 'approvers', ({ userId }) => ({ value: userId === cay }))).toEqual({ userIds: [cay], rounds: 2 })
  })
})

describe('by property', () => {
  /** Conditions over three look-ups, and what they are by hand: null is an evaluation that fails. */
  type Truth = boolean | null
  type Made = { source: string; of: (answers: readonly Truth[]) => Truth }
  const holds = (at: number): Made => ({
    source: `c1.user.v1.HasEntitlement(subject, "${app}", "${id(String(at))}")`,
    of: (answers) => answers[at] as Truth,
  })
  const and = (a: Truth, b: Truth): Truth =>
    a === false || b === false ? false : a === null || b === null ? null : true
  const not = (a: Truth): Truth => (a === null ? null : !a)
  const { made } = fc.letrec<{ made: Made }>((tie) => ({
    made: fc.oneof(
      { maxDepth: 4 },
      fc.nat(2).map(holds),
      fc.constantFrom<Made>(
        { source: 'task.isGrantPermanent', of: () => false },
        { source: '(ip != "")', of: () => true },
        { source: '(1 / 0 == 1)', of: () => null },
      ),
      fc.tuple(tie('made'), tie('made')).map(([a, b]) => ({
        source: `(${a.source} && ${b.source})`,
        of: (answers: readonly Truth[]) => and(a.of(answers), b.of(answers)),
      })),
      fc.tuple(tie('made'), tie('made')).map(([a, b]) => ({
        source: `(${a.source} || ${b.source})`,
        of: (answers: readonly Truth[]) => not(and(not(a.of(answers)), not(b.of(answers)))),
      })),
      tie('made').map((a) => ({ source: `!${a.source}`, of: (answers: readonly Truth[]) => not(a.of(answers)) })),
      fc.tuple(tie('made'), tie('made'), tie('made')).map(([a, b, c]) => ({
        source: `(${a.source} ? ${b.source} : ${c.source})`,
        of: (answers: readonly Truth[]) => {
          const chosen = a.of(answers)
          return chosen === null ? null : chosen ? b.of(answers) : c.of(answers)
        },
      })),
    ),
  }))

  test('by rounds, a condition is what it is when everything is known at once', () => {
    const truth = fc.constantFrom<Truth>(true, false, null)
    fc.assert(
      fc.property(made, fc.tuple(truth, truth, truth), ({ source, of }, answers) => {
        const asked = ask(source, 'condition', ({ texts }) => {
          const value = answers[Number(texts[1]?.[0])] as Truth
          return value === null ? { error: 'fails' } : { value }
        })
        const value = 'value' in asked ? asked.value : null
        expect([source, value]).toEqual([source, of(answers)])
      }),
      { numRuns: 300 },
    )
  })

  test('whatever the text, in every scope it is compiled or refused with a place in it', () => {
    const word = fc.constantFrom(
      ...[
        'subject',
        'task',
        'account',
        'entitlement',
        'appOwners',
        'ip',
        '.id',
        '.email',
        '.createdAt',
        '[0]',
        '["id"]',
      ],
      ...['c1.user.v1.HasApp(', 'c1.directory.users.v1.GetByID(', ')', '(', ',', '"x"', '==', '&&', '?', ':', '!', '+'],
      ...[
        '.filter(u, ',
        '.exists(u, ',
        'u',
        '.profile',
        'has(',
        '[',
        ']',
        '1',
        'null',
        'UserStatus.ENABLED',
        'TaskOrigin',
      ],
    )
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 14 }).map((words) => words.join('')),
        fc.constantFrom<PolicyScope>('condition', 'approvers', 'routing'),
        (source, scope) => {
          const problem = problemOf(source, scope)
          if (problem === null) ask(source, scope, () => ({ error: 'unknown' }))
          expect(problem ?? '1:1 none').toMatch(/^\d+:\d+ ./)
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('an evaluation that takes too much work fails', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ id: `${at}`.padStart(27, '0'), email: `${at}@example.com` }))
  const crowd: Scene = { ...scene, appOwnerIds: many.map((each) => each.id) }
  test.each([
    'appOwners.filter(a, appOwners.all(b, a.id != b.email && b.id != a.email))',
    'appOwners.map(a, appOwners.filter(b, b != a && b == a || b != a))',
    'appOwners.filter(a, a in appOwners && !(subject in appOwners) && a in appOwners)',
    'appOwners.map(a, c1.directory.users.v1.DirectReports(appOwners))',
  ])('%s', (source) => {
    const { ask: asked } = compilePolicy(source, 'approvers')
    const round = asked(crowd, { answers: [], users: [...users, ...many] }, now)
    const isOver = 'asked' in round && 'error' in round.asked && /too much work/.test(round.asked.error)
    expect(isOver || 'needs' in round).toBe(true)
  })
})
