import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heldKey, type Subject } from '#rooms/rules/expressions/index.ts'
import { findField, constants as known, typeOfField } from '#rooms/rules/expressions/subject.ts'
import { subjectNames } from '../../console/src/parts/cel-names.ts'
import {
  type AttributeCondition,
  type Comparison,
  type Condition,
  type Group,
  type Item,
  isFinished,
  textFields,
} from '../../console/src/parts/conditions/model.ts'
import { constants, parseConditions } from '../../console/src/parts/conditions/parse.ts'
import { printConditions } from '../../console/src/parts/conditions/print.ts'
import { compileExpression } from '../expressions/compiled.ts'
import { boolean, person } from '../expressions/grammar.ts'
import { fewOrMany } from '../fixture/long.ts'

const fields = textFields(subjectNames)
const parse = (source: string) => parseConditions(source, fields)
const now = new Date(0)
const [app, entitlement] = ['2abcdefghijklmnopqrstuvwxyz', '2zyxwvutsrqponmlkjihgfedcba']

const people: Subject[] = fc.sample(person, 25).map((each, at) => ({
  id: `u${at}`,
  ...{ email: '', emails: [], displayName: '', username: '', usernames: [], employeeIds: [], department: '' },
  ...{ jobTitle: '', employmentType: '', employmentStatus: '', status: '', directoryStatus: '', type: '' },
  ...{ manager: '', managerId: '', profile: {} },
  ...each,
  apps: at % 2 === 0 ? [app] : [],
  entitlements: at % 3 === 0 ? [heldKey({ appId: app, id: entitlement })] : [],
}))

/** What the server says of each of these people: `error` where the expression fails for them. */
function verdicts(source: string): unknown[] {
  const compiled = compileExpression(source)
  return people.map((subject) => {
    const result = compiled.evaluate(subject, now)
    return 'value' in result ? result.value : 'error'
  })
}

const isRefused = (source: string): boolean => {
  try {
    compileExpression(source)
    return false
  } catch {
    return true
  }
}

const word = fc.constantFrom('A', 'a', 'AB', 'é', '😀', 'a\nb', '"', "'", '\\', '\\n', 'ENABLED', '\t', '//', '&&')
const attribute: Arbitrary<AttributeCondition['attribute']> = fc.oneof(
  fc.constantFrom(...fields).map((name) => ({ kind: 'field' as const, name })),
  fc.constantFrom('site', 'my key', 'in', 'a"b', 'level', '').map((name) => ({ kind: 'profile' as const, name })),
)
const ofAttribute: Arbitrary<Condition> = fc
  .record({
    kind: fc.constant('attribute' as const),
    attribute,
    comparison: fc.constantFrom<Comparison>('is', 'oneOf', 'beginsWith', 'endsWith', 'contains', 'isSet'),
    values: fc.array(word, { minLength: 1, maxLength: 3 }),
    isNot: fc.boolean(),
    isGuarded: fc.boolean(),
  })
  .map((each) => ({
    ...each,
    isGuarded: each.isGuarded && each.attribute.kind === 'profile' && each.comparison !== 'isSet',
    values: each.comparison === 'isSet' ? [] : each.comparison === 'oneOf' ? each.values : each.values.slice(0, 1),
  }))
const ofAccess: Arbitrary<Condition> = fc.record({
  kind: fc.constant('access' as const),
  appId: fc.constant(app),
  entitlementId: fc.constantFrom(null, entitlement),
  isNot: fc.boolean(),
})
const groupOf = (items: Arbitrary<Item>): Arbitrary<Group> =>
  fc.record({
    kind: fc.constant('group' as const),
    join: fc.constantFrom('and' as const, 'or' as const),
    isNot: fc.boolean(),
    items: fc.array(items, { minLength: 1, maxLength: 3 }),
  })
const condition = fc.oneof({ weight: 5, arbitrary: ofAttribute }, { weight: 1, arbitrary: ofAccess })
const group = groupOf(fc.oneof(condition, groupOf(condition)))

