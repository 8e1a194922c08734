export { goOnOffboarding } from './offboarding/job.ts'
export { recheckLeftBehind, recheckOpenTasks } from './rechecking/work.ts'
export { taskRoutes } from './routes.ts'
export { carryOnDueTasks } from './timers.ts'
