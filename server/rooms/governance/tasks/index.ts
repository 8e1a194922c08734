export { mayRequest } from './creating/may-request.ts'
export { taskRoutes } from './routes.ts'
export { carryOnDueTasks } from './timers.ts'
