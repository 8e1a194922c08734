export { valueDeleted } from './hooks.ts'
export { attributeRoutes } from './routes.ts'
export { holdValues } from './store.ts'
export { complianceFramework, riskLevel } from './types.ts'
