export { insertBuiltInPolicies, seedBuiltInPolicies } from './actions.ts'
export { automaticPolicyIds, defaultPolicyIds } from './built-in.ts'
export {
  checkWritten,
  evaluateApprovers,
  evaluateCondition,
  evaluateRoutingCondition,
  type PolicyFacts,
} from './conditions.ts'
export { readSteps, stepsOf } from './decide.ts'
export { checkDraft } from './draft.ts'
export type { Policy, PolicyType, WireStep } from './policy.ts'
export { type PossibleList, possibleLists } from './possible.ts'
export { type Chosen as DraftPolicy, type PolicyChoice, type Resolved, resolvePolicy } from './resolve.ts'
export { policyRoutes } from './routes.ts'
export { ApprovalMessage, PolicyMessage, PolicyStepMessage } from './shapes.ts'
export type { ApprovalStep, Step, StepKind, Steps } from './steps.ts'
export { findPolicies } from './store.ts'
export { policyChecks, policyUseProblems } from './used.ts'
