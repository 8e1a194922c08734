import type { Route } from '#kernel/routes.ts'
import { answerableRoutes } from './answerable/routes.ts'
import { leaverRoutes } from './leaver/routes.ts'
import { policyPlanRoutes } from './policy/routes.ts'
import { undoRoutes } from './undo/routes.ts'
import { whyRoutes } from './why/routes.ts'

/** Operations for plans, explanations and undoing. */
export const planningRoutes: Route[] = [
  ...whyRoutes,
  ...answerableRoutes,
  ...leaverRoutes,
  ...policyPlanRoutes,
  ...undoRoutes,
]
