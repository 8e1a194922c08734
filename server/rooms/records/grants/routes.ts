import { graphRoutes } from './graph/routes.ts'
import { memberRoutes } from './routes/members.ts'
import { grantSearchRoutes } from './routes/search.ts'

export const grantRoutes = [...memberRoutes, ...grantSearchRoutes, ...graphRoutes]
