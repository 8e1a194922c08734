import type { Route } from '#kernel/routes.ts'
import { chatRoutes } from './chat/routes.ts'
import { senderRoutes } from './sender/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { statusRoutes } from './status/routes.ts'

export const notificationRoutes: readonly Route[] = [...settingsRoutes, ...senderRoutes, ...chatRoutes, ...statusRoutes]
