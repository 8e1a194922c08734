export { appSetupRoutes } from './routes.ts'
