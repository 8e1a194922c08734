import { serveTasks } from '#kernel/worker-tasks.ts'
import { spentUnits } from './budget.ts'
import { compile } from './compile.ts'
import { type CompiledClaims, compileClaims } from './compile-claims.ts'
import { type CompiledKey, compileKey } from './compile-key.ts'
import { type CompiledPolicy, compilePolicy, type Round } from './compile-policy.ts'
import type {
  ClaimsExpression,
  Compiled,
  Evaluation,
  Expression,
  Json,
  KeyExpression,
  KeyRow,
  KeyValue,
  LookedUp,
  PolicyExpression,
  Scene,
  SubjectRow,
  Template,
} from './expression.ts'
import { Problem } from './language/problem.ts'
import type { KeyScope, PolicyScope } from './scope.ts'
import { subjectOf } from './store.ts'

/** The entry of the worker threads: everything is done with expressions here except querying the database. */

export type Prepared = { expression: Expression } | { problem: { message: string; offset: number } }
export type EvaluateInput = {
  sources: readonly string[]
  subjects: readonly SubjectRow[]
  now: Date
  /** What all of it may cost. */
  unitsMax: number
}
/** For one expression: the users whom it matches and for whom it fails, by their positions among the subjects. */
export type EvaluatedSource = { matched: number[]; failed: { at: number; error: string }[]; units: number }
export type EvaluateResult = {
  of: EvaluatedSource[]
  /** It was given up: `units` is what was spent until then. */
  isOver: boolean
}

const compiledMax = 2_000
const rules = new Map<string, Compiled>()
const policies = new Map<string, CompiledPolicy>()
const keys = new Map<string, CompiledKey>()
const claimsKnown = new Map<string, CompiledClaims>()

function remember<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key)
  if (found) {
    // The one that was used last is evicted last.
    known.delete(key)
    known.set(key, found)
    return found
  }
  const made = make()
  known.set(key, made)
  if (known.size > compiledMax) known.delete(known.keys().next().value as string)
  return made
}

const compiledOf = (source: string): Compiled => remember(rules, source, () => compile(source))
const policyOf = (source: string, scope: PolicyScope): CompiledPolicy =>
  remember(policies, `${scope} ${source}`, () => compilePolicy(source, scope))

function* prepare({ source, now }: { source: string; now: Date }): Generator<void, Prepared> {
  try {
    const compiled = compiledOf(source)
    yield
    const { tells, reads, paths } = compiled
    return { expression: { source, tells, reads, paths, template: reads.isClocked ? null : compiled.template(now) } }
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

// So that the clock is not read after each of users who cost a microsecond.
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

export type PreparedPolicy = { expression: PolicyExpression } | { problem: { message: string; offset: number } }

function* preparePolicy({ source, scope }: { source: string; scope: PolicyScope }): Generator<void, PreparedPolicy> {
  try {
    const { tells, roots, readsProfiles } = policyOf(source, scope)
    yield
    return { expression: { source, scope, tells, roots, readsProfiles } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { problem: { message: error.message, offset: error.offset } }
  }
}

export type AskInput = { source: string; scope: PolicyScope; scene: Scene; known: LookedUp; now: Date }

function* ask({ source, scope, scene, known, now }: AskInput): Generator<void, Round> {
  const compiled = policyOf(source, scope)
  yield
  const round = compiled.ask(scene, known, now)
  if ('asked' in round && 'error' in round.asked)
    return { ...round, asked: { error: round.asked.error.slice(0, errorMax) } }
  return round
}

const keyOf = (source: string, scope: KeyScope): CompiledKey =>
  remember(keys, `${scope} ${source}`, () => compileKey(source, scope))

export type PreparedKey = { expression: KeyExpression } | { problem: { message: string; offset: number } }

function* prepareKey({ source, scope }: { source: string; scope: KeyScope }): Generator<void, PreparedKey> {
  try {
    const { tells, fields } = keyOf(source, scope)
    yield
    return { expression: { source, scope, tells, fields } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { problem: { message: error.message, offset: error.offset } }
  }
}

export type KeysInput = {
  of: readonly { source: string; scope: KeyScope }[]
  rows: readonly KeyRow[]
  unitsMax: number
}
export type KeysResult = {
  /** By expression and row. */
  of: (KeyValue | { error: string })[][]
  units: number
  isOver: boolean
}

/** The profile of a user, and an event, are text, as the database returns them: they are parsed here. */
function parsedOf(row: KeyRow): KeyRow {
  for (const field of ['profile', 'event'])
    if (typeof row[field] === 'string') return { ...row, [field]: JSON.parse(row[field]) as Record<string, never> }
  return row
}

function* evaluateKeys({ of: expressions, rows: sent, unitsMax }: KeysInput): Generator<void, KeysResult> {
  const rows = sent.map(parsedOf)
  const of: KeysResult['of'] = []
  let units = 0
  for (const { source, scope } of expressions) {
    yield
    const compiled = keyOf(source, scope)
    const told: KeysResult['of'][number] = []
    of.push(told)
    for (const [at, row] of rows.entries()) {
      const result = compiled.evaluate(row)
      told.push(typeof result === 'object' && 'error' in result ? { error: result.error.slice(0, errorMax) } : result)
      const spent = Math.ceil(spentUnits())
      units += spent
      if (units > unitsMax) return { of, units, isOver: true }
      if (spent > unitsPerLook || at % subjectsPerLook === 0) yield
    }
  }
  return { of, units, isOver: false }
}

const claimsOf = (source: string): CompiledClaims => remember(claimsKnown, source, () => compileClaims(source))

export type PreparedClaims = { expression: ClaimsExpression } | { problem: { message: string; offset: number } }

function* prepareClaims({ source }: { source: string }): Generator<void, PreparedClaims> {
  try {
    const { reads, pins } = claimsOf(source)
    yield
    return { expression: { source, reads, pins } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { problem: { message: error.message, offset: error.offset } }
  }
}

/** Claims are JSON text, as they were signed: parsed here. */
export type ClaimsInput = { of: readonly { source: string; claims: string }[]; unitsMax: number }
export type ClaimsResult = { of: Evaluation[]; units: number; isOver: boolean }

function* evaluateClaims({ of: asked, unitsMax }: ClaimsInput): Generator<void, ClaimsResult> {
  const of: Evaluation[] = []
  let units = 0
  for (const [at, { source, claims }] of asked.entries()) {
    const result = claimsOf(source).evaluate(JSON.parse(claims) as { [name: string]: Json })
    of.push('error' in result ? { error: result.error.slice(0, errorMax) } : result)
    const spent = Math.ceil(spentUnits())
    units += spent
    if (units > unitsMax) return { of, units, isOver: true }
    if (spent > unitsPerLook || at % subjectsPerLook === 0) yield
  }
  return { of, units, isOver: false }
}

serveTasks({
  prepare,
  translate,
  evaluate,
  preparePolicy,
  ask,
  prepareKey,
  evaluateKeys,
  prepareClaims,
  evaluateClaims,
})