/** Straight from the conditions, without CEL; fails where CEL does. */
function holds(item: Item, subject: Subject): boolean | 'error' {
  if (item.kind === 'group') {
    const all = item.items.map((each) => holds(each, subject))
    const ends = item.join === 'or'
    const result = all.includes(ends) ? ends : all.includes('error') ? 'error' : !ends
    return result === 'error' ? result : result !== item.isNot
  }
  const result = item.kind === 'access' ? hasAccess(item, subject) : compares(item, subject)
  return result === 'error' ? result : result !== item.isNot
}

const hasAccess = ({ entitlementId }: { entitlementId: string | null }, subject: Subject): boolean =>
  entitlementId === null ? subject.apps.length > 0 : subject.entitlements.length > 0

function compares({ attribute: { kind, name }, comparison, values, isGuarded }: AttributeCondition, subject: Subject) {
  const from = (kind === 'profile' ? subject.profile : subject) as Record<string, unknown>
  const value = Object.hasOwn(from, name) ? from[name] : undefined
  if (comparison === 'isSet') return kind === 'profile' ? value !== undefined : value !== ''
  if (value === undefined) return isGuarded ? false : 'error'
  if (comparison === 'is') return value === values[0]
  if (comparison === 'oneOf') return values.includes(value as string)
  if (typeof value !== 'string') return 'error'
  const part = values[0] ?? ''
  return comparison === 'contains'
    ? value.includes(part)
    : comparison === 'beginsWith'
      ? value.startsWith(part)
      : value.endsWith(part)
}

