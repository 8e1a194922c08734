import type { KeyExpression, KeyRow, KeyValue } from './expression.ts'
import { Problem, refusalOf } from './language/problem.ts'
import { type Asker, knownMax, type Remembering, tooCostly, workers } from './prepare.ts'
import type { KeyScope } from './scope.ts'
import type { KeysInput, KeysResult, PreparedKey } from './worker.ts'

/** Refuses with EXPRESSION_INVALID, naming the caller's field, line and column. */
export async function prepareKey(
  world: Remembering,
  asker: Asker,
  source: string,
  scope: KeyScope,
  field: string,
): Promise<KeyExpression> {
  const { pool, keys } = world.memory(workers)
  const key = `${scope} ${source}`
  const found = keys.get(key)
  if (found) return found
  const made = await pool.run<PreparedKey>({ ...asker, task: 'prepareKey', input: { source, scope } })
  if ('problem' in made) throw refusalOf(source, field, new Problem(made.problem.message, made.problem.offset))
  keys.set(key, made.expression)
  if (keys.size > knownMax) keys.delete(keys.keys().next().value as string)
  return made.expression
}

// Sent at once: copied in a few milliseconds.
const rowsPerBatch = 500

/** What all evaluations of one piece of work may cost together; what is left of it. */
type Allowance = { units: number }

/**
 * Evaluates expressions of a directory for accounts or users, or of a subscription for events; returns the results by
 * expression and row.
 */
export async function evaluateKeys(
  world: Remembering,
  asker: Asker,
  expressions: readonly KeyExpression[],
  rows: readonly KeyRow[],
  allowance: Allowance,
): Promise<(KeyValue | { error: string })[][]> {
  const { pool } = world.memory(workers)
  const of = expressions.map(({ source, scope }) => ({ source, scope }))
  const all: (KeyValue | { error: string })[][] = of.map(() => [])
  if (of.length === 0) return all
  for (let from = 0; from < rows.length; from += rowsPerBatch) {
    const input: KeysInput = { of, rows: rows.slice(from, from + rowsPerBatch), unitsMax: allowance.units }
    const told = await pool.run<KeysResult>({ ...asker, task: 'evaluateKeys', input })
    allowance.units -= told.units
    if (told.isOver) throw tooCostly('it takes too much work for so many accounts, users or events')
    for (const [place, values] of told.of.entries()) all[place]?.push(...values)
  }
  return all
}
