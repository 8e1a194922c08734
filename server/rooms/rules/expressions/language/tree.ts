import type { parse } from '@bufbuild/cel'

/** The library's tree of an expression. */
export type Expr = ReturnType<typeof parse>['expr']
type Kinds = Expr['exprKind']
export type Comprehension = Extract<Kinds, { case: 'comprehensionExpr' }>['value']
export type Call = Extract<Kinds, { case: 'callExpr' }>['value']
export type Select = Extract<Kinds, { case: 'selectExpr' }>['value']

const expr = (id: bigint, exprKind: Kinds): Expr => ({ $typeName: 'cel.expr.Expr', id, exprKind })

export const identifier = (id: bigint, name: string): Expr =>
  expr(id, { case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name } })

export const call = (id: bigint, name: string, args: Expr[], target?: Expr): Expr =>
  expr(id, {
    case: 'callExpr',
    value: { $typeName: 'cel.expr.Expr.Call', function: name, args, ...(target ? { target } : {}) },
  })

export const textConstant = (id: bigint, value: string): Expr =>
  expr(id, {
    case: 'constExpr',
    value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'stringValue', value } },
  })

export const intConstant = (id: bigint, value: bigint): Expr =>
  expr(id, {
    case: 'constExpr',
    value: { $typeName: 'cel.expr.Constant', constantKind: { case: 'int64Value', value } },
  })

export const select = (id: bigint, value: Select): Expr => expr(id, { case: 'selectExpr', value })
export const comprehension = (id: bigint, value: Comprehension): Expr => expr(id, { case: 'comprehensionExpr', value })

export const list = (id: bigint, elements: Expr[]): Expr =>
  expr(id, { case: 'listExpr', value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] } })

export const textOf = ({ exprKind }: Expr): string | null =>
  exprKind.case === 'constExpr' && exprKind.value.constantKind.case === 'stringValue'
    ? exprKind.value.constantKind.value
    : null

export const nameOf = ({ exprKind }: Expr): string | null =>
  exprKind.case === 'identExpr' ? exprKind.value.name : null

export const callOf = ({ exprKind }: Expr): Call | null => (exprKind.case === 'callExpr' ? exprKind.value : null)

/** `a.b.c` as one name; null for everything else. */
export function qualifiedName(tree: Expr): string | null {
  const { exprKind } = tree
  if (exprKind.case === 'identExpr') return exprKind.value.name
  if (exprKind.case !== 'selectExpr' || exprKind.value.testOnly || !exprKind.value.operand) return null
  const parent = qualifiedName(exprKind.value.operand)
  return parent === null ? null : `${parent}.${exprKind.value.field}`
}

/** The user's condition in a macro that returns a bool, or null if it returns a list. */
export function macroOf({
  accuInit,
  loopStep,
}: Comprehension): { macro: 'exists' | 'all' | 'exists_one'; test: Expr } | null {
  const step = loopStep ? callOf(loopStep) : null
  if (accuInit?.exprKind.case !== 'constExpr' || !step) return null
  const { constantKind } = accuInit.exprKind.value
  if (constantKind.case === 'int64Value') return { macro: 'exists_one', test: step.args[0] as Expr }
  return { macro: step.function === '_||_' ? 'exists' : 'all', test: step.args[1] as Expr }
}

const perhapsPartsOf = ({ exprKind }: Expr): readonly (Expr | undefined)[] => {
  switch (exprKind.case) {
    case 'selectExpr':
      return [exprKind.value.operand]
    case 'callExpr':
      return [exprKind.value.target, ...exprKind.value.args]
    case 'listExpr':
      return exprKind.value.elements
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [
        keyKind.case === 'mapKey' ? keyKind.value : undefined,
        value,
      ])
    case 'comprehensionExpr': {
      const { iterRange, accuInit, loopCondition, loopStep, result } = exprKind.value
      return [iterRange, accuInit, loopCondition, loopStep, result]
    }
    case 'constExpr':
    case 'identExpr':
    case undefined:
      return []
  }
}

export const partsOf = (tree: Expr): Expr[] => perhapsPartsOf(tree).filter((part) => part !== undefined)

/** The total number of parts. */
export function countParts(tree: Expr): number {
  let count = 0
  const open = [tree]
  for (let part = open.pop(); part; part = open.pop()) {
    count++
    open.push(...partsOf(part))
  }
  return count
}

/** A part of the tree at this depth, if there is one. Not recursive, unlike what runs after it. */
export function findDeep(tree: Expr, depth: number): Expr | null {
  let level: readonly Expr[] = [tree]
  for (let at = 0; at < depth; at++) {
    level = level.flatMap(partsOf)
    if (level.length === 0) return null
  }
  return level[0] ?? null
}
