import type { Route } from '#kernel/routes.ts'
import { exportRoutes } from '#rooms/events/exports/index.ts'
import { subscriptionRoutes } from '#rooms/events/subscriptions/index.ts'
import { webhookRoutes } from '#rooms/events/webhooks/index.ts'
import { jobRoutes } from '#rooms/foundation/jobs/index.ts'
import { organizationRoutes } from '#rooms/foundation/organization/index.ts'
import { systemlogRoutes } from '#rooms/foundation/systemlog/index.ts'
import { driftRoutes } from '#rooms/governance/drift/index.ts'
import { enforcementRoutes } from '#rooms/governance/enforcement/index.ts'
import { exchangeToken, federationRoutes } from '#rooms/governance/federation/index.ts'
import { formRoutes } from '#rooms/governance/forms/index.ts'
import { fourEyesRoutes, underFourEyes } from '#rooms/governance/four-eyes/index.ts'
import { leaverRoutes } from '#rooms/governance/leavers/index.ts'
import { mergingRoutes } from '#rooms/governance/merging/index.ts'
import { notificationRoutes } from '#rooms/governance/notifications/index.ts'
import { connectorOwners, nameOwners, ownerRoutes } from '#rooms/governance/owners/index.ts'
import { policyChecks, policyRoutes } from '#rooms/governance/policies/index.ts'
import { profileRoutes } from '#rooms/governance/profiles/index.ts'
import { mayRequest, taskRoutes } from '#rooms/governance/tasks/index.ts'
import { termsRoutes } from '#rooms/governance/terms/index.ts'
import { credentialRoutes, forgetUser } from '#rooms/identity/credentials/index.ts'
import { principalRoutes } from '#rooms/identity/principals/index.ts'
import { roleRoutes } from '#rooms/identity/roles/index.ts'
import { sessionRoutes } from '#rooms/identity/sessions/index.ts'
import { tokenRoutes } from '#rooms/identity/tokens/index.ts'
import { userRoutes } from '#rooms/identity/users/index.ts'
import { acrossRoutes, findRoutes } from '#rooms/overview/across/index.ts'
import { bulkRoutes } from '#rooms/overview/bulk/index.ts'
import { changeRoutes } from '#rooms/overview/changes/index.ts'
import { homeRoutes } from '#rooms/overview/home/index.ts'
import { listRoutes } from '#rooms/overview/lists/index.ts'
import { nameThings } from '#rooms/overview/names/index.ts'
import { accountRoutes } from '#rooms/records/accounts/index.ts'
import { appsRoutes } from '#rooms/records/apps/index.ts'
import { attributeRoutes } from '#rooms/records/attributes/index.ts'
import { connectorRoutes } from '#rooms/records/connectors/index.ts'
import { directoryRoutes } from '#rooms/records/directories/index.ts'
import { grantRoutes } from '#rooms/records/grants/index.ts'
import { importRoutes } from '#rooms/records/imports/index.ts'
import { automationRoutes } from '#rooms/rules/automation/index.ts'
import { peopleRoutes } from '#rooms/rules/people/index.ts'
import { jobKinds } from './jobs.ts'
import { publishedRequest } from './published.ts'

const ofRooms: readonly Route[] = [
  ...tokenRoutes(exchangeToken),
  ...sessionRoutes,
  ...organizationRoutes,
  ...credentialRoutes,
  ...principalRoutes,
  ...federationRoutes,
  ...roleRoutes,
  ...systemlogRoutes(nameThings),
  ...exportRoutes,
  ...jobRoutes(jobKinds),
  ...subscriptionRoutes,
  ...attributeRoutes,
  ...appsRoutes(nameOwners, policyChecks),
  ...userRoutes(forgetUser),
  ...accountRoutes,
  ...grantRoutes,
  ...enforcementRoutes,
  ...ownerRoutes,
  ...formRoutes(mayRequest),
  ...webhookRoutes,
  ...policyRoutes,
  ...termsRoutes(mayRequest),
  ...profileRoutes,
  ...taskRoutes,
  ...driftRoutes,
  ...leaverRoutes,
  ...fourEyesRoutes,
  ...notificationRoutes,
  ...importRoutes,
  ...connectorRoutes(connectorOwners),
  ...directoryRoutes,
  ...peopleRoutes,
  ...mergingRoutes,
  ...automationRoutes,
  ...homeRoutes,
  ...changeRoutes,
  ...acrossRoutes,
  ...bulkRoutes(forgetUser, policyChecks),
]

const all: readonly Route[] = [...ofRooms, ...listRoutes(ofRooms), ...findRoutes(ofRooms)]

/** The whole route table: every room's routes, in one list. Each knows what clients of the published API may send it. */
export const routes: readonly Route[] = underFourEyes(all).map((route) => ({
  ...route,
  published: publishedRequest(route.id),
}))
