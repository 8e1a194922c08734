export { findRoutes } from './find.ts'
export { acrossRoutes } from './routes.ts'
