import { creatingRoutes } from './creating/routes.ts'
import { actionRoutes } from './deciding/routes.ts'

export const taskRoutes = [...creatingRoutes, ...actionRoutes]
