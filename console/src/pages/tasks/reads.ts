import {
  appEntitlementSearchGrants,
  changesGet,
  homeListAttention,
  taskAuditList,
  taskGet,
  taskInboxGet,
  taskSearch,
  taskUndoPlan,
  taskWhyGet,
} from '#client/api/operations.ts'

/** What anything that is done with a task makes stale. */
export const taskReads = [
  taskGet,
  taskWhyGet,
  taskUndoPlan,
  taskSearch,
  taskAuditList,
  taskInboxGet,
  homeListAttention,
  changesGet,
  appEntitlementSearchGrants,
]
