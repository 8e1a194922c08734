import { requestPlanRoutes } from './creating/planned/routes.ts'
import { creatingRoutes } from './creating/routes.ts'
import { actionRoutes } from './deciding/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { planningRoutes } from './planning/routes.ts'
import { searchRoutes } from './searching/routes.ts'

export const taskRoutes = [
  ...creatingRoutes,
  ...actionRoutes,
  ...searchRoutes,
  ...historyRoutes,
  ...inboxRoutes,
  ...requestPlanRoutes,
  ...planningRoutes,
]
