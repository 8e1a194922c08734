import { beforeAll, describe, expect, test } from 'vitest'
import { budgetUnits, type Subject } from '#rooms/rules/expressions/index.ts'
import { spentUnits } from '../../server/rooms/rules/expressions/budget.ts'
import { compileExpression } from './compiled.ts'
import { prepare } from './world.ts'

const world = prepare()
let userId: string

// As large as the import lets a profile be, or nearly.
const profile = {
  thousand: Array.from({ length: 1000 }, (_, at) => at),
  more: Array.from({ length: 1001 }, (_, at) => at),
  keys: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`k${at}`, 0])),
  text: 'ab'.repeat(10_000),
  short: 'ab'.repeat(500),
  lists: Array.from({ length: 1000 }, () => [1, 2, 3]),
}

beforeAll(async () => {
  ;[userId = ''] = await world.people([{ profile }])
})

/** What both ways say, and how many units of work the evaluation was. */
async function ask(source: string) {
  const compiled = compileExpression(source)
  const [subject] = await world.subjects(compiled, [userId])
  if (!subject) throw new Error('nobody')
  const result = compiled.evaluate(subject, world.now)
  const units = spentUnits()
  const inSql = (await world.bySql(compiled, [userId]))?.get(userId)
  return { result, units, inSql }
}

describe('an evaluation that takes too much work fails, with the same units on every machine', () => {
  const tooMuch = { error: 'the evaluation takes too much work' }
  test.each([
    [
      'macros in one another',
      1_000_152,
      'subject.profile.thousand.all(a, subject.profile.thousand.all(b, a != -1 && b != -1))',
    ],
    [
      'a list looked through for every element',
      1_000_202,
      'subject.profile.thousand.all(a, subject.profile.more.all(b, true) || !(-1 in subject.profile.more) && !(-2 in subject.profile.more) && !(-3 in subject.profile.more) && !(-4 in subject.profile.more) && !(-5 in subject.profile.more))',
    ],
    [
      'lists compared for every element',
      1_000_114,
      'subject.profile.thousand.all(a, subject.profile.lists == subject.profile.lists.filter(x, true))',
    ],
    [
      'lists that grow',
      1_007_172,
      `size(${Array.from({ length: 90 }, () => '(subject.profile.more + subject.profile.more)').join(' + ')}) > 0`,
    ],
    [
      'texts looked through for every element',
      1_002_899,
      'subject.profile.thousand.all(a, !subject.profile.text.contains("abb") && size(subject.profile.text) > 0 && subject.profile.text >= subject.profile.text + "")',
    ],
    ['patterns', 1_067_330, 'subject.profile.thousand.all(a, subject.profile.short.matches("^((a?b?){5}){3}[^c]*$"))'],
    [
      'what would be absorbed',
      1_000_120,
      'true || true ? subject.profile.thousand.all(a, subject.profile.thousand.all(b, a != -1 && b != -1)) || true : true',
    ],
  ])('%s', async (_name, units, source) => {
    // What is compiled by then, and how warm the program is, makes no difference. SQL has no such bound, so it is not asked.
    for (let times = 0; times < 3; times++)
      expect(await ask(source)).toEqual({ result: tooMuch, units, inSql: undefined })
    // Given up at once, and not after the rest.
    expect(units - budgetUnits).toBeLessThan(budgetUnits / 10)
  })
})

describe('what is too long to go through fails in both ways', () => {
  test.each([
    'subject.profile.more.exists(a, a == 0)',
    'subject.profile.keys.exists(a, a == "k0")',
    'subject.profile.text.matches("^a")',
  ])('%s', async (source) => {
    const { result, inSql } = await ask(source)
    expect('error' in result && result.error).toContain('of more than 1000')
    expect(inSql).toBe('error')
  })
  test.each(['subject.profile.thousand.exists(a, a == 999)', 'subject.profile.short.matches("b$")'])(
    '%s does not',
    async (source) => {
      const { result, inSql } = await ask(source)
      expect(result).toEqual({ value: true })
      expect(inSql).toBe(true)
    },
  )
  test('a text that would grow beyond measure', async () => {
    const source = `${Array.from({ length: 60 }, () => 'subject.profile.text').join(' + ')} == ""`
    const { result } = await ask(source)
    expect('error' in result && result.error).toContain('a string of more than 1000000 characters')
  })
})

test('a statement does not grow beyond measure by what is nested in one another', () => {
  // Each `[0]` names its operand twice.
  const compiled = compileExpression(`subject.profile.a${'[0]'.repeat(60)} == 1`)
  const isTranslated = compiled.toSql(world.server.db, { tenantId: 1, now: world.now, users: 'u' }) !== null
  expect(isTranslated).toBe(false)
})

test('an ordinary expression takes a few units, whatever it says of a user', async () => {
  const compiled = compileExpression('subject.department == "X" && subject.profile.level > 3')
  const [user] = await world.subjects(compiled, [userId])
  const units = Array.from({ length: 14 }, (_, at) => {
    compiled.evaluate({ ...user, department: at % 2 ? 'X' : 'Y', profile: { level: at % 7 } } as Subject, world.now)
    return spentUnits()
  })
  expect(new Set(units)).toEqual(new Set([34]))
})
