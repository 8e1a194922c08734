import type { JobKind } from '#kernel/jobs.ts'
import type { Route } from '#kernel/routes.ts'
import { exportEvents, removeOldEvents } from '#rooms/events/exports/index.ts'
import { webhookRoutes } from '#rooms/events/webhooks/index.ts'
import { carryOutRuns, compareSynced } from '#rooms/governance/drift/index.ts'
import { carryOutChanges, fourEyesRoutes } from '#rooms/governance/four-eyes/index.ts'
import { leaverRoutes, openRevocations } from '#rooms/governance/leavers/index.ts'
import { mergingRoutes } from '#rooms/governance/merging/index.ts'
import { connectorOwners, nameOwners, ownerRoutes } from '#rooms/governance/owners/index.ts'
import { policyChecks, policyRoutes } from '#rooms/governance/policies/index.ts'
import { profileJobs, profileRoutes } from '#rooms/governance/profiles/index.ts'
import {
  askWebhooks,
  carryOnDueTasks,
  followDelegations,
  goOnAnswered,
  goOnOffboarding,
  goOnProvisioned,
  mayRequest,
  profileTasks,
  recheckLeftBehind,
  recordAttempts,
} from '#rooms/governance/tasks/index.ts'
import { termsRoutes } from '#rooms/governance/terms/index.ts'
import { forgetUser } from '#rooms/identity/credentials/index.ts'
import { endSessionsOfDisabled } from '#rooms/identity/sessions/index.ts'
import { userRoutes } from '#rooms/identity/users/index.ts'
import { bulkRoutes } from '#rooms/overview/bulk/index.ts'
import { appsRoutes } from '#rooms/records/apps/index.ts'
import { changeScimApps, connectorRoutes, mergeSyncs, readScimApps } from '#rooms/records/connectors/index.ts'
import { heldJob, managersJob } from '#rooms/records/directories/index.ts'
import { automationRoutes } from '#rooms/rules/automation/index.ts'
import { directoryJobs } from '#rooms/rules/people/index.ts'

/** The operations that may wait for approval, as they are carried out once that is given. */
export const heldRoutes: readonly Route[] = [
  ...appsRoutes(nameOwners, policyChecks),
  ...automationRoutes,
  ...webhookRoutes,
  ...policyRoutes,
  ...termsRoutes(mayRequest),
  ...profileRoutes,
  ...ownerRoutes,
  ...connectorRoutes(connectorOwners),
  ...userRoutes(forgetUser),
  ...mergingRoutes,
  ...leaverRoutes,
  ...fourEyesRoutes,
  ...bulkRoutes(forgetUser, policyChecks),
]

/** Every kind of job: what happens later, with the room that does it. */
export const jobKinds: readonly JobKind[] = [
  endSessionsOfDisabled,
  carryOnDueTasks,
  followDelegations,
  goOnOffboarding,
  goOnProvisioned,
  askWebhooks,
  recordAttempts,
  goOnAnswered,
  recheckLeftBehind,
  mergeSyncs,
  readScimApps,
  changeScimApps,
  compareSynced,
  heldJob,
  managersJob,
  carryOutRuns,
  openRevocations,
  exportEvents,
  removeOldEvents,
  ...directoryJobs,
  carryOutChanges(heldRoutes),
  ...profileJobs(profileTasks),
]
