export { setSourceLimits } from './actions.ts'
export {
  noLimits,
  type SourceLimit,
  type SourceLimits,
  sourceCheck,
  sourceNames,
  sourceOf,
} from './limits.ts'
export { findSourceLimits } from './read.ts'
