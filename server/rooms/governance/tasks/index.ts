export { followDelegations } from './delegates.ts'
export { taskRoutes } from './routes.ts'
export { carryOnDueTasks } from './timers.ts'
