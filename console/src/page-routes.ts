import { accountRoutes } from './pages/accounts/routes.ts'
import { acrossRoutes } from './pages/across/routes.ts'
import { appRoutes } from './pages/apps/routes.ts'
import { automationRoutes } from './pages/automation/routes.ts'
import { changeRoutes } from './pages/changes/routes.ts'
import { connectorRoutes } from './pages/connectors/routes.ts'
import { coverageRoutes } from './pages/covered/routes.ts'
import { deviceRoutes } from './pages/device/routes.ts'
import { directoryRoutes } from './pages/directories/routes.ts'
import { driftRoutes } from './pages/drift/routes.ts'
import { entitlementRoutes } from './pages/entitlements/routes.ts'
import { formRoutes } from './pages/forms/routes.ts'
import { homeRoutes } from './pages/home/routes.ts'
import { importRoutes } from './pages/imports/routes.ts'
import { jobRoutes } from './pages/jobs/routes.ts'
import { memberRoutes } from './pages/members/routes.ts'
import { notificationRoutes } from './pages/notifications/routes.ts'
import { ownerRoutes } from './pages/owners/routes.ts'
import { pathRoutes } from './pages/paths/routes.ts'
import { policyRoutes } from './pages/policies/routes.ts'
import { principalRoutes } from './pages/principals/routes.ts'
import { profileRoutes } from './pages/profiles/routes.ts'
import { requestRoutes } from './pages/requests/routes.ts'
import { resourceRoutes } from './pages/resources/routes.ts'
import { settingsRoutes } from './pages/settings/routes.ts'
import { subscriptionRoutes } from './pages/subscriptions/routes.ts'
import { systemLogRoutes } from './pages/system-log/routes.ts'
import { taskRoutes } from './pages/tasks/routes.ts'
import { termRoutes } from './pages/terms/routes.ts'
import { userRoutes } from './pages/users/routes.ts'
import { webhookRoutes } from './pages/webhooks/routes.ts'

/** Every page within the shell. A new area adds the routes of its folder here. */
export const pageRoutes = [
  ...homeRoutes,
  ...requestRoutes,
  ...taskRoutes,
  ...policyRoutes,
  ...webhookRoutes,
  ...profileRoutes,
  ...formRoutes,
  ...termRoutes,
  ...appRoutes,
  ...entitlementRoutes,
  ...memberRoutes,
  ...automationRoutes,
  ...resourceRoutes,
  ...accountRoutes,
  ...acrossRoutes,
  ...userRoutes,
  ...pathRoutes,
  ...principalRoutes,
  ...ownerRoutes,
  ...directoryRoutes,
  ...connectorRoutes,
  ...importRoutes,
  ...driftRoutes,
  ...coverageRoutes,
  ...changeRoutes,
  ...systemLogRoutes,
  ...subscriptionRoutes,
  ...jobRoutes,
  ...settingsRoutes,
  ...deviceRoutes,
  ...notificationRoutes,
] as const
