import { administerRoutes } from './administration/routes.ts'
import { identityRoutes } from './linked-identities/routes.ts'
import { settingsRoutes } from './routes/settings.ts'
import { signInRoutes } from './routes/sign-in.ts'

export const sessionRoutes = [...signInRoutes, ...settingsRoutes, ...identityRoutes, ...administerRoutes]
