import { isCelError, plan } from '@bufbuild/cel'
import { beginEvaluation, costs, isOverBudget } from './budget.ts'
import { checkSource, told, withoutStacks } from './compile.ts'
import type { Evaluation, Json, Pin } from './expression.ts'
import { environment, setMoment } from './language/language.ts'
import { claimsRead, pinsOf } from './language/pins.ts'
import { Problem } from './language/problem.ts'
import { countParts } from './language/tree.ts'
import { celOf } from './language/values.ts'

/** A condition about the claims of a token, which can be evaluated in a worker thread. */
export type CompiledClaims = {
  /** The claims that it reads, by name; null if it reads any. */
  reads: readonly string[] | null
  /** What must hold for a claim whenever the condition is true; null if it is never true. */
  pins: readonly Pin[] | null
  evaluate(claims: { readonly [name: string]: Json }): Evaluation
}

/** As published, in bytes of UTF-8. */
const sourceBytesMax = 1024

/** Throws a `Problem`. */
export function compileClaims(source: string): CompiledClaims {
  if (Buffer.byteLength(source) > sourceBytesMax)
    throw new Problem(`a condition has at most ${sourceBytesMax} bytes`, sourceBytesMax)
  const { tree, placeOf } = checkSource(source, 'claims')
  const run = plan(environment, tree)
  const unitsMin = costs.part * countParts(tree)
  return {
    reads: claimsRead(tree),
    pins: pinsOf(tree),
    evaluate(claims) {
      beginEvaluation(unitsMin)
      setMoment(new Date(0))
      const result = withoutStacks(() => run({ claims: celOf(claims) }))
      if (isOverBudget()) return { error: 'the evaluation takes too much work' }
      if (isCelError(result)) return { error: told(source, placeOf, result) }
      return typeof result === 'boolean' ? { value: result } : { error: 'the result is not a bool' }
    },
  }
}
