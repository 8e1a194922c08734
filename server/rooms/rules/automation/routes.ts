import { exclusionRoutes } from './routes-exclusions.ts'
import { planRoutes } from './routes-plan.ts'
import { ruleRoutes } from './routes-rule.ts'
import { runRoutes } from './routes-runs.ts'

export const automationRoutes = [...ruleRoutes, ...exclusionRoutes, ...planRoutes, ...runRoutes]
