export { mayRequest } from './creating/may-request.ts'
export { endRequested } from './ending/expired.ts'
export { taskRoutes } from './routes.ts'
export { carryOnDueTasks } from './timers.ts'
