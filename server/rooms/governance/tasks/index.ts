export { taskRoutes } from './routes.ts'
export { carryOnDueTasks } from './timers.ts'
