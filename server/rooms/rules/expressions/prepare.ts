import { slot } from '#kernel/memory.ts'
import { Refusal } from '#kernel/refusals.ts'
import type { Reads } from '#kernel/sql.ts'
import { openWorkers } from '#kernel/workers.ts'
import type { World } from '#kernel/world.ts'
import type {
  ClaimsExpression,
  Expression,
  Fragment,
  KeyExpression,
  PolicyExpression,
  SqlScope,
  SubjectRow,
  Template,
} from './expression.ts'
import { Problem, refusalOf } from './language/problem.ts'
import { fragmentOf } from './template.ts'
import type { EvaluateInput, EvaluateResult, Prepared } from './worker.ts'

/** On whose behalf it works, and who waits for it. */
export type Asker = { lane: string; signal: AbortSignal | null }

export type Remembering = Pick<World, 'memory'>

export const knownMax = 5_000

/**
 * Expressions of callers are never parsed or evaluated on the event loop: 10,000 characters that were made to be slow take a
 * tenth of a second to compile, and one evaluation may take as long.
 */
export const workers = slot(({ settings, log }) => ({
  pool: openWorkers({ entry: new URL('./worker.ts', import.meta.url), processes: settings.workers ?? 1, log }),
  /** Expressions by their text: their meaning does not change. */
  known: new Map<string, Expression>(),
  /** Those of policies, by scope and text. */
  policies: new Map<string, PolicyExpression>(),
  /** Those of directories, by scope and text. */
  keys: new Map<string, KeyExpression>(),
  /** Conditions about claims, by their text. */
  claims: new Map<string, ClaimsExpression>(),
}))

export const closeExpressions = (world: Remembering): Promise<void> => world.memory(workers).pool.close()

/** Refuses with EXPRESSION_INVALID, naming the caller's field, line and column. */
export async function prepareExpression(
  world: Remembering,
  asker: Asker,
  source: string,
  field = 'expression',
): Promise<Expression> {
  const { pool, known } = world.memory(workers)
  const found = known.get(source)
  if (found) return found
  const input = { source, now: new Date(0) }
  const prepared = await pool.run<Prepared>({ ...asker, task: 'prepare', input })
  if ('problem' in prepared)
    throw refusalOf(source, field, new Problem(prepared.problem.message, prepared.problem.offset))
  known.set(source, prepared.expression)
  if (known.size > knownMax) known.delete(known.keys().next().value as string)
  return prepared.expression
}

/**
 * A boolean over one row of users: true, false, or null if the evaluation fails. No fragment if it cannot be expressed in
 * SQL. In an object: a fragment is thenable, and an async function that returned it would send it.
 */
export async function expressionSql(
  world: Remembering,
  asker: Asker,
  db: Reads,
  { source, reads, template: constant }: Expression,
  scope: SqlScope,
): Promise<{ fragment: Fragment | null }> {
  const { pool } = world.memory(workers)
  const input = { source, now: scope.now }
  const template = reads.isClocked ? await pool.run<Template | null>({ ...asker, task: 'translate', input }) : constant
  return { fragment: template && fragmentOf(db, template, scope) }
}

export type Evaluated = {
  /** For each expression. */
  of: { matched: string[]; failures: { userId: string; error: string }[]; units: number }[]
  units: number
  /** It cost more than allowed, and was given up. */
  isOver: boolean
}

// Sent at once: enough that the cost per message does not matter, and copied in less than a millisecond.
const perBatch = { subjects: 500, characters: 256 * 1024 }

/** Evaluates expressions for some users, until it is done or has cost `unitsMax`. */
export async function evaluateExpressions(
  world: Remembering,
  asker: Asker,
  expressions: readonly Expression[],
  subjects: readonly SubjectRow[],
  { now, unitsMax }: { now: Date; unitsMax: number },
): Promise<Evaluated> {
  const { pool } = world.memory(workers)
  const sources = expressions.map(({ source }) => source)
  const all: Evaluated = { of: sources.map(() => ({ matched: [], failures: [], units: 0 })), units: 0, isOver: false }
  for (const batch of batchesOf(subjects)) {
    const input: EvaluateInput = { sources, subjects: batch, now, unitsMax: unitsMax - all.units }
    const told = await pool.run<EvaluateResult>({ ...asker, task: 'evaluate', input })
    for (const [place, { matched, failed, units }] of told.of.entries()) {
      const of = all.of[place] as Evaluated['of'][number]
      of.units += units
      all.units += units
      for (const at of matched) of.matched.push((batch[at] as SubjectRow).id)
      for (const { at, error } of failed) of.failures.push({ userId: (batch[at] as SubjectRow).id, error })
    }
    if (told.isOver) return { ...all, isOver: true }
  }
  return all
}

function* batchesOf(subjects: readonly SubjectRow[]): Generator<SubjectRow[]> {
  let batch: SubjectRow[] = []
  let characters = 0
  for (const subject of subjects) {
    batch.push(subject)
    characters += subject.profile?.length ?? 0
    if (batch.length < perBatch.subjects && characters < perBatch.characters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

/** Counted in units of work alone, so that the same expression is refused on every machine. */
export const tooCostly = (why: string): Refusal =>
  new Refusal('EXPRESSION_TOO_COSTLY', `The expression takes too much work: ${why}.`)
