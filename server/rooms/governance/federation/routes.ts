import type { Route } from '#kernel/routes.ts'
import { providerRoutes } from './routes/providers.ts'
import { testRoutes } from './routes/testing.ts'
import { trustRoutes } from './routes/trusts.ts'

export const federationRoutes: readonly Route[] = [...providerRoutes, ...trustRoutes, ...testRoutes]
