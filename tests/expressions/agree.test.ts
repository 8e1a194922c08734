import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { Refusal } from '#kernel/refusals.ts'
import { type Subject } from '#rooms/rules/expressions/index.ts'
import { fewOrMany } from '../fixture/long.ts'
import { type Compiled, compileExpression } from './compiled.ts'
import { boolean, person } from './grammar.ts'
import { prepare, straightforward, type Verdict, wholeSubjects } from './world.ts'

// EXPRESSIONS_RUNS=20000 npx vitest run tests/expressions/agree.test.ts: the long way.
const runs = Number(process.env['EXPRESSIONS_RUNS'] ?? fewOrMany(50, 2500))
const peopleCount = 40

const world = prepare()
let userIds: string[]
let app: string
let entitlement: { appId: string; id: string }

beforeAll(async () => {
  const people = fc.sample(person, peopleCount)
  const [boss] = await world.people([{ email: 'boss@example.com', department: 'A' }])
  userIds = await world.people(
    people.map((each, at) => ({ ...each, ...(at % 3 === 0 && boss ? { managerId: boss } : {}) })),
  )
  app = await world.app()
  entitlement = await world.entitlement(app)
  for (const [at, userId] of userIds.entries()) {
    if (at % 2 === 0) continue
    const account = await world.account(app, userId, at % 5 === 0)
    if (at % 3 === 0) await world.grant(entitlement, account.id)
  }
})

const counts = { pairs: 0, refused: 0, inSql: 0, errors: 0, matches: 0, expressions: 0 }

test('SQL, evaluation and a straightforward evaluation by the library say the same of every user', async () => {
  const all = compileExpression(
    `c1.user.v1.HasApp(subject, "${app}") || c1.user.v1.HasEntitlement(subject, "${app}", "${entitlement.id}")`,
  )
  const subjects = await wholeSubjects(world, all, userIds)
  expect(subjects).toHaveLength(peopleCount)
  await fc.assert(
    fc.asyncProperty(boolean, async (made) => {
      const source = made.replaceAll('$APP', app).replaceAll('$ENT', entitlement.id)
      const compiled = compileOrNull(source)
      if (!compiled) return
      const reference = straightforward(source, world.now)
      const expected = new Map<string, Verdict>(subjects.map((subject) => [subject.id, reference(subject)]))
      counts.expressions++
      counts.pairs += subjects.length
      for (const verdict of expected.values()) {
        if (verdict === 'error') counts.errors++
        if (verdict === true) counts.matches++
      }
      const evaluated = new Map(
        subjects.map((subject) => {
          const result = compiled.evaluate(subject, world.now)
          return [subject.id, 'value' in result ? result.value : 'error'] as [string, Verdict]
        }),
      )
      expect(differences(subjects, evaluated, expected), `evaluate: ${source}`).toEqual([])
      const asked = await world.bySql(compiled, userIds)
      if (!asked) return
      counts.inSql++
      expect(differences(subjects, asked, expected), `SQL: ${source}`).toEqual([])
    }),
    { numRuns: runs },
  )
  if (process.env['EXPRESSIONS_RUNS']) process.stdout.write(`${JSON.stringify(counts)}\n`)
  // Else it would say little: most must be in SQL, and all three answers must be among them.
  expect(counts.inSql / counts.expressions).toBeGreaterThan(0.5)
  expect(counts.matches).toBeGreaterThan(counts.pairs / 20)
  expect(counts.errors).toBeGreaterThan(counts.pairs / 20)
})

/** Some of what the grammar makes is refused, as it certainly fails. */
function compileOrNull(source: string): Compiled | null {
  try {
    return compileExpression(source)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    counts.refused++
    return null
  }
}

function differences(
  subjects: readonly Subject[],
  got: ReadonlyMap<string, Verdict>,
  expected: ReadonlyMap<string, Verdict>,
) {
  return subjects
    .filter(({ id }) => got.get(id) !== expected.get(id))
    .slice(0, 3)
    .map((subject) => ({ subject, got: got.get(subject.id), expected: expected.get(subject.id) }))
}
