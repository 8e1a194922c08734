import type { Path } from '../expression.ts'
import { findField } from '../subject.ts'
import { callOf, type Expr, nameOf, textOf } from './tree.ts'

/** The path in `subject` that an expression reads, if it is a literal one. */
export function pathOf(tree: Expr): Path | null {
  const { exprKind } = tree
  const step = (operand: Expr | undefined, key: string | number | null): Path | null => {
    if (!operand || key === null) return null
    if (nameOf(operand) === 'subject') {
      const field = typeof key === 'string' ? findField(key) : null
      return field && { field, keys: [] }
    }
    const path = pathOf(operand)
    return path && { field: path.field, keys: [...path.keys, key] }
  }
  if (exprKind.case === 'selectExpr') return step(exprKind.value.operand, exprKind.value.field)
  const made = callOf(tree)
  if (made?.function !== '_[_]') return null
  return step(made.args[0], keyOf(made.args[1] as Expr))
}

function keyOf(tree: Expr): string | number | null {
  const constant = tree.exprKind.case === 'constExpr' ? tree.exprKind.value.constantKind : null
  if (constant?.case === 'int64Value') return Number(constant.value)
  return textOf(tree)
}
