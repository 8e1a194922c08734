export { grantedAgain, whyNotRestored } from './removal/decide.ts'
export { openRevocations } from './removal/job.ts'
export { leaverRoutes } from './routes.ts'
