import type { Route } from '#kernel/routes.ts'
import { accountRoutes } from '#rooms/accounts/index.ts'
import { appsRoutes } from '#rooms/apps/index.ts'
import { attributeRoutes } from '#rooms/attributes/index.ts'
import { automationRoutes } from '#rooms/automation/index.ts'
import { credentialRoutes } from '#rooms/credentials/index.ts'
import { grantRoutes } from '#rooms/grants/index.ts'
import { importRoutes } from '#rooms/imports/index.ts'
import { nameOwners, ownerRoutes } from '#rooms/owners/index.ts'
import { roleRoutes } from '#rooms/roles/index.ts'
import { sessionRoutes } from '#rooms/sessions/index.ts'
import { systemlogRoutes } from '#rooms/systemlog/index.ts'
import { tokenRoutes } from '#rooms/tokens/index.ts'
import { userRoutes } from '#rooms/users/index.ts'
import { publishedRequest } from './published.ts'

const all: readonly Route[] = [
  ...tokenRoutes,
  ...sessionRoutes,
  ...credentialRoutes,
  ...roleRoutes,
  ...systemlogRoutes,
  ...attributeRoutes,
  ...appsRoutes(nameOwners),
  ...userRoutes,
  ...accountRoutes,
  ...grantRoutes,
  ...ownerRoutes,
  ...importRoutes,
  ...automationRoutes,
]

/** The whole route table: every room's routes, in one list. Each knows what clients of the published API may send it. */
export const routes: readonly Route[] = all.map((route) => ({ ...route, published: publishedRequest(route.id) }))
