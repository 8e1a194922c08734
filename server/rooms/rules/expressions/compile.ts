import { type CelError, type CelInput, celList, isCelError, parse, plan } from '@bufbuild/cel'
import { beginEvaluation, costs, isOverBudget } from './budget.ts'
import { type Compiled, type Evaluation, heldKey, type Subject } from './expression.ts'
import { type Checked, check } from './language/check.ts'
import { checkGrammar } from './language/grammar.ts'
import { environment, setMoment } from './language/language.ts'
import { Problem, placeOf } from './language/problem.ts'
import { countParts, type Expr } from './language/tree.ts'
import { celOf } from './language/values.ts'
import { appVariable, entitlementVariable, fieldVariable } from './language/variables.ts'
import type { Scope } from './scope.ts'
import { translate } from './store/translate.ts'

/**
 * In characters. An expression that was made to be slow, such as a hundred accesses in a row, takes 70 ms at this length.
 */
const sourceMax = 10_000

/** Throws a `Problem`. Costs up to a tenth of a second: for worker threads only, and tests. */
export function compile(source: string): Compiled {
  const checked = checkSource(source, 'rule')
  const { tells, fields, entitlements, apps, isClocked, paths } = checked
  return {
    source,
    tells,
    reads: { fields, entitlements, apps, isClocked, looksAtManager: fields.has('manager') },
    paths,
    template: (now) => translate(checked.tree, now),
    evaluate: evaluator(source, checked),
  }
}

/** Throws a `Problem`, as `compile` does. */
export function checkSource(source: string, scope: Scope): Checked {
  if (source.length > sourceMax) throw new Problem(`an expression has at most ${sourceMax} characters`, sourceMax)
  const half = source.search(/\p{Surrogate}/u)
  if (half >= 0) throw new Problem('an unpaired surrogate', half)
  if (source.trim() === '') throw new Problem('an expression must not be empty', 0)
  checkGrammar(source)
  return check(source, parseSource(source), scope)
}

function parseSource(source: string): { expr: Expr; sourceInfo?: { positions: Record<string, number> } | undefined } {
  try {
    // It recognizes a comment only if a line end follows.
    return parse(`${source}\n`)
  } catch (error) {
    const { location } = error as { location?: { start: { offset: number } } }
    const message = (error as Error).message.replace(/^<input>:\d+:\d+: /, '')
    throw new Problem(message, location?.start.offset ?? 0)
  }
}

/**
 * 450,000 evaluations per second of `subject.department == "X" && subject.profile.level > 3` on one core. Only what the
 * expression reads is bound: a map of all fields for each user would take longer than that.
 */
function evaluator(
  source: string,
  { tree, fields, entitlements, apps, placeOf: offsetOf }: Checked,
): Compiled['evaluate'] {
  const run = plan(environment, tree)
  const unitsMin = costs.part * countParts(tree)
  const bound = [...fields].map((field) => [field, fieldVariable(field)] as const)
  const held = entitlements.map((each) => [heldKey(each), entitlementVariable(each)] as const)
  const used = apps.map((each) => [each, appVariable(each)] as const)
  return (subject, now): Evaluation => {
    const variables: Record<string, CelInput> = {}
    for (const [field, name] of bound) variables[name] = valueOf(subject, field)
    for (const [key, name] of held) variables[name] = subject.entitlements.includes(key)
    for (const [appId, name] of used) variables[name] = subject.apps.includes(appId)
    beginEvaluation(unitsMin)
    setMoment(now)
    const result = withoutStacks(() => run(variables))
    if (isOverBudget()) return { error: 'the evaluation takes too much work' }
    if (typeof result === 'boolean') return { value: result }
    if (!isCelError(result)) return { error: 'the result is not a bool' }
    return { error: told(source, offsetOf, result) }
  }
}

/** With line and column, if they are known, and without values: requesters read it, who may not know them. */
export function told(source: string, offsetOf: Checked['placeOf'], { exprId, message: whole }: CelError): string {
  const message = whole
    .replace(/^field not found: ([^]*)$/, (said, key: string) => (source.includes(key) ? said : 'field not found'))
    .replace(/"((?:[^"\\]|\\[^])*)"/, (said, text: string) => (source.includes(text) ? said : '"…"'))
    .replace(/^Unable to convert string '[^]*' to bool$/, 'bool() of a string that is not a bool')
  if (exprId === undefined) return message
  const { line, column } = placeOf(source, offsetOf(exprId))
  // The library does not know the length of a list for which an index was too large.
  return `line ${line}, column ${column}: ${message.replace(' [0, -1)', '')}`
}

function valueOf(subject: Subject, field: keyof Subject): CelInput {
  const value = subject[field]
  if (typeof value === 'string') return value
  return field === 'profile' ? celOf(subject.profile) : celList(value as readonly string[])
}

/** Failures in an expression are exceptions: 75 µs each with the stack, which nobody reads, and 2 without. */
export function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
