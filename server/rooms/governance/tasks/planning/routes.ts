import type { Route } from '#kernel/routes.ts'
import { answerableRoutes } from './answerable/routes.ts'
import { leaverRoutes } from './leaver/routes.ts'
import { policyPlanRoutes } from './policy/routes.ts'
import { undoRoutes } from './undo/routes.ts'
import { whyRoutes } from './why/routes.ts'

/** What nobody else has: what would happen, why, and how it is undone. */
export const planningRoutes: Route[] = [
  ...whyRoutes,
  ...answerableRoutes,
  ...leaverRoutes,
  ...policyPlanRoutes,
  ...undoRoutes,
]
