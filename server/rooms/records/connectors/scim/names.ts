import { jobName } from '#kernel/jobs.ts'

/** Reads an app that supports SCIM. */
export const scimSyncDue = jobName<{ connectorId: string }>('connectors.scim-sync')

/** Carries out the queued tasks of an app that supports SCIM. */
export const scimTasksDue = jobName<{ connectorId: string }>('connectors.scim-provision')
