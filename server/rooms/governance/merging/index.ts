export { mergingRoutes } from './routes.ts'
