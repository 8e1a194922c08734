import type { Route } from '#kernel/routes.ts'
import { ownersOfEntitlementsRoutes } from './routes/of-entitlements.ts'
import { ownedRoutes } from './routes/owned.ts'
import { ownerRoutesV1 } from './routes/v1.ts'
import { ownerRoutesV2 } from './routes/v2.ts'

export const ownerRoutes: readonly Route[] = [
  ...ownerRoutesV2,
  ...ownerRoutesV1,
  ...ownedRoutes,
  ...ownersOfEntitlementsRoutes,
]
