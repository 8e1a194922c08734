import {
  appEntitlementSearchGrants,
  changesGet,
  homeListAttention,
  taskAuditList,
  taskContextGet,
  taskGet,
  taskInboxGet,
  taskProvisioningGet,
  taskSearch,
  taskUndoPlan,
  taskWhyGet,
} from '#client/api/operations.ts'

/** What anything that is done with a task makes stale. */
export const taskReads = [
  taskGet,
  taskContextGet,
  taskProvisioningGet,
  taskWhyGet,
  taskUndoPlan,
  taskSearch,
  taskAuditList,
  taskInboxGet,
  homeListAttention,
  changesGet,
  appEntitlementSearchGrants,
]
