export { driftRoutes } from './routes.ts'
export { compareSynced } from './work.ts'
