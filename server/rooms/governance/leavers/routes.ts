import { dependentRoutes } from './dependents/routes.ts'
import { removalRoutes } from './removal/routes.ts'

export const leaverRoutes = [...removalRoutes, ...dependentRoutes]
