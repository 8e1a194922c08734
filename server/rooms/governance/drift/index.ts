export { driftRoutes } from './routes.ts'
export { carryOutRuns } from './runs/job.ts'
export { countDrift } from './store.ts'
export { compareSynced } from './work.ts'
