export { findRoutes } from './find.ts'
export { listRoutes } from './routes.ts'
