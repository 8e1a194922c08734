import { exclusionRoutes } from './exclusions/routes.ts'
import { planRoutes } from './plan/routes.ts'
import { ruleRoutes } from './rule/routes.ts'
import { runRoutes } from './runs/routes.ts'

export const automationRoutes = [...ruleRoutes, ...exclusionRoutes, ...planRoutes, ...runRoutes]
