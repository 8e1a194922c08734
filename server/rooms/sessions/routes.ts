import { settingsRoutes } from './routes-settings.ts'
import { signInRoutes } from './routes-sign-in.ts'

export const sessionRoutes = [...signInRoutes, ...settingsRoutes]
