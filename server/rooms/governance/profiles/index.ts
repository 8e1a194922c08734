export type { TaskHands, TaskWanted } from './enrolling/hands.ts'
export { noticeEnrollments, profileJobs } from './enrolling/jobs.ts'
export { isRequestable } from './requesting/requestable.ts'
export { profileRoutes } from './routes.ts'
