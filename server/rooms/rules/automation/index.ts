export { type Automation, type Definition, holdersOfAny, type Run, writtenRefs } from './automation.ts'
export { sweepChanges } from './changes/sweep.ts'
export { planTurns } from './effort.ts'
export { addExclusions, removeExclusions } from './exclusions/actions.ts'
export { type RuleAbout, ruleAbout } from './explain/judge.ts'
export { type RuleOfMany, rulesAbout } from './explain/many.ts'
export { type FoundingRule, foundRules } from './matching/found.ts'
export { automationNotFound } from './refuse.ts'
export { automationRoutes } from './routes.ts'
export {
  changeAutomation,
  createAutomation,
  removeAutomation,
  switchBreaker,
  tryDefinition,
} from './rule/actions.ts'
export { findAutomation, pauseAutomation, setLimits } from './rule/store.ts'
export { releaseRun, startRun } from './runs/actions.ts'
export { forgetIdleRuns } from './runs/forget.ts'
export { stepRuns, stepRunsBeside } from './runs/run.ts'
export { findHeldRun, findNextRun, findRun } from './runs/store.ts'
export { forgetShown } from './seen.ts'
