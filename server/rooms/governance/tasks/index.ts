export { profileTasks } from './creating/profiles.ts'
export { taskRoutes } from './routes.ts'
export { carryOnDueTasks } from './timers.ts'
