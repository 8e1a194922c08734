import { budgetUnits } from './budget.ts'
import type { Round } from './compile-policy.ts'
import type { Answer, Asked, LookedUp, Need, PolicyExpression, Scene, SubjectRow } from './expression.ts'
import { endOfToken, Problem, placeOf, refusalOf } from './language/problem.ts'
import { type Asker, knownMax, type Remembering, workers } from './prepare.ts'
import type { PolicyScope } from './scope.ts'
import type { AskInput, PreparedPolicy } from './worker.ts'

/** Looks up what an expression needs. Every need has an answer; every user named in an answer is among the users. */
export type Lookups = (needs: readonly Need[], readsProfiles: boolean) => Promise<LookedUp>

async function prepared(
  world: Remembering,
  asker: Asker,
  source: string,
  scope: PolicyScope,
): Promise<PolicyExpression | Problem> {
  const { pool, policies } = world.memory(workers)
  const key = `${scope} ${source}`
  const found = policies.get(key)
  if (found) return found
  const input = { source, scope }
  const made = await pool.run<PreparedPolicy>({ ...asker, task: 'preparePolicy', input })
  if ('problem' in made) return new Problem(made.problem.message, made.problem.offset)
  policies.set(key, made.expression)
  if (policies.size > knownMax) policies.delete(policies.keys().next().value as string)
  return made.expression
}

/** Refuses with EXPRESSION_INVALID, naming the caller's field, line and column. */
export async function preparePolicyExpression(
  world: Remembering,
  asker: Asker,
  source: string,
  scope: PolicyScope,
  field: string,
): Promise<PolicyExpression> {
  const found = await prepared(world, asker, source, scope)
  if (found instanceof Problem) throw refusalOf(source, field, found)
  return found
}

/** The limits of all rounds together. A condition that needs more reads too much. */
const limits = { rounds: 40, needs: 2_000, units: 2 * budgetUnits, users: 1_000, usersWithProfile: 200 } as const

/**
 * Evaluates in rounds: the worker returns what it needs, `lookUp` finds it, and the worker evaluates again with the result.
 * An error is an answer too; the caller then decides nothing.
 */
export async function askPolicy(
  world: Remembering,
  asker: Asker,
  { source, scope, readsProfiles }: PolicyExpression,
  { scene, users, now }: { scene: Scene; users: readonly SubjectRow[]; now: Date },
  lookUp: Lookups,
): Promise<Asked> {
  const { pool } = world.memory(workers)
  const answers = new Map<string, Answer>()
  const people = new Map(users.map((row) => [row.id, row]))
  const usersMax = readsProfiles ? limits.usersWithProfile : limits.users
  let units = 0
  let needed = 0
  for (let round = 0; round < limits.rounds; round++) {
    const input: AskInput = { source, scope, scene, now, known: { answers: [...answers], users: [...people.values()] } }
    const told = await pool.run<Round>({ ...asker, task: 'ask', input })
    if ('asked' in told) return told.asked
    units += told.units
    needed += told.needs.length
    if (units > limits.units) return { error: 'the evaluation takes too much work' }
    if (needed > limits.needs) return { error: `the evaluation looks up more than ${limits.needs} things` }
    const found = await lookUp(told.needs, readsProfiles)
    for (const [key, answer] of found.answers) answers.set(key, answer)
    for (const row of found.users) people.set(row.id, row)
    if (people.size > usersMax)
      return {
        error: `the evaluation reads more than ${usersMax} users${readsProfiles ? ' with their profiles' : ''}`,
      }
  }
  return { error: `the evaluation makes more than ${limits.rounds} consecutive lookups` }
}

/** A range in a text, as editors mark it: lines and columns from 1, the end excluded. */
export type PolicyMarker = {
  message: string
  startLineNumber: number
  startColumn: number
  endLineNumber: number
  endColumn: number
}

/** The errors in a text that is to be a condition or to return approvers: none if it can be either. */
export async function markersOf(world: Remembering, asker: Asker, source: string): Promise<PolicyMarker[]> {
  const condition = await prepared(world, asker, source, 'condition')
  if (!(condition instanceof Problem)) return []
  const approvers = await prepared(world, asker, source, 'approvers')
  if (!(approvers instanceof Problem)) return []
  // The error of the one that was parsed further; if both were as far, that of a condition, which most texts are.
  const { message, offset } = approvers.offset > condition.offset ? approvers : condition
  const [start, end] = [placeOf(source, offset), placeOf(source, endOfToken(source, offset))]
  return [
    {
      message,
      startLineNumber: start.line,
      startColumn: start.column,
      endLineNumber: end.line,
      endColumn: end.column,
    },
  ]
}
