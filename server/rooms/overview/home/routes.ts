import type { Route } from '#kernel/routes.ts'
import { attentionRoutes } from './attention/routes.ts'
import { numberRoutes } from './numbers/routes.ts'
import { setupRoutes } from './setup/routes.ts'

export const homeRoutes: readonly Route[] = [...attentionRoutes, ...numberRoutes, ...setupRoutes]
