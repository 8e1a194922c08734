import type { Route } from '#kernel/routes.ts'
import { credentialRoutes } from '#rooms/credentials/index.ts'
import { roleRoutes } from '#rooms/roles/index.ts'
import { systemlogRoutes } from '#rooms/systemlog/index.ts'
import { tokenRoutes } from '#rooms/tokens/index.ts'

/** The whole route table: every room's routes, in one list. */
export const routes: readonly Route[] = [...tokenRoutes, ...credentialRoutes, ...roleRoutes, ...systemlogRoutes]
