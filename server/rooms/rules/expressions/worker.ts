import { serveTasks } from '#kernel/worker-tasks.ts'
import { spentUnits } from './budget.ts'
import { compile } from './compile.ts'
import type { Compiled, Expression, Template } from './expression.ts'
import { Problem } from './language/problem.ts'
import { type SubjectRow, subjectOf } from './store.ts'

/** The entry of the worker threads: all that is done with an expression but asking the database is done here. */

export type Prepared = { expression: Expression } | { problem: { message: string; offset: number } }
export type EvaluateInput = {
  sources: readonly string[]
  subjects: readonly SubjectRow[]
  now: Date
  /** What all of it may cost. */
  unitsMax: number
}
/** Of one expression: whom it matches and for whom it fails, by their places among the subjects. */
export type EvaluatedSource = { matched: number[]; failed: { at: number; error: string }[]; units: number }
export type EvaluateResult = {
  of: EvaluatedSource[]
  /** It was given up: `units` is what was spent by then. */
  isOver: boolean
}

const compiledMax = 2_000
const known = new Map<string, Compiled>()

function compiledOf(source: string): Compiled {
  const found = known.get(source)
  if (found) {
    // The one that was used last is the last to be forgotten.
    known.delete(source)
    known.set(source, found)
    return found
  }
  const made = compile(source)
  known.set(source, made)
  if (known.size > compiledMax) known.delete(known.keys().next().value as string)
  return made
}

function* prepare({ source, now }: { source: string; now: Date }): Generator<void, Prepared> {
  try {
    const compiled = compiledOf(source)
    yield
    const { reads, paths } = compiled
    return { expression: { source, reads, paths, template: reads.isClocked ? null : compiled.template(now) } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { problem: { message: error.message, offset: error.offset } }
  }
}

function* translate({ source, now }: { source: string; now: Date }): Generator<void, Template | null> {
  const compiled = compiledOf(source)
  yield
  return compiled.template(now)
}

// So that the clock is not looked at after each of users who cost a microsecond.
const subjectsPerLook = 16
const unitsPerLook = 1_000

function* evaluate({ sources, subjects: rows, now, unitsMax }: EvaluateInput): Generator<void, EvaluateResult> {
  const subjects = rows.map(subjectOf)
  const of: EvaluatedSource[] = []
  let units = 0
  for (const source of sources) {
    yield
    const compiled = compiledOf(source)
    const told: EvaluatedSource = { matched: [], failed: [], units: 0 }
    of.push(told)
    for (const [at, subject] of subjects.entries()) {
      const result = compiled.evaluate(subject, now)
      if ('error' in result) told.failed.push({ at, error: result.error.slice(0, errorMax) })
      else if (result.value) told.matched.push(at)
      const spent = Math.ceil(spentUnits())
      told.units += spent
      units += spent
      if (units > unitsMax) return { of, isOver: true }
      if (spent > unitsPerLook || at % subjectsPerLook === 0) yield
    }
  }
  return { of, isOver: false }
}

const errorMax = 500

serveTasks({ prepare, translate, evaluate })
