export { askPolicy, markersOf, type PolicyMarker, preparePolicyExpression } from './ask.ts'
export { budgetUnits, matchable } from './budget.ts'
export { evaluateClaims, prepareClaims } from './claims.ts'
export {
  type Answer,
  type Asked,
  type ClaimsExpression,
  type Evaluation,
  type Expression,
  type Fragment,
  heldKey,
  type KeyExpression,
  type KeyRow,
  type Looked,
  type LookedUp,
  type Need,
  needKey,
  type Pin,
  type RecordValue,
  type Scene,
  type Subject,
  type SubjectRow,
  subjectFields,
  type Tells,
} from './expression.ts'
export { evaluateKeys, prepareKey } from './keys.ts'
export { patternSize } from './language/patterns.ts'
export {
  type Asker,
  closeExpressions,
  evaluateExpressions,
  expressionSql,
  prepareExpression,
  tooCostly,
} from './prepare.ts'
export { type PolicyScope } from './scope.ts'
export { refuseUnseen, unseenBy } from './sight.ts'
export { listSubjectRows, listSubjects } from './store.ts'
export { look } from './subject.ts'
