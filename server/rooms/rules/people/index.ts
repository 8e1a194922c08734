export { directoryJobs } from './jobs.ts'
export { peopleRoutes } from './routes.ts'
