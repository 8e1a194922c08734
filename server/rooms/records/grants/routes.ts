import { graphRoutes } from './graph/routes.ts'
import { pathRoutes } from './paths/routes.ts'
import { memberRoutes } from './routes/members.ts'
import { grantSearchRoutes } from './routes/search.ts'
import { timelineRoutes } from './timeline/routes.ts'

export const grantRoutes = [...memberRoutes, ...grantSearchRoutes, ...graphRoutes, ...timelineRoutes, ...pathRoutes]
