export { distribute, type Progress } from './distribute.ts'
export { DistributionFailed, DistributionRefused } from './refused.ts'
