import { type CelValue } from '@bufbuild/cel'
import { type Expr, partsOf } from '../language/tree.ts'
import { areSameNumber, isNumber } from '../language/values.ts'
import { type SqlKind, Untranslatable } from './values.ts'

export const kindOfConstant = (constant: CelValue): SqlKind =>
  typeof constant === 'boolean' ? 'bool' : typeof constant === 'string' ? 'text' : 'json'

export function equalConstants(a: CelValue, b: CelValue): boolean {
  if (typeof a === 'object' || typeof b === 'object') throw new Untranslatable('two constants')
  return isNumber(a) && isNumber(b) ? areSameNumber(a, b) : a === b
}

/** Whether it is the same for every user. `bound`: the variables of macros within it. */
export function isConstant(tree: Expr, bound: ReadonlySet<string>): boolean {
  const { exprKind } = tree
  if (exprKind.case === 'identExpr') return bound.has(exprKind.value.name)
  if (exprKind.case !== 'comprehensionExpr') return partsOf(tree).every((part) => isConstant(part, bound))
  // The list that it iterates over is outside: in `[x].exists(x, …)` the two have different meanings.
  const { iterRange, iterVar, accuVar } = exprKind.value
  const within = new Set([...bound, iterVar, accuVar])
  return partsOf(tree).every((part) => isConstant(part, part === iterRange ? bound : within))
}
