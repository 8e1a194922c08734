import { exclusionRoutes } from './exclusions/routes.ts'
import { planRoutes } from './plan/routes.ts'
import { restoreRoutes, undoRoutes } from './restore/routes.ts'
import { ruleRoutes } from './rule/routes.ts'
import { heldRunRoutes, runRoutes } from './runs/routes.ts'
import { savingRoutes } from './saving/routes.ts'
import { valueRoutes } from './values/routes.ts'
import { versionRoutes } from './versions/routes.ts'

/*
 * The folders of this room, in an order in which each imports only those before it: store, giving, rule, values, matching,
 * examples, versions, runs, changes, exclusions, saving, explain, plan, restore.
 */
export const automationRoutes = [
  ...ruleRoutes,
  ...savingRoutes,
  ...exclusionRoutes,
  ...planRoutes,
  ...runRoutes,
  ...undoRoutes,
  ...heldRunRoutes,
  ...versionRoutes,
  ...restoreRoutes,
  ...valueRoutes,
]
