import { appEntitlementSearchGrants, taskAuditList, taskGet, taskInboxGet, taskSearch } from '../../api/operations.ts'

/** What anything that is done with a task makes stale. */
export const taskReads = [taskGet, taskSearch, taskAuditList, taskInboxGet, appEntitlementSearchGrants]
