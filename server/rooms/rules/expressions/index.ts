export { matchable } from './budget.ts'
export { type Expression, type Fragment, heldKey, type Looked, type Subject } from './expression.ts'
export { patternSize } from './language/patterns.ts'
export {
  type Asker,
  closeExpressions,
  evaluateExpressions,
  expressionSql,
  prepareExpression,
  tooCostly,
} from './prepare.ts'
export { listSubjectRows, listSubjects } from './store.ts'
export { look } from './subject.ts'
