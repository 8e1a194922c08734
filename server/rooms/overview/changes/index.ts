export { nameCauses } from './causes.ts'
export { changeRoutes } from './routes.ts'