describe('conditions and expressions', () => {
  test('what conditions say is what their expression says of everyone, and reading it shows the same again', () => {
    fc.assert(
      fc.property(group, (made) => {
        const printed = printConditions(made)
        expect(verdicts(printed), printed).toEqual(people.map((subject) => holds(made, subject)))
        const { group: again, reason } = parse(printed)
        expect(reason, printed).toBe(null)
        expect(
          people.map((subject) => again && holds(again, subject)),
          printed,
        ).toEqual(people.map((subject) => holds(made, subject)))
        expect(printConditions(parse(again ? printConditions(again) : '').group as Group)).toBe(
          printConditions(again as Group),
        )
      }),
      { numRuns: fewOrMany(120, 5000) },
    )
  })

  test('any expression is either shown with the meaning that it has, or not shown', () => {
    let shown = 0
    fc.assert(
      fc.property(boolean, (made) => {
        const source = made.replaceAll('$APP', app).replaceAll('$ENT', entitlement)
        const { group: read, reason } = parse(source)
        expect(read === null).toBe(reason !== null)
        if (!read || isRefused(source)) return
        shown += 1
        expect(verdicts(printConditions(read)), source).toEqual(verdicts(source))
      }),
      { numRuns: fewOrMany(600, 20_000) },
    )
    expect(shown).toBeGreaterThan(10)
  })

  test.each([
    ['subject.department == "Sales"', 'subject.department == "Sales"'],
    ["subject.department=='Sales'", 'subject.department == "Sales"'],
    ['subject.job_title.startsWith("Senior ")', 'subject.jobTitle.startsWith("Senior ")'],
    ['!(subject.department == "Sales")', 'subject.department != "Sales"'],
    ['!!has(subject.manager)', 'has(subject.manager)'],
    ['(((subject.department in ["A", "B"])))', 'subject.department in ["A", "B"]'],
    ['subject.status == UserStatus.ENABLED', 'subject.status == UserStatus.ENABLED'],
    ['subject.status == "ENABLED"', 'subject.status == UserStatus.ENABLED'],
    [
      'has(subject.profile.site) && subject.profile.site == "Oslo"',
      'has(subject.profile.site) && subject.profile.site == "Oslo"',
    ],
    ['subject.profile.site == "Oslo"', 'subject.profile.site == "Oslo"'],
    ['"cost center" in subject.profile', '"cost center" in subject.profile'],
    [
      'subject.department == "A" || subject.department == "B" && !has(subject.jobTitle)',
      'subject.department == "A" || (subject.department == "B" && !has(subject.jobTitle))',
    ],
    [
      `!c1.user.v1.HasEntitlement(subject, "${app}", "${entitlement}")`,
      `!c1.user.v1.HasEntitlement(subject, "${app}", "${entitlement}")`,
    ],
    ['subject.department == ""', '!has(subject.department)'],
    ['subject.department != ""', 'has(subject.department)'],
    ['', ''],
  ])('%s is shown, and written as %s', (source, printed) => {
    const { group: read, reason } = parse(source)
    expect(reason).toBe(null)
    expect(printConditions(read as Group)).toBe(printed)
  })

  test.each([
    ['subject.profile.level >= 3', 'It uses >.'],
    ['subject.profile.level == 3', 'It has a number.'],
    ['subject.department == ("A")', 'It compares with something else than a text.'],
    ['subject.profile.remote ? true : false', 'It uses ?.'],
    ['subject.department.lowerAscii() == "a"', 'It uses lowerAscii.'],
    ['subject.emails.exists(e, e == "a")', 'It reads subject.emails.'],
    ['"on-call" in subject.profile.tags', 'It asks whether a text is in a list.'],
    ['subject.department == subject.jobTitle', 'It compares with subject.'],
    ['subject.department == "A" // why', 'It has a comment, which would be lost.'],
    ['subject.department == r"A"', 'It has a raw text or bytes.'],
    ['subject.department == """A"""', 'It has a text of several lines.'],
    ['!subject.department == "A"', 'It denies a comparison that is not in brackets.'],
    ['subject.profile.site == ""', 'It compares with an empty text.'],
    ['subject.department.startsWith("")', 'It compares with an empty text.'],
    ['subject.department in []', 'It has a list without values.'],
    ['true', 'It uses true.'],
    ['subject.department', 'It uses an attribute without a comparison, or compares it in another way.'],
    ['subject.department == "A" subject', 'It is written in a way that conditions cannot show.'],
    ['subject.department == "A', 'A text has no end.'],
    ['c1.user.v1.HasApp(task.subject, "a")', 'It asks about the access of somebody else.'],
    [
      'a || (b && (c || (d && e)))'.replaceAll(/[a-e]/g, (letter) => `has(subject.profile.${letter})`),
      'Its brackets are nested too deep.',
    ],
  ])('%s is not shown: %s', (source, why) => {
    expect(parse(source)).toEqual({ group: null, reason: why })
  })

  test('the fields and constants are those that expressions know', () => {
    for (const field of fields) expect(typeOfField(findField(field) as never), field).toBe('string')
    expect(fields.size).toBeGreaterThan(8)
    for (const [of, values] of Object.entries(constants))
      for (const [name, value] of Object.entries(values)) expect(known.get(of)?.get(name), `${of}.${name}`).toBe(value)
  })

  test('a condition without a value is unfinished, also deep in a group', () => {
    const of: AttributeCondition = {
      kind: 'attribute',
      attribute: { kind: 'field', name: 'department' },
      comparison: 'is',
      values: [],
      isNot: false,
      isGuarded: false,
    }
    const within = (item: Item): Group => ({ kind: 'group', join: 'and', isNot: false, items: [item] })
    const unfinished = [of, { ...of, values: [''] }, within(within(of)), { ...of, comparison: 'oneOf' as const }]
    expect(unfinished.map(isFinished)).toEqual([false, false, false, false])
    // Nobody can save it: it is no expression.
    for (const each of unfinished) expect(isRefused(printConditions(within(each)))).toBe(true)
    expect(isRefused(printConditions(within({ ...within(of), items: [] })))).toBe(true)
    expect(
      [
        { ...of, values: ['A'] },
        { ...of, comparison: 'isSet' as const },
      ].map(isFinished),
    ).toEqual([true, true])
  })
})
