import type { Route } from '#kernel/routes.ts'
import { automatingRoutes } from './automating/routes.ts'
import { catalogRoutes } from './catalog/routes.ts'
import { entryRoutes } from './entries/routes.ts'
import { requestingRoutes } from './requesting/routes.ts'

export const profileRoutes: readonly Route[] = [
  ...catalogRoutes,
  ...entryRoutes,
  ...requestingRoutes,
  ...automatingRoutes,
]
