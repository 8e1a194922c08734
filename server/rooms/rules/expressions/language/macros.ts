import { costs } from '../budget.ts'
import { isRoot } from '../scope.ts'
import type { Notes } from './notes.ts'
import { shown } from './tokens.ts'
import { type Comprehension, call, callOf, comprehension, countParts, type Expr, intConstant, nameOf } from './tree.ts'
import { aType, isPerhaps, type Typed, type Variables } from './types.ts'

// The grammar limits nested brackets and chained operators, but each may contain the other.
const macroDepthMax = 2
const macrosMax = 50

export function checkMacro(notes: Notes, tree: Expr, value: Comprehension, variables: Variables): Typed {
  const { iterRange, iterVar, accuVar, accuInit, loopCondition, loopStep, result } = value
  if (!iterRange || !accuInit || !loopCondition || !loopStep || !result) notes.fail(tree, 'half a macro')
  if (iterVar === 'subject' || iterVar === 'c1' || isRoot(notes.scope, iterVar) || notes.constants(iterVar))
    notes.fail(tree, `${shown(iterVar)} is already defined; choose another name`)
  if (++notes.macros > macrosMax) notes.fail(tree, `more than ${macrosMax} macros`)
  // A sequence of macros is not nested: the list to iterate over may come from a macro.
  const range = notes.check(iterRange, variables)
  if (++notes.macroDepth > macroDepthMax) notes.fail(tree, `macros can be nested at most ${macroDepthMax} deep`)
  if (!isPerhaps(range.type, 'list', 'map', 'users'))
    notes.fail(iterRange, `${aType(range.type)} has no elements to iterate over`)
  notes.mayRead(range.type, null)
  // The lists that users, accounts and entitlements have by name contain texts.
  const isTexts = range.type === 'list' && /^(?:subject|account|entitlement)\./.test(nameOf(range.tree) ?? '')
  const elements = range.type === 'users' ? 'user' : isTexts ? 'string' : 'dyn'
  const initial = notes.check(accuInit, variables)
  const within = new Map([...variables, [iterVar, elements], [accuVar, initial.type]])
  const step = notes.check(loopStep, within).tree
  const checked = comprehension(tree.id, {
    ...value,
    iterRange: call(tree.id, '@iterable', [range.tree]),
    accuInit: initial.tree,
    loopCondition: call(tree.id, '@tick', [
      notes.check(loopCondition, within).tree,
      intConstant(tree.id, BigInt(costs.iteration + costs.part * countParts(step))),
    ]),
    loopStep: initial.type === 'list' ? appending(step, accuVar) : step,
    result: notes.check(result, within).tree,
  })
  notes.macroDepth--
  if (initial.type !== 'list') return { tree: checked, type: 'bool' }
  return { tree: checked, type: elements === 'user' && isFilter(loopStep, iterVar) ? 'users' : 'list' }
}

/** Whether a macro that returns a list keeps its elements unchanged. */
function isFilter(step: Expr, iterVar: string): boolean {
  const made = callOf(step)
  const added = made?.function === '_?_:_' ? callOf(made.args[1] as Expr)?.args[1] : undefined
  const items = added?.exprKind.case === 'listExpr' ? added.exprKind.value.elements : []
  return items.length === 1 && nameOf(items[0] as Expr) === iterVar
}

/** `accu + [item]`, also within `test ? accu + [item] : accu`, as `@append(accu, item)`. */
function appending(step: Expr, accuVar: string): Expr {
  const made = callOf(step)
  if (made?.function === '_?_:_') {
    const [test, yes, no] = made.args as [Expr, Expr, Expr]
    return call(step.id, '_?_:_', [test, appending(yes, accuVar), no])
  }
  const [accu, added] = made?.args ?? []
  const items = added?.exprKind.case === 'listExpr' ? added.exprKind.value.elements : []
  if (made?.function !== '_+_' || !accu || nameOf(accu) !== accuVar || items.length !== 1) return step
  return call(step.id, '@append', [accu, items[0] as Expr])
}
