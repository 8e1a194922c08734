import type { Route } from '#kernel/routes.ts'
import { accountRoutes } from '#rooms/accounts/index.ts'
import { appsRoutes } from '#rooms/apps/index.ts'
import { attributeRoutes } from '#rooms/attributes/index.ts'
import { automationRoutes } from '#rooms/automation/index.ts'
import { credentialRoutes } from '#rooms/credentials/index.ts'
import { grantRoutes } from '#rooms/grants/index.ts'
import { importRoutes } from '#rooms/imports/index.ts'
import { ownerRoutes } from '#rooms/owners/index.ts'
import { roleRoutes } from '#rooms/roles/index.ts'
import { sessionRoutes } from '#rooms/sessions/index.ts'
import { systemlogRoutes } from '#rooms/systemlog/index.ts'
import { tokenRoutes } from '#rooms/tokens/index.ts'
import { userRoutes } from '#rooms/users/index.ts'

/** The whole route table: every room's routes, in one list. */
export const routes: readonly Route[] = [
  ...tokenRoutes,
  ...sessionRoutes,
  ...credentialRoutes,
  ...roleRoutes,
  ...systemlogRoutes,
  ...attributeRoutes,
  ...appsRoutes,
  ...userRoutes,
  ...accountRoutes,
  ...grantRoutes,
  ...ownerRoutes,
  ...importRoutes,
  ...automationRoutes,
]
