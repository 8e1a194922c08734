import { besideRoutes } from './beside/routes.ts'
import { requestPlanRoutes } from './creating/planned/routes.ts'
import { creatingRoutes } from './creating/routes.ts'
import { severalRoutes } from './creating/several/routes.ts'
import { actionRoutes } from './deciding/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { planningRoutes } from './planning/routes.ts'
import { provingRoutes } from './proving/routes.ts'
import { searchRoutes } from './searching/routes.ts'

export const taskRoutes = [
  ...creatingRoutes,
  ...severalRoutes,
  ...besideRoutes,
  ...actionRoutes,
  ...searchRoutes,
  ...historyRoutes,
  ...inboxRoutes,
  ...requestPlanRoutes,
  ...planningRoutes,
  ...provingRoutes,
]
