import { administerRoutes } from './administration/routes.ts'
import { sessionSettingsRoutes } from './administration/session-settings.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { identityRoutes } from './routes/linked-identities.ts'
import { settingsRoutes } from './routes/settings.ts'
import { signInRoutes } from './routes/sign-in.ts'

export const sessionRoutes = [
  ...signInRoutes,
  ...settingsRoutes,
  ...identityRoutes,
  ...administerRoutes,
  ...invitationRoutes,
  ...sessionSettingsRoutes,
]
