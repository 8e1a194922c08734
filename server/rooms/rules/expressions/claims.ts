import type { ClaimsExpression, Evaluation } from './expression.ts'
import { Problem, refusalOf } from './language/problem.ts'
import { type Asker, knownMax, type Remembering, workers } from './prepare.ts'
import type { ClaimsInput, ClaimsResult, PreparedClaims } from './worker.ts'

/** Refuses with EXPRESSION_INVALID, naming the caller's field, line and column. */
export async function prepareClaims(
  world: Remembering,
  asker: Asker,
  source: string,
  field: string,
): Promise<ClaimsExpression> {
  const { pool, claims } = world.memory(workers)
  const found = claims.get(source)
  if (found) return found
  const made = await pool.run<PreparedClaims>({ ...asker, task: 'prepareClaims', input: { source } })
  if ('problem' in made) throw refusalOf(source, field, new Problem(made.problem.message, made.problem.offset))
  claims.set(source, made.expression)
  if (claims.size > knownMax) claims.delete(claims.keys().next().value as string)
  return made.expression
}

const tooMuch: Evaluation = { error: 'the evaluation takes too much work' }

/** Evaluates conditions about claims, which are JSON text. Those for which no work is left fail. */
export async function evaluateClaims(
  world: Remembering,
  asker: Asker,
  of: ClaimsInput['of'],
  unitsMax: number,
): Promise<Evaluation[]> {
  const { pool } = world.memory(workers)
  const input: ClaimsInput = { of, unitsMax }
  const told = await pool.run<ClaimsResult>({ ...asker, task: 'evaluateClaims', input })
  return of.map((_, at) => told.of[at] ?? tooMuch)
}
