import { administerRoutes } from './routes-administer.ts'
import { identityRoutes } from './routes-identities.ts'
import { settingsRoutes } from './routes-settings.ts'
import { signInRoutes } from './routes-sign-in.ts'

export const sessionRoutes = [...signInRoutes, ...settingsRoutes, ...identityRoutes, ...administerRoutes]
